//! Objects with rules about the whole of them: handlers get structs, and requests are held to the rules.

use behaviour::{Answer, request};
use rules_api::api::rules::*;
use rules_api::models::{Contact, Labels, Parcel, Payment, PaymentMethod, Settings};
use rules_api::runtime::{Check as _, Limits};
use rules_api::service::{Faults, service};
use rules_api::{HandlerError, Host};
use std::sync::Arc;

struct Read;

impl Host for Read {
    type Context = ();
    type Error = HandlerError;
}

impl Faults for Read {}

impl RulesApi for Read {
    async fn pay(&self, body: Payment) -> Result<PayResponse, HandlerError> {
        let body = format!("{:?} {:?}", body.method, body.card);
        Ok(PayResponse::Ok { body })
    }

    async fn set(&self, body: Settings) -> Result<SetResponse, HandlerError> {
        let body = format!("{:?} {:?} {:?}", body.theme, body.size, body.other_members);
        Ok(SetResponse::Ok { body })
    }

    async fn contact(&self, body: Contact) -> Result<ContactResponse, HandlerError> {
        let body = format!("{:?} {:?}", body.mail, body.phone);
        Ok(ContactResponse::Ok { body })
    }

    async fn label(&self, body: Labels) -> Result<LabelResponse, HandlerError> {
        let body = format!("{} {:?}", body.name, body.other_members);
        Ok(LabelResponse::Ok { body })
    }

    async fn ship(&self, body: Parcel) -> Result<ShipResponse, HandlerError> {
        let body = body["to"]["town"].to_string();
        Ok(ShipResponse::Ok { body })
    }
}

async fn ask(method: &str, target: &str, body: &str) -> Answer {
    let service = service(Arc::new(Read), Limits::default());
    let headers = [("content-type", "application/json")];
    request(&service, method, target, &headers, body.to_owned()).await
}

#[track_caller]
fn is(answer: &Answer, body: &str) {
    assert_eq!((answer.status, &answer.body[..]), (200, body.as_bytes()));
}

#[tokio::test]
async fn members_depend_on_each_other() {
    is(&ask("POST", "/payments", r#"{"method":"cash"}"#).await, "Cash None");
    let card = r#"{"method":"card","card":"4","note":"mine","more":1}"#;
    is(&ask("POST", "/payments", card).await, r#"Card Some("4")"#);
    for (body, issues) in [
        (r#"{"method":"card"}"#, ["body /card required"]),
        (r#"{"method":"transfer","card":"4","note":"a"}"#, ["body /iban required"]),
        (r#"{"method":"cash","card":"4"}"#, ["body /note dependentRequired"]),
        (r#"{"method":"cash","note":"longer"}"#, ["body /note maxLength"]),
    ] {
        assert_eq!(ask("POST", "/payments", body).await.issues(), issues, "{body}");
    }
}

#[tokio::test]
async fn all_members_are_counted() {
    is(&ask("PATCH", "/settings", r#"{"size":null}"#).await, "None Some(None) {}");
    is(
        &ask("PATCH", "/settings", r#"{"theme":"dark","own":1}"#).await,
        r#"Some("dark") None {"own": Number(1)}"#,
    );
    let none = ask("PATCH", "/settings", "{}").await;
    assert_eq!(none.issues(), ["body  minProperties"]);
    let many = ask("PATCH", "/settings", r#"{"theme":"dark","size":1,"own":1}"#).await;
    assert_eq!(many.issues(), ["body  maxProperties"]);
}

#[tokio::test]
async fn one_of_two_members_is_there() {
    is(&ask("POST", "/contacts", r#"{"mail":"m"}"#).await, r#"Some("m") None"#);
    for body in ["{}", r#"{"mail":"m","phone":"p"}"#] {
        assert_eq!(ask("POST", "/contacts", body).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn members_of_some_names_are_kept_and_checked() {
    is(
        &ask("POST", "/labels", r#"{"name":"n","x-a":"b"}"#).await,
        r#"n {"x-a": String("b")}"#,
    );
    for body in [r#"{"name":"n","x-a":"long"}"#, r#"{"name":"n","a":"b"}"#, r#"{"name":"n","x-longer":"b"}"#] {
        assert_eq!(ask("POST", "/labels", body).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn a_rule_that_looks_into_members_sees_all_of_them() {
    is(&ask("POST", "/parcels", r#"{"to":{"town":"Bath"}}"#).await, r#""Bath""#);
    let refused = ask("POST", "/parcels", r#"{"to":{"town":"Bath","street":"Gay"}}"#).await;
    assert_eq!(refused.issues(), ["body  not"]);
}

#[test]
fn a_value_that_is_made_in_rust_is_checked_too() {
    let cash = Payment::new(PaymentMethod::Cash);
    assert!(cash.is_valid());
    let card = Payment { card: Some("4".into()), ..cash };
    assert!(!card.is_valid());
    assert!(!Settings::default().is_valid());
}
