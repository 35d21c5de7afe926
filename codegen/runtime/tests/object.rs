//! Structs are read from objects as their fields say, without a derive.

use std::collections::BTreeMap;

use runtime::constant;
use runtime::object::{self, Members, Object};
use serde::de::{Deserialize, Deserializer, MapAccess};

#[derive(Debug, PartialEq)]
struct Patch {
    id: Option<i64>,
    name: Option<Option<String>>,
    other: BTreeMap<String, bool>,
}

impl<'de> Deserialize<'de> for Patch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object::read(deserializer)
    }
}

impl<'de> Object<'de> for Patch {
    const MEMBERS: &'static [&'static str] = &["id", "name"];

    fn read<A: MapAccess<'de>>(mut members: Members<A>) -> Result<Self, A::Error> {
        let (mut id, mut name, mut other) = (None, None, BTreeMap::new());
        while let Some(member) = members.member()? {
            match member {
                0 => members.put(&mut id)?,
                1 => members.put(&mut name)?,
                _ => members.keep(&mut other)?,
            }
        }
        Ok(Self {
            id: members.required(0, id)?,
            name,
            other,
        })
    }
}

#[derive(Debug)]
struct Closed(Option<Kind>);

impl<'de> Deserialize<'de> for Closed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object::read(deserializer)
    }
}

impl<'de> Object<'de> for Closed {
    const MEMBERS: &'static [&'static str] = &["kind"];
    const CLOSED: bool = true;

    fn read<A: MapAccess<'de>>(mut members: Members<A>) -> Result<Self, A::Error> {
        let mut kind = None;
        while let Some(member) = members.member()? {
            match member {
                0 => members.put(&mut kind)?,
                _ => members.skip()?,
            }
        }
        Ok(Self(kind))
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Cat,
    Dog,
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        constant::one_of(deserializer, &[("cat", Self::Cat), ("dog", Self::Dog)])
    }
}

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
    let read = |text| serde_json::from_str::<Closed>(text).map(|closed| closed.0);
    assert_eq!(read("{}").unwrap(), None);
    assert_eq!(read(r#"{"kind":"dog"}"#).unwrap(), Some(Kind::Dog));
    for wrong in [r#"{"kind":"cow"}"#, r#"{"kind":null}"#, r#"{"more":1}"#] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
