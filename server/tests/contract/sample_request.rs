//! Sample requests from the contract's examples, whose ids are in the fixture.

use serde_json::Value;

use super::document::{KeyUse, Operation};
use super::test_request::TestRequest;
use super::world::World;

/// A request that succeeds: the first example of each path parameter, and of the body.
pub fn success(operation: &Operation) -> TestRequest {
    let request = TestRequest::new(&operation.method, path(operation, text));
    match &operation.body_example {
        Value::Null => request,
        body => request.body(&operation.body_type, body.to_string()),
    }
}

/// A sample request, with a key if one is needed.
pub fn admitted(operation: &Operation, world: &World) -> TestRequest {
    let request = success(operation);
    match operation.key {
        KeyUse::Required => request.key(&world.keys.enterprise),
        KeyUse::Optional | KeyUse::Ignored => request,
    }
}

/// A request for a well-formed id that does not exist.
pub fn absent(operation: &Operation) -> TestRequest {
    let target = path(operation, |example| match example {
        Value::String(id) => unknown(id),
        other => text(other),
    });
    TestRequest {
        target,
        ..success(operation)
    }
}

/// The path with a value for the example of each of its parameters.
fn path(operation: &Operation, value: impl Fn(&Value) -> String) -> String {
    let in_path = operation.parameters.iter().filter(|it| it.place == "path");
    in_path.fold(operation.path.clone(), |path, parameter| {
        path.replace(
            &format!("{{{}}}", parameter.name),
            &value(&parameter.example),
        )
    })
}

/// Another id of the same form, in lower case, so that an address needs no checksum.
fn unknown(id: &str) -> String {
    let mut id = id.to_lowercase();
    let last = id.pop();
    id.push(if last == Some('0') { '1' } else { '0' });
    id
}

/// An example's text in a URL.
pub fn text(example: &Value) -> String {
    match example {
        Value::String(text) => text.replace(' ', "%20"),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
