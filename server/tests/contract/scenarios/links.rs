//! The contract's links: the response of one operation leads to the next.

use std::sync::Arc;

use serde_json::Value;

use super::super::document::Operation;
use super::super::sample_request;
use super::super::test_request::{Answer, TestRequest};
use super::super::world::{Template, World};
use super::paging;

async fn can_be_followed(template: Arc<Template>) {
    let world = template.world(|_| ()).await;
    let mut followed = 0;
    for operation in &world.document().operations {
        // Lists also with each filter, which the link to the next page must carry on.
        let requests = match operation.is_paged() {
            true => paging::variants(operation, &world)
                .into_iter()
                .map(|request| request.query("limit", "1"))
                .collect(),
            false => vec![sample_request::admitted(operation, &world)],
        };
        for (_, documented) in operation.answers.range(200..300) {
            for link in documented.links.values() {
                for request in &requests {
                    let answer = request.of(&world).await;
                    follow(&world, operation, request, &answer, link).await;
                    followed += 1;
                }
            }
        }
    }
    assert!(followed > 20, "{followed}");
}

async fn follow(
    world: &World,
    from: &Operation,
    request: &TestRequest,
    answer: &Answer,
    link: &Value,
) {
    let id = link["operationId"].as_str().unwrap();
    let operation = world.document().operation(id);
    let mut target = operation.path.clone();
    let mut query = Vec::new();
    for (name, expression) in link["parameters"].as_object().unwrap() {
        let expression = expression.as_str().unwrap();
        let Some(value) = evaluate(expression, from, request, answer) else {
            if expression.starts_with("$request.query.") {
                continue;
            }
            // Such as the charity of a campaign for a config.
            return;
        };
        match operation.names("path").any(|it| it == name) {
            true => target = target.replace(&format!("{{{name}}}"), &value),
            false => query.push((name, value)),
        }
    }
    let mut next = TestRequest::new(&operation.method, target).key(&world.keys.enterprise);
    for (name, value) in query {
        next = next.query(name, &value);
    }
    if operation.body.is_some() {
        next = next.body(&operation.body_type, operation.body_example.to_string());
    }
    let status = next.of(world).await.status;
    let description = link["description"].as_str().unwrap();
    // A link that exists only under a condition says so in its description.
    let may_be_absent = description.contains(" if ") && status == 404;
    let fits = matches!(status, 200..300) || may_be_absent;
    assert!(fits, "{} leads to {id}: {status}", from.id);
}

/// The value of a runtime expression (OpenAPI 3.1, section 4.8.20.3), `None` for null and for a
/// parameter that was not sent.
fn evaluate(
    expression: &str,
    from: &Operation,
    request: &TestRequest,
    answer: &Answer,
) -> Option<String> {
    if let Some(name) = expression.strip_prefix("$request.path.") {
        let path = request.target.split('?').next().unwrap();
        let mut segments = from.path.split('/').zip(path.split('/'));
        let found = segments.find(|(template, _)| *template == format!("{{{name}}}"));
        return Some(found.expect(expression).1.to_owned());
    }
    if let Some(name) = expression.strip_prefix("$request.query.") {
        let query = request
            .target
            .split_once('?')
            .map_or("", |(_, query)| query);
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        return Some(pairs.find(|(sent, _)| *sent == name)?.1.to_owned());
    }
    let pointer = expression
        .strip_prefix("$response.body#")
        .expect(expression);
    match answer.json().pointer(pointer)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        value => Some(value.to_string()),
    }
}

super::theme! {
    can_be_followed,
}
