//! A program that reads JSON as a generated client does: payloads by the name of their type, and the document's
//! own examples that violate their schemas.

mod inline_examples;

use crate::FileTree;
use crate::diagnostic::Diagnostics;
use crate::ir::{Api, Content, Media, ModelId, Operation, Type, TypeKind};
use crate::selftest::{Pool, invalid_examples};
use crate::source::Source;
use crate::{Lowered, Options, Reading, lowered, output, rust};
use inline_examples::inline_examples;
use serde_json::{Map, Value};

/// JSON as a service sends it, with the name of its type.
#[derive(Debug, Clone)]
pub struct Payload {
    /// One of:
    ///
    /// - `Schema`: a component, by its name or its `x-resourceId`;
    /// - `operationId`: the body of an operation's only success, `operationId.404` of that status,
    ///   `operationId.request` of its request;
    /// - `webhook.NAME`: the body of a webhook's request.
    ///
    /// Each may end with a number below 100, as in `Schema.2`, to tell payloads of the same type apart.
    pub name: String,
    /// The JSON itself.
    pub value: Value,
}

/// An example that violates its schema.
#[derive(Debug, Clone)]
pub struct InvalidExample {
    /// Its location, in words.
    pub location: String,
    /// How it violates its schema.
    pub violation: String,
    /// The JSON itself.
    pub value: Value,
}

/// A generated crate, and a program that reads JSON by its types.
#[derive(Debug)]
pub struct PayloadReader {
    /// The files of the crate.
    pub subject: FileTree,
    /// The files of a package in the folder `payloads` of the crate, which needs none of its features. Its argument
    /// is the path of `payloads.json` among them; for each value there it prints a line of JSON,
    /// `{"written": value}` or `{"error": reason}`.
    pub files: FileTree,
    /// The payloads that are read, first of the values.
    pub payloads: Vec<Payload>,
    /// The examples that are read, after the payloads.
    pub examples: Vec<InvalidExample>,
    /// The names of payloads that have no type, each with the reason.
    pub unmatched: Vec<String>,
}

/// Makes a program that reads payloads by the types of the crate that [`generate_with`](crate::generate_with) makes
/// of the same arguments.
///
/// # Errors
/// As [`generate`](crate::generate).
pub fn payload_reader(
    source: &Source,
    reading: &Reading,
    options: &Options,
    payloads: Vec<Payload>,
) -> Result<PayloadReader, Diagnostics> {
    let Lowered {
        api,
        compiled_schemas,
        ..
    } = lowered(source, reading, options)?;
    let (mut known, mut unmatched, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for payload in payloads {
        match type_of(&api, &payload.name) {
            Ok(ty) => {
                values.push((ty, payload.value.clone()));
                known.push(payload);
            }
            Err(reason) => unmatched.push(format!("{}: {reason}", payload.name)),
        }
    }
    let schemas = api.schemas.clone().into_iter().chain(compiled_schemas);
    let mut examples = Vec::new();
    for (ty, example) in all_invalid_examples(&api, schemas.collect()) {
        values.push((ty, example.value.clone()));
        examples.push(example);
    }
    Ok(PayloadReader {
        subject: output::render(&api, options),
        files: rust::payload_reader(&api, options, &values),
        payloads: known,
        examples,
        unmatched,
    })
}

/// The examples that violate their schemas, with the types of these.
fn all_invalid_examples(api: &Api, mut schemas: Map<String, Value>) -> Vec<(Type, InvalidExample)> {
    let inline = inline_examples(api, &schemas);
    let key = |index: usize| format!("examples/{index}");
    for (index, example) in inline.iter().enumerate() {
        schemas.insert(key(index), example.schema.clone());
    }
    let mut pool = Pool::new(schemas);
    let mut invalid = invalid_examples(api, &mut pool);
    for (index, example) in inline.into_iter().enumerate() {
        if let Some(violation) = pool.violation(&key(index), &example.value) {
            let invalid_example = InvalidExample {
                location: example.location,
                violation,
                value: example.value,
            };
            invalid.push((example.ty, invalid_example));
        }
    }
    invalid
}

/// The type of a payload, or why there is none.
fn type_of(api: &Api, name: &str) -> Result<Type, String> {
    let found = named_type(api, name);
    let is_number = |last: &str| last.len() < 3 && last.bytes().all(|byte| byte.is_ascii_digit());
    match name.rsplit_once('.') {
        Some((first, last)) if found.is_err() && is_number(last) => named_type(api, first),
        _ => found,
    }
}

fn named_type(api: &Api, name: &str) -> Result<Type, String> {
    if let Some(ty) = component_type(api, name) {
        return Ok(ty);
    }
    if let Some(webhook) = name.strip_prefix("webhook.") {
        let is_named =
            |one: &&Operation| one.id == webhook || one.path.trim_matches('/') == webhook;
        let operation = api.webhooks.iter().find(is_named);
        return request_type(operation.ok_or("there is no such webhook")?);
    }
    let operation_of = |id: &str| api.all_operations().find(|operation| operation.id == id);
    if let Some(operation) = operation_of(name) {
        return success_type(operation);
    }
    let missing = "there is no such schema, x-resourceId or operation";
    let (id, part) = name.rsplit_once('.').ok_or(missing)?;
    let operation = operation_of(id).ok_or(missing)?;
    match (part, part.parse()) {
        ("request", _) => request_type(operation),
        (_, Ok(status)) => response_type(operation, status),
        _ => Err("the last part is neither a status nor `request`".to_owned()),
    }
}

/// The type of a component by its name, or by the resource that it describes.
fn component_type(api: &Api, name: &str) -> Option<Type> {
    let model = |key: &str| api.models.iter().position(|model| model.schema == key);
    let described = || {
        let components = api.document.pointer("/components/schemas")?.as_object()?;
        let is_described =
            |schema: &Value| schema.get("x-resourceId").and_then(Value::as_str) == Some(name);
        let mut described = components.iter().filter(|(_, schema)| is_described(schema));
        described.find_map(|(key, _)| model(key))
    };
    let index = model(name).or_else(described)?;
    Some(Type {
        kind: TypeKind::Model(ModelId(index)),
        rules: Box::default(),
    })
}

fn request_type(operation: &Operation) -> Result<Type, String> {
    let bodies = operation.body.iter().flat_map(|body| &body.media);
    json_type(bodies).ok_or_else(|| "its request is not JSON".to_owned())
}

fn success_type(operation: &Operation) -> Result<Type, String> {
    let responses = operation.responses.iter();
    let successes = responses.filter(|response| response.status.is_success());
    let mut types = successes.filter_map(|response| json_type(&response.media));
    match (types.next(), types.next()) {
        (Some(ty), None) => Ok(ty),
        (Some(_), Some(_)) => Err("it has several successes: add the status".to_owned()),
        (None, _) => Err("no success is JSON".to_owned()),
    }
}

fn response_type(operation: &Operation, status: u16) -> Result<Type, String> {
    let own = operation.responses.iter();
    let mut responses = own.chain(&operation.framework_responses);
    let has_status = |range: &std::ops::RangeInclusive<u16>| range.contains(&status);
    let response = responses.find(|response| response.statuses.iter().any(has_status));
    let response = response.ok_or("it has no such status")?;
    json_type(&response.media).ok_or_else(|| "that response is not JSON".to_owned())
}

fn json_type<'m>(media: impl IntoIterator<Item = &'m Media>) -> Option<Type> {
    media.into_iter().find_map(|media| match &media.content {
        Content::Json(ty, _) => Some(ty.clone()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Feature;
    use serde_json::json;

    const DOCUMENT: &str = r#"
openapi: 3.1.1
info: { title: T, version: '1' }
paths:
  /pets:
    post:
      operationId: pets.add
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        '201': { description: D, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        4XX: { description: D, content: { application/json: { schema: { type: object } } } }
    get:
      operationId: pets.any
      responses:
        '200': { description: D, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '202': { description: D, content: { application/json: { schema: { type: string } } } }
    delete: { operationId: pets.remove, responses: { '204': { description: D } } }
webhooks:
  sold:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '204': { description: D } }
components:
  schemas:
    Pet:
      type: object
      x-resourceId: animal
      required: [name]
      properties: { name: { type: string, examples: [Rex, false] } }
      examples: [{ name: Rex }, { name: 3 }]
"#;

    fn reader(names: &[&str]) -> PayloadReader {
        let source = Source {
            name: "t.yaml".into(),
            text: DOCUMENT.into(),
        };
        let options = Options {
            features: vec![Feature::Client],
            ..Options::default()
        };
        let payload = |name: &&str| Payload {
            name: (*name).to_owned(),
            value: json!({ "name": "Rex" }),
        };
        let payloads = names.iter().map(payload).collect();
        payload_reader(&source, &Reading::default(), &options, payloads).unwrap()
    }

    #[test]
    fn payloads_are_named_by_their_types() {
        let names = [
            "Pet",
            "Pet.2",
            "animal",
            "pets.add",
            "pets.add.request",
            "pets.add.404",
            "pets.add.404.2",
            "pets.any.202",
            "webhook.sold",
        ];
        let reader = reader(&names);
        assert_eq!(reader.unmatched, [] as [&str; 0]);
        let read = reader.payloads.iter().map(|payload| payload.name.as_str());
        assert_eq!(read.collect::<Vec<_>>(), names);
    }

    #[test]
    fn payloads_without_a_type_are_reported() {
        let names = [
            "Pets",
            "pets.any",
            "pets.remove",
            "pets.add.500",
            "pets.add.body",
            "webhook.lost",
        ];
        let expected = [
            "Pets: there is no such schema, x-resourceId or operation",
            "pets.any: it has several successes: add the status",
            "pets.remove: no success is JSON",
            "pets.add.500: it has no such status",
            "pets.add.body: the last part is neither a status nor `request`",
            "webhook.lost: there is no such webhook",
        ];
        assert_eq!(reader(&names).unmatched, expected);
    }

    #[test]
    fn invalid_examples_are_read_after_the_payloads() {
        let reader = reader(&["Pet"]);
        let values = reader.files.get("payloads.json").unwrap_or_default();
        let values: Value = serde_json::from_str(values).unwrap();
        let expected = json!([[1, { "name": "Rex" }], [1, { "name": 3 }], [0, false]]);
        assert_eq!(values, expected);
        let locations = reader.examples.iter().map(|it| it.location.as_str());
        assert_eq!(locations.collect::<Vec<_>>(), ["Pet", "Pet/name"]);
    }
}
