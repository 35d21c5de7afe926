//! Server-sent events and items of JSON: each is read and checked as it comes.

use crate::host::{tick, world};
use behaviour::{get, post, soon};
use futures_util::{StreamExt as _, stream};
use std::time::Duration;
use streams_api::api::streams::*;
use streams_api::{Event, Items, models};

#[tokio::test]
async fn events_arrive_one_by_one_and_stop_with_the_listener() {
    let mut world = world().await;
    let TicksResponse::Ok { mut body } = world.client.ticks().await.expect("an answer");
    let first = body.next().await.expect("an event").expect("a tick");
    assert_eq!(first.data, tick(0));
    assert_eq!(first.event.as_deref(), Some("tick"));
    assert_eq!((first.id.as_deref(), first.retry), (Some("0"), None));
    let second = body.next().await.expect("an event").expect("a tick");
    assert_eq!(
        (second.data, second.retry),
        (tick(1), Some(Duration::from_millis(250)))
    );
    assert!(world.gone.try_recv().is_err());
    drop(body);
    assert_eq!(soon(world.gone.recv()).await, Some("ticks"));

    let WordsResponse::Ok { body } = world.client.words().await.expect("an answer");
    let words: Vec<String> = body.map(|word| word.expect("a word").data).collect().await;
    assert_eq!(words, ["one", "", "two\nlines", "grüezi: 1"]);
    let answer = get(&world.base, "/words", &[]).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert!(
        answer
            .body
            .starts_with(b"data: one\n\ndata: \n\ndata: two\ndata: lines\n\n")
    );
}

#[tokio::test]
async fn the_type_of_an_event_tells_its_data() {
    let world = world().await;
    let answer = get(&world.base, "/news", &[]).await;
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    let expected = "event: said\ndata: hello\ndata: there\n\n\
        event: counted\nid: 7\ndata: {\"count\":3}\n\ndata: [true,false]\n\n";
    assert_eq!(text, expected);
    let NewsResponse::Ok { mut body } = world.client.news().await.unwrap();
    let mut read = Vec::new();
    while let Some(event) = body.next().await {
        let Event {
            data, event, id, ..
        } = event.unwrap();
        read.push((data, event, id));
    }
    let seven = Some("7".to_owned());
    let expected = [
        (
            NewsOkBodyEvent::Said("hello\nthere".into()),
            Some("said".to_owned()),
            None,
        ),
        (
            NewsOkBodyEvent::Counted(tick(3)),
            Some("counted".to_owned()),
            seven.clone(),
        ),
        (NewsOkBodyEvent::Message(vec![true, false]), None, seven),
    ];
    assert_eq!(read, expected);
}

#[tokio::test]
async fn items_are_checked_as_they_come() {
    let world = world().await;
    let ticks = Items::new(stream::iter((0..3).map(tick)));
    let RowsResponse::Ok { body } = world.client.rows(ticks).await.expect("an answer");
    let rows: Vec<_> = body.map(|row| row.expect("a row").count).collect().await;
    assert_eq!(rows, [0, 1, 2]);
    let send = async |rows: &'static str| {
        post(
            &world.base,
            "/rows",
            &[("content-type", "application/x-ndjson")],
            rows,
        )
        .await
    };
    let answer = send("{\"count\":1}\r\n\n  {\"count\":2.0}").await;
    assert_eq!(answer.body, "\u{1e}{\"count\":1}\n\u{1e}{\"count\":2}\n");
    let wrong = send("{\"count\":1}\n{\"count\":-1,\"note\":\"0123456789\"}\n{\"count\":-2}").await;
    assert_eq!(
        wrong.issues(),
        ["body /1/count minimum", "body /1/note maxLength"]
    );
    assert_eq!(
        send("{\"count\":1}\n{").await.issues(),
        ["body /1 contentMediaType"]
    );
    assert_eq!(
        send(Box::leak("9".repeat(3000).into_boxed_str()))
            .await
            .status,
        413
    );
}

#[tokio::test]
async fn lines_of_a_shared_media_type_go_in_and_come_back() {
    let world = world().await;
    let sent = [3, 1, 2].map(|at| models::LinesMedia { at });
    let items = Items::new(stream::iter(sent.clone()));
    let LinesResponse::Ok { mut body } = world.client.lines(items).await.unwrap();
    let mut read = Vec::new();
    while let Some(item) = body.next().await {
        read.push(item.unwrap());
    }
    assert_eq!(read, sent);
    let kind = [("content-type", "application/jsonl")];
    let wrong = post(&world.base, "/lines", &kind, "{\"at\":-1}\n").await;
    assert_eq!(wrong.issues(), ["body /0/at minimum"]);
}
