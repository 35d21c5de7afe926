//! Server-sent events: written ones are read again, and all that the format allows are read.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use runtime::__private::events;
use runtime::{ByteStream, Event, Events, Items, StreamError};

/// The events of a text that comes in pieces of `size` bytes.
async fn read(text: &[u8], size: usize) -> Vec<Event<String>> {
    let pieces: Vec<_> = text.chunks(size).map(Bytes::copy_from_slice).collect();
    let pieces = stream::iter(pieces.into_iter().map(Ok::<_, StreamError>));
    let events = Events::answered_by(ByteStream::new(pieces), events::of_text);
    events.map(|event| event.unwrap()).collect().await
}

async fn written(events: Events<String>) -> String {
    let bytes = events.into_bytes_by(events::text).bytes().await;
    String::from_utf8(bytes.unwrap().to_vec()).unwrap()
}

fn event(data: &str, event: Option<&str>, id: Option<&str>, retry: Option<u64>) -> Event<String> {
    Event {
        data: data.to_owned(),
        event: event.map(str::to_owned),
        id: id.map(str::to_owned),
        retry: retry.map(Duration::from_millis),
    }
}

#[tokio::test]
async fn whatever_the_format_allows_is_read_wherever_it_is_cut() {
    let text = "\u{feff}: a comment\r\n\
                data: grüezi\r\ndata\rdata:  two\n\n\
                event: done\nid: 7\nretry: 12\nunknown: x\ndata:{\"a\":\"ü\u{1f600}\"}\r\r\
                event: forgotten\n\n\
                id: a\0b\nretry: soon\ndata: last\r\n\r\n\
                data: incomplete\n";
    let expected = [
        event("grüezi\n\n two", None, None, None),
        event("{\"a\":\"ü\u{1f600}\"}", Some("done"), Some("7"), Some(12)),
        event("last", None, Some("7"), None),
    ];
    for size in 1..=text.len() {
        assert_eq!(
            read(text.as_bytes(), size).await,
            expected,
            "pieces of {size}"
        );
    }
}

#[tokio::test]
async fn what_is_written_is_read_again() {
    let sent = [
        event("", None, Some("1"), None),
        event("\n", Some("a b"), Some("1"), Some(0)),
        event(" led by a blank\nand: a colon\n", None, Some(""), None),
    ];
    let text = written(Events::new(stream::iter(sent.clone()))).await;
    assert_eq!(read(text.as_bytes(), 3).await, sent);
}

#[tokio::test]
async fn a_name_cannot_smuggle_a_line() {
    for smuggler in [
        event("x", Some("a\ndata: y"), None, None),
        event("x", None, Some("a\rid: y"), None),
    ] {
        let bytes = Events::new(stream::iter([smuggler])).into_bytes_by(events::text);
        assert!(matches!(
            bytes.bytes().await,
            Err(StreamError::Broken { .. })
        ));
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_are_replaced() {
    let events = read(b"data: \xff\n\n", 1).await;
    assert_eq!(events, [event("\u{fffd}", None, None, None)]);
}

#[tokio::test]
async fn an_endless_line_is_refused() {
    let pieces = stream::repeat_with(|| Ok::<_, StreamError>(Bytes::from(vec![b'a'; 8 << 20])));
    let mut events = Events::answered_by(ByteStream::new(pieces), events::of_text);
    assert!(matches!(
        events.next().await,
        Some(Err(StreamError::TooLarge { .. }))
    ));
}

#[tokio::test(start_paused = true)]
async fn silence_is_filled_with_comments() {
    let slow = stream::unfold(0_u32, |count| async move {
        tokio::time::sleep(Duration::from_secs(25)).await;
        (count < 2).then(|| (Event::from(count.to_string()), count + 1))
    });
    let events = Events::new(slow).keep_alive(Duration::from_secs(10));
    let text = written(events).await;
    let silence = ":\n\n:\n\n";
    assert_eq!(
        text,
        format!("{silence}data: 0\n\n{silence}data: 1\n\n{silence}")
    );
}

#[tokio::test]
async fn an_error_is_the_last_item() {
    let items = [Ok(1), Err("lost"), Ok(2)];
    let mut items = Items::fallible(stream::iter(items).chain(stream::pending()));
    assert_eq!(items.next().await.unwrap().unwrap(), 1);
    assert!(items.next().await.unwrap().is_err());
    assert!(items.next().await.is_none());
}
