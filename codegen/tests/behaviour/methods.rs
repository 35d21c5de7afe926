//! Operations of any method, by a service and by a client over a socket.

use behaviour::{exchange, serve};
use methods_api::api::books::*;
use methods_api::client::{Client, HttpTransport};
use methods_api::operations::{OPERATIONS, OperationId};
use methods_api::runtime::{Limits, Matched};
use methods_api::{HandlerError, Host, models, service};
use http::Method;
use std::sync::Arc;

struct Shelf;

impl Host for Shelf {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Shelf {}

impl BooksApi for Shelf {
    async fn list_books(&self) -> Result<ListBooksResponse, HandlerError> {
        Ok(ListBooksResponse::NoContent)
    }

    async fn find_books(&self, body: models::FindBooksBody) -> Result<FindBooksResponse, HandlerError> {
        let body = vec![format!("found {}", body.word)].into();
        Ok(FindBooksResponse::Ok { body })
    }

    async fn discover(&self) -> Result<DiscoverResponse, HandlerError> {
        let body = "here".into();
        Ok(DiscoverResponse::Ok { body })
    }

    async fn get_book(&self, title: String) -> Result<GetBookResponse, HandlerError> {
        Ok(GetBookResponse::Ok { body: title })
    }

    async fn copy_book(
        &self,
        title: String,
        params: CopyBookParams,
    ) -> Result<CopyBookResponse, HandlerError> {
        let body = format!("{title} in {}", params.destination);
        Ok(CopyBookResponse::Created { body })
    }

    async fn get_in_small_letters(
        &self,
        title: String,
    ) -> Result<GetInSmallLettersResponse, HandlerError> {
        let body = format!("small {title}");
        Ok(GetInSmallLettersResponse::Ok { body })
    }
}

async fn served() -> String {
    serve(service::service(Arc::new(Shelf), Limits::default())).await
}

#[tokio::test]
async fn a_client_sends_every_method_as_the_contract_writes_it() {
    let base = served().await;
    let client = Client::new(&base, HttpTransport::new());
    let search = models::FindBooksBody {
        word: "emma".into(),
    };
    let answer = client.find_books(search).await.unwrap();
    let FindBooksResponse::Ok { body } = answer;
    assert_eq!(body.decode().unwrap(), ["found emma"]);
    let DiscoverResponse::Ok { body } = client.discover().await.unwrap();
    assert_eq!(body, "here");
    let params = CopyBookParams {
        destination: "shelf".into(),
    };
    let CopyBookResponse::Created { body } = client.copy_book("emma".into(), params).await.unwrap();
    assert_eq!(body, "emma in shelf");
    let GetInSmallLettersResponse::Ok { body } =
        client.get_in_small_letters("emma".into()).await.unwrap();
    assert_eq!(body, "small emma");
    let GetBookResponse::Ok { body } = client.get_book("emma".into()).await.unwrap();
    assert_eq!(body, "emma");
}

#[tokio::test]
async fn requests_are_routed_and_checked_by_their_methods() {
    let base = served().await;
    let json = [("content-type", "application/json")];
    let ask = async |method: &str, target: &str, body: &str| {
        exchange(method, &format!("{base}{target}"), &json, body.to_owned()).await
    };
    let found = ask("QUERY", "/books", r#"{"word":"persuasion"}"#).await;
    assert_eq!(found.issues(), ["body /word maxLength"]);
    assert_eq!(ask("QUERY", "/books", "{").await.status, 400);
    let denied = ask("COPY", "/books", "").await;
    assert_eq!(denied.status, 405);
    assert_eq!(denied.header("allow"), "GET, HEAD, M-SEARCH, QUERY");
    let denied = ask("copy", "/books/emma", "").await;
    assert_eq!((denied.status, denied.header("allow")), (405, "COPY, GET, HEAD, get"));
}

#[tokio::test]
async fn an_operation_names_its_method_where_requests_are_counted() {
    let query = OperationId::FindBooks.operation();
    assert_eq!(query.method, "QUERY");
    assert_eq!(OPERATIONS.len(), 6);
    let matched = |method: &str, operation: Option<OperationId>| {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        Matched::new(operation.map(OperationId::operation), &method).method()
    };
    assert_eq!(matched("QUERY", Some(OperationId::FindBooks)), "QUERY");
    assert_eq!(matched("HEAD", Some(OperationId::GetBook)), "HEAD");
    // Of requests for no operation, only usual methods are told: others are the caller's own words.
    assert_eq!(matched("QUERY", None), "<other>");
}
