//! Every style of parameter: a path with a query, header fields and cookies, each as raw text.

#![no_main]

#[path = "../echo.rs"]
mod echo;
#[path = "../service.rs"]
mod service;

use axum::body::Body;
use http::Request;

/// The header fields of the contract, in the order of the input's lines after the first.
const FIELDS: [&str; 6] = ["x-needed", "x-count", "x-list", "x-object", "x-kind", "cookie"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let Some(target) = lines.next().and_then(|line| str::from_utf8(line).ok()) else {
        return;
    };
    let mut request = Request::get(format!("/{target}"));
    for (name, value) in FIELDS.into_iter().zip(lines) {
        request = request.header(name, value);
    }
    if let Ok(request) = request.body(Body::empty()) {
        service::call(request);
    }
});
