//! The test requests that are derived from a contract: each case of each field, with all other fields
//! valid.

use super::TestRequest;
use super::cases::{self, Case};
use super::contract::{Contract, Field, Operation, Place};
use super::expected::Expected;
use super::request;
use serde_json::{Map, Value};

/// The test requests for every field of every operation.
pub(super) fn test_requests(contract: &Contract) -> Vec<TestRequest> {
    let mut requests = Vec::new();
    for operation in &contract.operations {
        requests.push(test_request(operation, "all examples".into(), None, None));
        for field in &operation.fields {
            if !field.is_body() && field.place != Place::Path {
                let missing = Case {
                    value: Value::Null,
                    breaks: field.required.then(|| cases::Breach {
                        at: String::new(),
                        keyword: "required".into(),
                        bound: None,
                        sent: Value::Null,
                    }),
                };
                let subject = format!("{} {} left out", field.place.name(), field.name);
                requests.push(test_request(
                    operation,
                    subject,
                    Some(field),
                    Some((missing, true)),
                ));
            }
            let all = cases::all(&field.schema, &field.example, field.is_json());
            for (index, case) in all
                .into_iter()
                .filter(|case| can_write(field, case))
                .enumerate()
            {
                let what = match &case.breaks {
                    Some(breach) => format!("beyond {} of {}", breach.keyword, breach.at),
                    None => "within".into(),
                };
                let subject = format!("{} {} {index} {what}", field.place.name(), field.name);
                requests.push(test_request(
                    operation,
                    subject,
                    Some(field),
                    Some((case, false)),
                ));
            }
        }
    }
    requests
}

/// Whether the place of a field can hold the value, and the server would read this value there.
fn can_write(field: &Field, case: &Case) -> bool {
    if field.is_json() {
        return true;
    }
    let is_empty = |value: &Value| match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    let inside: Vec<&Value> = match &case.value {
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    // An empty list and an absent one have the same text.
    let is_absent = is_empty(&case.value) || inside.iter().any(|value| is_empty(value));
    // A header cannot hold letters beyond ASCII, and its style does not distinguish lists from texts.
    let beyond_ascii = field.place == Place::Header && !case.value.to_string().is_ascii();
    let is_of_another_type = matches!(field.example, Value::Array(_) | Value::Object(_))
        && std::mem::discriminant(&field.example) != std::mem::discriminant(&case.value);
    // One text is a list of one.
    let wraps = inside
        .iter()
        .any(|value| matches!(value, Value::Array(items) if items.len() == 1));
    let reads_as_text = wraps && case.breaks.is_none();
    !(is_absent || beyond_ascii || is_of_another_type || reads_as_text)
}

fn test_request(
    operation: &Operation,
    subject: String,
    probed: Option<&Field>,
    case: Option<(Case, bool)>,
) -> TestRequest {
    let (case, left_out) = case.map_or((None, false), |(case, left_out)| (Some(case), left_out));
    let values = operation.fields.iter().map(|field| {
        let value = match &case {
            Some(case) if probed.is_some_and(|probed| std::ptr::eq(probed, field)) => {
                (!left_out).then(|| case.value.clone())
            }
            _ => Some(field.example.clone()),
        };
        (field, value)
    });
    let values: Vec<(&Field, Option<Value>)> = values.collect();
    let request = request::write(operation, &values);
    let breach = case.and_then(|case| case.breaks);
    let expected = match (breach, probed) {
        (Some(breach), Some(field)) => Expected::Refused {
            place: field.place.name(),
            at: format!("{}{}", field.name, breach.at),
            keyword: breach.keyword,
            bound: breach.bound,
            sent: breach.sent,
        },
        _ => Expected::Accepted(echo(&values)),
    };
    TestRequest {
        subject: format!("{}: {subject}", operation.path),
        request,
        expected,
    }
}

/// The expected echo: the sent values, and the defaults of absent ones.
fn echo(values: &[(&Field, Option<Value>)]) -> Value {
    let mut members = Map::new();
    for (field, value) in values {
        if field.is_body() {
            return value.clone().unwrap_or_default();
        }
        let value = value
            .clone()
            .or_else(|| field.schema.get("default").cloned());
        if let Some(value) = value {
            members.insert(field.name.clone(), value);
        }
    }
    members.into()
}
