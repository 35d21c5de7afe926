//! Cases of the forms and targets of a request.

use super::super::TestRequest;
use super::super::expected::Expected;
use super::super::request::raw;
use super::{QUERY, accepted, query, test_request};
use serde_json::json;

/// HTTP/1.0, absolute targets, `HEAD`, long waits for a body.
pub(super) fn forms_of_request() -> Vec<TestRequest> {
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
        test_request("HTTP/1.0 without Host", http_1_0, query("here")),
        test_request("absolute target", bytes(&absolute), query("here")),
        test_request("HEAD", raw("HEAD", QUERY, &[], b""), Expected::Head),
        test_request(
            "chunked body",
            bytes(chunked),
            accepted(&json!({ "id": 1, "name": "Ada" })),
        ),
        test_request("names and types in capitals", bytes(&upper), query("here")),
    ]
}

pub(super) fn routing() -> Vec<TestRequest> {
    let none = || Expected::Status(404, "NO_ROUTE", None);
    let method = |allow| Expected::Status(405, "NO_METHOD", Some(allow));
    vec![
        test_request("unknown path", raw("GET", "/nowhere", &[], b""), none()),
        test_request("root", raw("GET", "/", &[], b""), none()),
        test_request(
            "slash at the end",
            raw("GET", "/query/?needed=a", &[], b""),
            none(),
        ),
        test_request(
            "two slashes",
            raw("GET", "//query?needed=a", &[], b""),
            none(),
        ),
        test_request(
            "path in capitals",
            raw("GET", "/QUERY?needed=a", &[], b""),
            none(),
        ),
        test_request(
            "DELETE of a read",
            raw("DELETE", QUERY, &[], b""),
            method("allow: GET, HEAD"),
        ),
        test_request(
            "POST to a read",
            raw("POST", QUERY, &[], b"x"),
            method("allow: GET, HEAD"),
        ),
        test_request(
            "OPTIONS",
            raw("OPTIONS", QUERY, &[], b""),
            method("allow: GET, HEAD"),
        ),
        test_request(
            "a method of its own",
            raw("BREW", QUERY, &[], b""),
            method("allow: GET, HEAD"),
        ),
        test_request(
            "GET of a creation",
            raw("GET", "/json", &[], b""),
            method("allow: POST"),
        ),
        test_request(
            "PUT of a creation",
            raw("PUT", "/form", &[], b"x"),
            method("allow: POST"),
        ),
    ]
}
