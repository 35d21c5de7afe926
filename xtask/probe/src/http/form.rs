//! Cases of the forms and targets of a request.

use super::super::Question;
use super::super::judge::Expected;
use super::super::written::raw;
use super::{QUERY, accepted, query, question};
use serde_json::json;

/// HTTP/1.0, absolute targets, `HEAD`, long waits for a body.
pub(super) fn forms_of_request() -> Vec<Question> {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let http_1_0 = bytes(&format!("GET {QUERY} HTTP/1.0\r\n\r\n"));
    let absolute = format!(
        "GET http://elsewhere.example:81{QUERY} HTTP/1.1\r\nhost: elsewhere.example:81\r\nconnection: close\r\n\r\n"
    );
    let chunked = "POST /json HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
                   transfer-encoding: chunked\r\n\r\na\r\n{\"id\":1,\"n\r\nc\r\name\":\"Ada\"}\n\r\n0\r\n\r\n";
    let upper = format!(
        "GET {QUERY} HTTP/1.1\r\nHOST: x\r\nCONNECTION: close\r\nACCEPT: APPLICATION/JSON\r\n\r\n"
    );
    vec![
        question("HTTP/1.0 without Host", http_1_0, query("here")),
        question("absolute target", bytes(&absolute), query("here")),
        question("HEAD", raw("HEAD", QUERY, &[], b""), Expected::Head),
        question(
            "chunked body",
            bytes(chunked),
            accepted(&json!({ "id": 1, "name": "Ada" })),
        ),
        question("names and types in capitals", bytes(&upper), query("here")),
    ]
}

pub(super) fn routing() -> Vec<Question> {
    let none = || Expected::Status(404, "NO_ROUTE", None);
    let method = |allow| Expected::Status(405, "NO_METHOD", Some(allow));
    vec![
        question("unknown path", raw("GET", "/nowhere", &[], b""), none()),
        question("root", raw("GET", "/", &[], b""), none()),
        question(
            "slash at the end",
            raw("GET", "/query/?needed=a", &[], b""),
            none(),
        ),
        question(
            "two slashes",
            raw("GET", "//query?needed=a", &[], b""),
            none(),
        ),
        question(
            "path in capitals",
            raw("GET", "/QUERY?needed=a", &[], b""),
            none(),
        ),
        question(
            "DELETE of a read",
            raw("DELETE", QUERY, &[], b""),
            method("allow: GET, HEAD"),
        ),
        question(
            "POST to a read",
            raw("POST", QUERY, &[], b"x"),
            method("allow: GET, HEAD"),
        ),
        question(
            "OPTIONS",
            raw("OPTIONS", QUERY, &[], b""),
            method("allow: GET, HEAD"),
        ),
        question(
            "a method of its own",
            raw("BREW", QUERY, &[], b""),
            method("allow: GET, HEAD"),
        ),
        question(
            "GET of a creation",
            raw("GET", "/json", &[], b""),
            method("allow: POST"),
        ),
        question(
            "PUT of a creation",
            raw("PUT", "/form", &[], b"x"),
            method("allow: POST"),
        ),
    ]
}
