//! Encoded values, members that may be null, and responses.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use bytes::Bytes;
use http::{HeaderName, StatusCode};
use http_body_util::BodyExt as _;
use runtime::__private::{NotEncodable, ObjectWriter, Part, respond};
use runtime::{Encoded, Rejection};
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct Page {
    page_key: Option<String>,
    response: Vec<u8>,
}

fn unencodable() -> BTreeMap<Vec<u8>, u8> {
    BTreeMap::from([(vec![1], 2)])
}

#[test]
fn a_page_is_joined_from_encoded_items() {
    let items = [Encoded::new(&1), Encoded::from(2)];
    let response = Encoded::<Vec<u8>>::join(&items);
    assert_eq!(response.decode().unwrap(), [1, 2]);
    assert_eq!(Encoded::<Vec<u8>>::join([]).bytes().unwrap(), "[]");
    let key = Some("k\"".to_owned());
    let page: Encoded<Page> = ObjectWriter::new()
        .member("page_key", Part::from(&key))
        .member("response", Part::Encoded(&response))
        .finish();
    let expected = Page {
        page_key: key,
        response: vec![1, 2],
    };
    assert_eq!(page.bytes(), Encoded::new(&expected).bytes());
    assert_eq!(page.decode().unwrap(), expected);
    assert_eq!(ObjectWriter::new().finish::<Page>().bytes().unwrap(), "{}");
}

#[test]
fn what_cannot_be_encoded_is_said_when_it_is_wanted() {
    let bad = Encoded::new(&unencodable());
    assert_eq!(bad.bytes(), Err(NotEncodable));
    assert!(bad.decode().is_err());
    let joined = Encoded::<Vec<_>>::join([&bad]);
    assert_eq!(joined.bytes(), Err(NotEncodable));
    let object = ObjectWriter::new()
        .member("a", Part::Value(&1))
        .member("b", Part::Encoded(&bad))
        .member("c", Part::Value(&2));
    assert_eq!(object.finish::<Page>().bytes(), Err(NotEncodable));
    let object = ObjectWriter::new().member("a", Part::Value(&unencodable()));
    assert_eq!(object.finish::<Page>().bytes(), Err(NotEncodable));
    assert!(matches!(
        respond(StatusCode::OK).json(&bad),
        Err(Rejection::Internal)
    ));
}

#[test]
fn bytes_become_encoded_only_by_decoding() {
    let text = br#"{"page_key": null, "hidden": 2, "response": [1]}"#;
    let page = Encoded::<Page>::parse(text).unwrap();
    let encoded = Bytes::from_static(br#"{"page_key":null,"response":[1]}"#);
    assert_eq!(page.bytes(), Ok(&encoded));
    assert!(Encoded::<Page>::parse(b"{}").is_err());
}

const fn named(name: &'static str) -> HeaderName {
    HeaderName::from_static(name)
}

#[tokio::test]
async fn responses_carry_what_they_were_given() {
    let response = respond(StatusCode::CREATED)
        .header(named("location"), "/configs/1")
        .text_header(named("etag"), "\"v1\"".to_owned())
        .optional_header(named("x-none"), None::<u8>)
        .optional_header(named("x-some"), Some(5))
        .simple_header(named("x-list"), false, &["a", "b"])
        .simple_header(named("x-absent"), false, &None::<u8>)
        .json_header(named("x-json"), &["a", "b"])
        .json(&Encoded::new("text"))
        .unwrap();
    let headers = response.headers();
    let of = |name: &str| {
        headers
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
    };
    assert_eq!(response.status(), 201);
    assert_eq!(of("location").as_deref(), Some("/configs/1"));
    assert_eq!(of("etag").as_deref(), Some("\"v1\""));
    assert_eq!(
        (of("x-none"), of("x-some"), of("x-list")),
        (None, Some("5".into()), Some("a,b".into()))
    );
    assert_eq!(
        (of("x-absent"), of("x-json")),
        (None, Some(r#"["a","b"]"#.into()))
    );
    assert_eq!(of("content-type").as_deref(), Some("application/json"));
    assert_eq!(
        response.into_body().collect().await.unwrap().to_bytes(),
        "\"text\""
    );
    let cookies = ["a=1, 2", "b=3"];
    let cookies = respond(StatusCode::OK).simple_header(named("set-cookie"), false, &cookies);
    let cookies = cookies.empty().unwrap();
    let lines: Vec<_> = cookies.headers().get_all("set-cookie").iter().collect();
    assert_eq!(lines, ["a=1, 2", "b=3"]);
    let bad = named("x-bad");
    let refused = respond(StatusCode::OK).text_header(bad, "a\r\nb: c".to_owned());
    assert!(matches!(refused.empty(), Err(Rejection::Internal)));
    let list = [Some("a"), None];
    let refused = respond(StatusCode::OK).simple_header(named("x-list"), false, &list);
    assert!(matches!(refused.empty(), Err(Rejection::Internal)));
}
