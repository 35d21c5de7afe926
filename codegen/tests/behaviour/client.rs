//! The client's errors: documented responses of the framework are typed, and others are kept as they came.

use axum::body::Body;
use behaviour::carry;
use client_api::api::books::*;
use client_api::client::{Client, ClientError, Refusal, Transport};
use client_api::runtime::credential::Bearer;
use client_api::runtime::{Demand, Issue};
use client_api::security::Security;
use client_api::service::{self, Dispatcher, Faults};
use client_api::{Admission, AuthError, HandlerError, Host, RequestHead, models, runtime};
use http::header::RETRY_AFTER;
use http::{Request, Response};
use std::convert::Infallible;
use std::sync::Arc;

struct Shop;

impl BooksApi for Shop {
    async fn books_get(
        &self,
        _: &'static str,
        book_id: i64,
        params: BooksGetParams,
    ) -> Result<BooksGetResponse, HandlerError> {
        if book_id == 0 {
            return Ok(BooksGetResponse::NotFound);
        }
        let title = params.edition.unwrap_or_else(|| "Emma".into());
        Ok(BooksGetResponse::Ok {
            body: models::Book { title }.into(),
        })
    }

    async fn books_text(
        &self,
        _: &'static str,
        _: i64,
    ) -> Result<BooksTextResponse, HandlerError> {
        Err(HandlerError::Unavailable { retry_after: 3 })
    }
}

impl Host for Shop {
    type Context = ();
    type Error = HandlerError;

    async fn admit(&self, head: RequestHead<'_>) -> Admission<()> {
        let is_busy = head.parts.headers.contains_key("x-busy");
        Admission {
            outcome: match is_busy {
                true => Err(AuthError::RateLimited),
                false => Ok(()),
            },
            headers: match is_busy {
                true => vec![(RETRY_AFTER, 7.into())],
                false => Vec::new(),
            },
        }
    }
}

impl Security for Shop {
    type Token = &'static str;

    async fn token(&self, token: Bearer<'_>, _: Demand<'_, ()>) -> Result<&'static str, AuthError> {
        match token.secret() {
            "good" => Ok("ada"),
            _ => Err(AuthError::CredentialInvalid),
        }
    }
}

fn problem(title: &str) -> models::Problem {
    models::Problem {
        title: title.into(),
    }
}

impl Faults for Shop {
    fn invalid(&self, issues: &[Issue]) -> models::Problem {
        problem(&issues[0].message)
    }

    fn credential_missing(&self) -> models::Problem {
        problem("no token")
    }

    fn credential_invalid(&self) -> models::Problem {
        problem("a wrong token")
    }

    fn rate_limited(&self) -> models::Busy {
        models::Busy {
            code: "BUSY".into(),
        }
    }
}

/// Carries requests to the shop, or answers with a page.
#[derive(Clone)]
enum Wire {
    Shop(runtime::Service<Dispatcher<Shop>>),
    Page(u16),
}

impl Transport for Wire {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        match self {
            Wire::Shop(service) => carry(service, request).await,
            Wire::Page(status) => {
                let page = Response::builder().status(*status);
                Ok(page.body(Body::from("<html>")).expect("a page"))
            }
        }
    }
}

fn shop() -> Client<Wire> {
    let service = service::service(Arc::new(Shop), runtime::Limits::default());
    Client::new("http://localhost", Wire::Shop(service))
}

fn known() -> Client<Wire> {
    shop().with_token("good").expect("a token")
}

const NONE: BooksGetParams = BooksGetParams { edition: None };

fn refusal<A: std::fmt::Debug>(answer: Result<A, ClientError<Infallible>>) -> Refusal {
    match answer {
        Err(ClientError::Refused { refusal, .. }) => *refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn refusals_are_what_is_documented() {
    let answer = shop().books_get(1, NONE).await;
    let Refusal::Unauthorized {
        body,
        www_authenticate,
    } = refusal(answer)
    else {
        panic!("another refusal")
    };
    assert_eq!(body.title, "no token");
    assert_eq!(www_authenticate, "Bearer realm=\"Books\"");

    let busy = known().with_header("x-busy".parse().expect("a name"), 1.into());
    for refusal in [
        refusal(busy.books_get(1, NONE).await),
        #[allow(deprecated)]
        refusal(busy.books_text(1).await),
    ] {
        let Refusal::TooManyRequests {
            body,
            retry_after: 7,
            x_limit: None,
        } = refusal
        else {
            panic!("{refusal:?}")
        };
        assert_eq!(body.code, "BUSY");
    }
    #[allow(deprecated)]
    let answer = known().books_text(1).await;
    assert_eq!(answer.as_ref().err().and_then(ClientError::status).map(|it| it.as_u16()), Some(503));
    let unavailable = refusal(answer);
    assert!(matches!(unavailable, Refusal::ServiceUnavailable { retry_after: Some(3) }));
}

#[tokio::test]
async fn answers_of_others_stay_as_they_came() {
    for status in [401, 418, 502] {
        let answer = Client::new("http://localhost", Wire::Page(status)).books_get(1, NONE).await;
        let Err(ClientError::Undocumented(response)) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!((response.status.as_u16(), &response.body[..]), (status, &b"<html>"[..]));
    }
    let answer = Client::new("http://localhost", Wire::Page(200)).books_get(1, NONE).await;
    assert!(matches!(answer, Err(ClientError::Undecodable { .. })));
}

#[tokio::test]
async fn a_body_is_there_as_often_as_it_is_asked_for() {
    let answer = known().books_get(1, NONE).await;
    let Ok(BooksGetResponse::Ok { body }) = answer else {
        panic!("{answer:?}")
    };
    let book = models::Book {
        title: "Emma".into(),
    };
    let copy = body.clone();
    for body in [&body, &body, &copy] {
        assert_eq!(body.decode().expect("a book"), book);
    }
    assert_eq!(body.bytes().expect("its text"), "{\"title\":\"Emma\"}");
}
