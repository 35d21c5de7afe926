//! The scripts that check responses.

use super::super::Context;
use super::super::format::Event;
use super::schemas::{Lowered, reference};
use crate::ir::{Api, Content, Operation, Response, Status};
use serde_json::{Map, Value, json};

/// The checks that all requests share.
const SHARED: &str = include_str!("checks.js");

/// How many items are requested where the contract does not bound `limit`.
const MAX_ITEMS: u64 = 50;

/// The placeholder for the schemas in [`SHARED`].
const SCHEMAS: &str = "SCHEMAS";

/// The script that runs before that of each request.
pub(super) fn shared(lowered: &Lowered) -> Event {
    // Maps with string keys always serialize.
    let schemas = serde_json::to_string(&lowered.definitions).unwrap_or_default();
    let lines = SHARED.replacen(SCHEMAS, &schemas, 1);
    Event::test(lines.lines().map(str::to_owned))
}

/// Every schema that responses are checked against.
pub(super) fn lowered(context: &Context<'_>) -> Lowered {
    let mut lowered = Lowered::default();
    for response in context.api.operations.iter().flat_map(responses) {
        for header in &response.seen_headers {
            lowered.add(context, &header.schema);
        }
        for media in &response.media {
            if let Content::Json(_, key) = &media.content {
                lowered.add(context, key);
            }
        }
    }
    lowered.settle();
    lowered
}

/// The script of an operation's request, which is meant to succeed.
pub(super) fn of_success(
    context: &Context<'_>,
    lowered: &Lowered,
    operation: &Operation,
) -> Vec<Event> {
    let successful = responses(operation).filter(|it| matches!(it.status, Status::Code(200..=299)));
    let expected = expected(lowered, successful);
    if expected.is_empty() {
        return Vec::new();
    }
    let mut lines = check(&expected);
    for stored in context.chain.stored_by(operation) {
        let arguments = [stored.variable.as_str(), stored.pointer.as_str()];
        lines.push(call("store", &arguments.map(Value::from)));
    }
    if let Some(pages) = pages(context.api, operation) {
        lines.push(call("pages", &[pages]));
    }
    vec![Event::test(lines)]
}

/// The script of a request that must be rejected with `status`.
pub(super) fn of_rejection(lowered: &Lowered, operation: &Operation, status: u16) -> Vec<Event> {
    let rejection = responses(operation).filter(|it| it.status == Status::Code(status));
    let mut expected = expected(lowered, rejection);
    expected
        .entry(status.to_string())
        .or_insert_with(|| json!({}));
    vec![Event::test(check(&expected))]
}

fn responses(operation: &Operation) -> impl Iterator<Item = &Response> {
    operation
        .responses
        .iter()
        .chain(&operation.framework_responses)
}

/// The expectations for each response, by its status.
fn expected<'r>(
    lowered: &Lowered,
    responses: impl Iterator<Item = &'r Response>,
) -> Map<String, Value> {
    let each = responses.map(|it| (it.status.to_string(), expectation(lowered, it)));
    each.collect()
}

fn expectation(lowered: &Lowered, response: &Response) -> Value {
    let mut headers = Map::new();
    for header in &response.seen_headers {
        let schema = json!({ "$ref": reference(&header.schema) });
        let expected = json!({ "required": header.required, "schema": schema });
        headers.insert(header.wire.clone(), expected);
    }
    let mut bodies = Map::new();
    for media in &response.media {
        let essence = media.media_type.split(';').next().unwrap_or_default();
        let mut body = Map::new();
        if let Content::Json(_, key) = &media.content {
            body.insert("name".into(), named(key).into());
            body.insert("schema".into(), json!({ "$ref": reference(key) }));
            let unchecked: Vec<&str> = lowered.unchecked(key).collect();
            if !unchecked.is_empty() {
                body.insert("unchecked".into(), unchecked.into());
            }
        }
        bodies.insert(essence.trim().to_ascii_lowercase(), body.into());
    }
    json!({ "headers": headers, "bodies": bodies })
}

fn check(expected: &Map<String, Value>) -> Vec<String> {
    let text = serde_json::to_string_pretty(expected).unwrap_or_default();
    format!("contract.check(pm, {text});")
        .lines()
        .map(str::to_owned)
        .collect()
}

fn call(function: &str, arguments: &[Value]) -> String {
    let arguments: Vec<_> = arguments.iter().map(Value::to_string).collect();
    format!("contract.{function}(pm, {});", arguments.join(", "))
}

/// How a list is paged: a link of the operation to itself gives a query parameter from the body, and there is a
/// parameter `limit`.
fn pages(api: &Api, operation: &Operation) -> Option<Value> {
    let limit = operation
        .params
        .iter()
        .find(|param| param.field.wire == "limit")?;
    let links = operation
        .responses
        .iter()
        .flat_map(|response| &response.links);
    let mut own = links.filter(|link| link.operation_id.as_ref() == Some(&operation.id));
    let (cursor, next) = own.find_map(|link| {
        link.parameters.iter().find_map(|(name, value)| {
            Some((name, value.as_str()?.strip_prefix("$response.body#")?))
        })
    })?;
    let schema = api.schemas.get(&limit.schema);
    let most = schema.and_then(|schema| schema.get("maximum")?.as_u64());
    let most = most.unwrap_or(MAX_ITEMS);
    Some(json!({ "cursor": cursor, "limit": limit.field.wire, "most": most, "next": next }))
}

/// The name of a schema for people.
fn named(key: &str) -> String {
    if key.contains('/') {
        "as documented".to_owned()
    } else {
        format!("a {key}")
    }
}
