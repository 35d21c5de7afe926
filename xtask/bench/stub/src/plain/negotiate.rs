//! Media types.

use super::refuse;
use axum::body::Body;
use axum::response::Response;
use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_TYPE};

/// Whether the client takes JSON.
pub fn accept(headers: &HeaderMap) -> Result<(), Response<Body>> {
    let mut ranges = headers.get_all(ACCEPT).iter().peekable();
    if ranges.peek().is_none() {
        return Ok(());
    }
    let taken = ranges.filter_map(|value| value.to_str().ok()).any(|value| {
        value.split(',').any(|range| {
            let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
            let refused = matches!(parameters.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
            !refused && matches!(name.trim(), "application/json" | "application/*" | "*/*")
        })
    });
    if taken {
        Ok(())
    } else {
        Err(refuse(406, "Not Acceptable"))
    }
}

/// Whether the body is JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let (Some(value), None) = (types.next(), types.next()) else {
        return false;
    };
    let name = value
        .to_str()
        .unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default();
    name.trim().eq_ignore_ascii_case("application/json")
}
