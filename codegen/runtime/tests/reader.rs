//! Parameters and bodies: what is read, and what is said of what is not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use http::request::Parts;
use http::{Method, Request};
use runtime::captures::Captures;
use runtime::fault::Fault;
use runtime::issue::Place;
use runtime::object::{self, Object};
use runtime::operation::Operation;
use runtime::param::{Param, Shape, Style};
use runtime::reader::Reader;
use runtime::route::{Routed, Router};
use runtime::schema::Schemas;
use runtime::union::{self, Form, Outline, Union};
use serde::de::{DeserializeOwned, MapAccess};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

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
    "Cleared": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"enum": [""]}]},
    "Kept": {"type": "object", "properties": {"codes": {"$ref": "#/Cleared"}}},
    "Either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}, {"type": "string"}]},
    "Nested": {"type": "object", "properties": {
        "tags": {"type": "array", "items": {"type": "string"}},
        "range": {"type": "object", "properties": {"min": {"type": "integer"}}}}}
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

#[derive(Debug, Deserialize, PartialEq, Default)]
#[serde(default)]
struct Nested {
    tags: Vec<String>,
    range: BTreeMap<String, i64>,
}

const fn param(
    place: Place,
    style: Style,
    explode: bool,
    shape: Shape,
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
    param(Place::Query, Style::Form, true, Shape::Scalar, schema)
}

const POINT: Shape = Shape::Object(&["x", "y"]);

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
        Err(Fault::Invalid(issues)) => {
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
        index: 0,
        id: "op",
        method: Method::GET,
        path: "/{p}",
        served: true,
        wants: &[],
        tag: "",
        security: &[],
        metered: false,
        consumes: &[],
        streamed: &[],
        body_limit: None,
        body_required: false,
        produces: &[],
    }];
    let parts = parts(&format!("/{text}"), &[]);
    let Routed::Found { captures, .. } =
        Router::new("", &OPERATIONS).find(&Method::GET, &parts.uri, &parts.headers)
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
    let parts = parts("/?p=201", &[]);
    let found = read_from::<u8>(&parts, &Captures::default(), scalar("Limit"), |n| *n <= 200);
    assert_eq!(found, refused(&["query p maximum"]));
    // The schema has the last word: a check that is wrong refuses nothing.
    let found = read_from::<u8>(
        &parts_of("/?p=7"),
        &Captures::default(),
        scalar("Limit"),
        |_| false,
    );
    assert_eq!(found, Ok(Some(7)));
}

fn parts_of(uri: &str) -> Parts {
    parts(uri, &[])
}

#[test]
fn types_without_a_form_of_their_own_are_decided_by_the_schema() {
    use serde_json::{Value, json};
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
    use serde_json::{Value, json};
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
fn what_is_not_declared_not_single_or_not_text_is_refused() {
    assert_eq!(
        query::<u8>(scalar("Limit"), "p=1&P=2&x"),
        refused(&["query P undeclared", "query x undeclared",])
    );
    assert_eq!(
        query::<u8>(scalar("Limit"), "p=1&p=1"),
        refused(&["query p type"])
    );
    assert_eq!(
        query::<String>(scalar("Text"), "p=%FF"),
        refused(&["query p format"])
    );
    assert_eq!(
        query::<String>(scalar("Text"), "p=%zz%"),
        Ok(Some("%zz%".into()))
    );
    assert_eq!(
        query::<String>(scalar("Text"), "%FF=1"),
        refused(&["query  undeclared"])
    );
    let text = param(Place::Path, Style::Simple, false, Shape::Scalar, "Text");
    assert_eq!(path::<String>(text, "%C3"), refused(&["path p format"]));
}

#[test]
fn required_parameters_must_be_there_and_defaults_step_in() {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, captures) = (parts_of("/"), Captures::default());
    let declared: &'static [Param] = Box::leak(Box::new([scalar("Limit")]));
    let mut reader = Reader::new(&parts, &captures, &schemas, declared);
    assert_eq!(
        reader.defaulted::<u8>(&declared[0], |_| true, || Some(50)),
        Some(50)
    );
    assert_eq!(reader.required::<u8>(&declared[0], |_| true), None);
    let Fault::Invalid(issues) = reader.refuse() else {
        panic!()
    };
    assert_eq!(
        (issues[0].keyword, issues[0].message.as_str()),
        ("required", "is required")
    );
}

#[test]
fn arrays_are_read_in_every_style() {
    let list = |items: &[&str]| {
        Ok(Some(
            items.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ))
    };
    let array = |place, style, explode| param(place, style, explode, Shape::Array, "Texts");
    assert_eq!(
        query(array(Place::Query, Style::Form, true), "p=a&p=b%2Cc"),
        list(&["a", "b,c"])
    );
    let deep = |text| query(array(Place::Query, Style::DeepObject, true), text);
    for written in [
        "p[]=a&p[]=b",
        "p[0]=a&p[1]=b",
        "p%5B1%5D=b&p[0]=a",
        "p=a&p=b",
    ] {
        assert_eq!(deep(written), list(&["a", "b"]), "{written}");
    }
    assert_eq!(deep("p[]=a&p[x]=b"), refused(&["query p type"]));
    assert_eq!(
        query(array(Place::Query, Style::Form, false), "p=a,b%2Cc"),
        list(&["a", "b,c"])
    );
    assert_eq!(
        query(array(Place::Query, Style::Form, false), "p="),
        list(&[])
    );
    assert_eq!(
        query(array(Place::Query, Style::Form, true), "p="),
        list(&[""])
    );
    assert_eq!(
        query(
            array(Place::Query, Style::SpaceDelimited, false),
            "p=a%20b+c"
        ),
        list(&["a", "b", "c"])
    );
    assert_eq!(
        query(
            array(Place::Query, Style::PipeDelimited, false),
            "p=a|b%7Cc"
        ),
        list(&["a", "b", "c"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Simple, false), "a,b%2Cc"),
        list(&["a", "b,c"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Label, false), ".a,b"),
        list(&["a", "b"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Label, true), ".a.b"),
        list(&["a", "b"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Matrix, false), ";p=a,b"),
        list(&["a", "b"])
    );
    assert_eq!(
        path(array(Place::Path, Style::Matrix, true), ";p=a;p=b"),
        list(&["a", "b"])
    );
    let numbers = param(Place::Query, Style::Form, true, Shape::Array, "Numbers");
    assert_eq!(
        query::<Vec<i64>>(numbers, "p=1&p=x&p=3&p="),
        refused(&["query p/1 type", "query p/3 type"])
    );
}

#[test]
fn objects_are_read_in_every_style() {
    let point = Ok(Some(Point { x: 1, y: Some(2) }));
    let object = |place, style, explode| param(place, style, explode, POINT, "Point");
    assert_eq!(
        query(object(Place::Query, Style::Form, true), "x=1&y=2"),
        point
    );
    assert_eq!(
        query(object(Place::Query, Style::Form, false), "p=x,1,y,2"),
        point
    );
    assert_eq!(
        query(
            object(Place::Query, Style::DeepObject, true),
            "p[x]=1&p%5By%5D=2"
        ),
        point
    );
    assert_eq!(
        query(
            object(Place::Query, Style::PipeDelimited, false),
            "p=x|1|y|2"
        ),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Simple, false), "x,1,y,2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Simple, true), "x=1,y=2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Label, true), ".x=1.y=2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Matrix, true), ";x=1;y=2"),
        point
    );
    assert_eq!(
        path(object(Place::Path, Style::Matrix, false), ";p=x,1,y,2"),
        point
    );
    let deep = || object(Place::Query, Style::DeepObject, true);
    assert_eq!(
        query::<Point>(deep(), "p[y]=a&p[z]=1"),
        refused(&[
            "query p/x required",
            "query p/y type",
            "query p/z additionalProperties",
        ])
    );
    for malformed in ["p[x=1", "p[x]y=1", "p[x[y]]=1", "p[x]=1&p[x][y]=2"] {
        assert_eq!(
            query::<Point>(deep(), malformed),
            refused(&["query p type"]),
            "{malformed}"
        );
    }
    let deeper = format!("p{}=1", "[a]".repeat(1_000));
    assert_eq!(query::<Point>(deep(), &deeper), refused(&["query p type"]));
    assert_eq!(
        query::<Point>(object(Place::Query, Style::Form, false), "p=x,1,y"),
        refused(&["query p type"])
    );
}

#[test]
fn an_open_object_takes_the_names_that_nobody_declares() {
    let open = || param(Place::Query, Style::Form, true, Shape::Object(&[]), "Open");
    let expected = BTreeMap::from([
        ("a".to_owned(), "1".to_owned()),
        ("b".to_owned(), String::new()),
    ]);
    assert_eq!(query(open(), "a=1&b"), Ok(Some(expected)));
    assert_eq!(query::<BTreeMap<String, String>>(open(), ""), Ok(None));
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
            header(Shape::Array, "Texts")
        ),
        list
    );
    let lines = parts("/", &[("p", "a"), ("p", "b")]);
    let text = header(Shape::Scalar, "Text");
    assert_eq!(
        read_from::<String>(&lines, &Captures::default(), text, |_| true),
        Ok(Some("a, b".into()))
    );

    let cookie = |name| Param {
        name,
        ..param(Place::Cookie, Style::Form, true, Shape::Scalar, "Text")
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

fn body<T: DeserializeOwned>(bytes: &[u8], schema: &str) -> Result<T, Fault> {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, captures) = (parts_of("/"), Captures::default());
    let mut reader = Reader::new(&parts, &captures, &schemas, &[]);
    match reader.json(bytes, schema, |_| true)? {
        Some(value) => Ok(value),
        None => Err(reader.refuse()),
    }
}

#[test]
fn bodies_of_json_are_decoded_or_explained() {
    assert_eq!(
        body::<Point>(br#"{"x": 1}"#, "Point"),
        Ok(Point { x: 1, y: None })
    );
    assert_eq!(
        body::<Point>(br#"{"x": 1.0, "y": 2e0}"#, "Point"),
        Ok(Point { x: 1, y: Some(2) })
    );
    let Err(Fault::Invalid(issues)) = body::<Point>(br#"{"y": "a", "z": 0}"#, "Point") else {
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
    // Valid for the schema, and beyond what the type can hold.
    let Err(Fault::Invalid(issues)) = body::<Point>(br#"{"x": 3000000000}"#, "Point") else {
        panic!()
    };
    assert_eq!((issues[0].at.as_str(), issues[0].keyword), ("", "type"));
}

#[test]
fn bodies_that_are_no_json_say_where() {
    let fault = |bytes: &[u8]| match body::<Point>(bytes, "Point") {
        Err(Fault::Json {
            reason,
            line,
            column,
        }) => (reason, line, column),
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(b""), ("ends too early", 1, 0));
    assert_eq!(fault(b"{\n  x}"), ("is not JSON", 2, 3));
    assert_eq!(fault(b"{} 1"), ("goes on after the value", 1, 4));
    assert_eq!(fault(b"\"\xFF\""), ("is not UTF-8", 0, 0));
    assert_eq!(fault(&[b'['; 1_000]), ("is nested too deeply", 1, 128));
    assert_eq!(fault(b"1e"), ("ends too early", 1, 2));
}

/// A struct whose members see to it themselves that nothing is there twice.
#[derive(Debug)]
struct Loose;

impl<'de> Deserialize<'de> for Loose {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        object::read(deserializer)
    }
}

impl<'de> Object<'de> for Loose {
    const MEMBERS: &'static [&'static str] = &["any", "map"];

    fn read<A: MapAccess<'de>>(mut members: object::Members<A>) -> Result<Self, A::Error> {
        let (mut any, mut map) = (None, None::<BTreeMap<String, Value>>);
        while let Some(member) = members.member()? {
            match member {
                0 => members.put_any(&mut any)?,
                1 => members.put_map(&mut map)?,
                _ => members.skip()?,
            }
        }
        Ok(Self)
    }
}

/// A union whose variants keep whatever there is, or read it once more.
#[derive(Debug)]
struct Told;

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        union::tagged(deserializer, &["is"], |tag| {
            let tags = ["any", "map", "outlined", "tried"];
            tags.iter().position(|known| *known == tag)
        })
    }
}

impl<'de> Union<'de> for Told {
    fn read<D: Deserializer<'de>>(variant: usize, value: D) -> Result<Self, D::Error> {
        match variant {
            0 => Value::deserialize(value).map(|_| Self),
            1 => BTreeMap::<String, Value>::deserialize(value).map(|_| Self),
            2 => union::outlined::<Kept, _>(value, ANYTHING, |_| Some(0)).map(|_| Self),
            _ => union::tried::<Kept, _>(value, ANYTHING, false, |_| true).map(|_| Self),
        }
    }
}

struct Kept;

impl<'de> Union<'de> for Kept {
    fn read<D: Deserializer<'de>>(_: usize, value: D) -> Result<Self, D::Error> {
        Value::deserialize(value).map(|_| Self)
    }
}

/// Two variants, neither of which is ever out.
const ANYTHING: &[Outline] = &[OBJECT, OBJECT];

const OBJECT: Outline = Outline {
    forms: &[Form::Object],
    required: &[],
    closed: None,
    members: &[],
    constants: &[],
    kept: None,
};

#[test]
fn no_object_has_a_member_twice_whatever_it_is_read_as() {
    fn refused<T: DeserializeOwned + std::fmt::Debug>(text: &str) {
        match body::<T>(text.as_bytes(), "Any") {
            Err(Fault::Json { reason, .. }) => {
                assert_eq!(reason, "has an object with a member twice", "{text}");
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
    refused::<Loose>(r#"{"any":{"a":[{"b":1,"b":1}]}}"#);
    refused::<Loose>(r#"{"map":{"a":1,"a":1}}"#);
    refused::<Loose>(r#"{"map":{"a":{"b":1,"b":1}}}"#);
    for tag in ["any", "map", "outlined", "tried"] {
        refused::<Told>(&format!(r#"{{"is":"{tag}","a":1,"a":1}}"#));
        refused::<Told>(&format!(r#"{{"a":{{"b":1,"b":1}},"is":"{tag}"}}"#));
        refused::<Told>(&format!(r#"{{"is":"{tag}","a":[{{"b":1,"b":1}}]}}"#));
        let fine = format!(r#"{{"a":{{"b":1}},"is":"{tag}","c":1.50}}"#);
        assert!(body::<Told>(fine.as_bytes(), "Any").is_ok(), "{tag}");
    }
    let many: Vec<_> = (0..40).map(|n| format!(r#""m{n}":{n}"#)).collect();
    let many = many.join(",");
    assert!(body::<Value>(format!("{{{many}}}").as_bytes(), "Any").is_ok());
    refused::<Value>(&format!("{{{many},\"m39\":0}}"));
    refused::<Value>(&format!("{{{many},\"m0\":0}}"));
    // Texts that are lent stay so, and numbers keep their digits.
    let exact = br#"{"a":{"b":"c"},"n":100000000000000000000.5}"#;
    let read: Value = body(exact, "Any").unwrap();
    assert_eq!(read.to_string().as_bytes(), exact);
}

#[test]
fn forms_may_nest_and_repeat() {
    let schemas = Schemas::parse(SCHEMAS);
    let (parts, captures) = (parts_of("/"), Captures::default());
    let mut reader = Reader::new(&parts, &captures, &schemas, &[]);
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
        let nested = reader
            .form::<Nested>(form.as_bytes(), "Nested", |_| true)
            .unwrap();
        assert_eq!(nested, Some(expected(tags)), "{form}");
    }
    assert_eq!(
        reader
            .form::<Nested>(b"range[min]=x", "Nested", |_| true)
            .unwrap(),
        None
    );
    assert_eq!(
        reader
            .form::<Nested>(b"range=1&range[min]=x", "Nested", |_| true)
            .unwrap(),
        None
    );
    assert_eq!(
        reader
            .form::<Nested>(b"tags=%FF", "Nested", |_| true)
            .unwrap(),
        None
    );
    let Fault::Invalid(issues) = reader.refuse() else {
        panic!()
    };
    let found: Vec<_> = issues.iter().map(|i| (i.at.as_str(), i.keyword)).collect();
    assert_eq!(
        found,
        [("/range/min", "type"), ("", "type"), ("", "format")]
    );
}
