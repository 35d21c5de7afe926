//! Streams of events that end because their caller asked for that: `Prefer: wait=SECONDS` (RFC 7240 §4.3).
//!
//! A stream of events has no end of its own. Tools that read whole answers, such as newman, wait for
//! it for ever unless they say how long they wait.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum_core::body::Body;
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Response};
use http_body::Frame;
use tokio::time::Sleep;

/// How long the caller waits; `None` for ever.
pub(crate) fn asked(headers: &HeaderMap) -> Option<Duration> {
    let lines = headers.get_all("prefer").iter();
    let texts = lines.filter_map(|line| line.to_str().ok());
    let mut preferences = texts.flat_map(|text| text.split([',', ';']));
    let seconds = preferences.find_map(|one| one.trim().strip_prefix("wait="))?;
    seconds.parse().ok().map(Duration::from_secs)
}

/// The answer, which ends after that time if it is a stream of events.
pub(crate) fn ending(response: Response<Body>, after: Option<Duration>) -> Response<Body> {
    let is_events = |value: &http::HeaderValue| value.as_bytes().starts_with(b"text/event-stream");
    match after {
        Some(after) if response.headers().get(CONTENT_TYPE).is_some_and(is_events) => {
            let end = Box::pin(tokio::time::sleep(after));
            response.map(|body| Body::new(Ending { body, end }))
        }
        _ => response,
    }
}

/// A body that ends at a time, complete.
struct Ending {
    body: Body,
    end: Pin<Box<Sleep>>,
}

impl http_body::Body for Ending {
    type Data = Bytes;
    type Error = axum_core::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_one_of_several_preferences() {
        let wait = |text: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("prefer", http::HeaderValue::from_static(text));
            asked(&headers)
        };
        assert_eq!(wait("wait=2"), Some(Duration::from_secs(2)));
        assert_eq!(
            wait("respond-async, wait=10"),
            Some(Duration::from_secs(10))
        );
        for none in ["respond-async", "wait", "wait=soon", "wait=-1"] {
            assert_eq!(wait(none), None, "{none}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn events_end_when_their_caller_asked_and_nothing_else_does() {
        let pieces = || Body::from_stream(futures_util::stream::pending::<Result<Bytes, String>>());
        let answer = |kind| {
            let response = Response::builder().header(CONTENT_TYPE, kind);
            response.body(pieces()).unwrap_or_default()
        };
        for (kind, ends) in [
            ("text/event-stream; charset=utf-8", true),
            ("application/octet-stream", false),
        ] {
            let after = Some(Duration::from_secs(2));
            let body = ending(answer(kind), after).into_body();
            let reading = crate::stream::ByteStream::from(body).bytes();
            let read = tokio::time::timeout(Duration::from_secs(60), reading).await;
            assert_eq!(read.is_ok_and(|it| it.is_ok()), ends, "{kind}");
        }
    }
}
