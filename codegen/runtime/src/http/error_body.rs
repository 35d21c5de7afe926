//! Bodies of the generated layer's answers, in the shapes that a contract documents for its errors.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use json_schema::issue::Issue;

/// The body of an answer in the place of a handler: a documented type's value, or the facts of the rejection in
/// the form of that type. A value of your own is `.into()`.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBody<T>(Content<T>);

#[derive(Debug, Clone, PartialEq)]
enum Content<T> {
    Own(T),
    Known(Value),
}

impl<T> From<T> for ErrorBody<T> {
    fn from(own: T) -> Self {
        Self(Content::Own(own))
    }
}

impl<T: Serialize> Serialize for ErrorBody<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Content::Own(own) => own.serialize(serializer),
            Content::Known(known) => known.serialize(serializer),
        }
    }
}

/// A fact of a rejection, as a JSON value.
#[derive(Debug, Clone, Copy)]
pub enum Known {
    /// This text.
    Text(&'static str),
    /// This number.
    Number(u16),
    /// This truth value.
    Bool(bool),
    /// The message: about the request, or within [`Known::Issues`] about a part of it.
    Message,
    /// These members.
    Object(&'static [(&'static str, Known)]),
    /// These items.
    List(&'static [Known]),
    /// An item for each violation.
    Issues(&'static Known),
    /// The part of the request that a violation is in.
    Place,
    /// The parameter's name, or the JSON Pointer into the body.
    At,
    /// The keyword of JSON Schema.
    Keyword,
}

impl Known {
    /// The body of a rejection: its message, and the violations that it has.
    #[must_use]
    pub fn body<T>(&self, message: &str, issues: &[Issue]) -> ErrorBody<T> {
        ErrorBody(Content::Known(self.value(message, issues)))
    }

    fn value(&self, message: &str, issues: &[Issue]) -> Value {
        let one = issues.first();
        match *self {
            Self::Text(text) => text.into(),
            Self::Number(number) => number.into(),
            Self::Bool(value) => value.into(),
            Self::Message => message.into(),
            Self::Object(members) => {
                let members = members.iter();
                let members =
                    members.map(|(name, known)| ((*name).into(), known.value(message, issues)));
                Value::Object(members.collect::<Map<_, _>>())
            }
            Self::List(items) => items
                .iter()
                .map(|known| known.value(message, issues))
                .collect(),
            Self::Issues(known) => {
                let each = issues.iter();
                each.map(|issue| known.value(&issue.message, std::slice::from_ref(issue)))
                    .collect()
            }
            Self::Place => one.map_or("", |issue| issue.place.name()).into(),
            Self::At => one.map_or("", |issue| &issue.at).into(),
            Self::Keyword => one.map_or("", |issue| issue.keyword).into(),
        }
    }
}

/// The first violation of a request, as a sentence.
#[must_use]
pub fn violated(issues: &[Issue]) -> String {
    let Some(first) = issues.first() else {
        return "The request is invalid.".into();
    };
    let Issue {
        place, at, message, ..
    } = first;
    let more = match issues.len() - 1 {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    match at.is_empty() {
        true => format!("The {place} {message}{more}."),
        false => format!("`{at}` ({place}) {message}{more}."),
    }
}

/// The sentence about a body that is not JSON.
#[must_use]
pub fn not_json(reason: &str, line: usize, column: usize) -> String {
    match line {
        0 => format!("The body {reason}."),
        _ => format!("The body {reason} (line {line}, column {column})."),
    }
}

/// The sentence to a client that has sent a body of another media type.
#[must_use]
pub fn other_media_type(consumes: &[&str]) -> String {
    let types = consumes.join(" or ");
    format!("The body must be uncompressed {types} in UTF-8.")
}

#[cfg(test)]
mod tests {
    use super::{ErrorBody, Known, violated};
    use json_schema::issue::{Issue, Place};
    use serde_json::json;

    fn issue(at: &str) -> Issue {
        Issue {
            place: Place::Body,
            at: at.into(),
            keyword: "minimum",
            message: "must be at least 1".into(),
        }
    }

    #[test]
    fn each_violation_is_an_item() {
        const KNOWN: Known = Known::Object(&[
            ("detail", Known::Message),
            (
                "errors",
                Known::Issues(&Known::Object(&[
                    ("pointer", Known::At),
                    ("detail", Known::Message),
                ])),
            ),
        ]);
        let body: ErrorBody<()> = KNOWN.body("all wrong", &[issue("/a"), issue("/b")]);
        let expected = json!({
            "detail": "all wrong",
            "errors": [
                { "pointer": "/a", "detail": "must be at least 1" },
                { "pointer": "/b", "detail": "must be at least 1" },
            ],
        });
        assert_eq!(serde_json::to_value(&body).unwrap(), expected);
    }

    #[test]
    fn a_sentence_names_the_first_violation() {
        let issues = [issue("/a"), issue("")];
        assert_eq!(
            violated(&issues),
            "`/a` (body) must be at least 1 (and 1 more)."
        );
        assert_eq!(violated(&issues[1..]), "The body must be at least 1.");
    }
}
