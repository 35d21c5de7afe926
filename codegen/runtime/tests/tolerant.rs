//! What a client takes for the documented value, and what it says of other values.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use runtime::__private as rt;
use runtime::__private::union::{ValueType, VariantFilter};
use runtime::{ReadError, read_json};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Day(u32);

rt::formatted!(Day(u32) = "day");

#[derive(Debug, PartialEq)]
struct Image {
    labels: BTreeMap<String, String>,
    tags: Vec<String>,
    size: i32,
    options: Option<BTreeMap<String, String>>,
    names: Option<Vec<String>>,
    day: Option<Option<Day>>,
    parent: Option<Box<Image>>,
    status: Option<Status>,
}

rt::object!(Image {
    required labels = "labels",
    required tags = "tags",
    required size = "size",
    optional options = "options",
    optional names = "names",
    optional day = "day",
    optional parent = "parent",
    optional status = "status",
});

#[derive(Debug, Clone, PartialEq, Eq)]
enum Status {
    Paid,
    Unknown(String),
}

rt::string_enum!(Status { Paid = "paid", .. Unknown });

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closed {
    Left,
    Right,
}

rt::string_enum!(Closed { Left = "left", Right = "right", });

/// A `oneOf` of two schemas that have values in common.
#[derive(Debug, PartialEq)]
enum Number {
    Integer(i64),
    Float(f64),
    Tree(Tree),
}

rt::union!(Number { 0 => Integer, 1 => Float, 2 => Tree, });

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        const NUMBER: VariantFilter = VariantFilter {
            types: &[ValueType::Number],
            ..VariantFilter::OBJECT
        };
        const FILTERS: &[VariantFilter] = &[NUMBER, NUMBER, VariantFilter::OBJECT];
        rt::union::by_trying(from, FILTERS, true, |_| true)
    }
}

#[derive(Debug, PartialEq)]
struct Tree {
    height: i32,
    kinds: Vec<Closed>,
}

rt::object!(Tree { required height = "height", required kinds = "kinds", });

#[derive(Debug, PartialEq)]
enum Shape {
    Tree(Tree),
    Image(Image),
}

rt::tagged_union!(Shape by "is" { own Tree = "tree" | "oak", own Image = "image", });

#[derive(Debug, PartialEq)]
enum Ids {
    One(i64),
    Several(Vec<i64>),
}

rt::union_by_type!(Ids { One = Number, Several = Array, });

#[track_caller]
fn error<T: DeserializeOwned + std::fmt::Debug>(text: &str) -> ReadError {
    read_json::<T>(text.as_bytes()).unwrap_err()
}

fn image(text: &str) -> Image {
    read_json(text.as_bytes()).unwrap()
}

#[test]
fn null_is_an_absent_property_or_an_empty_collection() {
    let text = r#"{"labels":null,"tags":null,"size":1.0,"options":null,"names":null,"day":null}"#;
    assert!(serde_json::from_str::<Image>(text).is_err());
    let read = image(text);
    assert!(read.labels.is_empty() && read.tags.is_empty());
    assert_eq!((read.size, read.options, read.names), (1, None, None));
    assert_eq!(read.day, Some(None));
    let nested = r#"{"labels":{},"tags":[],"size":1,"parent":{"labels":null,"tags":[],"size":2}}"#;
    assert_eq!(image(nested).parent.unwrap().size, 2);
    let null = r#"{"labels":{},"tags":[],"size":null}"#;
    assert_eq!(
        error::<Image>(null).to_string(),
        "/size: expected an integer (i32), received null"
    );
    // What is null within an optional property is not the property's null.
    let within = r#"{"labels":{},"tags":[],"size":1,"names":[null]}"#;
    assert_eq!(error::<Image>(within).location, "/names/0");
}

#[test]
fn an_empty_string_that_a_property_cannot_have_is_an_absent_property() {
    let text = r#"{"labels":{},"tags":[],"size":1,"day":"","names":"","parent":"","status":""}"#;
    let read = image(text);
    assert_eq!((read.day, read.names, read.parent), (None, None, None));
    assert_eq!(read.status, Some(Status::Unknown(String::new())));
    let required = r#"{"labels":{},"tags":[],"size":""}"#;
    assert_eq!(error::<Image>(required).location, "/size");
    let within = r#"{"labels":{},"tags":[],"size":1,"parent":{"labels":{},"tags":[],"size":""}}"#;
    assert_eq!(error::<Image>(within).location, "/parent/size");
    let blank = r#"{"labels":{},"tags":[],"size":1,"names":" "}"#;
    assert_eq!(error::<Image>(blank).location, "/names");
}

#[test]
fn a_missing_property_is_named() {
    let error = error::<Vec<Image>>(r#"[{"labels":{},"size":1}]"#);
    assert_eq!(error.location, "/0");
    assert_eq!(error.to_string(), r#"/0: the property "tags" is missing"#);
}

#[test]
fn other_properties_are_passed_over() {
    let more = r#"{"labels":{},"tags":[],"size":1,"added":[{}]}"#;
    assert!(serde_json::from_str::<Image>(more).is_err());
    assert_eq!(image(more).size, 1);
}

#[test]
fn an_open_enum_keeps_other_strings() {
    assert!(serde_json::from_str::<Status>(r#""late""#).is_err());
    let late: Status = read_json(br#""late""#).unwrap();
    assert_eq!(late, Status::Unknown("late".into()));
    assert_eq!(serde_json::to_string(&late).unwrap(), r#""late""#);
    assert_eq!(read_json(br#""paid""#), Ok(Status::Paid));
    assert_eq!(
        error::<Closed>(r#""up""#).to_string(),
        r#"expected one of "left", "right", received "up""#
    );
}

#[test]
fn the_first_variant_that_fits_is_taken() {
    assert!(serde_json::from_str::<Number>("7").is_err());
    assert_eq!(read_json(b"7"), Ok(Number::Integer(7)));
    assert_eq!(read_json(b"2.0"), Ok(Number::Integer(2)));
    assert_eq!(read_json(b"2.5"), Ok(Number::Float(2.5)));
    let tree = br#"{"height":1.0,"kinds":null}"#;
    let kinds = Vec::new();
    assert_eq!(read_json(tree), Ok(Number::Tree(Tree { height: 1, kinds })));
}

#[test]
fn a_union_reports_each_variant_the_shortest_reason_first() {
    let error = error::<BTreeMap<String, Number>>(r#"{"a":{"height":1,"kinds":["up"]}}"#);
    let tried: Vec<_> = error.tried.iter().map(|(name, _)| *name).collect();
    assert_eq!(tried, ["Float", "Integer", "Tree"]);
    assert_eq!(
        error.to_string(),
        "/a: no variant fits an object: as Float, expected a number, received an object; as Integer, expected an \
         integer, received an object; as Tree, /kinds/0: expected one of \"left\", \"right\", received \"up\""
    );
}

#[test]
fn a_tagged_union_names_the_property_that_decides() {
    let oak: Shape = read_json(br#"{"height":1,"is":"oak","kinds":null}"#).unwrap();
    assert!(matches!(oak, Shape::Tree(_)));
    assert_eq!(
        error::<Shape>(r#"{"is":"elm"}"#).to_string(),
        r#"/is: expected one of "tree", "oak", "image", received "elm""#
    );
    assert_eq!(
        error::<Shape>("{}").to_string(),
        r#"the property "is" is missing, one of "tree", "oak", "image""#
    );
    let within = error::<Vec<Shape>>(r#"[{"kinds":[],"is":"oak","height":"1"}]"#);
    assert_eq!(within.location, "/0/height");
}

#[test]
fn a_union_by_type_reports_what_is_in_it() {
    assert_eq!(read_json(b"[1.0]"), Ok(Ids::Several(vec![1])));
    assert_eq!(error::<Ids>(r#"[1, "2"]"#).location, "/1");
}

#[test]
fn strings_of_formats_may_be_numbers() {
    assert!(serde_json::from_str::<Day>("7").is_err());
    assert_eq!(read_json(b"7"), Ok(Day(7)));
    assert_eq!(read_json(br#"" 7""#), Ok(Day(7)));
    assert_eq!(
        error::<Day>(r#""monday""#).to_string(),
        r#"expected a string of its format, received "monday""#
    );
}

#[derive(Debug, PartialEq)]
enum Place {
    Day(Day),
    Text(String),
}

rt::union!(Place { 0 => Day, 1 => Text, });

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        const TEXT: VariantFilter = VariantFilter {
            types: &[ValueType::String],
            ..VariantFilter::OBJECT
        };
        rt::union::by_trying(from, &[TEXT, TEXT], false, |_| true)
    }
}

#[test]
fn what_fits_by_the_letter_is_no_other_variants() {
    let strictly: Place = serde_json::from_str(r#"" 7""#).unwrap();
    let (tags, place): (Vec<i32>, Place) = read_json(br#"[null, " 7"]"#).unwrap();
    assert!(tags.is_empty());
    assert_eq!(place, strictly);
    assert_eq!(place, Place::Text(" 7".into()));
}

/// A tree of which nothing but the whole value tells the kind of a node.
#[derive(Debug, PartialEq)]
enum Node {
    And(Branch),
    Or(Branch),
    Leaf(Tree),
}

rt::union!(Node { 0 => And, 1 => Or, 2 => Leaf, });

#[derive(Debug, PartialEq)]
struct Branch {
    kind: String,
    children: Vec<Node>,
}

rt::object!(Branch { required kind = "kind", required children = "children", });

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        const BRANCH: VariantFilter = VariantFilter {
            required: &["kind", "children"],
            ..VariantFilter::OBJECT
        };
        const LEAF: VariantFilter = VariantFilter {
            required: &["height"],
            ..VariantFilter::OBJECT
        };
        rt::union::by_filters(
            from,
            &[BRANCH, BRANCH, LEAF],
            true,
            |variant, value| match variant {
                0 => value["kind"] == "and",
                1 => value["kind"] == "or",
                _ => true,
            },
        )
    }
}

#[test]
fn nested_variants_are_not_tried_in_all_combinations() {
    let nested = |depth: usize, leaf: &str| {
        let open = r#"{"kind":"or","children":["#.repeat(depth);
        format!("{open}{leaf}{}", "]}".repeat(depth))
    };
    let read = |depth, leaf| read_json::<Node>(nested(depth, leaf).as_bytes());
    assert!(matches!(
        read(3, r#"{"height":1,"kinds":null}"#),
        Ok(Node::Or(_))
    ));
    let error = read(3, r#"{"height":"x","kinds":[]}"#).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("/children/0/height: expected an integer"),
        "{error}"
    );
    assert!(matches!(
        read(30, r#"{"height":1,"kinds":null}"#),
        Ok(Node::Or(_))
    ));
    let error = read(30, r#"{"height":"x","kinds":[]}"#)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("/children/0/height: expected an integer"),
        "{error}"
    );
    assert!(error.len() < 30_000, "{}", error.len());
}

#[test]
fn null_is_absent_where_no_variant_by_type_has_it() {
    #[derive(Debug, PartialEq)]
    struct Holder {
        ids: Option<Ids>,
    }
    rt::object!(Holder { optional ids = "ids", });
    assert_eq!(read_json(br#"{"ids":null}"#), Ok(Holder { ids: None }));
    assert_eq!(
        error::<Holder>(r#"{"ids":"x"}"#).to_string(),
        r#"/ids: expected number or array, received "x""#
    );
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    assert_eq!(read_json(b"\xEF\xBB\xBF[1]"), Ok(vec![1]));
}

#[test]
fn what_fails_within_a_variant_is_not_the_tags_fault() {
    #[derive(Debug, PartialEq)]
    struct Packed {
        is: String,
        content: Ids,
    }
    rt::object!(Packed { required is = "is", required content = "content", });
    #[derive(Debug, PartialEq)]
    enum Parcel {
        Packed(Packed),
    }
    rt::tagged_union!(Parcel by "is" { own Packed = "packed", });
    let error = error::<Parcel>(r#"{"is":"packed","content":true}"#);
    assert_eq!(error.location, "/content");
}
