//! The server as its callers see it, by the generated client.

use axum::Router;
use generated::api::greetings::GreetingsGetResponse;
use generated::client::{Client, ClientError, HttpTransport, Refusal};
use tokio::net::TcpListener;

/// A client of a server that runs until the test ends.
async fn client() -> Client<HttpTransport> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().fallback_service(server::app());
    tokio::spawn(async { axum::serve(listener, router).await });
    Client::new(&base, HttpTransport::new())
}

#[tokio::test]
async fn a_caller_is_greeted_by_name() {
    let answer = client().await.greetings_get("Ada".into()).await;
    let GreetingsGetResponse::Ok { body } = answer.expect("an answer");
    assert_eq!(body.decode().expect("a greeting").text, "Hello, Ada!");
}

#[tokio::test]
async fn a_name_that_is_too_long_is_refused() {
    let answer = client().await.greetings_get("a".repeat(41)).await;
    let Err(ClientError::Refused { refusal, .. }) = answer else {
        panic!("{answer:?}");
    };
    let Refusal::BadRequest { body } = *refusal;
    assert_eq!(body.title, "The request is refused");
}
