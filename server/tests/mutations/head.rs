//! Mutations of status and headers.

use http::header::{CONTENT_TYPE, HeaderName};
use http::{HeaderValue, StatusCode};
use serde_json::Value;

use super::{Change, Found};
use crate::document::{Documented, Header, Operation};

/// Statuses that any body can come with.
const STATUSES: [u16; 4] = [200, 201, 202, 203];

/// The value of a header that is no number, no entity tag and no directive.
const MALFORMED: HeaderValue = HeaderValue::from_static("?");

pub(super) fn mutations(operation: &Operation, status: u16, documented: &Documented) -> Vec<Found> {
    let answers = &operation.answers;
    let undocumented = STATUSES.into_iter().find(|it| !answers.contains_key(it));
    let another = answers
        .keys()
        .copied()
        .find(|it| *it >= 400 && *it != status);
    let mut found = Vec::new();
    found.extend(undocumented.map(|it| of_status("undocumented status", it)));
    found.extend(another.map(|it| of_status("status of another answer", it)));
    for (name, header) in documented.headers.iter().filter(|(_, it)| it.required) {
        let name: HeaderName = name.parse().unwrap();
        found.push(of_header("header lost", &name, None));
        if is_restricted(header) {
            found.push(of_header("header malformed", &name, Some(MALFORMED)));
        }
    }
    if !documented.content.is_empty() {
        let strange = HeaderValue::from_static("text/plain");
        found.push(of_header(
            "strange media type",
            &CONTENT_TYPE,
            Some(strange),
        ));
    }
    found
}

fn of_status(kind: &'static str, status: u16) -> Found {
    let status = StatusCode::from_u16(status).unwrap();
    let change = move |parts: &mut http::response::Parts| {
        parts.status = status;
        true
    };
    Found(kind, String::new(), Change::Head(Box::new(change)))
}

fn of_header(kind: &'static str, name: &HeaderName, value: Option<HeaderValue>) -> Found {
    let at = name.to_string();
    let name = name.clone();
    let change = move |parts: &mut http::response::Parts| {
        let had = parts.headers.remove(&name).is_some();
        if let Some(value) = &value {
            parts.headers.insert(name.clone(), value.clone());
        }
        had
    };
    Found(kind, at, Change::Head(Box::new(change)))
}

/// Whether some texts are invalid for the header.
fn is_restricted(header: &Header) -> bool {
    let schema = &header.schema;
    let keywords = ["pattern", "enum", "const", "format"];
    schema["type"] != "string" || keywords.iter().any(|it| schema[it] != Value::Null)
}
