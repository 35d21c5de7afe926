//! Compressed responses over a socket.

use std::collections::BTreeMap;

use crate::serving::{Serving, serve};
use crate::world::furnished;

/// The headers of a response for a client that accepts gzip, without those that each response has of its own.
fn headers(serving: &Serving, method: &str, path: &str) -> BTreeMap<String, Vec<String>> {
    let mut wire = serving.connect();
    let request =
        format!("{method} {path} HTTP/1.1\r\nhost: test\r\naccept-encoding: gzip\r\n\r\n");
    wire.send(request.as_bytes());
    let mut headers = wire.head().headers;
    headers.retain(|name, _| {
        !matches!(name.as_str(), "date" | "x-request-id") && !name.starts_with("x-ratelimit-")
    });
    headers
}

#[test]
fn head_has_the_headers_of_a_compressed_get() {
    let serving = serve(&furnished(), &["--lift-limits"]);
    let mut compressed = 0;
    for path in [
        "charities",
        "campaigns",
        "tokens",
        "chains",
        "charities/feed.atom",
        "openapi",
        "postman",
    ] {
        let path = format!("/api/v1/{path}");
        let get = headers(&serving, "GET", &path);
        assert_eq!(headers(&serving, "HEAD", &path), get, "{path}");
        compressed += usize::from(get.contains_key("content-encoding"));
    }
    assert!(compressed >= 2, "{compressed} were compressed");
}
