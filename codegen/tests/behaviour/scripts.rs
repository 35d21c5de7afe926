//! Names in letters of other scripts are written as they are, and their values under their own names.

#![allow(confusable_idents, reason = "the contract has two names that look alike")]

use axum::body::Body;
use behaviour::carry;
use http::{Request, Response};
use scripts_api::api::ascii::{AsciiApi, PlainResponse};
use scripts_api::api::größe::{GrößeApi, GrößeLesenParams, GrößeLesenResponse};
use scripts_api::api::日本語::{日本語Api, 検索Response};
use scripts_api::client::{Client, Transport};
use scripts_api::models::{Größe, 言語};
use scripts_api::runtime::credential::ApiKey;
use scripts_api::runtime::{AuthError, Check as _, Demand, Limits};
use scripts_api::service::Dispatcher;
use scripts_api::{HandlerError, Host, runtime, security, service};
use std::convert::Infallible;
use std::sync::Arc;

type Service = runtime::Service<Dispatcher<Echo>>;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

impl security::Security for Echo {
    type Ключ = ();

    async fn ключ(&self, key: ApiKey<'_>, _: Demand<'_, ()>) -> Result<(), AuthError> {
        match key.secret() {
            "geheim" => Ok(()),
            _ => Err(AuthError::CredentialInvalid),
        }
    }
}

impl AsciiApi for Echo {
    async fn plain(&self) -> Result<PlainResponse, HandlerError> {
        Ok(PlainResponse::NoContent)
    }
}

impl GrößeApi for Echo {
    async fn größe_lesen(
        &self,
        (): (),
        größe: String,
        params: GrößeLesenParams,
    ) -> Result<GrößeLesenResponse, HandlerError> {
        let mut body = Größe::new(1);
        body.日本語 = params.言語.map(|language| language.as_str().to_owned());
        body.имя_файла = Some(größe);
        Ok(GrößeLesenResponse::Ok { body: body.into() })
    }
}

impl 日本語Api for Echo {
    async fn 検索(&self, body: Größe) -> Result<検索Response, HandlerError> {
        Ok(検索Response::Ok { body: body.into() })
    }
}

struct InProcess(Service);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

#[test]
fn a_value_is_written_under_the_names_of_the_contract() {
    let text = r#"{"größe":3,"日本語":"五文字以内","имяФайла":"f","straße":"a","strasse":"b","हिन्दी":"x","n.º":4,"scope":"c","ѕсоре":"d","ß":{"ı":true},"𐐀":"e","ꙮ":"g"}"#;
    let read: Größe = serde_json::from_str(text).unwrap();
    assert!(read.is_valid());
    assert_eq!(read.größe, 3);
    assert_eq!(read.n_o, Some(4));
    assert_eq!((read.straße.as_deref(), read.strasse.as_deref()), (Some("a"), Some("b")));
    assert_eq!((read.scope.as_deref(), read.ѕсоре.as_deref()), (Some("c"), Some("d")));
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    let long: Größe = serde_json::from_str(r#"{"größe":0,"日本語":"六文字ですよ"}"#).unwrap();
    assert!(!long.is_valid());
    for (value, text) in [
        (言語::日本語, "日本語"),
        (言語::English, "English"),
        (言語::Русский, "русский"),
        (言語::ß, "ß"),
        (言語::É, "é"),
        (言語::E, "e"),
        (言語::É2, "É"),
        (言語::U1f44d, "👍"),
    ] {
        assert_eq!(value.as_str(), text);
    }
}

#[tokio::test]
async fn operations_are_called_by_their_names() {
    let service = service::service(Arc::new(Echo), Limits::default());
    let client = Client::new("http://echo.invalid", InProcess(service)).with_ключ("geheim").unwrap();
    let params = GrößeLesenParams { 言語: Some(言語::Русский) };
    let GrößeLesenResponse::Ok { body } = client.größe_lesen("größe/1".to_owned(), params).await.unwrap();
    let read = body.decode().unwrap();
    assert_eq!(read.日本語.as_deref(), Some("русский"));
    assert_eq!(read.имя_файла.as_deref(), Some("größe/1"));
    let 検索Response::Ok { body } = client.検索(Größe::new(7)).await.unwrap();
    assert_eq!(body.decode().unwrap().größe, 7);
}
