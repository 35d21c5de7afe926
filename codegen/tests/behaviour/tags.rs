//! A type for each tag: each has its own errors and its own authentication, and one alone is a service.

use behaviour::{Answer, request};
use std::sync::Arc;
use tags_api::api::authors::{AuthorsApi, ListAuthorsResponse, RemoveBookResponse};
use tags_api::api::books::{BooksApi, GetBookResponse};
use tags_api::runtime::credential::Bearer;
use tags_api::runtime::{AuthError, Demand, Limits, Service};
use tags_api::security::Security;
use tags_api::service::{Dispatcher, Faults, Tags, service_of};
use tags_api::{Admission, HandlerError, Host, RequestHead};

/// The host of every request, of any tag.
struct Shop;

impl Host for Shop {
    type Context = u8;
    type Error = HandlerError;

    async fn admit(&self, _: RequestHead<'_>) -> Admission<u8> {
        let headers = vec![("x-shop".parse().unwrap(), "open".parse().unwrap())];
        Admission { outcome: Ok(7), headers }
    }
}

impl Faults for Shop {}

struct Books;

struct NoPaper;

impl From<NoPaper> for HandlerError {
    fn from(_: NoPaper) -> HandlerError {
        HandlerError::Unavailable { retry_after: 5 }
    }
}

impl Host for Books {
    type Context = u8;
    type Error = NoPaper;
}

impl Security for Books {
    type Token = u8;

    async fn token(&self, token: Bearer<'_>, demand: Demand<'_, u8>) -> Result<u8, AuthError> {
        match token.secret() {
            "known" => Ok(*demand.context),
            _ => Err(AuthError::CredentialInvalid),
        }
    }
}

impl BooksApi for Books {
    async fn get_book(&self, reader: u8, title: String) -> Result<GetBookResponse, NoPaper> {
        match title.as_str() {
            "out" => Err(NoPaper),
            _ => Ok(GetBookResponse::Ok {
                body: format!("{title} for {reader}"),
            }),
        }
    }
}

struct Authors;

impl Host for Authors {
    type Context = u8;
    type Error = HandlerError;
}

impl AuthorsApi for Authors {
    async fn list_authors(&self) -> Result<ListAuthorsResponse, HandlerError> {
        let body = "Austen".to_owned();
        Ok(ListAuthorsResponse::Ok { body })
    }

    async fn remove_book(&self, _: String) -> Result<RemoveBookResponse, HandlerError> {
        Ok(RemoveBookResponse::NoContent)
    }
}

fn service(tags: Tags<u8>) -> Service<Dispatcher<Shop>> {
    service_of(Arc::new(Shop), tags, Limits::default())
}

fn both() -> Service<Dispatcher<Shop>> {
    service(Tags {
        books: Some(Arc::new(Books)),
        authors: Some(Arc::new(Authors)),
    })
}

async fn ask(service: &Service<Dispatcher<Shop>>, method: &str, target: &str) -> Answer {
    let headers = [("authorization", "Bearer known")];
    request(service, method, target, &headers, "").await
}

#[tokio::test]
async fn each_type_serves_its_tag_and_fails_with_its_own_error() {
    let service = both();
    let book = ask(&service, "GET", "/books/Emma").await;
    assert_eq!((book.status, &book.body[..]), (200, &b"Emma for 7"[..]));
    assert_eq!(book.header("x-shop"), "open");
    assert_eq!(ask(&service, "GET", "/books/out").await.status, 503);
    assert_eq!(ask(&service, "GET", "/books/far-too-long").await.status, 400);
    let denied = request(&service, "GET", "/books/Emma", &[("authorization", "Bearer no")], "");
    assert_eq!(denied.await.status, 401);
    assert_eq!(ask(&service, "GET", "/authors").await.body, "Austen");
    // The path is shared by the tags.
    assert_eq!(ask(&service, "DELETE", "/books/Emma").await.status, 204);
    let refused = ask(&service, "PUT", "/books/Emma").await;
    assert_eq!((refused.status, refused.header("allow")), (405, "DELETE, GET, HEAD"));
}

#[tokio::test]
async fn a_tag_alone_is_a_service_that_knows_no_other_path() {
    let service = service(Tags {
        authors: Some(Arc::new(Authors)),
        ..Tags::default()
    });
    assert_eq!(ask(&service, "GET", "/authors").await.body, "Austen");
    let unknown = ask(&service, "GET", "/nowhere").await;
    let unserved = ask(&service, "GET", "/books/Emma").await;
    assert_eq!((unserved.status, &unserved.body), (404, &unknown.body));
    assert_eq!(unserved.header("x-shop"), "open");
}
