//! The styles of parameters (OpenAPI 3.1.1 §4.8.12.3): how a value is written in a path, a query, a header,
//! a cookie or the field of a form.
//!
//! Each function takes the encoding of one text, such as percent-encoding; delimiters that OpenAPI has
//! encoded, a blank and a bar, go through it too.

use crate::pairs::{self, text};
use serde_json::Value;

/// The style of a parameter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the standard")]
pub enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    DeepObject,
    /// Pairs of a cookie header, without an encoding (OpenAPI 3.2).
    Cookie,
    /// A text of JSON: a parameter with `content` instead of a schema.
    Json,
    /// The whole query as a form (OpenAPI 3.2, `in: querystring`).
    QueryForm,
    /// The whole query as a text of JSON.
    QueryJson,
    /// The whole query as any other text.
    QueryText,
}

impl Style {
    /// Its name in a document; `None` for those that no `style` names.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Style::Simple => Some("simple"),
            Style::Label => Some("label"),
            Style::Matrix => Some("matrix"),
            Style::Form => Some("form"),
            Style::SpaceDelimited => Some("spaceDelimited"),
            Style::PipeDelimited => Some("pipeDelimited"),
            Style::DeepObject => Some("deepObject"),
            Style::Cookie => Some("cookie"),
            Style::Json | Style::QueryForm | Style::QueryJson | Style::QueryText => None,
        }
    }

    /// Whether the items or members of a value are written one by one by default.
    #[must_use]
    pub fn is_exploded(self) -> bool {
        matches!(self, Style::Form | Style::DeepObject | Style::Cookie)
    }

    /// Whether a value is one text of JSON.
    #[must_use]
    pub fn is_json(self) -> bool {
        matches!(self, Style::Json | Style::QueryJson)
    }

    /// Whether a value is the whole query, in which its parameter's name is not written.
    #[must_use]
    pub fn is_whole_query(self) -> bool {
        self == Style::QueryForm || self.is_query_text()
    }

    /// Whether a value is the whole query as one text, and no pairs.
    #[must_use]
    pub fn is_query_text(self) -> bool {
        matches!(self, Style::QueryJson | Style::QueryText)
    }
}

/// The one text that a path, a header or a whole query has for a value.
#[must_use]
pub fn one_text(
    (style, explode): (Style, bool),
    name: &str,
    value: &Value,
    encode: impl Fn(&str) -> String,
) -> String {
    let named = |text: String| format!(";{}={text}", encode(name));
    let joined = |delimiter: &str, assigned| parts(value, assigned, &encode).join(delimiter);
    match (style, explode) {
        (Style::Json | Style::QueryJson, _) => encode(&value.to_string()),
        (Style::Label, true) => format!(".{}", joined(".", true)),
        (Style::Label, false) => format!(".{}", joined(",", false)),
        (Style::Matrix, true) if value.is_object() => format!(";{}", joined(";", true)),
        (Style::Matrix, true) => parts(value, false, &encode)
            .into_iter()
            .map(named)
            .collect(),
        (Style::Matrix, false) => named(joined(",", false)),
        (Style::Simple, explode) => joined(",", explode),
        (Style::SpaceDelimited, _) => joined(&encode(" "), false),
        (Style::PipeDelimited, _) => joined(&encode("|"), false),
        (Style::Form | Style::DeepObject | Style::Cookie, _) => joined(",", false),
        (Style::QueryForm | Style::QueryText, _) => encode(&text(value)),
    }
}

/// The pairs of names and texts that a query, a cookie or a form has for a value.
#[must_use]
pub fn pairs(
    (style, explode): (Style, bool),
    name: &str,
    value: &Value,
    encode: impl Fn(&str) -> String,
) -> Vec<(String, String)> {
    let encoded = |(name, text): (&str, String)| (encode(name), encode(&text));
    match value {
        _ if style == Style::Json => vec![encoded((name, value.to_string()))],
        Value::Object(members) if style == Style::QueryForm => {
            let pairs = members
                .iter()
                .flat_map(|(name, member)| pairs::form_field(name, member));
            pairs.map(|(name, text)| encoded((&name, text))).collect()
        }
        Value::Object(_) | Value::Array(_) if style == Style::DeepObject => {
            let pairs = pairs::deep_object(name, value).into_iter();
            pairs.map(|(name, text)| encoded((&name, text))).collect()
        }
        Value::Array(items) if explode => {
            let items = items.iter();
            items.map(|item| encoded((name, text(item)))).collect()
        }
        Value::Object(members) if explode => {
            let members = members.iter();
            members
                .map(|(name, member)| encoded((name, text(member))))
                .collect()
        }
        _ => vec![(encode(name), one_text((style, false), name, value, encode))],
    }
}

/// The pairs of a form, of whose fields some have a style of their own, each with whether it is exploded.
#[must_use]
pub fn form(
    value: &Value,
    style: impl Fn(&str) -> Option<(Style, bool)>,
    encode: impl Fn(&str) -> String,
) -> Vec<(String, String)> {
    let members = value.as_object().into_iter().flatten();
    let each = members.flat_map(|(name, member)| match style(name) {
        // Only JSON has a text for it.
        Some((style, _)) if member.is_null() && style != Style::Json => Vec::new(),
        Some(style) => pairs(style, name, member, &encode),
        None => {
            let plain = pairs::form_field(name, member).into_iter();
            plain
                .map(|(name, text)| (encode(&name), encode(&text)))
                .collect()
        }
    });
    each.collect()
}

/// The encoded texts of a value: one, one for each item, or for each member either `name=value` or the two
/// after one another.
fn parts(value: &Value, assigned: bool, encode: &impl Fn(&str) -> String) -> Vec<String> {
    let scalar = |value: &Value| encode(&text(value));
    match value {
        Value::Array(items) => items.iter().map(scalar).collect(),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, member)| [encode(name), scalar(member)]);
            match assigned {
                true => members.map(|pair| pair.join("=")).collect(),
                false => members.flatten().collect(),
            }
        }
        _ => vec![scalar(value)],
    }
}

#[cfg(test)]
mod tests {
    use super::{Style, one_text, pairs};
    use serde_json::json;

    #[test]
    fn values_are_written_as_the_standard_s_table_has_them() {
        let (text, list, object) = (
            json!("blue"),
            json!(["blue", "black"]),
            json!({ "R": 1, "G": 2 }),
        );
        let written = |style, explode| {
            [&text, &list, &object]
                .map(|value| one_text((style, explode), "c", value, str::to_owned))
        };
        assert_eq!(
            written(Style::Simple, false),
            ["blue", "blue,black", "R,1,G,2"]
        );
        assert_eq!(
            written(Style::Simple, true),
            ["blue", "blue,black", "R=1,G=2"]
        );
        assert_eq!(
            written(Style::Label, false),
            [".blue", ".blue,black", ".R,1,G,2"]
        );
        assert_eq!(
            written(Style::Label, true),
            [".blue", ".blue.black", ".R=1.G=2"]
        );
        assert_eq!(
            written(Style::Matrix, false),
            [";c=blue", ";c=blue,black", ";c=R,1,G,2"]
        );
        assert_eq!(
            written(Style::Matrix, true),
            [";c=blue", ";c=blue;c=black", ";R=1;G=2"]
        );
        let query = |style, explode, value| {
            let pairs = pairs((style, explode), "c", value, |text| {
                text.replace(' ', "%20")
            });
            let pairs = pairs
                .into_iter()
                .map(|(name, text)| format!("{name}={text}"));
            pairs.collect::<Vec<_>>().join("&")
        };
        assert_eq!(query(Style::Form, true, &list), "c=blue&c=black");
        assert_eq!(query(Style::Form, false, &object), "c=R,1,G,2");
        assert_eq!(query(Style::SpaceDelimited, false, &list), "c=blue%20black");
        assert_eq!(query(Style::DeepObject, true, &object), "c[R]=1&c[G]=2");
        assert_eq!(query(Style::Json, false, &list), "c=[\"blue\",\"black\"]");
        // OpenAPI 3.2.
        assert_eq!(query(Style::Cookie, true, &object), "R=1&G=2");
        assert_eq!(query(Style::Cookie, false, &list), "c=blue,black");
        let form = json!({ "a": [1, 2], "b": { "c": "x y" } });
        assert_eq!(query(Style::QueryForm, true, &form), "a=1&a=2&b[c]=x%20y");
        assert_eq!(
            written(Style::QueryJson, false),
            ["\"blue\"", "[\"blue\",\"black\"]", "{\"R\":1,\"G\":2}"]
        );
        assert_eq!(
            one_text((Style::QueryText, false), "c", &text, str::to_owned),
            "blue"
        );
    }
}
