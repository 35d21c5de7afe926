//! Questions about HTTP rather than about values, written by hand.

use super::Question;
use super::judge::Expected;
use super::written::{encoded, raw};
use serde_json::{Value, json};

const QUERY: &str = "/query?needed=here";

/// All of them.
pub(super) fn questions() -> Vec<Question> {
    let mut all = forms_of_request();
    all.extend(texts());
    all.extend(negotiation());
    all.extend(routing());
    all.extend(syntax());
    all.extend(repetition());
    all.extend(presence());
    all
}

fn question(about: &str, request: Vec<u8>, expected: Expected) -> Question {
    Question {
        about: format!("http: {about}"),
        request,
        expected,
    }
}

/// What `/query` gives back with one value and the defaults.
fn query(needed: &str) -> Expected {
    let defaults = json!({ "needed": needed, "limit": 20, "flag": false, "sort": "name" });
    Expected::Accepted(defaults)
}

fn json_body(body: &str) -> Vec<u8> {
    raw(
        "POST",
        "/json",
        &["content-type: application/json".into()],
        body.as_bytes(),
    )
}

fn accepted(body: &Value) -> Expected {
    Expected::Accepted(body.clone())
}

fn refused(place: &'static str, at: &str, keyword: &str, sent: &str) -> Expected {
    Expected::Refused {
        place,
        at: at.into(),
        keyword: keyword.into(),
        bound: None,
        sent: sent.into(),
    }
}

/// HTTP/1.0, absolute targets, `HEAD`, long waits for a body.
fn forms_of_request() -> Vec<Question> {
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

/// Texts that other servers take offence at, and percent-encoding.
fn texts() -> Vec<Question> {
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
    let mut all: Vec<Question> = Vec::new();
    for text in texts {
        let target = format!("/query?needed={}", encoded(text));
        all.push(question(
            &format!("query {text:?}"),
            raw("GET", &target, &[], b""),
            query(text),
        ));
        let body = json!({ "id": 1, "name": "Ada", "anything": text });
        all.push(question(
            &format!("body {text:?}"),
            json_body(&body.to_string()),
            accepted(&body),
        ));
    }
    all.push(question(
        "plus is a blank",
        raw("GET", "/query?needed=a+b", &[], b""),
        query("a b"),
    ));
    all.push(question(
        "encoded name",
        raw("GET", "/query?n%65eded=a", &[], b""),
        query("a"),
    ));
    all.push(question(
        "stray percent",
        raw("GET", "/query?needed=5%", &[], b""),
        query("5%"),
    ));
    all.push(question(
        "empty pairs",
        raw("GET", "/query?&needed=a&&", &[], b""),
        query("a"),
    ));
    let same = json!({ "id": 9_007_199_254_740_991_i64, "name": "é\u{301}😀x" });
    all.push(question(
        "code points",
        json_body(&same.to_string()),
        accepted(&same),
    ));
    all.push(question(
        "1.0 is an integer",
        json_body(r#"{"id":1.0,"name":"Ada"}"#),
        accepted(&json!({ "id": 1, "name": "Ada" })),
    ));
    all.push(question(
        "1e2 is an integer",
        json_body(r#"{"id":1e2,"name":"Ada"}"#),
        accepted(&json!({ "id": 100, "name": "Ada" })),
    ));
    all.push(question(
        "escapes in names",
        json_body(r#"{"\u0069d":1,"name":"\u0041d\u0061"}"#),
        accepted(&json!({ "id": 1, "name": "Ada" })),
    ));
    all.push(question(
        "blanks around JSON",
        json_body(" \r\n\t{ \"id\" : 1 , \"name\" : \"Ada\" } \n"),
        accepted(&json!({ "id": 1, "name": "Ada" })),
    ));
    all
}

fn negotiation() -> Vec<Question> {
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
        question("accepts all", get("*/*"), query("here")),
        question(
            "accepts a range",
            get("text/html, application/*;q=0.5"),
            query("here"),
        ),
        question(
            "accepts nothing that can be read",
            get(";;;"),
            query("here"),
        ),
        question(
            "accepts text",
            get("text/plain"),
            refused(406, "NOT_ACCEPTABLE"),
        ),
        question(
            "refuses JSON",
            get("application/json;q=0"),
            refused(406, "NOT_ACCEPTABLE"),
        ),
        question(
            "JSON with a charset",
            post("application/json; charset=\"UTF-8\""),
            same(),
        ),
        question("JSON in capitals", post("Application/JSON"), same()),
        question(
            "JSON in another charset",
            post("application/json; charset=utf-16"),
            refused(415, "MEDIA_TYPE"),
        ),
        question(
            "text for JSON",
            post("text/plain"),
            refused(415, "MEDIA_TYPE"),
        ),
        question(
            "a form for JSON",
            post("application/x-www-form-urlencoded"),
            refused(415, "MEDIA_TYPE"),
        ),
        question("no type", post(""), refused(415, "MEDIA_TYPE")),
        question(
            "no media type at all",
            post("json"),
            refused(415, "MEDIA_TYPE"),
        ),
        question(
            "a longer body than is read",
            json_body(&long),
            refused(413, "TOO_LARGE"),
        ),
        question(
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

fn routing() -> Vec<Question> {
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

/// What is no JSON, no UTF-8, no form.
fn syntax() -> Vec<Question> {
    let not_json = || Expected::Status(400, "NOT_JSON", None);
    let mut all = Vec::new();
    for (about, body) in [
        ("nothing", ""),
        ("half an object", r#"{"id":1"#),
        ("two values", r#"{"id":1,"name":"Ada"} {}"#),
        ("single quotes", "{'id':1}"),
        ("a comma too many", r#"{"id":1,}"#),
        ("a comment", r#"{/* */"id":1}"#),
        ("not a number", r#"{"id":NaN}"#),
        ("a number with a plus", r#"{"id":+1}"#),
        ("a number beyond doubles", r#"{"id":1e999}"#),
        ("half a surrogate pair", r#"{"id":1,"name":"\ud800"}"#),
        ("a control character", "{\"id\":1,\"name\":\"a\u{1}\"}"),
        ("a member twice", r#"{"id":1,"id":2,"name":"Ada"}"#),
        ("a byte order mark", "\u{feff}{}"),
    ] {
        all.push(question(
            &format!("JSON that is {about}"),
            json_body(body),
            not_json(),
        ));
    }
    let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
    all.push(question(
        "JSON that is nested deeply",
        json_body(&deep),
        not_json(),
    ));
    let headers = ["content-type: application/json".to_owned()];
    all.push(question(
        "JSON that is not UTF-8",
        raw("POST", "/json", &headers, b"{\"id\":1,\"name\":\"\xff\"}"),
        not_json(),
    ));
    all.push(question(
        "query that is not UTF-8",
        raw("GET", "/query?needed=%ff", &[], b""),
        refused("query", "needed", "format", ""),
    ));
    let form = ["content-type: application/x-www-form-urlencoded".to_owned()];
    all.push(question(
        "form that is not UTF-8",
        raw("POST", "/form", &form, b"name=%ff&count=1"),
        refused("body", "", "format", ""),
    ));
    all
}

fn repetition() -> Vec<Question> {
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
        question(
            "a parameter twice",
            get("/query?needed=a&limit=5&limit=10"),
            refused("query", "limit", "type", ""),
        ),
        question(
            "an undeclared parameter",
            get("/query?needed=a&surprise=hunter2"),
            refused("query", "surprise", "undeclared", "hunter2"),
        ),
        question(
            "an undeclared member",
            get("/query?needed=a&deep%5Bmin%5D=1&deep%5Bstray%5D=hunter2"),
            refused("query", "deep/stray", "additionalProperties", "hunter2"),
        ),
        question(
            "a list in several lines",
            fields(&["x-list: a", "x-list: b, c"]),
            given(json!({ "X-List": ["a", "b", "c"] })),
        ),
        question(
            "an undeclared header",
            fields(&["x-surprise: 1"]),
            given(json!({})),
        ),
        question(
            "an undeclared cookie",
            fields(&["x-kind: old"]),
            given(json!({ "X-Kind": "old" })),
        ),
        question(
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
        question(
            "a number with a leading zero",
            get("/query?needed=a&limit=050"),
            refused("query", "limit", "type", ""),
        ),
        question(
            "a number with a plus",
            get("/query?needed=a&limit=%2B50"),
            refused("query", "limit", "type", ""),
        ),
        question(
            "a number in hex",
            get("/query?needed=a&limit=0x32"),
            refused("query", "limit", "type", "0x32"),
        ),
        question(
            "a flag in capitals",
            get("/query?needed=a&flag=TRUE"),
            refused("query", "flag", "type", "TRUE"),
        ),
        question(
            "an empty number",
            get("/query?needed=a&limit="),
            refused("query", "limit", "type", ""),
        ),
        question(
            "no JSON in a parameter",
            get("/query?needed=a&json=hunter2"),
            refused("query", "json", "contentMediaType", "hunter2"),
        ),
    ]
}

/// Absent, null and a value stay apart.
fn presence() -> Vec<Question> {
    let bodies = [
        json!({ "id": 1, "name": "Ada" }),
        json!({ "id": 1, "name": "Ada", "note": null }),
        json!({ "id": 1, "name": "Ada", "note": "" }),
        json!({ "id": 1, "name": "Ada", "anything": null }),
        json!({ "id": 1, "name": "Ada", "anything": [null] }),
    ];
    let each = bodies.iter().map(|body| {
        let about = format!("presence {body}");
        question(&about, json_body(&body.to_string()), accepted(body))
    });
    let mut all: Vec<Question> = each.collect();
    all.push(question(
        "null that is not allowed",
        json_body(r#"{"id":1,"name":"Ada","role":null}"#),
        refused("body", "/role", "enum", ""),
    ));
    all
}
