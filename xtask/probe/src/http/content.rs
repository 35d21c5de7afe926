//! Cases of media types, lengths, and parts that are absent, single or repeated.

use super::super::TestRequest;
use super::super::expected::Expected;
use super::super::request::raw;
use super::{QUERY, accepted, json_body, query, refused, test_request};
use serde_json::{Value, json};

pub(super) fn negotiation() -> Vec<TestRequest> {
    let get = |accept: &str| raw("GET", QUERY, &[format!("accept: {accept}")], b"");
    let post = |media: &str| {
        let headers = if media.is_empty() {
            vec![]
        } else {
            vec![format!("content-type: {media}")]
        };
        raw("POST", "/json", &headers, br#"{"id":1,"name":"Ada"}"#)
    };
    let refused = |status, code| Expected::Status(status, code, None);
    let same = || accepted(&json!({ "id": 1, "name": "Ada" }));
    let long = format!(r#"{{"id":1,"name":"{}"}}"#, "x".repeat(70_000));
    vec![
        test_request("accepts all", get("*/*"), query("here")),
        test_request(
            "accepts a range",
            get("text/html, application/*;q=0.5"),
            query("here"),
        ),
        test_request(
            "accepts nothing that can be read",
            get(";;;"),
            query("here"),
        ),
        test_request(
            "accepts text",
            get("text/plain"),
            refused(406, "NOT_ACCEPTABLE"),
        ),
        test_request(
            "refuses JSON",
            get("application/json;q=0"),
            refused(406, "NOT_ACCEPTABLE"),
        ),
        test_request(
            "JSON with a charset",
            post("application/json; charset=\"UTF-8\""),
            same(),
        ),
        test_request("JSON in capitals", post("Application/JSON"), same()),
        test_request(
            "JSON in another charset",
            post("application/json; charset=utf-16"),
            refused(415, "MEDIA_TYPE"),
        ),
        test_request(
            "text for JSON",
            post("text/plain"),
            refused(415, "MEDIA_TYPE"),
        ),
        test_request(
            "a form for JSON",
            post("application/x-www-form-urlencoded"),
            refused(415, "MEDIA_TYPE"),
        ),
        test_request("no type", post(""), refused(415, "MEDIA_TYPE")),
        test_request(
            "no media type at all",
            post("json"),
            refused(415, "MEDIA_TYPE"),
        ),
        test_request(
            "a longer body than is read",
            json_body(&long),
            refused(413, "TOO_LARGE"),
        ),
        test_request(
            "multipart without a boundary",
            raw(
                "POST",
                "/multipart",
                &["content-type: multipart/form-data".into()],
                b"x",
            ),
            refused(400, "INVALID"),
        ),
    ]
}

pub(super) fn repetition() -> Vec<TestRequest> {
    let get = |target: &str| raw("GET", target, &[], b"");
    let fields = |headers: &[&str]| {
        let all = ["x-needed: 7", "cookie: session=abcd"]
            .iter()
            .chain(headers);
        let all: Vec<String> = all.map(|header| (*header).to_owned()).collect();
        raw("GET", "/fields", &all, b"")
    };
    let given = |more: Value| {
        let mut all = json!({ "X-Needed": "7", "session": "abcd", "theme": "light" });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        Expected::Accepted(all)
    };
    vec![
        test_request(
            "a parameter twice",
            get("/query?needed=a&limit=5&limit=10"),
            refused("query", "limit", "type", ""),
        ),
        test_request(
            "an undeclared parameter",
            get("/query?needed=a&surprise=hunter2"),
            refused("query", "surprise", "undeclared", "hunter2"),
        ),
        test_request(
            "an undeclared member",
            get("/query?needed=a&deep%5Bmin%5D=1&deep%5Bstray%5D=hunter2"),
            refused("query", "deep/stray", "additionalProperties", "hunter2"),
        ),
        test_request(
            "a list in several lines",
            fields(&["x-list: a", "x-list: b, c"]),
            given(json!({ "X-List": ["a", "b", "c"] })),
        ),
        test_request(
            "an undeclared header",
            fields(&["x-surprise: 1"]),
            given(json!({})),
        ),
        test_request(
            "an undeclared cookie",
            fields(&["x-kind: old"]),
            given(json!({ "X-Kind": "old" })),
        ),
        test_request(
            "a cookie twice",
            raw(
                "GET",
                "/fields",
                &[
                    "x-needed: 7".into(),
                    "cookie: session=abcd; session=efgh".into(),
                ],
                b"",
            ),
            refused("cookie", "session", "type", ""),
        ),
        test_request(
            "a number with a leading zero",
            get("/query?needed=a&limit=050"),
            refused("query", "limit", "type", ""),
        ),
        test_request(
            "a number with a plus",
            get("/query?needed=a&limit=%2B50"),
            refused("query", "limit", "type", ""),
        ),
        test_request(
            "a number in hex",
            get("/query?needed=a&limit=0x32"),
            refused("query", "limit", "type", "0x32"),
        ),
        test_request(
            "a flag in capitals",
            get("/query?needed=a&flag=TRUE"),
            refused("query", "flag", "type", "TRUE"),
        ),
        test_request(
            "an empty number",
            get("/query?needed=a&limit="),
            refused("query", "limit", "type", ""),
        ),
        test_request(
            "no JSON in a parameter",
            get("/query?needed=a&json=hunter2"),
            refused("query", "json", "contentMediaType", "hunter2"),
        ),
    ]
}

/// Absent, null and present values are distinguished.
pub(super) fn presence() -> Vec<TestRequest> {
    let bodies = [
        json!({ "id": 1, "name": "Ada" }),
        json!({ "id": 1, "name": "Ada", "note": null }),
        json!({ "id": 1, "name": "Ada", "note": "" }),
        json!({ "id": 1, "name": "Ada", "anything": null }),
        json!({ "id": 1, "name": "Ada", "anything": [null] }),
    ];
    let each = bodies.iter().map(|body| {
        let subject = format!("presence {body}");
        test_request(&subject, json_body(&body.to_string()), accepted(body))
    });
    let mut all: Vec<TestRequest> = each.collect();
    all.push(test_request(
        "null that is not allowed",
        json_body(r#"{"id":1,"name":"Ada","role":null}"#),
        refused("body", "/role", "type", ""),
    ));
    all
}
