//! Requests whose head is too large, and requests with bytes that are not UTF-8 or are NUL.

use super::fault::Fault;
use super::requests::{get, key, keyed, post};
use crate::folder::Folder;

pub(super) fn too_many_or_too_long_header_fields(fault: &mut Fault) {
    let folder = Folder::new();
    let serving = fault.serve(&folder, &[]);
    let fields = get("/chains", &"x: y\r\n".repeat(100_000));
    fault.ask("100 000 fields", &mut serving.connect(), fields);
    let long = get("/chains", &format!("x: {}\r\n", "y".repeat(100_000)));
    fault.ask("one field of 100 kB", &mut serving.connect(), long);
    fault.request("another client", &serving, get("/chains", ""));
}

pub(super) fn a_huge_url(fault: &mut Fault) {
    let folder = Folder::new();
    let serving = fault.serve(&folder, &[]);
    let of = |length| get(&format!("/charities/{}", "a".repeat(length)), "");
    fault.ask("a path of 20 kB", &mut serving.connect(), of(20_000));
    fault.ask("a path of 1 MB", &mut serving.connect(), of(1_000_000));
}

pub(super) fn bytes_that_are_not_utf8(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &[]);
    let with_bytes_for_question_mark = |text: &str, bytes: &[u8]| {
        let parts: Vec<_> = text.split('?').map(str::as_bytes).collect();
        parts.join(bytes)
    };
    for path in [
        "/charities/%FF",
        "/charities/%C3%28",
        "/1/tokens/%FF",
        "/%FF/tokens/0x0",
    ] {
        fault.request("encoded, in a path", &serving, get(path, ""));
    }
    for query in ["q=%FF", "q=%ED%A0%80", "%FF=1"] {
        let target = format!("/charities?{query}");
        fault.request("encoded, in a query", &serving, get(&target, ""));
    }
    let raw = with_bytes_for_question_mark(
        "GET /api/v1/charities/? HTTP/1.1\r\nhost: test\r\n\r\n",
        b"\xff",
    );
    fault.request("not encoded, in a path", &serving, raw);
    let field = with_bytes_for_question_mark(&get("/chains", "service-api-key: ?\r\n"), b"\xff");
    fault.request("in a key", &serving, field);
    let body = with_bytes_for_question_mark(&post(&key(&secret), r#"{"a":"?"}"#), b"\xff");
    fault.request("in a body", &serving, body);
}

pub(super) fn nul_bytes(fault: &mut Fault) {
    let (folder, secret) = keyed();
    let serving = fault.serve(&folder, &[]);
    let target = get("/charities/a\0b", "");
    fault.ask("in a head", &mut serving.connect(), target);
    fault.ask(
        "in a head",
        &mut serving.connect(),
        get("/chains", "x: a\0b\r\n"),
    );
    for path in ["/charities/a%00b", "/charities?cursor=%00"] {
        fault.request("encoded, in a path or a query", &serving, get(path, ""));
    }
    fault.request("in a body", &serving, post(&key(&secret), "{\"a\":\"\0\"}"));
}
