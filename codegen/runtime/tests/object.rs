//! Structs are read from objects as their fields say, without a derive.

use std::collections::BTreeMap;

use runtime::__private as rt;

#[derive(Debug, PartialEq)]
struct Patch {
    id: Option<i64>,
    name: Option<Option<String>>,
    other: BTreeMap<String, bool>,
}

rt::object!(Patch { required id = "id", optional name = "name", ..other });

#[derive(Debug)]
struct Closed {
    kind: Option<Kind>,
}

rt::object!(Closed { optional kind = "kind", });

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Cat,
    Dog,
}

rt::string_enum!(Kind { Cat = "cat", Dog = "dog", });

fn patch(text: &str) -> Result<Patch, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[test]
fn absent_null_and_value_are_three_things() {
    for (text, name) in [
        (r#"{"id":1}"#, None),
        (r#"{"name":null,"id":1}"#, Some(None)),
        (r#"{"id":1,"name":"x"}"#, Some(Some("x".to_owned()))),
    ] {
        let read = patch(text).unwrap();
        assert_eq!((read.id, read.name), (Some(1), name), "{text}");
    }
    assert!(patch(r#"{"id":1,"name":5}"#).is_err());
}

#[test]
fn a_required_member_may_be_null_and_must_be_there() {
    assert_eq!(patch(r#"{"id":null}"#).unwrap().id, None);
    let missing = patch(r#"{"name":"x"}"#).unwrap_err();
    assert!(missing.contains("missing field `id`"), "{missing}");
}

#[test]
fn members_come_in_any_order_and_once() {
    let read = patch(r#"{"a":true,"name":"x","b":false,"id":2,"c":true}"#).unwrap();
    let names: Vec<&str> = read.other.keys().map(String::as_str).collect();
    assert_eq!((read.id, names), (Some(2), vec!["a", "b", "c"]));
    let twice = patch(r#"{"id":1,"x":true,"id":1}"#).unwrap_err();
    assert!(twice.contains("duplicate field `id`"), "{twice}");
    assert!(patch(r#"[1,"x"]"#).is_err());
    assert!(patch("null").is_err());
}

#[test]
fn a_closed_object_has_no_other_members() {
    let read = |text| serde_json::from_str::<Closed>(text).map(|closed| closed.kind);
    assert_eq!(read("{}").unwrap(), None);
    assert_eq!(read(r#"{"kind":"dog"}"#).unwrap(), Some(Kind::Dog));
    for wrong in [r#"{"kind":"cow"}"#, r#"{"kind":null}"#, r#"{"more":1}"#] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
