//! The fields of an object that `openapiv3` keeps, and the reasons why some objects are read without it.

use super::{FieldType, Object, Version};
use openapiv3::{Encoding, Example, Link, LinkOperation, MediaType, PathItem};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, from_value, json};

/// An object with all fields that `openapiv3` reads directly.
fn full(object: Object) -> Map<String, Value> {
    let names = object.fields().into_iter().flatten();
    let fields = names.filter_map(|name| {
        let value = match (name, object.member(name)) {
            ("in", _) => json!("query"),
            (_, FieldType::Text) => json!("a"),
            (_, FieldType::Flag) => json!(true),
            (_, FieldType::List(FieldType::Text)) => json!(["a"]),
            _ => return None,
        };
        Some((name.to_owned(), value))
    });
    fields.collect()
}

fn read<T: DeserializeOwned>(object: Object, members: &Map<String, Value>) -> Result<T, String> {
    from_value(object.own_fields(members)).map_err(|error| error.to_string())
}

/// The names of fields in the table that `openapiv3` does not keep. Each field that the table requires
/// is one that `openapiv3` requires.
fn lost<T: DeserializeOwned + Serialize>(object: Object) -> Vec<String> {
    let full = full(object);
    for (name, _) in object.required(Version::V32) {
        let mut members = full.clone();
        members.remove(*name);
        let refusal = read::<T>(object, &members).err();
        assert_eq!(refusal, Some(format!("missing field `{name}`")));
    }
    let kept = read::<T>(object, &full).map(serde_json::to_value);
    let kept = kept.expect("a right object").unwrap_or_default();
    let lost = full
        .into_iter()
        .filter(|(name, _)| kept.get(name).is_none());
    lost.map(|(name, _)| name).collect()
}

#[test]
fn openapiv3_keeps_the_fields_that_are_read_through_it() {
    let none: [&str; 0] = [];
    assert_eq!(lost::<openapiv3::Operation>(Object::Operation), none);
    assert_eq!(lost::<openapiv3::Parameter>(Object::Parameter), none);
    assert_eq!(lost::<openapiv3::RequestBody>(Object::Body), none);
    assert_eq!(
        lost::<openapiv3::ServerVariable>(Object::ServerVariable),
        none
    );
    assert_eq!(lost::<openapiv3::Contact>(Object::Contact), none);
    // New in OpenAPI 3.1.
    assert_eq!(lost::<openapiv3::Info>(Object::Info), ["summary"]);
    assert_eq!(lost::<openapiv3::License>(Object::License), ["identifier"]);
    // New in OpenAPI 3.2.
    assert_eq!(lost::<openapiv3::Response>(Object::Response), ["summary"]);
    assert_eq!(lost::<openapiv3::Server>(Object::Server), ["name"]);
    // Of these, only `explode` means anything for a header.
    let header = lost::<openapiv3::Header>(Object::Header);
    assert_eq!(header, ["allowEmptyValue", "explode", "allowReserved"]);
}

#[test]
fn openapiv3_drops_a_misspelt_field_in_silence() {
    let members = json!({ "sumary": "a", "responses": {} });
    let operation: openapiv3::Operation = from_value(members).expect("an operation");
    assert_eq!(operation.summary, None);
    assert!(operation.extensions.is_empty());
}

#[test]
fn openapiv3_reads_the_example_null_as_none() {
    let example: Example = from_value(json!({ "value": null })).expect("an example");
    assert_eq!(example, Example::default());
    let media: MediaType = from_value(json!({ "example": null })).expect("a media type");
    assert_eq!(media, MediaType::default());
}

#[test]
fn openapiv3_reads_an_absent_explode_of_an_encoding_as_false() {
    let absent: Encoding = from_value(json!({ "style": "form" })).expect("an encoding");
    let given = json!({ "style": "form", "explode": false });
    assert_eq!(from_value::<Encoding>(given).ok(), Some(absent));
}

#[test]
fn openapiv3_cannot_hold_a_link_without_an_operation_or_with_two() {
    assert!(from_value::<Link>(json!({})).is_err());
    let link: Link = from_value(json!({ "operationId": "a", "operationRef": "#/a" })).expect("one");
    assert_eq!(link.operation, LinkOperation::OperationId("a".into()));
}

#[test]
fn openapiv3_sorts_the_methods_of_a_path_item() {
    let operation = json!({ "responses": {} });
    let item: PathItem = from_value(json!({ "post": operation, "get": operation })).expect("one");
    let methods: Vec<&str> = item.iter().map(|(method, _)| method).collect();
    assert_eq!(methods, ["get", "post"]);
}
