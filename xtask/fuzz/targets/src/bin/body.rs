//! Bodies: JSON, forms, and multipart with the boundary `b`. JSON is accepted exactly if the
//! interpreted schema accepts it; of the others, the values that are read have to fit the schema.

#![no_main]

#[path = "../echo.rs"]
mod echo;
#[path = "../service.rs"]
mod service;

use api::SCHEMAS;
use axum::body::Body;
use http::Request;
use json_schema::json;
use serde_json::Value;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((first, body)) = bytes.split_first() else {
        return;
    };
    match first % 3 {
        0 => {
            let value = str::from_utf8(body).ok().and_then(json::parse);
            let fits = value.is_some_and(|value| SCHEMAS.is_valid("Everything", &value));
            let read = post("/json", "application/json", body);
            assert_eq!(read.is_some(), fits, "{read:?}");
            is_valid("Everything", read);
        }
        1 => is_valid(
            "Form",
            post("/form", "application/x-www-form-urlencoded", body),
        ),
        _ => is_valid(
            "Upload",
            post("/multipart", "multipart/form-data; boundary=b", body),
        ),
    }
});

fn post(path: &str, media_type: &str, body: &[u8]) -> Option<Value> {
    let request = Request::post(path).header("content-type", media_type);
    service::call(request.body(Body::from(body.to_vec())).expect("a request"))
}

/// Checks the values that were read from a body, if it was accepted.
fn is_valid(schema: &str, read: Option<Value>) {
    if let Some(value) = read {
        assert!(SCHEMAS.is_valid(schema, &value), "{value}");
    }
}
