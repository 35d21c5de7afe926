//! The scripts that run after requests and check the answers.

use super::Context;
use super::format::Event;
use super::lowered::{Lowered, reference};
use crate::ir::{Api, Content, Operation, Response, Status};
use serde_json::{Map, Value, json};

/// The checks that all requests share.
const SHARED: &str = include_str!("contract.js");

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

/// Every schema that answers are checked against.
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
    let hoped_for =
        responses(operation).filter(|response| matches!(response.status, Status::Code(200..=299)));
    let answers = answers(lowered, hoped_for);
    if answers.is_empty() {
        return Vec::new();
    }
    let mut lines = check(&answers);
    for kept in context.chain.kept_by(&operation.id) {
        lines.push(call(
            "keep",
            &[kept.variable.as_str().into(), kept.pointer.as_str().into()],
        ));
    }
    if let Some(pages) = pages(context.api, operation) {
        lines.push(call("pages", &[pages]));
    }
    vec![Event::test(lines)]
}

/// The script of a request that must be refused with `status`.
pub(super) fn of_refusal(lowered: &Lowered, operation: &Operation, status: u16) -> Vec<Event> {
    let refusal = responses(operation).filter(|it| it.status == Status::Code(status));
    let mut answers = answers(lowered, refusal);
    answers
        .entry(status.to_string())
        .or_insert_with(|| json!({}));
    vec![Event::test(check(&answers))]
}

fn responses(operation: &Operation) -> impl Iterator<Item = &Response> {
    operation
        .responses
        .iter()
        .chain(&operation.framework_responses)
}

/// The expectations for each response, by its status.
fn answers<'r>(
    lowered: &Lowered,
    responses: impl Iterator<Item = &'r Response>,
) -> Map<String, Value> {
    let each = responses.map(|response| (response.status.to_string(), answer(lowered, response)));
    each.collect()
}

fn answer(lowered: &Lowered, response: &Response) -> Value {
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
            let unsaid: Vec<&str> = lowered.unsaid(key).collect();
            if !unsaid.is_empty() {
                body.insert("unsaid".into(), unsaid.into());
            }
        }
        bodies.insert(essence.trim().to_ascii_lowercase(), body.into());
    }
    json!({ "headers": headers, "bodies": bodies })
}

fn check(answers: &Map<String, Value>) -> Vec<String> {
    let text = serde_json::to_string_pretty(answers).unwrap_or_default();
    format!("contract.check(pm, {text});")
        .lines()
        .map(str::to_owned)
        .collect()
}

fn call(function: &str, arguments: &[Value]) -> String {
    let arguments: Vec<_> = arguments.iter().map(Value::to_string).collect();
    format!("contract.{function}(pm, {});", arguments.join(", "))
}

/// How a list is paged: by a link of the operation to itself that takes a query parameter from the
/// body, beside a parameter `limit`.
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

/// The operations of a contract, for scripts that need all of them.
pub(super) fn operation<'a>(api: &'a Api, id: &str) -> Option<&'a Operation> {
    api.operations.iter().find(|operation| operation.id == id)
}

/// The name of a schema for people: its component's name, or the place where it is used.
fn named(key: &str) -> String {
    if key.contains('/') {
        "what the contract describes".to_owned()
    } else {
        format!("a {key}")
    }
}
