//! Parts without names and events, as a service reads them and as a client writes them.

use axum::body::Body;
use behaviour::{Answer, carry, request};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, Request, Response};
use parts_api::api::parts::*;
use parts_api::client::{Client, Transport};
use parts_api::runtime::{Limits, WithHeaders};
use parts_api::service::Dispatcher;
use parts_api::{
    BodyPart, BodyParts, Event, Events, HandlerError, Host, StreamError, models, runtime, service,
};
use std::convert::Infallible;
use std::fmt::Debug;
use std::sync::Arc;

struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

impl service::Faults for Echo {}

/// All parts of a body.
async fn all<T: Send + 'static>(mut parts: BodyParts<T>) -> Result<Vec<BodyPart<T>>, StreamError> {
    let mut all = Vec::new();
    while let Some(part) = parts.next().await {
        all.push(part?);
    }
    Ok(all)
}

/// The same part of the answer.
fn echoed(part: ScanBodyPart) -> ScanOkBodyPart {
    match part {
        ScanBodyPart::Sum(sum) => ScanOkBodyPart::Sum(sum),
        ScanBodyPart::Notes(notes) => ScanOkBodyPart::Notes(notes),
        ScanBodyPart::Page(WithHeaders { headers, content }) => ScanOkBodyPart::Page(WithHeaders {
            headers: ScanOkBodyPageHeaders {
                x_page: headers.x_page,
            },
            content,
        }),
    }
}

impl PartsApi for Echo {
    async fn scan(&self, body: BodyParts<ScanBodyPart>) -> Result<ScanResponse, HandlerError> {
        let parts = all(body).await?.into_iter().map(|part| BodyPart {
            content: echoed(part.content),
            content_type: part.content_type.filter(|own| own.starts_with("image/")),
            headers: HeaderMap::new(),
        });
        let body = BodyParts::new(stream::iter(parts.collect::<Vec<_>>()));
        Ok(ScanResponse::Ok { body })
    }

    async fn count(&self, body: BodyParts<i64>) -> Result<CountResponse, HandlerError> {
        let sum = all(body).await?.into_iter().map(|part| part.content).sum();
        let sum = BodyPart::from(models::Sum { sum });
        let body = BodyParts::new(stream::iter([sum]));
        Ok(CountResponse::Ok { body })
    }

    async fn pair(&self, body: BodyParts<PairBodyPart>) -> Result<PairResponse, HandlerError> {
        let parts = all(body).await?.into_iter();
        let body = format!("{:?}", parts.map(|part| part.content).collect::<Vec<_>>());
        Ok(PairResponse::Ok { body })
    }

    async fn list(&self, body: ListContent) -> Result<ListResponse, HandlerError> {
        let count = match body {
            ListContent::MultipartMixed(parts) => all(parts).await?.len(),
            ListContent::Jsonl(mut items) => {
                let mut count = 0;
                while let Some(item) = items.next().await {
                    item?;
                    count += 1;
                }
                count
            }
        };
        Ok(ListResponse::Ok {
            body: count.to_string(),
        })
    }

    async fn tell(&self, body: Events<TellBodyEvent>) -> Result<TellResponse, HandlerError> {
        let body = told(body).await?;
        Ok(TellResponse::Ok { body })
    }

    async fn words(&self, body: Events<String>) -> Result<WordsResponse, HandlerError> {
        let body = told(body).await?;
        Ok(WordsResponse::Ok { body })
    }
}

/// The events of a body as a text.
async fn told<T: Debug + Send + 'static>(mut events: Events<T>) -> Result<String, StreamError> {
    let mut told = String::new();
    while let Some(event) = events.next().await {
        let Event { data, id, .. } = event?;
        told.push_str(&format!("{data:?} {id:?};"));
    }
    Ok(told)
}

fn echo() -> runtime::Service<Dispatcher<Echo>> {
    let limits = Limits {
        body: 1000,
        ..Limits::default()
    };
    service::service(Arc::new(Echo), limits)
}

async fn post(target: &str, content_type: &str, body: &str) -> Answer {
    let headers = [("content-type", content_type)];
    request(&echo(), "POST", target, &headers, body.to_owned()).await
}

/// A body of such parts, each a head and its content.
fn mixed(parts: &[(&str, &str)]) -> String {
    let parts = parts.iter();
    let parts = parts.map(|(head, content)| format!("--b\r\n{head}\r\n{content}\r\n"));
    parts.collect::<String>() + "--b--\r\n"
}

const SUM: (&str, &str) = ("Content-Type: application/json\r\n", "{\"sum\":1}");
const NOTES: (&str, &str) = (
    "Content-Type: multipart/mixed; boundary=n\r\n",
    "--n\r\nContent-Type: text/plain\r\n\r\na\r\nb\r\n--n\r\n\r\nc\r\n--n--\r\n",
);
const PAGE: (&str, &str) = ("Content-Type: image/gif\r\nX-Page: 2\r\n", "GIF");

async fn scanned(parts: &[(&str, &str)]) -> Answer {
    post("/scans", "multipart/mixed; boundary=b", &mixed(parts)).await
}

#[tokio::test]
async fn parts_are_read_by_their_places_and_written_again() {
    let answer = scanned(&[SUM, NOTES, PAGE, PAGE]).await;
    assert_eq!(answer.status, 200, "{:?}", answer.body);
    let content_type = answer.header("content-type");
    let boundary = content_type.strip_prefix("multipart/mixed; boundary=");
    let body = String::from_utf8(answer.body.to_vec()).unwrap();
    let parts: Vec<&str> = body.split(&format!("--{}", boundary.unwrap())).collect();
    assert_eq!(
        parts[1],
        "\r\ncontent-type: application/json\r\n\r\n{\"sum\":1}\r\n"
    );
    assert!(
        parts[2].contains("content-type: text/plain\r\n\r\na\r\nb\r\n--"),
        "{body}"
    );
    assert_eq!(
        parts[3],
        "\r\nx-page: 2\r\ncontent-type: image/gif\r\n\r\nGIF\r\n"
    );
    assert_eq!((parts[4], parts[5]), (parts[3], "--\r\n"));
    assert_eq!(scanned(&[]).await.status, 200);
}

#[tokio::test]
async fn a_part_that_violates_the_contract_is_told_by_its_place() {
    let wrong = ("Content-Type: application/json\r\n", "{\"sum\":-1}");
    assert_eq!(scanned(&[wrong]).await.issues(), ["body /0/sum minimum"]);
    assert_eq!(
        scanned(&[PAGE]).await.issues(),
        ["body /0 contentMediaType"]
    );
    assert_eq!(
        scanned(&[SUM, SUM]).await.issues(),
        ["body /1 contentMediaType"]
    );
    let plain = ("Content-Type: multipart/mixed; boundary=n\r\n", "no parts");
    assert_eq!(scanned(&[SUM, plain]).await.issues(), ["body /1 type"]);
    let long = (
        "Content-Type: multipart/mixed; boundary=n\r\n",
        "--n\r\n\r\n0123456789\r\n--n--",
    );
    assert_eq!(
        scanned(&[SUM, long]).await.issues(),
        ["body /1/0 maxLength"]
    );
    let unnumbered = ("Content-Type: image/png\r\n", "PNG");
    assert_eq!(
        scanned(&[SUM, NOTES, unnumbered]).await.issues(),
        ["body /2 required"]
    );
    let text = ("Content-Type: text/plain\r\nX-Page: 0\r\n", "PNG");
    let issues = scanned(&[SUM, NOTES, text]).await.issues();
    assert_eq!(issues, ["body /2 contentMediaType", "body /2 minimum"]);
    let large = "x".repeat(2000);
    let large = ("Content-Type: image/png\r\nX-Page: 1\r\n", large.as_str());
    assert_eq!(scanned(&[SUM, NOTES, large]).await.status, 413);
}

#[tokio::test]
async fn a_body_that_has_no_parts_is_refused() {
    let mixed = "multipart/mixed; boundary=b";
    for (content_type, body) in [
        ("multipart/mixed", "--b--"),
        (mixed, ""),
        (mixed, "--b\r\n\r\na"),
    ] {
        let issues = post("/scans", content_type, body).await.issues();
        assert_eq!(issues, ["body  type"], "{content_type} {body}");
    }
}

#[tokio::test]
async fn no_part_stands_after_the_last_that_there_may_be() {
    let mixed = |parts: &[(&str, &str)]| self::mixed(parts);
    let send =
        |body: String| async move { post("/pairs", "multipart/mixed; boundary=b", &body).await };
    let answer = send(mixed(&[("", "one"), ("", "two")])).await;
    assert_eq!(answer.body, "[Part1(\"one\"), Other(\"two\")]");
    let issues = send(mixed(&[("", "one"), ("", "three")])).await.issues();
    assert_eq!(issues, ["body /1 maxLength"]);
    let issues = send(mixed(&[("", "one"), ("", "two"), ("", "six")]))
        .await
        .issues();
    assert_eq!(issues, ["body /2 items"]);
}

#[tokio::test]
async fn events_of_a_request_are_read_by_their_types() {
    let send = |body: &'static str| post("/news", "text/event-stream", body);
    let body =
        "event: said\ndata: hello\ndata: there\nid: 1\n\nevent: counted\ndata: {\"sum\":2}\n\n";
    let answer = send(body).await;
    let told = "Said(\"hello\\nthere\") Some(\"1\");Counted(Sum { sum: 2 }) Some(\"1\");";
    assert_eq!(answer.body, told);
    let issues = send("event: counted\ndata: {\"sum\":-2}\n\n")
        .await
        .issues();
    assert_eq!(issues, ["body /0/data/sum minimum"]);
    let issues = send("event: said\ndata: a\n\ndata: b\n\n").await.issues();
    assert_eq!(issues, ["body /1/data const"]);
}

#[tokio::test]
async fn the_fields_of_an_event_are_checked_as_its_data_is() {
    let send = |body: &'static str| post("/words", "text/event-stream", body);
    let answer = send("event: sung\nid: 7\nretry: 1000\ndata: a\n\nid: 8\ndata: b\n\n").await;
    assert_eq!(answer.body, "\"a\" Some(\"7\");\"b\" Some(\"8\");");
    for (body, issue) in [
        ("id: 7\ndata: longer\n\n", "body /0/data maxLength"),
        ("data: a\n\n", "body /0/id required"),
        ("id: 7\ndata: a\n\nid: b\ndata: c\n\n", "body /1/id pattern"),
        ("id: 7\ndata: a\n\ndata: c\n\n", "body /1/id required"),
        ("id: 7\nretry: 999\ndata: a\n\n", "body /0/retry minimum"),
        ("id: 7\nevent: cried\ndata: a\n\n", "body /0/event enum"),
    ] {
        assert_eq!(send(body).await.issues(), [issue], "{body}");
    }
    let both = "id: b\ndata: longer\n\n";
    let issues = ["body /0/data maxLength", "body /0/id pattern"];
    assert_eq!(send(both).await.issues(), issues);
    // What is said of all events holds beside what is said of those of a type; an id is that of one event.
    for (id, keyword) in [("1234", "maxLength"), ("a", "pattern")] {
        let body = format!("event: said\nid: {id}\ndata: a\n\n");
        let told = post("/news", "text/event-stream", &body).await;
        assert_eq!(told.issues(), [format!("body /0/id {keyword}")]);
    }
    let counted = "event: counted\nid: 1234\ndata: {\"sum\":1}\n\nevent: said\ndata: a\n\n";
    let told = post("/news", "text/event-stream", counted).await;
    assert_eq!(told.status, 200, "{:?}", told.body);
}

#[tokio::test]
async fn a_stream_has_as_many_items_as_its_list_may() {
    let parts = |count| mixed(&vec![("", "a"); count]);
    for (count, issues) in [(1, vec!["body  minItems"]), (4, vec!["body  maxItems"])] {
        let answer = post("/lists", "multipart/mixed; boundary=b", &parts(count)).await;
        assert_eq!(answer.issues(), issues);
    }
    for count in [2, 3] {
        let answer = post("/lists", "multipart/mixed; boundary=b", &parts(count)).await;
        assert_eq!(answer.body, count.to_string());
    }
    let answer = post("/lists", "application/jsonl", "\n").await;
    assert_eq!(answer.issues(), ["body  minItems"]);
    assert_eq!(post("/lists", "application/jsonl", "1\n").await.body, "1");
}

/// Calls the service without a socket.
#[derive(Debug, Clone)]
struct Direct;

impl Transport for Direct {
    type Error = Infallible;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, Infallible> {
        carry(&echo(), request).await
    }
}

#[tokio::test]
async fn a_client_writes_what_the_service_reads() {
    let client = Client::new("http://a.example", Direct);
    let page = BodyPart {
        content_type: Some("image/webp".into()),
        ..BodyPart::from(ScanBodyPart::Page(WithHeaders {
            headers: ScanBodyPageHeaders { x_page: 7 },
            content: Bytes::from_static(b"\r\n--"),
        }))
    };
    let notes = vec!["a".to_owned().into(), String::new().into()];
    let sent: Vec<BodyPart<ScanBodyPart>> = vec![
        ScanBodyPart::Sum(models::Sum { sum: 3 }).into(),
        ScanBodyPart::Notes(notes).into(),
        page,
    ];
    let body = BodyParts::new(stream::iter(sent.clone()));
    let ScanResponse::Ok { body } = client.scan(body).await.unwrap();
    let came: Vec<_> = all(body).await.unwrap();
    assert_eq!(came.len(), 3);
    assert_eq!(came[2].content_type.as_deref(), Some("image/webp"));
    let ScanOkBodyPart::Page(page) = &came[2].content else {
        panic!("{came:?}");
    };
    assert_eq!(
        (page.headers.x_page, &page.content[..]),
        (7, &b"\r\n--"[..])
    );
    let ScanOkBodyPart::Notes(notes) = &came[1].content else {
        panic!("{came:?}");
    };
    assert_eq!(
        (notes[0].content.as_str(), notes[1].content.as_str()),
        ("a", "")
    );

    // The first part is a sum.
    let body = BodyParts::new(stream::iter(sent.into_iter().skip(1)));
    assert!(client.scan(body).await.is_err());

    let counts = [1, 2, 3].map(BodyPart::from);
    let CountResponse::Ok { body } = client
        .count(BodyParts::new(stream::iter(counts)))
        .await
        .unwrap();
    assert_eq!(all(body).await.unwrap()[0].content.sum, 6);

    let said = TellBodyEvent::Said("hello".into());
    let counted = TellBodyEvent::Counted(models::Sum { sum: 4 });
    let events = Events::new(stream::iter([said.into(), counted.into()]));
    let TellResponse::Ok { body } = client.tell(events).await.unwrap();
    assert_eq!(body, "Said(\"hello\") None;Counted(Sum { sum: 4 }) None;");
}
