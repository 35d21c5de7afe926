//! Bodies of JSON and of forms: their values, and the issues of those that are
//! refused.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use http::Request;
use http::request::Parts;
use runtime::__private as rt;
use runtime::__private::union::{self, TaggedUnion, Union, ValueType, VariantFilter};
use runtime::__private::{Captures, Reader, Schemas};
use runtime::Rejection;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

const SCHEMAS: &str = r##"{
    "Point": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
              "required": ["x"], "additionalProperties": false},
    "Nested": {"type": "object", "properties": {
        "tags": {"type": "array", "items": {"type": "string"}},
        "range": {"type": "object", "properties": {"min": {"type": "integer"}}}}}
}"##;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Point {
    x: i32,
    y: Option<i32>,
}

#[derive(Debug, Deserialize, PartialEq, Default)]
#[serde(default)]
struct Nested {
    tags: Vec<String>,
    range: BTreeMap<String, i64>,
}

fn parts() -> Parts {
    Request::new(()).into_parts().0
}

fn body<T: DeserializeOwned>(bytes: &[u8], schema: &str) -> Result<T, Rejection> {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, captures) = (parts(), Captures::default());
    let mut reader = Reader::new(&parts, &captures, &schemas, &[]);
    match reader.json(bytes, schema, |_| true)? {
        Some(value) => Ok(value),
        None => Err(reader.refuse()),
    }
}

#[test]
fn json_bodies_are_decoded_or_refused_with_issues() {
    assert_eq!(
        body::<Point>(br#"{"x": 1}"#, "Point"),
        Ok(Point { x: 1, y: None })
    );
    assert_eq!(
        body::<Point>(br#"{"x": 1.0, "y": 2e0}"#, "Point"),
        Ok(Point { x: 1, y: Some(2) })
    );
    let Err(Rejection::Invalid(issues)) = body::<Point>(br#"{"y": "a", "z": 0}"#, "Point") else {
        panic!()
    };
    let found: Vec<_> = issues.iter().map(|i| (i.at.as_str(), i.keyword)).collect();
    assert_eq!(
        found,
        [
            ("/x", "required"),
            ("/y", "type"),
            ("/z", "additionalProperties")
        ]
    );
    // Valid for the schema, but beyond what the type can hold. serde does not tell where.
    let Err(Rejection::Invalid(issues)) = body::<Point>(br#"{"x": 3000000000}"#, "Point") else {
        panic!()
    };
    assert_eq!((issues[0].at.as_str(), issues[0].keyword), ("", "type"));
}

#[test]
fn invalid_json_is_refused_with_its_position() {
    let rejection = |bytes: &[u8]| match body::<Point>(bytes, "Point") {
        Err(Rejection::Json {
            reason,
            line,
            column,
        }) => (reason, line, column),
        other => panic!("{other:?}"),
    };
    assert_eq!(rejection(b""), ("ends unexpectedly", 1, 0));
    assert_eq!(rejection(b"{\n  x}"), ("is not JSON", 2, 3));
    assert_eq!(rejection(b"{} 1"), ("has trailing characters", 1, 4));
    assert_eq!(rejection(b"\"\xFF\""), ("is not UTF-8", 0, 0));
    assert_eq!(rejection(&[b'['; 1_000]), ("is nested too deeply", 1, 128));
    assert_eq!(rejection(b"1e"), ("ends unexpectedly", 1, 2));
}

/// A struct whose members are any values.
#[derive(Debug)]
struct AnyMembers {
    any: Option<Value>,
    map: Option<BTreeMap<String, Value>>,
}

rt::object!(AnyMembers { optional any = "any", optional map = "map", .. });

/// A union with one variant for each way to read a value: as JSON, as a map, by filters, by trying.
#[derive(Debug)]
struct AnyUnion;

impl<'de> Deserialize<'de> for AnyUnion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        union::tagged(deserializer)
    }
}

impl<'de> TaggedUnion<'de> for AnyUnion {
    const TAG: &'static [&'static str; 1] = &["is"];
    const TAGS: &'static [&'static str] = &["any", "map", "by filters"];

    fn read<D: Deserializer<'de>>(tag: &str, value: D) -> Result<Self, D::Error> {
        match tag {
            "any" => Value::deserialize(value).map(|_| Self),
            "map" => BTreeMap::<String, Value>::deserialize(value).map(|_| Self),
            "by filters" => {
                union::by_filters::<AnyVariant, _>(value, NO_VARIANT_EXCLUDED, false, |_, _| true)
                    .map(|_| Self)
            }
            _ => union::by_trying::<AnyVariant, _>(value, NO_VARIANT_EXCLUDED, false, |_| true)
                .map(|_| Self),
        }
    }
}

struct AnyVariant;

impl<'de> Union<'de> for AnyVariant {
    const VARIANTS: &'static [&'static str] = &["First", "Second"];

    fn read<D: Deserializer<'de>>(_: usize, value: D) -> Result<Self, D::Error> {
        Value::deserialize(value).map(|_| Self)
    }
}

/// Two filters that accept every object, so that neither variant is excluded.
const NO_VARIANT_EXCLUDED: &[VariantFilter] = &[OBJECT, OBJECT];

const OBJECT: VariantFilter = VariantFilter {
    types: &[ValueType::Object],
    required: &[],
    closed: None,
    members: &[],
    constants: &[],
    kept: None,
};

#[test]
fn duplicate_keys_are_refused_in_every_type() {
    fn refused<T: DeserializeOwned + std::fmt::Debug>(text: &str) {
        match body::<T>(text.as_bytes(), "Any") {
            Err(Rejection::Json { reason, .. }) => {
                assert_eq!(reason, "has an object with a duplicate property", "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    type Texts = BTreeMap<String, String>;
    refused::<Value>(r#"{"a":1,"a":2}"#);
    refused::<Value>(r#"[{"b":{"a":1,"c":[],"\u0061":1}}]"#);
    refused::<Vec<Option<Texts>>>(r#"[null,{"a":"1","a":"1"}]"#);
    refused::<BTreeMap<String, Texts>>(r#"{"x":{"a":"1","a":"1"}}"#);
    refused::<Point>(r#"{"x":1,"x":1}"#);
    refused::<AnyMembers>(r#"{"any":{"a":[{"b":1,"b":1}]}}"#);
    refused::<AnyMembers>(r#"{"map":{"a":1,"a":1}}"#);
    refused::<AnyMembers>(r#"{"map":{"a":{"b":1,"b":1}}}"#);
    for tag in ["any", "map", "by filters", "by trying"] {
        refused::<AnyUnion>(&format!(r#"{{"is":"{tag}","a":1,"a":1}}"#));
        refused::<AnyUnion>(&format!(r#"{{"a":{{"b":1,"b":1}},"is":"{tag}"}}"#));
        refused::<AnyUnion>(&format!(r#"{{"is":"{tag}","a":[{{"b":1,"b":1}}]}}"#));
        let fine = format!(r#"{{"a":{{"b":1}},"is":"{tag}","c":1.50}}"#);
        assert!(body::<AnyUnion>(fine.as_bytes(), "Any").is_ok(), "{tag}");
    }
    let many: Vec<_> = (0..40).map(|n| format!(r#""m{n}":{n}"#)).collect();
    let many = many.join(",");
    assert!(body::<Value>(format!("{{{many}}}").as_bytes(), "Any").is_ok());
    refused::<Value>(&format!("{{{many},\"m39\":0}}"));
    refused::<Value>(&format!("{{{many},\"m0\":0}}"));
    // Numbers keep their digits.
    let exact = br#"{"a":{"b":"c"},"n":100000000000000000000.5}"#;
    let read: Value = body(exact, "Any").unwrap();
    assert_eq!(read.to_string().as_bytes(), exact);
}

#[test]
fn forms_may_nest_and_repeat() {
    let expected = |tags: &[&str]| Nested {
        tags: tags.iter().map(ToString::to_string).collect(),
        range: BTreeMap::from([("min".to_owned(), 3)]),
    };
    for (form, tags) in [
        ("tags=a&tags=b+c&range[min]=3", &["a", "b c"][..]),
        ("tags[]=a&range%5Bmin%5D=3", &["a"]),
        ("tags[1]=b&tags[0]=a&range[min]=3", &["a", "b"]),
        ("tags=a&range[min]=3.0", &["a"]),
    ] {
        assert_eq!(self::form(form), Ok(Some(expected(tags))), "{form}");
    }
}

#[test]
fn forms_are_refused_with_issues() {
    for (form, issue) in [
        ("range[min]=x", ("/range/min", "type")),
        ("range=1&range[min]=x", ("", "type")),
        ("tags=%FF", ("", "format")),
    ] {
        let Err(Rejection::Invalid(issues)) = self::form(form) else {
            panic!("{form}")
        };
        let found: Vec<_> = issues.iter().map(|i| (i.at.as_str(), i.keyword)).collect();
        assert_eq!(found, [issue], "{form}");
    }
}

/// Reads a form.
fn form(text: &str) -> Result<Option<Nested>, Rejection> {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, captures) = (parts(), Captures::default());
    let mut reader = Reader::new(&parts, &captures, &schemas, &[]);
    match reader.form(text.as_bytes(), &[], "Nested", |_| true)? {
        Some(nested) => Ok(Some(nested)),
        None => Err(reader.refuse()),
    }
}
