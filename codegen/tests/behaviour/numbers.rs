//! Whole numbers keep every digit wherever they stand, and are judged by their value.

use axum::body::Body;
use behaviour::{Answer, carry, request};
use numbers_api::api::echo::*;
use numbers_api::client::{Client, ClientError, Transport};
use numbers_api::runtime::{Integer, Limits};
use numbers_api::service::Dispatcher;
use numbers_api::{HandlerError, Host, models, service};
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

impl EchoApi for Echo {
    async fn echo(&self, body: models::Numbers) -> Result<EchoResponse, HandlerError> {
        Ok(EchoResponse::Ok { body: body.into() })
    }

    async fn any(&self, body: Value) -> Result<AnyResponse, HandlerError> {
        Ok(AnyResponse::Ok { body: body.into() })
    }

    async fn nulls(&self, params: NullsParams) -> Result<NullsResponse, HandlerError> {
        let read = [
            format!("{:?}", params.number),
            format!("{:?}", params.flag),
            format!("{:?}", params.json),
            format!("{:?}", params.x_number),
            format!("{:?}", params.defaulted),
            format!("{:?}", params.text),
        ];
        Ok(NullsResponse::Ok {
            body: read.to_vec().into(),
        })
    }

    async fn lists(&self, params: ListsParams) -> Result<ListsResponse, HandlerError> {
        let read = [
            format!("{:?}", params.x_numbers),
            format!("{:?}", params.words),
        ];
        Ok(ListsResponse::Ok {
            body: read.to_vec().into(),
        })
    }

    async fn places(&self, id: Integer, params: PlacesParams) -> Result<PlacesResponse, HandlerError> {
        let body = models::Places {
            id,
            size: params.size,
            few: params.few,
            far: params.far,
            unsigned: params.unsigned,
            list: params.list.unwrap_or_default(),
        };
        let x_count = params.x_count.unwrap_or_default();
        Ok(PlacesResponse::Ok { x_count, body: body.into() })
    }
}

struct InProcess(numbers_api::runtime::Service<Dispatcher<Echo>>);

impl Transport for InProcess {
    type Error = Infallible;

    async fn send(&self, request: http::Request<Body>) -> Result<http::Response<Body>, Infallible> {
        carry(&self.0, request).await
    }
}

async fn call(method: &str, target: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let service = service::service(Arc::new(Echo), Limits::default());
    request(&service, method, target, headers, body.to_owned()).await
}

async fn post(path: &str, body: &str) -> Answer {
    call("POST", path, &[("content-type", "application/json")], body).await
}

/// Sends texts that must come back with every digit.
async fn echoes(path: &str, bodies: &[&str]) {
    for body in bodies {
        let answer = post(path, body).await;
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!((answer.status, &*text), (200, *body));
    }
}

/// Sends texts that must come back as these.
async fn returns(bodies: &[(&str, &str)]) {
    for (body, wanted) in bodies {
        let answer = post("/echo", body).await;
        let text = String::from_utf8_lossy(&answer.body);
        assert_eq!((answer.status, &*text), (200, *wanted), "{body}");
    }
}

async fn refuses(bodies: &[(&str, &str)]) {
    for (body, wanted) in bodies {
        let found = post("/echo", body).await.issues();
        assert_eq!(found, [format!("body {wanted}")], "{body}");
    }
}

const LONG: &str = "12345678901234567890123456789012345678901234567890";

#[tokio::test]
async fn every_digit_comes_back() {
    echoes(
        "/echo",
        &[
            r#"{"whole":0}"#,
            r#"{"whole":-9223372036854775809}"#,
            r#"{"whole":12345678901234567890123}"#,
            r#"{"whole":1e+400}"#,
            r#"{"nullable":18446744073709551616}"#,
            r#"{"nullable":null}"#,
            r#"{"above":18446744073709551616}"#,
            r#"{"below":-18446744073709551617}"#,
            r#"{"unsigned":18446744073709551615}"#,
            r#"{"signed":-9223372036854775808}"#,
            r#"{"listed":18446744073709551616}"#,
            r#"{"only":100000000000000000000}"#,
            r#"{"list":[9007199254740992,9007199254740993,18446744073709551617]}"#,
            r#"{"map":{"a":100000000000000000001}}"#,
            r#"{"scalar":100000000000000000001}"#,
            r#"{"inline":{"a":100000000000000000001}}"#,
            r#"{"doubt":{"a":100000000000000000001}}"#,
            r#"{"odd":100000000000000000001}"#,
            r#"{"far":18446744073709551617}"#,
            r#"{"number":0.1,"other":300000000000000000000}"#,
            &format!(r#"{{"any":[{LONG},-{LONG}.5,1e+400,0.10]}}"#),
        ],
    )
    .await;
    echoes("/any", &[LONG, "1.10", r#"{"a":[1e-400]}"#]).await;
}

#[tokio::test]
async fn a_number_is_what_it_is_however_it_is_written() {
    returns(&[
        (r#"{"whole":1.0}"#, r#"{"whole":1}"#),
        (r#"{"whole":-0}"#, r#"{"whole":0}"#),
        (r#"{"whole":-0.0}"#, r#"{"whole":0}"#),
        (r#"{"whole":1e30}"#, r#"{"whole":1000000000000000000000000000000}"#),
        (r#"{"whole":12.5e1}"#, r#"{"whole":125}"#),
        (r#"{"small":1e1}"#, r#"{"small":10}"#),
        (r#"{"unsigned":18446744073709551615.0}"#, r#"{"unsigned":18446744073709551615}"#),
        (r#"{"signed":-9.223372036854775808e18}"#, r#"{"signed":-9223372036854775808}"#),
        (r#"{"scalar":1.0e20}"#, r#"{"scalar":100000000000000000000}"#),
        (r#"{"inline":{"a":1.0}}"#, r#"{"inline":{"a":1}}"#),
        (r#"{"doubt":{"a":1e20}}"#, r#"{"doubt":{"a":100000000000000000000}}"#),
        (r#"{"half":5e20}"#, r#"{"half":500000000000000000000}"#),
        (r#"{"half":-5}"#, r#"{"half":-5}"#),
        (r#"{"step":1000000007e25}"#, r#"{"step":10000000070000000000000000000000000}"#),
        (
            r#"{"long":37037036716049382571604938257160493823012345678}"#,
            r#"{"long":37037036716049382571604938257160493823012345678}"#,
        ),
    ])
    .await;
}

#[tokio::test]
async fn bounds_are_exact() {
    refuses(&[
        (r#"{"whole":1.5}"#, "/whole type"),
        (r#"{"whole":1e-1}"#, "/whole type"),
        (r#"{"whole":100000000000000000000.5}"#, "/whole type"),
        (r#"{"whole":"1"}"#, "/whole type"),
        (r#"{"above":18446744073709551615}"#, "/above minimum"),
        (r#"{"below":-18446744073709551616}"#, "/below exclusiveMaximum"),
        (r#"{"fraction":0}"#, "/fraction minimum"),
        (r#"{"small":100000000000000000000}"#, "/small maximum"),
        (r#"{"unsigned":18446744073709551616}"#, "/unsigned format"),
        (r#"{"unsigned":-1}"#, "/unsigned format"),
        (r#"{"signed":9223372036854775808}"#, "/signed format"),
        (r#"{"listed":18446744073709551617}"#, "/listed enum"),
        (r#"{"only":100000000000000000001}"#, "/only const"),
        (r#"{"list":[100000000000000000000,1e20]}"#, "/list uniqueItems"),
        (r#"{"map":{"a":100000000000000000000.1}}"#, "/map/a type"),
        (r#"{"odd":100000000000000000002}"#, "/odd not"),
        (r#"{"step":100000000700000000001}"#, "/step multipleOf"),
        (r#"{"half":100000000000000000001}"#, "/half multipleOf"),
        (r#"{"long":37037036716049382571604938257160493823012345679}"#, "/long multipleOf"),
        (r#"{"other":100000000000000000000}"#, "/other multipleOf"),
        (r#"{"far":18446744073709551615}"#, "/far minimum"),
        (r#"{"number":1e400}"#, "/number type"),
    ])
    .await;
}

#[tokio::test]
async fn parameters_and_headers_take_them_too() {
    let target = "/places/100000000000000000001?far=18446744073709551617&unsigned=18446744073709551615&list=1&list=1e20";
    let answer = call("GET", target, &[("x-count", "-100000000000000000000")], "").await;
    assert_eq!(
        String::from_utf8_lossy(&answer.body),
        r#"{"id":100000000000000000001,"size":100000000000000000000,"few":3,"far":18446744073709551617,"unsigned":18446744073709551615,"list":[1,100000000000000000000]}"#
    );
    assert_eq!(answer.header("x-count"), "-100000000000000000000");
    let refused = "/places/0?far=18446744073709551616&few=100000000000000000000&unsigned=-1&list=1.5&size=x";
    let found = call("GET", refused, &[("x-count", "0.5")], "").await.issues();
    let expected = [
        "header X-Count type",
        "path id minimum",
        "query far exclusiveMinimum",
        "query few maximum",
        "query list/0 type",
        "query size type",
        "query unsigned format",
    ];
    assert_eq!(found, expected);
}

/// Sends parameters through the client to the service; the values that it reads.
async fn nulls(params: NullsParams) -> String {
    let service = service::service(Arc::new(Echo), Limits::default());
    let client = Client::new("http://numbers.invalid", InProcess(service));
    let NullsResponse::Ok { body } = client.nulls(params).await.expect("an answer");
    body.decode().expect("texts").join(" ")
}

#[tokio::test]
async fn absent_null_and_a_value_are_three_things() {
    let value = NullsParams {
        number: Some(Some(1.into())),
        flag: Some(Some(true)),
        json: Some(Some("a".into())),
        x_number: Some(Some(0.5)),
        defaulted: Some(4),
        text: Some(Some(String::new())),
    };
    let wanted = r#"Some(Some(1)) Some(Some(true)) Some(Some("a")) Some(Some(0.5)) Some(4) Some(Some(""))"#;
    assert_eq!(nulls(value).await, wanted);
    let null = NullsParams {
        number: Some(None),
        flag: Some(None),
        json: Some(None),
        x_number: Some(None),
        defaulted: None,
        text: Some(None),
    };
    // No text is null where every text is a string; where a default stands for an absent parameter, null leaves it out.
    let wanted = "Some(None) Some(None) Some(None) Some(None) Some(3) None";
    assert_eq!(nulls(null).await, wanted);
    let absent = NullsParams {
        number: None,
        flag: None,
        json: None,
        x_number: None,
        defaulted: Some(3),
        text: None,
    };
    assert_eq!(nulls(absent).await, "None None None None Some(3) None");
}

/// Sends lists to the service; the values that it reads, if they can be sent.
async fn lists(
    x_numbers: Option<Vec<Option<Integer>>>,
    words: Option<Vec<Option<String>>>,
) -> Option<String> {
    let service = service::service(Arc::new(Echo), Limits::default());
    let client = Client::new("http://numbers.invalid", InProcess(service));
    match client.lists(ListsParams { x_numbers, words }).await {
        Ok(ListsResponse::Ok { body }) => Some(body.decode().expect("texts").join(" ")),
        Err(ClientError::BuildError(_)) => None,
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn lists_are_read_as_they_were_sent_or_are_not_sent() {
    let words = |words: &[&str]| words.iter().map(|word| Some((*word).to_owned())).collect();
    let read = lists(
        Some(vec![Some(1.into()), None]),
        Some(words(&["a", "", "b,c"])),
    );
    let wanted = r#"Some([Some(1), None]) Some([Some("a"), Some(""), Some("b,c")])"#;
    assert_eq!(read.await.as_deref(), Some(wanted));
    let empty = lists(Some(vec![]), Some(vec![])).await;
    assert_eq!(empty.as_deref(), Some("Some([]) Some([])"));
    // None of these has a text of its own.
    assert_eq!(lists(Some(vec![None]), None).await, None);
    assert_eq!(lists(None, Some(words(&[""]))).await, None);
    assert_eq!(lists(None, Some(vec![Some("a".into()), None])).await, None);
}

#[test]
fn integers_are_as_handy_as_those_of_rust() {
    let big: Integer = "1e20".parse().expect("an integer");
    assert_eq!(big.to_string(), "100000000000000000000");
    assert_eq!(i128::try_from(&big), Ok(100_000_000_000_000_000_000));
    assert!(i64::try_from(&big).is_err() && big.as_i64().is_none());
    assert!(big > 5 && Integer::from(5_u8) == 5 && big > Integer::from(u64::MAX));
    assert!(Integer::from(i128::MIN) < Integer::from(i64::MIN));
    assert!("1.5".parse::<Integer>().is_err() && " 1".parse::<Integer>().is_err());
}
