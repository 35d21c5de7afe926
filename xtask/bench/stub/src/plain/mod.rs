//! The answers of the server by hand.

pub mod body;
pub mod issue;
pub mod negotiate;
pub mod params;

use axum::body::Body;
use axum::response::Response;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use issue::{Issue, Issues};
use serde::Serialize;

/// The shape of every refusal.
#[derive(Serialize)]
struct Refusal {
    status: u16,
    message: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    issues: Vec<Issue>,
}

pub fn respond<T: Serialize>(status: u16, body: &T) -> Response<Body> {
    let bytes = serde_json::to_vec(body).expect("what serializes");
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}

pub fn refuse(status: u16, message: &'static str) -> Response<Body> {
    respond(
        status,
        &Refusal {
            status,
            message,
            issues: Vec::new(),
        },
    )
}

pub fn refuse_invalid(issues: Issues) -> Response<Body> {
    respond(
        400,
        &Refusal {
            status: 400,
            message: "Bad Request",
            issues: issues.0,
        },
    )
}
