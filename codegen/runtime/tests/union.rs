//! Unions are decided while they are read, from any deserializer.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use runtime::__private::union::{
    self, ByType, Constant, TaggedUnion, Union, ValueType, VariantFilter,
};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

#[derive(Debug, PartialEq, Deserialize)]
struct Circle {
    kind: String,
    radius: f64,
    #[serde(default)]
    inner: Option<Box<Shape>>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Square {
    side: u8,
}

#[derive(Debug, PartialEq)]
enum Shape {
    Circle(Circle),
    Square(Square),
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        union::tagged(deserializer)
    }
}

impl<'de> TaggedUnion<'de> for Shape {
    const TAG: &'static [&'static str; 1] = &["kind"];
    const TAGS: &'static [&'static str] = &["circle", "square"];

    fn read<D: Deserializer<'de>>(tag: &str, value: D) -> Result<Self, D::Error> {
        match tag {
            "circle" => Deserialize::deserialize(value).map(Self::Circle),
            "square" => Deserialize::deserialize(value).map(Self::Square),
            _ => Err(union::no_variant()),
        }
    }
}

fn circle(radius: f64) -> Shape {
    Shape::Circle(Circle {
        kind: "circle".into(),
        radius,
        inner: None,
    })
}

/// Reads a text and its value, which must come to the same.
#[track_caller]
fn read<T: for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug>(text: &str) -> Option<T> {
    let one: Option<T> = serde_json::from_str(text).ok();
    let value: Value = serde_json::from_str(text).unwrap();
    let other: Option<T> = serde_json::from_value(value.clone()).ok();
    assert_eq!(one, other, "{text}");
    assert_eq!(one, T::deserialize(&value).ok(), "{text}");
    one
}

#[test]
fn a_tag_is_found_wherever_it_stands() {
    for text in [
        r#"{"kind":"circle","radius":1}"#,
        r#"{"radius":1.0,"kind":"circle"}"#,
        r#"{"other":{"a":[1,"x",null]},"radius":1e0,"\u006bind":"cir\u0063le"}"#,
        r#"{"kind":"circle","inner":null,"radius":1}"#,
        r#"{"inner":null,"radius":1,"kind":"circle"}"#,
    ] {
        assert_eq!(read(text), Some(circle(1.0)), "{text}");
    }
    assert_eq!(
        read(r#"{"side":4,"kind":"square"}"#),
        Some(Shape::Square(Square { side: 4 }))
    );
}

#[test]
fn nested_unions_are_read_before_and_after_the_tag() {
    for text in [
        r#"{"kind":"circle","radius":1,"inner":{"kind":"square","side":2}}"#,
        r#"{"inner":{"side":2,"kind":"square"},"radius":1,"kind":"circle"}"#,
    ] {
        let Some(Shape::Circle(circle)) = read(text) else {
            panic!("{text}");
        };
        let inner = Some(Box::new(Shape::Square(Square { side: 2 })));
        assert_eq!(circle.inner, inner, "{text}");
    }
}

#[test]
fn what_no_variant_takes_is_refused() {
    for text in [
        "{}",
        "[]",
        "null",
        "\"circle\"",
        r#"{"radius":1}"#,
        r#"{"kind":"oval","radius":1}"#,
        r#"{"kind":1,"radius":1}"#,
        r#"{"kind":null}"#,
        r#"{"kind":"square","radius":1}"#,
        r#"{"kind":"square","side":256}"#,
        r#"{"kind":"square","side":1.0}"#,
    ] {
        assert_eq!(read::<Shape>(text), None, "{text}");
    }
}

#[test]
fn a_member_that_comes_twice_is_refused_on_either_side_of_the_tag() {
    for text in [
        r#"{"kind":"circle","kind":"circle","radius":1}"#,
        r#"{"radius":1,"radius":2,"kind":"circle"}"#,
        r#"{"radius":1,"kind":"circle","radius":2}"#,
    ] {
        assert!(serde_json::from_str::<Shape>(text).is_err(), "{text}");
    }
}

#[test]
fn nesting_stays_bounded_through_unions() {
    let nested = |depth: usize| {
        let open = r#"{"kind":"circle","radius":1,"inner":"#.repeat(depth);
        format!("{open}null{}", "}".repeat(depth))
    };
    assert!(serde_json::from_str::<Shape>(&nested(126)).is_ok());
    assert!(serde_json::from_str::<Shape>(&nested(129)).is_err());
    assert!(serde_json::from_str::<Shape>(&nested(100_000)).is_err());
    let late = |depth: usize| {
        let open = r#"{"inner":"#.repeat(depth);
        format!(
            "{open}null{}",
            r#","radius":1,"kind":"circle"}"#.repeat(depth)
        )
    };
    assert!(serde_json::from_str::<Shape>(&late(100)).is_ok());
    assert!(serde_json::from_str::<Shape>(&late(100_000)).is_err());
}

#[derive(Debug, PartialEq)]
enum Any {
    Flag(bool),
    Number(f64),
    Text(Option<String>),
    List(Vec<u8>),
    Object(Square),
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        union::by_type(deserializer)
    }
}

impl<'de> ByType<'de> for Any {
    const TYPES: &'static [&'static str] = &["Object"];

    fn read<D: Deserializer<'de>>(form: ValueType, value: D) -> Result<Self, D::Error> {
        match form {
            ValueType::Boolean => Deserialize::deserialize(value).map(Self::Flag),
            ValueType::Number => Deserialize::deserialize(value).map(Self::Number),
            ValueType::String | ValueType::Null => Deserialize::deserialize(value).map(Self::Text),
            ValueType::Array => Deserialize::deserialize(value).map(Self::List),
            ValueType::Object => Deserialize::deserialize(value).map(Self::Object),
        }
    }
}

#[test]
fn the_form_of_a_value_decides() {
    assert_eq!(read("true"), Some(Any::Flag(true)));
    assert_eq!(read("-1"), Some(Any::Number(-1.0)));
    assert_eq!(
        read("18446744073709551615"),
        Some(Any::Number(18_446_744_073_709_551_615.0))
    );
    assert_eq!(read("0.5"), Some(Any::Number(0.5)));
    assert_eq!(read("null"), Some(Any::Text(None)));
    assert_eq!(read(r#""a\n""#), Some(Any::Text(Some("a\n".into()))));
    assert_eq!(read("[1,2]"), Some(Any::List(vec![1, 2])));
    assert_eq!(read(r#"{"side":1}"#), Some(Any::Object(Square { side: 1 })));
    assert_eq!(read::<Any>("[1,256]"), None);
    assert_eq!(read::<Any>("{}"), None);
}

#[derive(Debug, PartialEq)]
enum Filtered {
    Open(Value),
    Closed(Value),
    Numbered(Value),
}

const FILTERS: &[VariantFilter] = &[
    VariantFilter {
        types: &[ValueType::Object],
        required: &["a"],
        closed: None,
        members: &[("n", &[ValueType::String])],
        constants: &[],
        kept: None,
    },
    VariantFilter {
        types: &[ValueType::Object],
        required: &["b"],
        closed: Some(&["b"]),
        members: &[],
        constants: &[],
        kept: None,
    },
    VariantFilter {
        types: &[ValueType::Object, ValueType::Null],
        required: &[],
        closed: None,
        members: &[("n", &[ValueType::Number])],
        constants: &[],
        kept: None,
    },
];

impl<'de> Deserialize<'de> for Filtered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // No variant accepts it when it is asked: values that are read were decided by the filters.
        union::by_filters(deserializer, FILTERS, true, |_, _| false)
    }
}

impl<'de> Union<'de> for Filtered {
    const VARIANTS: &'static [&'static str] = &["First", "Second"];

    fn read<D: Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error> {
        match variant {
            0 => Deserialize::deserialize(value).map(Self::Open),
            1 => Deserialize::deserialize(value).map(Self::Closed),
            2 => Deserialize::deserialize(value).map(Self::Numbered),
            _ => Err(union::no_variant()),
        }
    }
}

#[test]
fn filters_exclude_by_type_and_by_members() {
    let value = json!({"a": [1, {"x": null}], "n": "text"});
    assert_eq!(read(&value.to_string()), Some(Filtered::Open(value)));
    assert_eq!(read("null"), Some(Filtered::Numbered(Value::Null)));
    let value = json!({"c": 1.5, "n": -1});
    assert_eq!(read(&value.to_string()), Some(Filtered::Numbered(value)));
    // Two are left, and none is.
    assert_eq!(read::<Filtered>(r#"{"a":1}"#), None);
    assert_eq!(read::<Filtered>("true"), None);
    assert_eq!(read::<Filtered>(r#"{"n":true}"#), None);
}

#[test]
fn several_that_are_left_are_asked() {
    let asked: Result<Filtered, _> = {
        let text = r#"{"a":1,"b":2}"#;
        union::by_filters(
            &mut serde_json::Deserializer::from_str(text),
            FILTERS,
            true,
            |variant, value| variant == 2 && value["b"] == 2,
        )
    };
    assert_eq!(asked.unwrap(), Filtered::Numbered(json!({"a": 1, "b": 2})));
}

#[test]
fn the_variant_that_keeps_most_is_taken_where_several_may() {
    const KEEPING: &[VariantFilter] = &[
        VariantFilter {
            kept: Some(&["a"]),
            ..VariantFilter::OBJECT
        },
        VariantFilter {
            kept: Some(&["b"]),
            ..VariantFilter::OBJECT
        },
        VariantFilter {
            kept: Some(&["a", "b"]),
            ..VariantFilter::OBJECT
        },
    ];
    let taken = |text: &str, exactly_one, accepts: fn(usize, &Value) -> bool| {
        let mut text = serde_json::Deserializer::from_str(text);
        let read: Result<Filtered, _> = union::by_filters(&mut text, KEEPING, exactly_one, accepts);
        read.ok()
    };
    let (text, value) = (r#"{"a":1,"b":2}"#, json!({"a": 1, "b": 2}));
    let numbered = Some(Filtered::Numbered(value.clone()));
    assert_eq!(taken(text, false, |_, _| true), numbered);
    let closed = Some(Filtered::Closed(value.clone()));
    assert_eq!(taken(text, false, |variant, _| variant == 1), closed);
    let open = Some(Filtered::Open(value));
    assert_eq!(taken(text, false, |variant, _| variant < 2), open);
    assert_eq!(taken(text, true, |variant, _| variant < 2), None);
    assert_eq!(taken(text, false, |_, _| false), None);
}

#[derive(Debug, PartialEq, Deserialize)]
struct Counted {
    count: i64,
    #[serde(default)]
    inner: Option<Value>,
}

#[derive(Debug, PartialEq)]
enum Tried {
    Counted(Counted),
    Open(Value),
}

impl<'de> Union<'de> for Tried {
    const VARIANTS: &'static [&'static str] = &["First", "Second"];

    fn read<D: Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error> {
        match variant {
            0 => Deserialize::deserialize(value).map(Self::Counted),
            1 => Deserialize::deserialize(value).map(Self::Open),
            _ => Err(union::no_variant()),
        }
    }
}

fn tried(text: &str, exactly_one: bool) -> Option<Tried> {
    const FILTERS: &[VariantFilter] = &[
        VariantFilter {
            constants: &[("kind", &[Constant::Integer(1), Constant::Text("one")])],
            ..VariantFilter::OBJECT
        },
        VariantFilter::OBJECT,
    ];
    let valid = |tried: &Tried| match tried {
        Tried::Counted(counted) => counted.count < 10,
        Tried::Open(_) => true,
    };
    let deserializer = &mut serde_json::Deserializer::from_str(text);
    union::by_trying(deserializer, FILTERS, exactly_one, valid).ok()
}

#[test]
fn several_that_are_left_are_read() {
    let counted = |count| Some(Tried::Counted(Counted { count, inner: None }));
    assert_eq!(tried(r#"{"count":1}"#, false), counted(1));
    // A number without a fraction is an integer, though a float is written.
    assert_eq!(tried(r#"{"count":1.0}"#, false), counted(1));
    assert_eq!(tried(r#"{"count":1.0}"#, true), None);
    let open = |value: Value| Some(Tried::Open(value));
    assert_eq!(tried(r#"{"count":10}"#, true), open(json!({"count": 10})));
    assert_eq!(tried("{}", true), open(json!({})));
    assert_eq!(tried(r#"{"kind":1.0,"count":1}"#, true), None);
    // The constant rules the first out, and what is left is read as it stands.
    let kind = json!({"kind": "two", "count": 1.0});
    assert_eq!(tried(&kind.to_string(), true), open(kind));
    assert_eq!(tried("[]", false), None);
}

#[derive(Debug, PartialEq)]
enum Anyway {
    Named(BTreeMap<String, u8>),
    Aged(BTreeMap<String, u8>),
}

impl<'de> Deserialize<'de> for Anyway {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FILTERS: &[VariantFilter] = &[
            VariantFilter {
                kept: Some(&["name"]),
                ..VariantFilter::OBJECT
            },
            VariantFilter {
                kept: Some(&["name", "age"]),
                ..VariantFilter::OBJECT
            },
        ];
        union::by_trying(deserializer, FILTERS, false, |read| match read {
            Self::Named(_) => true,
            Self::Aged(members) => members.get("age") != Some(&0),
        })
    }
}

impl<'de> Union<'de> for Anyway {
    const VARIANTS: &'static [&'static str] = &["First", "Second"];

    fn read<D: Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error> {
        match variant {
            0 => Deserialize::deserialize(value).map(Self::Named),
            1 => Deserialize::deserialize(value).map(Self::Aged),
            _ => Err(union::no_variant()),
        }
    }
}

#[test]
fn of_several_variants_the_one_that_keeps_most_has_the_value() {
    let members = |text| serde_json::from_str::<BTreeMap<String, u8>>(text).unwrap();
    let named = r#"{"name":1}"#;
    assert_eq!(read(named), Some(Anyway::Named(members(named))));
    let aged = r#"{"age":2,"name":1}"#;
    assert_eq!(read(aged), Some(Anyway::Aged(members(aged))));
    let invalid = r#"{"age":0,"name":1}"#;
    assert_eq!(read(invalid), Some(Anyway::Named(members(invalid))));
}
