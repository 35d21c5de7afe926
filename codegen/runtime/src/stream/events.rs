//! Server-sent events: the format `text/event-stream` (WHATWG HTML, section
//! 9.2), written and read.
//!
//! The event of `axum` was tried for writing: it panics at a name with a line end, which a handler may
//! have from a caller (`a_name_cannot_smuggle_a_line`).

mod received;

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, Sleep};

use crate::decode::tolerant::read_json;
use crate::stream::event_lines::EventLines;
use crate::stream::items::Items;
use crate::stream::{ByteStream, StreamError};
use json_schema::issue::Issue;

pub use received::Received;

/// An event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<T> {
    /// Its data. The format has one kind of line end: a carriage return
    /// inside a text arrives as a line feed.
    pub data: T,
    /// Its type, where it is another than `message`.
    pub event: Option<String>,
    /// The place to resume after it, which a client that lost the connection sends as `Last-Event-ID`. Of a
    /// received event, the last one that the stream had.
    pub id: Option<String>,
    /// How long clients are to wait before they connect again; milliseconds
    /// on the wire.
    pub retry: Option<Duration>,
}

impl<T> From<T> for Event<T> {
    fn from(data: T) -> Self {
        Self {
            data,
            event: None,
            id: None,
            retry: None,
        }
    }
}

/// Events that pass one by one.
pub type Events<T> = Items<Event<T>>;

impl<T: Send + 'static> Events<T> {
    /// The same events, with a comment whenever there was none for so long:
    /// proxies cut connections that say nothing.
    #[must_use]
    pub fn keep_alive(mut self, every: Duration) -> Self {
        self.keep_alive = Some(every);
        self
    }

    /// The events as the body of an answer, their data written by `write`.
    #[must_use]
    pub fn into_bytes_by(self, write: fn(&T) -> Option<String>) -> ByteStream {
        let keep_alive = self.keep_alive;
        let pieces = self.map(move |event| {
            let piece = written(&event?, write);
            piece.ok_or_else(|| StreamError::broken("an event that cannot be written"))
        });
        match keep_alive {
            None => ByteStream::new(pieces),
            Some(every) => ByteStream::new(KeptAlive {
                pieces: Box::pin(pieces),
                every,
                silence: Box::pin(tokio::time::sleep(every)),
            }),
        }
    }

    /// The events of a request's body, each of which is `read` and checked. One longer than the limit of
    /// bodies that are held in memory ends them.
    #[must_use]
    pub fn incoming_by(bytes: ByteStream, read: fn(&Received) -> Result<T, Vec<Issue>>) -> Self {
        let lines = EventLines::new(bytes);
        Self::of(stream::try_unfold(
            (lines, 0_usize),
            move |(mut lines, index)| async move {
                let Some(event) = lines.next().await? else {
                    return Ok(None);
                };
                let received = Received::new(event, lines.has_own_id(), index);
                match read(&received) {
                    Ok(data) => Ok(Some((received.holding(data), (lines, index + 1)))),
                    Err(issues) => Err(lines.refuse(StreamError::Invalid(issues))),
                }
            },
        ))
    }

    /// The events of an answer's body, their data read by `read`. One longer
    /// than 64 MiB ends them with an error.
    #[must_use]
    pub fn answered_by(bytes: ByteStream, read: fn(String) -> Result<T, StreamError>) -> Self {
        Self::answered_with(bytes, move |_, data| read(data))
    }

    /// The same where the type of an event, too, tells how its data is read.
    fn answered_with<R>(bytes: ByteStream, read: R) -> Self
    where
        R: Fn(&str, String) -> Result<T, StreamError> + Copy + Send + 'static,
    {
        let lines = EventLines::new(bytes);
        let events = stream::try_unfold(lines, move |mut lines| async move {
            let Some(event) = lines.next().await? else {
                return Ok(None);
            };
            let data = read(event.event.as_deref().unwrap_or(USUAL), event.data);
            let event = data.map(|data| Event {
                data,
                event: event.event,
                id: event.id,
                retry: event.retry,
            });
            Ok(Some((event, lines)))
        });
        Self::of(events.map(Result::flatten))
    }
}

/// The type of an event that says none.
const USUAL: &str = "message";

/// Data whose type depends on the type of its event, as an enum.
pub trait Kinds: Sized {
    /// The type of its event.
    fn kind(&self) -> &'static str;

    /// The data as text; `None` where it cannot be written.
    fn data(&self) -> Option<String>;

    /// The data of an event of that type.
    ///
    /// # Errors
    /// Returns [`StreamError::Broken`] if there is no such type, or if `data`
    /// is not of it.
    fn read(kind: &str, data: String) -> Result<Self, StreamError>;
}

impl<T: Kinds + Send + 'static> Events<T> {
    /// The events as the body of an answer, each of the type of its data.
    #[must_use]
    pub fn into_bytes_by_kind(self) -> ByteStream {
        let keep_alive = self.keep_alive;
        let typed = self.map(|event| {
            let mut event = event?;
            let kind = event.data.kind();
            event.event = (kind != USUAL).then(|| kind.to_owned());
            Ok::<_, StreamError>(event)
        });
        let mut typed = Self::of(typed);
        typed.keep_alive = keep_alive;
        typed.into_bytes_by(T::data)
    }

    /// The events of an answer's body, whose types tell their data.
    #[must_use]
    pub fn answered_by_kind(bytes: ByteStream) -> Self {
        Self::answered_with(bytes, T::read)
    }
}

/// The error of an event of a type that the contract does not have.
#[must_use]
pub fn unknown(kind: &str) -> StreamError {
    StreamError::broken(format_args!("an event of the unknown type `{kind}`"))
}

/// Writes data as JSON.
#[must_use]
pub fn json<T: Serialize>(data: &T) -> Option<String> {
    serde_json::to_string(data).ok()
}

/// Writes data that is text.
#[must_use]
#[expect(
    clippy::ptr_arg,
    reason = "data of this type is written like any other"
)]
pub fn text(data: &String) -> Option<String> {
    Some(data.clone())
}

/// Reads data from JSON.
///
/// # Errors
/// Returns [`StreamError::Undecodable`] if `data` is not JSON or does not match `T`.
pub fn of_json<T: DeserializeOwned>(data: String) -> Result<T, StreamError> {
    read_json(data.as_bytes()).map_err(|error| StreamError::Undecodable {
        data: data.into(),
        error: Box::new(error),
    })
}

/// Reads data that is text.
///
/// # Errors
/// Never returns an error. It returns a `Result` as [`of_json`] does.
pub fn of_text(data: String) -> Result<String, StreamError> {
    Ok(data)
}

/// An event as text; `None` where its name or id would end a line.
fn written<T>(event: &Event<T>, write: fn(&T) -> Option<String>) -> Option<Bytes> {
    let mut text = String::new();
    let fields = [("event", &event.event), ("id", &event.id)];
    for (field, value) in fields {
        if let Some(value) = value {
            if value.contains(['\r', '\n', '\0']) {
                return None;
            }
            text.push_str(&format!("{field}: {value}\n"));
        }
    }
    if let Some(retry) = event.retry {
        text.push_str(&format!("retry: {}\n", retry.as_millis()));
    }
    let data = write(&event.data)?.replace("\r\n", "\n");
    for line in data.split(['\r', '\n']) {
        text.push_str(&format!("data: {line}\n"));
    }
    text.push('\n');
    Some(text.into())
}

/// Pieces, with a comment after each silence.
struct KeptAlive<S> {
    pieces: Pin<Box<S>>,
    every: Duration,
    silence: Pin<Box<Sleep>>,
}

impl<S: Stream<Item = Result<Bytes, StreamError>>> Stream for KeptAlive<S> {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let mut polled = self.pieces.as_mut().poll_next(context);
        if polled.is_pending() && self.silence.as_mut().poll(context).is_ready() {
            polled = Poll::Ready(Some(Ok(Bytes::from_static(b":\n\n"))));
        }
        if polled.is_ready() {
            let next = Instant::now() + self.every;
            self.silence.as_mut().reset(next);
        }
        polled
    }
}
