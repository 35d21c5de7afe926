//! Webhooks and callbacks: a receiver takes the requests of a sender, at the right URLs.

use axum::body::Body;
use http::{Request, Response, StatusCode};
use behaviour::{carry, request};
use outgoing_api::api::default::{LookParams, WatchParams};
use outgoing_api::callbacks::*;
use outgoing_api::client::{ClientError, Transport};
use outgoing_api::runtime::credential::Bearer;
use outgoing_api::runtime::__private::Unresolved;
use outgoing_api::runtime::{Demand, Limits, Service};
use outgoing_api::security::Security;
use outgoing_api::service::Faults;
use outgoing_api::webhooks::*;
use outgoing_api::{AuthError, HandlerError, Host, callbacks, models, webhooks};
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

struct Receiver;

impl Host for Receiver {
    type Context = ();
    type Error = HandlerError;
}

impl Security for Receiver {
    type Token = String;

    async fn token(&self, token: Bearer<'_>, _: Demand<'_, ()>) -> Result<String, AuthError> {
        match token.secret() {
            "secret" => Ok("us".to_owned()),
            _ => Err(AuthError::CredentialInvalid),
        }
    }
}

impl Faults for Receiver {}

impl Webhooks for Receiver {
    async fn book_added(
        &self,
        principal: String,
        params: BookAddedParams,
        body: models::Book,
    ) -> Result<BookAddedResponse, HandlerError> {
        assert_eq!(principal, "us");
        if body.title == "later" {
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Ok(BookAddedResponse::Default { status });
        }
        Ok(BookAddedResponse::Ok {
            body: body.into(),
            x_seen: params.page,
        })
    }
}

impl Callbacks for Receiver {
    async fn watch_event(&self, body: Option<String>) -> Result<WatchEventResponse, HandlerError> {
        assert_eq!(body.as_deref(), Some("hello"));
        let status = StatusCode::ACCEPTED;
        Ok(WatchEventResponse::Success { status })
    }

    async fn look_event(&self, body: Option<String>) -> Result<LookEventResponse, HandlerError> {
        assert_eq!(body, None);
        let status = StatusCode::OK;
        Ok(LookEventResponse::Success { status })
    }

    async fn watch_ended(&self) -> Result<WatchEndedResponse, HandlerError> {
        Ok(WatchEndedResponse::NoContent)
    }

    async fn watch_ended_2(&self) -> Result<WatchEnded2Response, HandlerError> {
        Err(HandlerError::Internal)
    }

    async fn nothing(&self) -> Result<NothingResponse, HandlerError> {
        Ok(NothingResponse::NoContent)
    }
}

/// Carries requests to a receiver and keeps their URLs, of which the parameter `key` is its own and
/// not the contract's.
struct Wire<D: outgoing_api::runtime::__private::Dispatch>(Service<D>, Arc<Mutex<Vec<String>>>);

impl<D: outgoing_api::runtime::__private::Dispatch> Transport for Wire<D> {
    type Error = Infallible;

    async fn send(&self, mut request: Request<Body>) -> Result<Response<Body>, Infallible> {
        self.1.lock().expect("a lock").push(request.uri().to_string());
        let uri = request.uri().to_string();
        let without = uri.replace("key=7&", "").replace("?key=7", "");
        *request.uri_mut() = without.parse().expect("a URI");
        carry(&self.0, request).await
    }
}

fn book(title: &str) -> models::Book {
    models::Book {
        title: title.to_owned(),
    }
}

#[tokio::test]
async fn a_webhook_reaches_the_url_of_its_receiver() {
    let urls = Arc::new(Mutex::new(Vec::new()));
    let sender = || {
        let receiver = webhooks::service(Arc::new(Receiver), Limits::default());
        WebhookSender::new(Wire(receiver, Arc::clone(&urls)))
    };
    let known = sender().with_token("secret").expect("a credential");
    let url = "http://them.invalid/book-added?key=7#here";
    let paged = |page| BookAddedParams { page };

    let answer = known.book_added(url, paged(Some(3)), book("Emma")).await;
    let Ok(BookAddedResponse::Ok { body, x_seen }) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!((body.decode().expect("a book"), x_seen), (book("Emma"), Some(3)));
    let sent = urls.lock().expect("a lock").clone();
    assert_eq!(sent, ["http://them.invalid/book-added?key=7&page=3"]);

    let later = known.book_added(url, paged(None), book("later")).await;
    let status = StatusCode::SERVICE_UNAVAILABLE;
    assert!(matches!(later, Ok(BookAddedResponse::Default { status: s }) if s == status));

    // What the receiver finds wrong is no answer of its handler's: `default` is.
    let unknown = sender().book_added(url, paged(None), book("Emma")).await;
    assert!(matches!(unknown, Ok(BookAddedResponse::Default { status }) if status == 401));
}

#[tokio::test]
async fn a_receiver_holds_a_webhook_against_the_contract() {
    let receiver = webhooks::service(Arc::new(Receiver), Limits::default());
    let answer = request(
        &receiver,
        "POST",
        "/book-added?page=0",
        &[("authorization", "Bearer secret"), ("content-type", "application/json")],
        r#"{"title":"too long"}"#,
    )
    .await;
    assert_eq!(answer.issues(), ["body /title maxLength", "query page minimum"]);
}

#[tokio::test]
async fn callbacks_are_told_apart() {
    let receiver = callbacks::service(Arc::new(Receiver), Limits::default());
    let sender = CallbackSender::new(Wire(receiver, Arc::default()));
    let event = sender.watch_event("http://me.invalid/watch/event", Some("hello".to_owned()));
    assert!(matches!(event.await, Ok(WatchEventResponse::Success { status }) if status == 202));
    let look = sender.look_event("http://me.invalid/look/event", None);
    assert!(matches!(look.await, Ok(LookEventResponse::Success { status }) if status == 200));
    let ended = sender.watch_ended("http://me.invalid/watch/ended");
    assert!(matches!(ended.await, Ok(WatchEndedResponse::NoContent)));
    let again = sender.watch_ended_2("http://me.invalid/watch/ended/2");
    assert!(matches!(again.await, Err(ClientError::Undocumented(response)) if response.status == 500));
    let nothing = sender.nothing("http://me.invalid/watch/ended/3");
    assert!(matches!(nothing.await, Ok(NothingResponse::NoContent)));
}

#[test]
fn a_callback_goes_where_the_call_says() {
    let params = WatchParams {
        url: "them.invalid:81".parse().unwrap(),
        x_mark: Some("a&b".to_owned()),
    };
    let look = |url: Option<&str>| look_event_url(&LookParams { url: url.map(str::to_owned) });
    assert_eq!(watch_event_url(&params).as_deref(), Ok("them.invalid:81"));
    assert_eq!(look(Some("http://x.invalid")).as_deref(), Ok("http://x.invalid"));
    let expression = "$request.query.url";
    assert_eq!(look(None), Err(Unresolved { expression }));

    let body = models::WatchBody {
        hooks: vec!["http://one.invalid".to_owned(), "http://two.invalid".to_owned()],
    };
    assert_eq!(watch_ended_url(&body).as_deref(), Ok("http://two.invalid"));
    let answer = models::WatchCreatedBody { id: "7/8".to_owned() };
    let url = watch_ended_2_url(&params, &12, &answer, "/w/12");
    let expected = "https://them.invalid:81/12/7%2F8?mark=a%26b&at=%2Fw%2F12&PUT";
    assert_eq!(url.as_deref(), Ok(expected));
}
