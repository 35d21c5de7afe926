//! Streams of typed JSON items, in requests and responses, and their framing
//! (NDJSON, JSON text sequences).
//!
//! Items are decoded and validated as they arrive. The first that violates its
//! schema ends the stream with all of its violations.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::decode::explain;
use crate::decode::tolerant::read_json;
use crate::stream::{ByteStream, StreamError, StreamRejection};
use json_schema::issue::{self, Issue, Place};
use json_schema::validator::Schemas;

/// A stream of the items of a request or response body.
///
/// Dropping it tells the other side to stop.
pub struct Items<T> {
    items: Pin<Box<dyn Stream<Item = Result<T, StreamError>> + Send>>,
    /// The time without an event after which a comment is sent; for events alone.
    pub(crate) keep_alive: Option<Duration>,
}

/// How JSON items are delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Each ends its line: `application/x-ndjson`, `application/jsonl`.
    Lines,
    /// Each begins with a record separator (RFC 7464):
    /// `application/json-seq`.
    Records,
}

impl<T: Send + 'static> Items<T> {
    /// The items of a stream that cannot fail.
    pub fn new(items: impl Stream<Item = T> + Send + 'static) -> Self {
        Self::of(items.map(Ok))
    }

    /// The items of a stream up to its first error, which is the last item and
    /// breaks off the message that they are sent in.
    pub fn fallible<E: fmt::Display>(
        items: impl Stream<Item = Result<T, E>> + Send + 'static,
    ) -> Self {
        Self::of(stream::try_unfold(
            Box::pin(items),
            |mut items| async move {
                let item = items.next().await.transpose();
                let item = item.map_err(StreamError::broken)?;
                Ok(item.map(|item| (item, items)))
            },
        ))
    }

    /// The items of a request, of which there must be at least `min` and may be at most `max`: the end of fewer, and
    /// the first item that is too many, end them with a violation.
    #[must_use]
    pub fn counted(self, min: u64, max: Option<u64>, stream_rejection: &StreamRejection) -> Self {
        let stream_rejection = stream_rejection.clone();
        let state = (self, 0_u64, stream_rejection);
        Self::of(stream::try_unfold(
            state,
            move |(mut items, count, stream_rejection)| async move {
                let item = items.next().await.transpose()?;
                let violation = match (&item, max) {
                    (None, _) if count < min => Some(("minItems", "at least", min)),
                    (Some(_), Some(max)) if count >= max => Some(("maxItems", "at most", max)),
                    _ => None,
                };
                if let Some((keyword, bound, limit)) = violation {
                    let error = StreamError::Invalid(vec![Issue {
                        place: Place::Body,
                        at: String::new(),
                        keyword,
                        message: format!("must have {bound} {}", issue::counted(limit, "item")),
                    }]);
                    stream_rejection.note(&error);
                    return Err(error);
                }
                Ok(item.map(|item| (item, (items, count + 1, stream_rejection))))
            },
        ))
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// Returns [`StreamError::Undecodable`] if the item is invalid. After any other
    /// [`StreamError`], the stream has ended.
    pub async fn next(&mut self) -> Option<Result<T, StreamError>> {
        self.items.next().await
    }

    pub(crate) fn of(items: impl Stream<Item = Result<T, StreamError>> + Send + 'static) -> Self {
        Self {
            items: Box::pin(items),
            keep_alive: None,
        }
    }
}

impl<T: DeserializeOwned + Send + 'static> Items<T> {
    /// The items of a request's body, each of which is validated against `schema`.
    #[must_use]
    pub fn incoming(
        bytes: ByteStream,
        framing: Framing,
        schemas: &'static Schemas,
        schema: &'static str,
        valid: fn(&T) -> bool,
    ) -> Self {
        let frames = Frames::new(bytes, framing);
        Self::of(stream::try_unfold(
            (frames, 0_usize),
            move |(mut frames, index)| async move {
                let Some(frame) = frames.next().await? else {
                    return Ok(None);
                };
                let at = format!("/{index}");
                match explain::json(schemas, &frame, schema, valid, &at) {
                    Ok(item) => Ok(Some((item, (frames, index + 1)))),
                    Err(issues) => Err(frames.bytes.refuse(StreamError::Invalid(issues))),
                }
            },
        ))
    }

    /// The items of a response's body. An invalid item does not end the stream.
    #[must_use]
    pub fn answered(bytes: ByteStream, framing: Framing) -> Self {
        let frames = Frames::new(bytes, framing);
        let items = stream::try_unfold(frames, |mut frames| async move {
            let Some(frame) = frames.next().await? else {
                return Ok(None);
            };
            let item = read_json(&frame).map_err(|error| StreamError::Undecodable {
                data: frame,
                error: Box::new(error),
            });
            Ok(Some((item, frames)))
        });
        Self::of(items.map(Result::flatten))
    }
}

impl<T: Serialize + Send + 'static> Items<T> {
    /// The items as the body of a message.
    #[must_use]
    pub fn into_bytes(self, framing: Framing) -> ByteStream {
        ByteStream::new(self.map(move |item| {
            let mut frame = match framing {
                Framing::Lines => Vec::new(),
                Framing::Records => vec![SEPARATOR],
            };
            serde_json::to_writer(&mut frame, &item?).map_err(StreamError::broken)?;
            frame.push(b'\n');
            Ok::<_, StreamError>(Bytes::from(frame))
        }))
    }
}

impl<T: Send + 'static> Default for Items<T> {
    /// No items.
    fn default() -> Self {
        Self::of(stream::empty())
    }
}

impl<T> Stream for Items<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.items.as_mut().poll_next(context)
    }
}

impl<T> fmt::Debug for Items<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").finish_non_exhaustive()
    }
}

/// The record separator of RFC 7464.
const SEPARATOR: u8 = 0x1e;

/// Splits a byte stream at a delimiter into the JSON texts of items.
struct Frames {
    bytes: ByteStream,
    delimiter: u8,
    /// The bytes that belong to no text yet.
    buffer: BytesMut,
    /// How many bytes of the buffer are known to have no delimiter.
    searched: usize,
    ended: bool,
}

impl Frames {
    fn new(bytes: ByteStream, framing: Framing) -> Self {
        Self {
            bytes,
            delimiter: match framing {
                Framing::Lines => b'\n',
                Framing::Records => SEPARATOR,
            },
            buffer: BytesMut::new(),
            searched: 0,
            ended: false,
        }
    }

    /// The next text that is not blank.
    async fn next(&mut self) -> Result<Option<Bytes>, StreamError> {
        loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            let found = unsearched.iter().position(|byte| *byte == self.delimiter);
            let frame = match found {
                Some(found) => {
                    let frame = self.buffer.split_to(self.searched + found);
                    self.buffer.advance(1);
                    frame
                }
                None if self.ended => self.buffer.split(),
                None => {
                    self.read_more().await?;
                    continue;
                }
            };
            self.searched = 0;
            if !frame.trim_ascii().is_empty() {
                return Ok(Some(frame.freeze()));
            }
            if self.ended && self.buffer.is_empty() {
                return Ok(None);
            }
        }
    }

    async fn read_more(&mut self) -> Result<(), StreamError> {
        self.searched = self.buffer.len();
        match self.bytes.next().await {
            None => self.ended = true,
            Some(piece) => self.buffer.extend_from_slice(&piece?),
        }
        self.bytes.holds(self.buffer.len())
    }
}
