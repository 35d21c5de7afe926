//! Structs are written as objects as their fields say, without a derive.

use std::collections::BTreeMap;

use runtime::__private::fields::Writer;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};

struct Patch {
    id: i64,
    name: Option<Option<String>>,
    other: BTreeMap<String, Fails>,
}

impl Serialize for Patch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Writer::new(serializer);
        fields.required("id", &self.id);
        fields.optional("name", &self.name);
        fields.others(&self.other);
        fields.end()
    }
}

/// Cannot be written where it says so.
struct Fails(bool);

impl Serialize for Fails {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            true => Err(S::Error::custom("it fails")),
            false => serializer.serialize_bool(false),
        }
    }
}

fn patch(name: Option<Option<String>>, other: &[(&str, bool)]) -> Patch {
    let other = other
        .iter()
        .map(|(name, fails)| ((*name).to_owned(), Fails(*fails)));
    Patch {
        id: 7,
        name,
        other: other.collect(),
    }
}

fn written(patch: &Patch) -> String {
    serde_json::to_string(patch).unwrap_or_default()
}

#[test]
fn absent_members_are_left_out_and_null_is_not() {
    assert_eq!(written(&patch(None, &[])), r#"{"id":7}"#);
    assert_eq!(written(&patch(Some(None), &[])), r#"{"id":7,"name":null}"#);
    let ada = Some(Some("Ada".to_owned()));
    assert_eq!(written(&patch(ada, &[])), r#"{"id":7,"name":"Ada"}"#);
}

#[test]
fn other_members_follow_those_that_have_fields() {
    let patch = patch(None, &[("b", false), ("a", false)]);
    assert_eq!(written(&patch), r#"{"id":7,"a":false,"b":false}"#);
    assert_eq!(
        serde_json::to_value(&patch).unwrap(),
        serde_json::json!({"id": 7, "a": false, "b": false})
    );
}

#[test]
fn the_first_error_is_told_and_nothing_is_written_after_it() {
    let patch = patch(None, &[("a", true), ("b", false)]);
    let mut text = Vec::new();
    let error = serde_json::to_writer(&mut text, &patch).unwrap_err();
    assert_eq!(error.to_string(), "it fails");
    assert_eq!(text, br#"{"id":7,"a":"#);
}
