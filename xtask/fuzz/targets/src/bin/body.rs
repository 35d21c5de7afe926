//! Bodies: JSON, forms, and multipart with the boundary `b`.

#![no_main]

#[path = "../echo.rs"]
mod echo;
#[path = "../service.rs"]
mod service;

use axum::body::Body;
use http::Request;

const BODIES: [(&str, &str); 3] = [
    ("/json", "application/json"),
    ("/form", "application/x-www-form-urlencoded"),
    ("/multipart", "multipart/form-data; boundary=b"),
];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, body)) = bytes.split_first() else {
        return;
    };
    let (path, media_type) = BODIES[usize::from(*first) % BODIES.len()];
    let request = Request::post(path).header("content-type", media_type);
    if let Ok(request) = request.body(Body::from(body.to_vec())) {
        service::call(request);
    }
});
