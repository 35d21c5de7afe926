//! `decode_json` reads JSON into a type with all checks of its schema, and reports every violation.

use runtime::__private as rt;
use runtime::{Check, DecodeError, Issue, decode_json};

#[derive(Debug, PartialEq)]
struct Book {
    title: String,
    year: Option<i64>,
}

rt::object!(Book { required title = "title", optional year = "year", });

impl Check for Book {
    fn is_valid(&self) -> bool {
        !self.title.is_empty() && self.year.is_none_or(|year| year >= 1450)
    }
}

const SCHEMAS: &str = r#"{ "Book": {
    "type": "object",
    "required": ["title"],
    "additionalProperties": false,
    "properties": {
        "title": { "type": "string", "minLength": 1 },
        "year": { "type": "integer", "minimum": 1450 }
    }
} }"#;

fn decode(json: &str) -> Result<Book, DecodeError> {
    decode_json(&rt::Schemas::parse(SCHEMAS), "Book", json.as_bytes())
}

#[test]
fn values_that_the_schema_accepts_are_read() {
    for year in ["1843", "1843.0", "1.843e3"] {
        let book = decode(&format!(r#"{{"title":"A Christmas Carol","year":{year}}}"#)).unwrap();
        assert_eq!(book.year, Some(1843), "{year}");
    }
}

#[test]
fn every_violation_is_reported() {
    let error = decode(r#"{"title":"","year":1000,"pages":5}"#).unwrap_err();
    let DecodeError::Invalid(issues) = &error else {
        panic!("{error}");
    };
    let mut pointers: Vec<&str> = issues.iter().map(|Issue { at, .. }| at.as_str()).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/pages", "/title", "/year"]);
    let shown = error.to_string();
    assert!(shown.contains("/year must be at least 1450"), "{shown}");
}

#[test]
fn a_value_of_another_type_is_reported_without_a_pointer() {
    assert_eq!(decode("[]").unwrap_err().to_string(), "must be an object");
}

#[test]
fn bytes_that_are_not_json_are_reported_with_their_location() {
    for (json, expected) in [
        ("{]", "is not JSON (line 1, column 2)"),
        ("{", "ends unexpectedly (line 1, column 1)"),
        (
            r#"{"title":"a"} {"#,
            "has trailing characters (line 1, column 15)",
        ),
    ] {
        assert_eq!(decode(json).unwrap_err().to_string(), expected, "{json}");
    }
    let twice = decode(r#"{"title":"a","title":"b"}"#).unwrap_err();
    assert!(matches!(twice, DecodeError::NotJson(_)), "{twice:?}");
}
