//! Cases of texts that often cause errors, in percent-encoding and in JSON; and of invalid texts.

use super::super::TestRequest;
use super::super::expected::Expected;
use super::super::request::{encoded, raw};
use super::{accepted, json_body, query, refused, test_request};
use serde_json::json;

/// Texts that other servers take offence at, and percent-encoding.
pub(super) fn texts() -> Vec<TestRequest> {
    let texts = [
        "<b>bold</b>",
        "<script>alert(1)</script>",
        "a<b>c",
        "Robert'); DROP TABLE students;--",
        "../../etc/passwd",
        "${jndi:ldap://x}",
        "100%",
        "a&b=c;d",
        "a+b c",
        "naïve 😀 Ü",
        "\u{feff}mark",
        "line\nbreak\ttab",
        "null",
        "true",
        "{\"a\":1}",
        "%41",
    ];
    let mut all: Vec<TestRequest> = Vec::new();
    for text in texts {
        let target = format!("/query?needed={}", encoded(text));
        all.push(test_request(
            &format!("query {text:?}"),
            raw("GET", &target, &[], b""),
            query(text),
        ));
        let body = json!({ "id": 1, "name": "Ada", "anything": text });
        all.push(test_request(
            &format!("body {text:?}"),
            json_body(&body.to_string()),
            accepted(&body),
        ));
    }
    all.push(test_request(
        "plus is a blank",
        raw("GET", "/query?needed=a+b", &[], b""),
        query("a b"),
    ));
    all.push(test_request(
        "encoded name",
        raw("GET", "/query?n%65eded=a", &[], b""),
        query("a"),
    ));
    all.push(test_request(
        "stray percent",
        raw("GET", "/query?needed=5%", &[], b""),
        query("5%"),
    ));
    all.push(test_request(
        "empty pairs",
        raw("GET", "/query?&needed=a&&", &[], b""),
        query("a"),
    ));
    let same = json!({ "id": 9_007_199_254_740_991_i64, "name": "é\u{301}😀x" });
    all.push(test_request(
        "code points",
        json_body(&same.to_string()),
        accepted(&same),
    ));
    all.push(test_request(
        "1.0 is an integer",
        json_body(r#"{"id":1.0,"name":"Ada"}"#),
        accepted(&json!({ "id": 1, "name": "Ada" })),
    ));
    all.push(test_request(
        "1e2 is an integer",
        json_body(r#"{"id":1e2,"name":"Ada"}"#),
        accepted(&json!({ "id": 100, "name": "Ada" })),
    ));
    // No number is too large to be compared.
    all.push(test_request(
        "a number beyond doubles",
        json_body(r#"{"id":1e999,"name":"Ada"}"#),
        refused("body", "/id", "maximum", "1e999"),
    ));
    all.push(test_request(
        "escapes in names",
        json_body(r#"{"\u0069d":1,"name":"\u0041d\u0061"}"#),
        accepted(&json!({ "id": 1, "name": "Ada" })),
    ));
    all.push(test_request(
        "blanks around JSON",
        json_body(" \r\n\t{ \"id\" : 1 , \"name\" : \"Ada\" } \n"),
        accepted(&json!({ "id": 1, "name": "Ada" })),
    ));
    all
}

/// Bodies that are invalid JSON, UTF-8 or form encoding.
pub(super) fn syntax() -> Vec<TestRequest> {
    let not_json = || Expected::Status(400, "NOT_JSON", None);
    let mut all = Vec::new();
    for (subject, body) in [
        ("nothing", ""),
        ("half an object", r#"{"id":1"#),
        ("two values", r#"{"id":1,"name":"Ada"} {}"#),
        ("single quotes", "{'id':1}"),
        ("a comma too many", r#"{"id":1,}"#),
        ("a comment", r#"{/* */"id":1}"#),
        ("not a number", r#"{"id":NaN}"#),
        ("a number with a plus", r#"{"id":+1}"#),
        ("half a surrogate pair", r#"{"id":1,"name":"\ud800"}"#),
        ("a control character", "{\"id\":1,\"name\":\"a\u{1}\"}"),
        ("a member twice", r#"{"id":1,"id":2,"name":"Ada"}"#),
        ("a byte order mark", "\u{feff}{}"),
    ] {
        all.push(test_request(
            &format!("JSON that is {subject}"),
            json_body(body),
            not_json(),
        ));
    }
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    all.push(test_request(
        "JSON that is nested deeply",
        json_body(&deep),
        not_json(),
    ));
    let headers = ["content-type: application/json".to_owned()];
    all.push(test_request(
        "JSON that is not UTF-8",
        raw("POST", "/json", &headers, b"{\"id\":1,\"name\":\"\xff\"}"),
        not_json(),
    ));
    all.push(test_request(
        "query that is not UTF-8",
        raw("GET", "/query?needed=%ff", &[], b""),
        refused("query", "needed", "format", ""),
    ));
    let form = ["content-type: application/x-www-form-urlencoded".to_owned()];
    all.push(test_request(
        "form that is not UTF-8",
        raw("POST", "/form", &form, b"name=%ff&count=1"),
        refused("body", "", "format", ""),
    ));
    all
}
