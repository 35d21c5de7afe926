//! Reports of leaked keys, by programs that search public places for secrets.
//!
//! The JSON is that of GitHub's secret scanning partners: a list of finds, of which `token` is read, or one
//! find alone. Every report that can be read is answered alike, whether a key is in it or not.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use http::StatusCode;
use http::header::RETRY_AFTER;
use serde::Deserialize;

use super::context::Context;
use crate::keys::leak;

/// The largest report in bytes, of some hundred finds.
const REPORT: usize = 64 << 10;

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

/// The route, which accepts requests of any origin.
pub(super) fn router() -> Router<Context> {
    Router::new()
        .route("/dashboard/leaked-keys", post(report))
        .layer(DefaultBodyLimit::max(REPORT))
}

/// `POST /dashboard/leaked-keys`
async fn report(State(context): State<Context>, body: Bytes) -> Response {
    let finds = match serde_json::from_slice(&body) {
        Ok(Report::Many(finds)) => finds,
        Ok(Report::One(find)) => vec![find],
        Err(_) => return StatusCode::BAD_REQUEST.into_response(),
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
            tracing::warn!(%error, "a report of leaked keys is not finished");
            (StatusCode::SERVICE_UNAVAILABLE, [(RETRY_AFTER, "60")]).into_response()
        }
    }
}
