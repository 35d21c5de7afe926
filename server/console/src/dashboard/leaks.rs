//! Reports of leaked keys, by programs that search public places for secrets.
//!
//! The JSON is that of GitHub's secret scanning partners: a list of finds, of which `token` is read, or one
//! find alone. Every report that can be read is answered alike, whether a key is in it or not.

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::response::{IntoResponse, Response};
use generated::runtime::{Issue, Place};
use generated::service::Faults;
use http::StatusCode;
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use serde::{Deserialize, Serialize};

use super::context::Context;
use features::keys::leak;

/// The largest report in bytes, of some hundred finds.
pub(super) const REPORT: usize = 64 << 10;

#[derive(Deserialize)]
#[serde(untagged)]
enum Report {
    Many(Vec<Find>),
    One(Find),
}

#[derive(Deserialize)]
struct Find {
    token: String,
}

/// `POST /dashboard/leaked-keys`
pub(super) async fn report(
    State(context): State<Context>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let api = &*context.setup.api;
    let Ok(body) = body else {
        let error = Faults::body_too_large(api, REPORT as u64);
        return (StatusCode::PAYLOAD_TOO_LARGE, json(&error)).into_response();
    };
    let finds = match serde_json::from_slice(&body) {
        Ok(Report::Many(finds)) => finds,
        Ok(Report::One(find)) => vec![find],
        Err(_) => {
            let error = Faults::invalid(api, &[unread()]);
            return (StatusCode::BAD_REQUEST, json(&error)).into_response();
        }
    };
    let texts = finds.iter().map(|find| find.token.as_str());
    let service = &context.setup.identity;
    match leak::report(context.store(), service, texts, context.now()).await {
        Ok(count) => {
            if count > 0 {
                context.setup.new_mail.notify_one();
            }
            StatusCode::ACCEPTED.into_response()
        }
        Err(error) => {
            tracing::warn!(%error, "cannot process a report of leaked keys");
            let (wait, error) = ([(RETRY_AFTER, "60")], Faults::unavailable(api));
            (StatusCode::SERVICE_UNAVAILABLE, wait, json(&error)).into_response()
        }
    }
}

/// An error as the API has them.
fn json(error: &impl Serialize) -> impl IntoResponse {
    let body = serde_json::to_string(error).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json")], body)
}

/// What is wrong with a report that cannot be read.
fn unread() -> Issue {
    Issue {
        place: Place::Body,
        at: String::new(),
        keyword: "type",
        message: "must be JSON, a find such as {\"token\":\"sk_…\"} or a list of finds".to_owned(),
    }
}
