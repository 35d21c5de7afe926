//! How a parameter or a header is written (OpenAPI 3.1.1 §4.8.12.6), and values that show a difference.

use super::exchange::text_of;
use super::{ListFormat, WireFormat, accepts};
use codegen::openapi::{Header, ParamLocation, Parameter, Style};
use json_schema::types::Types;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sample::normal::{AllOf, Normalizer};
use sample::{Bundle, Sampler, is_blank};
use serde_json::{Value, json};

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// How a parameter or a header is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ParamEncoding {
    pub(crate) name: String,
    pub(crate) location: ParamLocation,
    pub(crate) style: Style,
    pub(crate) explode: bool,
}

impl ParamEncoding {
    pub(crate) fn of(parameter: &Parameter) -> ParamEncoding {
        ParamEncoding {
            name: parameter.name.clone(),
            location: parameter.place,
            style: parameter.style,
            explode: parameter.explode,
        }
    }

    pub(crate) fn of_header(header: &Header) -> ParamEncoding {
        ParamEncoding {
            name: header.name.clone(),
            location: ParamLocation::Header,
            style: match header.is_json {
                true => Style::Json,
                false => Style::Simple,
            },
            explode: header.explode,
        }
    }

    /// The encoding in the words of a report.
    pub(crate) fn phrase(&self) -> String {
        let explode = match self.explode {
            true => ", exploded",
            false => "",
        };
        match self.style {
            Style::Json => "JSON".to_owned(),
            // It is written together with the name.
            Style::Matrix => format!("style Matrix{explode}, as `{}`", self.name),
            style => format!("style {style:?}{explode}"),
        }
    }

    pub(crate) fn wire_format(&self) -> WireFormat<'static> {
        let lists = match (self.style, self.explode) {
            (Style::Json, _) => return WireFormat::Json,
            (Style::DeepObject, _) | (Style::Matrix, true) => ListFormat::Separate,
            (_, true) if self.location == ParamLocation::Query => ListFormat::Separate,
            (Style::Label, true) => ListFormat::Joined("."),
            (Style::SpaceDelimited, _) => ListFormat::Joined(" "),
            (Style::PipeDelimited, _) => ListFormat::Joined("|"),
            _ => ListFormat::Joined(","),
        };
        WireFormat::Text(lists)
    }

    pub(crate) fn writes_like(&self, other: &ParamEncoding, value: &Value) -> bool {
        self.write(value) == other.write(value)
    }

    /// The whole parameter in a query or a cookie; its value elsewhere.
    pub(crate) fn write(&self, value: &Value) -> String {
        let (lead, between) = match (self.style, self.explode) {
            (Style::Label, true) => (".", "."),
            (Style::Label, false) => (".", ""),
            (Style::Matrix, _) => (";", ";"),
            (Style::Simple, _) => ("", ","),
            _ => ("", "&"),
        };
        format!("{lead}{}", self.pieces(value).join(between))
    }

    fn pieces(&self, value: &Value) -> Vec<String> {
        let is_named = matches!(self.location, ParamLocation::Query | ParamLocation::Cookie);
        let own = |text: String| match is_named || self.style == Style::Matrix {
            true => format!("{}={text}", self.name),
            false => text,
        };
        let shown = |value: &Value| self.encode(&text_of(value));
        match (self.style, value) {
            (Style::Json, value) => vec![own(self.encode(&value.to_string()))],
            (Style::DeepObject, Value::Object(members)) => {
                let members = members.iter();
                let pairs = members.flat_map(|(name, member)| {
                    self.pairs(&format!("{}[{name}]", self.name), member)
                });
                pairs.collect()
            }
            (_, Value::Array(items)) if self.explode => {
                items.iter().map(|item| own(shown(item))).collect()
            }
            (_, Value::Object(members)) if self.explode => {
                let members = members.iter();
                let pairs = members.flat_map(|(name, member)| self.pairs(name, member));
                pairs.collect()
            }
            (_, Value::Array(items)) => {
                let items: Vec<String> = items.iter().map(shown).collect();
                vec![own(items.join(self.delimiter()))]
            }
            (_, Value::Object(members)) => {
                let members = members.iter();
                let flat = members.flat_map(|(name, member)| [self.encode(name), shown(member)]);
                vec![own(flat.collect::<Vec<_>>().join(self.delimiter()))]
            }
            (_, plain) => vec![own(shown(plain))],
        }
    }

    /// A member as a pair of its name and value; in a query, one for each item of a list.
    fn pairs(&self, name: &str, member: &Value) -> Vec<String> {
        let pair = |value: &Value| format!("{name}={}", self.encode(&text_of(value)));
        match member {
            Value::Array(items) if self.location == ParamLocation::Query => {
                items.iter().map(pair).collect()
            }
            member => vec![pair(member)],
        }
    }

    fn delimiter(&self) -> &'static str {
        match self.style {
            Style::SpaceDelimited => "%20",
            Style::PipeDelimited => "|",
            _ => ",",
        }
    }

    /// Percent-encodes a text, unless it is in a header, which is no part of a URL.
    fn encode(&self, text: &str) -> String {
        match self.location {
            ParamLocation::Header => text.to_owned(),
            _ => utf8_percent_encode(text, RESERVED).to_string(),
        }
    }
}

/// An encoding with the schemas, and the key among them, of the values.
pub(crate) type Encoded<'e> = (&'e Bundle, &'e str, &'e ParamEncoding);

/// Whether both versions write every value alike that either accepts: `explode` says nothing of values
/// without parts, and few styles write the name of what is in a path.
pub(crate) fn are_written_alike(before: Encoded<'_>, after: Encoded<'_>) -> bool {
    let single = [Types::BOOLEAN, Types::INTEGER, Types::STRING];
    let shapes = [
        (&single[..], json!("a")),
        (&[Types::ARRAY], json!(["a", "b"])),
        (&[Types::OBJECT], json!({ "a": "b" })),
    ];
    let takes = |(bundle, key, _): Encoded<'_>, types: &[Types]| bundle.takes_any(key, types);
    let mut taken = shapes
        .iter()
        .filter(|(types, _)| takes(before, types) || takes(after, types));
    taken.all(|(_, value)| before.2.writes_like(after.2, value))
}

/// A valid value that another encoding does not read as it was written.
pub(crate) fn misread_value(
    (bundle, key, writer): Encoded<'_>,
    reader: &ParamEncoding,
) -> Option<Value> {
    let forms = Normalizer::new(bundle);
    let schema = bundle.schema(key).map(AllOf::one).unwrap_or_default();
    let own = [false, true].map(|optional| {
        let style = sample::Style {
            optional,
            ..sample::Style::default()
        };
        Sampler::new(&forms, style).sample(&schema)
    });
    let own: Vec<Value> = own.into_iter().flatten().collect();
    let doubled = own.iter().find_map(|value| {
        let item = value.as_array()?.first()?;
        Some(json!([item, item]))
    });
    let lists = [json!(["a", "b"]), json!([1, 2])];
    let mut candidates = own.into_iter().chain(lists).chain(doubled);
    candidates.find(|value| {
        !is_blank(value)
            && !writer.writes_like(reader, value)
            && accepts(bundle, Some(key), writer.wire_format(), value)
    })
}
