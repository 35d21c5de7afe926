//! The credentials that the generated client shows.

use crate::host::{Doors, doors};
use axum::body::Body;
use http::{Request, Response};
use behaviour::carry;
use security_api::api::doors::*;
use security_api::client::{Client, Transport};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

/// The places of credentials in a request, with their values.
fn shown(headers: &http::HeaderMap, query: Option<&str>) -> String {
    let names = ["authorization", "x-key", "cookie"];
    let values = names.iter().filter_map(|name| headers.get(*name));
    let mut all: Vec<&str> = values.map(|value| value.to_str().expect("text")).collect();
    all.extend(query);
    all.join(" | ")
}

/// The generated client's way to the service; it notes the credentials.
struct InProcess(Doors, Arc<Mutex<String>>);

impl std::fmt::Debug for InProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InProcess")
    }
}

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        *self.1.lock().expect("a lock") = shown(request.headers(), request.uri().query());
        carry(&self.0, request).await
    }
}

#[tokio::test]
async fn the_client_shows_what_an_operation_asks_for_and_nothing_else() {
    let shown = Arc::new(Mutex::new(String::new()));
    let client = || {
        Client::new(
            "http://doors.invalid",
            InProcess(doors().1, Arc::clone(&shown)),
        )
    };
    let seen = || std::mem::take(&mut *shown.lock().expect("a lock"));
    let all = client()
        .with_key("good")
        .and_then(|client| client.with_query("good & more"))
        .and_then(|client| client.with_cookie("good"))
        .and_then(|client| client.with_basic("ada", "good"))
        .and_then(|client| client.with_digest("good"))
        .and_then(|client| client.with_oauth("good.read"))
        .expect("credentials");
    assert!(!format!("{all:?}").contains("good"));
    assert!(matches!(all.public().await, Ok(PublicResponse::Ok { .. })));
    assert_eq!(seen(), "");
    assert!(
        matches!(all.query().await, Ok(QueryResponse::Ok { body }) if body == "query good & more")
    );
    assert_eq!(seen(), "the%20key=good%20%26%20more");
    assert!(matches!(all.cookie().await, Ok(CookieResponse::Ok { .. })));
    assert_eq!(seen(), "session=good");
    assert!(matches!(all.both().await, Ok(BothResponse::Ok { .. })));
    assert_eq!(seen(), "Basic YWRhOmdvb2Q= | good");
    assert!(matches!(all.digest().await, Ok(DigestResponse::Ok { .. })));
    assert_eq!(seen(), "Digest good");
    assert!(matches!(all.any().await, Ok(AnyResponse::Ok { body }) if body.starts_with("1: ")));
    assert_eq!(seen(), "Bearer good.read");
    assert!(all.bearer().await.is_err());
    assert_eq!(seen(), "");
    let keys = client()
        .with_key("good")
        .and_then(|client| client.with_query("good"));
    let keys = keys.expect("credentials");
    assert!(matches!(keys.any().await, Ok(AnyResponse::Ok { body }) if body.starts_with("2: ")));
    assert_eq!(seen(), "good | the%20key=good");
    assert!(
        matches!(keys.optional().await, Ok(OptionalResponse::Ok { body }) if body == "key good")
    );
    assert!(client().with_basic("a:b", "c").is_err());
    assert!(client().with_cookie("a;b").is_err());
    assert!(client().with_key("a\nb").is_err());
}
