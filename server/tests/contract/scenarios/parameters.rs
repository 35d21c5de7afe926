//! Every parameter against its schema: an independent validator says which values must be refused.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::document::{Operation, Parameter};
use super::super::sample_request;
use super::super::test_request::{Issue, TestRequest};
use super::super::world::{Template, World};

async fn undeclared_ones_are_refused(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        for name in ["contry", "Limit", "service-api-key", "limit%5B%5D"] {
            let request = sample_request::admitted(operation, &world).query(name, "1");
            if operation.lenient {
                request.expect(&world, 200).await;
                continue;
            }
            let issues = request.expect(&world, 400).await.issues();
            assert_eq!(issues.len(), 1, "{}: {issues:?}", operation.id);
            let decoded = name.replace("%5B%5D", "[]");
            assert_issue(&issues, "query", &decoded, "undeclared");
        }
    }
}

async fn a_malformed_query_is_rejected_everywhere(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| it.lenient) {
        for (name, value, at) in [("a", "%FF", "a"), ("a", "%4", "a"), ("%FF", "1", "")] {
            let request = sample_request::admitted(operation, &world).query(name, value);
            let issues = request.expect(&world, 400).await.issues();
            assert_eq!(issues.len(), 1, "{}: {issues:?}", operation.id);
            assert_issue(&issues, "query", at, "format");
        }
    }
}

async fn every_bad_value_is_refused(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        for parameter in &operation.parameters {
            let mut refused = 0;
            for value in candidates(parameter) {
                let expected = violated(&parameter.schema, &value);
                if expected.is_empty() {
                    continue;
                }
                assert!(
                    !value.is_empty() || expected.len() == 1,
                    "{} of {} tells one violation twice: {expected:?}",
                    parameter.name,
                    operation.id
                );
                let request = with_value(operation, parameter, &value, &world);
                let issues = request.expect(&world, 400).await.issues();
                let name = |it: &Issue| it.at.split('/').next() == Some(&parameter.name);
                let at = |it: &&Issue| it.place == parameter.place && name(it);
                let found: BTreeSet<_> = issues
                    .iter()
                    .filter(at)
                    .map(|it| it.keyword.clone())
                    .collect();
                let (id, name) = (&operation.id, &parameter.name);
                assert_eq!(found, expected, "{id}: {name}={value:?}: {issues:?}");
                refused += 1;
            }
            assert!(refused > 0, "{} refuses nothing", parameter.name);
        }
    }
}

async fn repeated_ones_are_refused(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        for name in operation.names("query") {
            let request = sample_request::admitted(operation, &world);
            let request = request.query(name, "1").query(name, "1");
            let issues = request.expect(&world, 400).await.issues();
            assert_issue(&issues, "query", name, "type");
        }
    }
}

/// Percent-encoded octets that are not UTF-8, in every place that has percent-encoding.
async fn broken_encoding_is_a_validation_error(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    for operation in &world.document().operations {
        for parameter in &operation.parameters {
            if parameter.place == "header" {
                continue;
            }
            for octets in ["%ff", "a%C3", "%ED%A0%80"] {
                let request = with_encoded(operation, parameter, octets, &world);
                let issues = request.expect(&world, 400).await.issues();
                assert_issue(&issues, &parameter.place, &parameter.name, "format");
            }
        }
        let request = sample_request::admitted(operation, &world).query("%ff", "1");
        request.expect(&world, 400).await;
    }
}

async fn every_issue_is_listed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let request =
        TestRequest::get("/charities?limit=0&cursor=zz&q=&country=nl&category=none&contry=NL&b=1")
            .header("if-none-match", &"x".repeat(1025));
    let issues = request.expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "limit", "minimum");
    assert_issue(&issues, "query", "cursor", "pattern");
    assert_issue(&issues, "query", "q", "pattern");
    assert_issue(&issues, "query", "country", "pattern");
    assert_issue(&issues, "query", "category", "enum");
    assert_issue(&issues, "query", "contry", "undeclared");
    assert_issue(&issues, "query", "b", "undeclared");
    assert_issue(&issues, "header", "If-None-Match", "maxLength");
    assert_eq!(issues.len(), 8, "{issues:?}");
    let message = |at: &str| &issues.iter().find(|it| it.at == at).unwrap().message;
    assert!(message("limit").contains('1'), "{}", message("limit"));
    assert!(message("If-None-Match").contains("1024"));
    assert!(message("category").contains("environment"));
    // Words stand for regular expressions.
    assert!(message("country").contains("two capital letters"));
    for operation in &world.document().operations {
        for parameter in &operation.parameters {
            let schema = &parameter.schema;
            let (id, name) = (&operation.id, &parameter.name);
            assert_eq!(
                schema["pattern"].is_string(),
                schema["x-message"].is_string(),
                "{id}: {name} has a pattern or words, and not both"
            );
        }
    }

    // Also dates that the schema allows and the calendar does not have.
    let request = TestRequest::get("/analytics?from=2026-02-30&to=2026-02-31").key(&world.keys.pro);
    let issues = request.expect(&world, 400).await.issues();
    assert_issue(&issues, "query", "from", "format");
    assert_issue(&issues, "query", "to", "format");
}

/// Each once: undeclared parameters, then the others as they are declared, then the body.
async fn issues_stand_in_one_order(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let operations = world.document().operations.iter();
    for operation in operations.filter(|it| !it.lenient) {
        let mut request = sample_request::admitted(operation, &world);
        let mut expected = vec!["query z".to_owned(), "query a".to_owned()];
        for parameter in operation
            .parameters
            .iter()
            .filter(|it| it.place != "header")
        {
            expected.push(format!("{} {}", parameter.place, parameter.name));
        }
        let filled = operation
            .path
            .split('/')
            .map(|segment| match segment.starts_with('{') {
                true => "%FF",
                false => segment,
            });
        request.target = filled.collect::<Vec<_>>().join("/");
        request = request.query("z", "1");
        for name in operation.names("query") {
            request = request.query(name, "%FF");
        }
        if operation.body.is_some() {
            request = request.body(&operation.body_type, "[]");
            expected.push("body ".to_owned());
        }
        let issues = request.query("a", "1").expect(&world, 400).await.issues();
        let found: Vec<_> = issues
            .iter()
            .map(|it| format!("{} {}", it.place, it.at))
            .collect();
        assert_eq!(found, expected, "{}", operation.id);
    }
}

/// Panics unless the list has such an issue.
#[track_caller]
pub fn assert_issue(issues: &[Issue], place: &str, at: &str, keyword: &str) {
    let fits = |it: &Issue| it.place == place && it.at == at && it.keyword == keyword;
    assert!(
        issues.iter().any(fits),
        "no {keyword} at {place} {at}: {issues:?}"
    );
}

fn candidates(parameter: &Parameter) -> Vec<String> {
    let bound = |keyword: &str| parameter.schema[keyword].as_i64();
    let mut values: Vec<String> = [
        "x",
        "a b",
        "1.5",
        "0x1",
        "+1",
        "01",
        " 1",
        "1_0",
        "２",
        "2026-02-30",
        "2026-13-01",
        "%",
        "é☃",
    ]
    .map(str::to_owned)
    .to_vec();
    if parameter.place != "path" {
        values.extend(["", "   "].map(str::to_owned));
    }
    if let Some(minimum) = bound("minimum") {
        values.extend([minimum - 1, minimum].map(|it| it.to_string()));
    }
    if let Some(maximum) = bound("maximum") {
        values.extend([maximum, maximum + 1].map(|it| it.to_string()));
        values.push("9".repeat(40));
    }
    if let Some(length) = bound("maxLength") {
        let length = usize::try_from(length).unwrap();
        values.extend([length, length + 1].map(|it| "a".repeat(it)));
    }
    // Headers lose the white space around them, and of their characters hold only ASCII surely.
    if parameter.place == "header" {
        values.retain(|it| it.is_ascii() && it.trim() == it);
    }
    values
}

/// The keywords that a value violates, by the `jsonschema` crate.
fn violated(schema: &Value, value: &str) -> BTreeSet<String> {
    let is_integer = schema["type"] == "integer";
    let number = serde_json::from_str(value)
        .ok()
        .filter(|it: &Value| is_integer && it.is_number());
    let value = number.unwrap_or_else(|| match schema["type"] == "array" {
        // No text at all is an empty list.
        true if value.is_empty() => json!([]),
        true => value.split(',').collect(),
        false => json!(value),
    });
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    let validator = options.build(schema).unwrap();
    let keyword = |error: jsonschema::ValidationError<'_>| {
        let path = error.schema_path().to_string();
        path.rsplit('/').next().unwrap_or_default().to_owned()
    };
    let mut violated: BTreeSet<_> = validator.iter_errors(&value).map(keyword).collect();
    if is_integer && value.is_number() && !fits_format(schema, &value) {
        violated.insert("format".to_owned());
    }
    // A value of another type is one violation, and so is a text that breaks what one sentence words.
    if violated.contains("type") {
        violated.retain(|keyword| keyword == "type");
    }
    if violated.contains("pattern") {
        violated.remove("format");
    }
    violated
}

/// Formats of numbers, which the crate does not support.
fn fits_format(schema: &Value, value: &Value) -> bool {
    let number = value.as_i64();
    match schema["format"].as_str() {
        Some("int32") => number.is_some_and(|it| i32::try_from(it).is_ok()),
        Some("int64") => number.is_some(),
        _ => true,
    }
}

fn with_value(
    operation: &Operation,
    parameter: &Parameter,
    value: &str,
    world: &World,
) -> TestRequest {
    if parameter.place == "header" {
        let mut request = sample_request::admitted(operation, world);
        let name = http::HeaderName::try_from(parameter.name.as_str()).unwrap();
        request.headers.insert(name, value.parse().unwrap());
        return request;
    }
    with_encoded(operation, parameter, &encode(value), world)
}

fn with_encoded(
    operation: &Operation,
    parameter: &Parameter,
    text: &str,
    world: &World,
) -> TestRequest {
    let mut request = sample_request::admitted(operation, world);
    if parameter.place == "query" {
        return request.query(&parameter.name, text);
    }
    let slot = format!("{{{}}}", parameter.name);
    let segments = operation.path.split('/').zip(request.target.split('/'));
    let filled: Vec<_> = segments
        .map(|(template, segment)| if template == slot { text } else { segment })
        .collect();
    request.target = filled.join("/");
    request
}

fn encode(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

super::theme! {
    undeclared_ones_are_refused,
    a_malformed_query_is_rejected_everywhere,
    every_bad_value_is_refused,
    repeated_ones_are_refused,
    broken_encoding_is_a_validation_error,
    every_issue_is_listed,
    issues_stand_in_one_order,
}
