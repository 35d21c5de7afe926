//! Parameters: their values, and the issues of those that are refused.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod several;

use std::collections::BTreeMap;

use http::request::Parts;
use http::{Method, Request};
use runtime::__private::{Captures, Param, ParamShape, Reader, Routed, Router, Schemas, Style};
use runtime::{Operation, Place, Rejection};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const SCHEMAS: &str = r##"{
    "Limit": {"type": "integer", "minimum": 1, "maximum": 200},
    "Text": {"type": "string", "maxLength": 5},
    "Maybe": {"type": ["integer", "null"]},
    "Flag": {"type": "boolean"},
    "Ratio": {"type": "number"},
    "Status": {"enum": ["active", "ended"]},
    "Texts": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
    "Numbers": {"type": "array", "items": {"type": "integer"}},
    "Point": {"type": "object", "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
              "required": ["x"], "additionalProperties": false},
    "Open": {"type": "object", "additionalProperties": {"type": "string"}},
    "Free": {"type": "object"},
    "Nameless": {"type": "object", "additionalProperties": false},
    "Cleared": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"enum": [""]}]},
    "Kept": {"type": "object", "properties": {"codes": {"$ref": "#/Cleared"}}},
    "Either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "string"}]}
}"##;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Status {
    Active,
    Ended,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Point {
    x: i32,
    y: Option<i32>,
}

const fn param(
    place: Place,
    style: Style,
    explode: bool,
    shape: ParamShape,
    schema: &'static str,
) -> Param {
    Param {
        name: "p",
        place,
        style,
        explode,
        shape,
        schema,
    }
}

const fn scalar(schema: &'static str) -> Param {
    param(Place::Query, Style::Form, true, ParamShape::Scalar, schema)
}

const POINT: ParamShape = ParamShape::Object(&["x", "y"]);

fn parts(uri: &str, headers: &[(&'static str, &str)]) -> Parts {
    let mut request = Request::builder().uri(uri);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap().into_parts().0
}

/// The value, or each issue as `place at keyword`.
fn read_from<T: DeserializeOwned>(
    parts: &Parts,
    captures: &Captures,
    param: Param,
    valid: fn(&T) -> bool,
) -> Result<Option<T>, Vec<String>> {
    let schemas = Schemas::parse(SCHEMAS);
    let declared: &'static [Param] = Box::leak(Box::new([param]));
    let mut reader = Reader::new(parts, captures, &schemas, declared);
    let value = reader.optional(&declared[0], valid);
    match reader.finish() {
        Ok(()) => Ok(value.expect("no issue without a record")),
        Err(Rejection::Invalid(issues)) => {
            let line = |i: &runtime::Issue| format!("{} {} {}", i.place, i.at, i.keyword);
            Err(issues.iter().map(line).collect())
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn query<T: DeserializeOwned>(param: Param, query: &str) -> Result<Option<T>, Vec<String>> {
    read_from(
        &parts(&format!("/?{query}"), &[]),
        &Captures::default(),
        param,
        |_| true,
    )
}

fn path<T: DeserializeOwned>(param: Param, text: &str) -> Result<Option<T>, Vec<String>> {
    static OPERATIONS: [Operation; 1] = [Operation {
        id: "op",
        method: Method::GET,
        base_path: "",
        path: "/{p}",
        rivals: &[],
        served: true,
        matchers: &[],
        tag: "",
        security: &[],
        deprecation: None,
        sunset: None,
        not_modified: None,
        metered: false,
        lenient: false,
        consumes: &[],
        streamed: &[],
        body_limit: None,
        body_required: false,
        produces: &[],
    }];
    let parts = parts(&format!("/{text}"), &[]);
    let Routed::Found { captures, .. } =
        Router::new(&OPERATIONS).find(&Method::GET, &parts.uri, &parts.headers)
    else {
        panic!("not found")
    };
    read_from(&parts, &captures, param, |_| true)
}

fn refused<T>(issues: &[&str]) -> Result<Option<T>, Vec<String>> {
    Err(issues.iter().map(ToString::to_string).collect())
}

#[test]
fn scalars_are_read_as_json_writes_them() {
    assert_eq!(query::<u8>(scalar("Limit"), "p=200"), Ok(Some(200)));
    assert_eq!(query::<u8>(scalar("Limit"), ""), Ok(None));
    assert_eq!(query::<bool>(scalar("Flag"), "p=true"), Ok(Some(true)));
    assert_eq!(query::<f64>(scalar("Ratio"), "p=-1.5e2"), Ok(Some(-150.0)));
    assert_eq!(
        query::<String>(scalar("Text"), "p=a%2Bb+%C3%A9"),
        Ok(Some("a+b é".into()))
    );
    assert_eq!(
        query::<Status>(scalar("Status"), "p=ended"),
        Ok(Some(Status::Ended))
    );
    for text in ["5x", "+5", "05", "TRUE", "", "0x5", "inf", "5."] {
        assert_eq!(
            query::<i64>(scalar("Limit"), &format!("p={text}")),
            refused(&["query p type"]),
            "{text}"
        );
    }
    assert_eq!(
        query::<f64>(scalar("Ratio"), "p=NaN"),
        refused(&["query p type"])
    );
    assert_eq!(
        query::<Status>(scalar("Status"), "p=Ended"),
        refused(&["query p enum"])
    );
}

#[test]
fn an_integer_may_be_written_with_a_zero_fraction() {
    assert_eq!(query::<u8>(scalar("Limit"), "p=7.0"), Ok(Some(7)));
    assert_eq!(query::<u8>(scalar("Limit"), "p=1e2"), Ok(Some(100)));
}

#[test]
fn a_failed_check_is_explained_by_the_schema() {
    let found = read_from::<u8>(
        &parts("/?p=201", &[]),
        &Captures::default(),
        scalar("Limit"),
        |n| *n <= 200,
    );
    assert_eq!(found, refused(&["query p maximum"]));
    // The schema has the last word: a check that is wrong refuses nothing.
    let found = read_from::<u8>(
        &parts("/?p=7", &[]),
        &Captures::default(),
        scalar("Limit"),
        |_| false,
    );
    assert_eq!(found, Ok(Some(7)));
}

#[test]
fn types_without_a_form_of_their_own_are_decided_by_the_schema() {
    assert_eq!(query::<Value>(scalar("Either"), "p=5"), Ok(Some(json!(5))));
    assert_eq!(
        query::<Value>(scalar("Either"), "p=true"),
        Ok(Some(json!(true)))
    );
    assert_eq!(
        query::<Value>(scalar("Either"), "p=x"),
        Ok(Some(json!("x")))
    );
    assert_eq!(query::<Value>(scalar("Text"), "p=5"), Ok(Some(json!("5"))));
    assert_eq!(query::<Option<i64>>(scalar("Maybe"), "p="), Ok(Some(None)));
    assert_eq!(
        query::<Option<i64>>(scalar("Maybe"), "p=5"),
        Ok(Some(Some(5)))
    );
}

#[test]
fn a_text_that_is_there_once_is_a_list_where_the_text_alone_is_refused() {
    let (form, deep) = (
        || scalar("Cleared"),
        || param(Place::Query, Style::DeepObject, true, POINT, "Kept"),
    );
    let read = |param: Param, text: &str| query::<Value>(param, text);
    assert_eq!(read(form(), "p=5"), Ok(Some(json!([5]))));
    assert_eq!(read(form(), "p="), Ok(Some(json!(""))));
    assert_eq!(read(form(), "p=x"), refused(&["query p enum"]));
    for (text, codes) in [
        ("p[codes]=5", json!([5])),
        ("p[codes][]=5", json!([5])),
        ("p[codes][0]=5", json!([5])),
        ("p[codes]=5&p[codes]=6", json!([5, 6])),
        ("p[codes]=", json!("")),
    ] {
        let kept = json!({ "codes": codes });
        assert_eq!(read(deep(), text), Ok(Some(kept)), "{text}");
    }
}

#[test]
fn undeclared_parameters_are_refused() {
    assert_eq!(
        query::<u8>(scalar("Limit"), "p=1&P=2&x"),
        refused(&["query P undeclared", "query x undeclared",])
    );
    assert_eq!(
        query::<String>(scalar("Text"), "%FF=1"),
        refused(&["query  undeclared"])
    );
}

#[test]
fn repeated_parameters_are_refused() {
    assert_eq!(
        query::<u8>(scalar("Limit"), "p=1&p=1"),
        refused(&["query p type"])
    );
}

#[test]
fn octets_that_are_not_utf_8_are_refused() {
    assert_eq!(
        query::<String>(scalar("Text"), "p=%FF"),
        refused(&["query p format"])
    );
    assert_eq!(
        query::<String>(scalar("Text"), "p=%zz%"),
        Ok(Some("%zz%".into()))
    );
    let text = param(
        Place::Path,
        Style::Simple,
        false,
        ParamShape::Scalar,
        "Text",
    );
    assert_eq!(path::<String>(text, "%C3"), refused(&["path p format"]));
}

#[test]
fn required_parameters_are_required_and_defaults_apply() {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, captures) = (parts("/", &[]), Captures::default());
    let declared: &'static [Param] = Box::leak(Box::new([scalar("Limit")]));
    let mut reader = Reader::new(&parts, &captures, &schemas, declared);
    assert_eq!(
        reader.defaulted::<u8>(&declared[0], |_| true, || Some(50)),
        Some(50)
    );
    assert_eq!(reader.required::<u8>(&declared[0], |_| true), None);
    let Rejection::Invalid(issues) = reader.refuse() else {
        panic!()
    };
    assert_eq!(
        (issues[0].keyword, issues[0].message.as_str()),
        ("required", "is required")
    );
}

#[test]
fn headers_and_cookies_are_read_by_their_own_rules() {
    let header = |shape, schema| param(Place::Header, Style::Simple, false, shape, schema);
    let read = |headers: &[_], param| {
        read_from::<Vec<String>>(&parts("/", headers), &Captures::default(), param, |_| true)
    };
    let list = Ok(Some(vec![
        "a".to_owned(),
        "b%2C".to_owned(),
        "c".to_owned(),
    ]));
    assert_eq!(
        read(
            &[("p", "a, b%2C"), ("P", "c")],
            header(ParamShape::Array, "Texts")
        ),
        list
    );
    let lines = parts("/", &[("p", "a"), ("p", "b")]);
    let text = header(ParamShape::Scalar, "Text");
    assert_eq!(
        read_from::<String>(&lines, &Captures::default(), text, |_| true),
        Ok(Some("a, b".into()))
    );

    let cookie = |name| Param {
        name,
        ..param(Place::Cookie, Style::Form, true, ParamShape::Scalar, "Text")
    };
    let parts = parts("/", &[("cookie", "q=1; p=a%20b"), ("cookie", "r=2; r=3")]);
    let read = |param| read_from::<String>(&parts, &Captures::default(), param, |_| true);
    assert_eq!(read(cookie("p")), Ok(Some("a b".into())));
    assert_eq!(read(cookie("s")), Ok(None));
    assert_eq!(read(cookie("r")), refused(&["cookie r type"]));
}

#[test]
fn a_parameter_may_be_json() {
    let json = || param(Place::Query, Style::Json, false, POINT, "Point");
    assert_eq!(
        query(json(), "p=%7B%22x%22:1%7D"),
        Ok(Some(Point { x: 1, y: None }))
    );
    assert_eq!(
        query::<Point>(json(), "p={"),
        refused(&["query p contentMediaType"])
    );
    assert_eq!(
        query::<Point>(json(), "p={}"),
        refused(&["query p/x required"])
    );
}
