//! Streams of typed items, which handlers take and give, and the division of
//! JSON into items.
//!
//! Items are decoded and checked as they come. The first that violates its
//! schema ends the stream, and the caller is told all that is wrong with it.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf as _, Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, stream};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::decode::explain;
use crate::decode::json_single;
use crate::stream::{ByteStream, StreamError};
use json_schema::validator::Schemas;

/// Items that pass one by one.
///
/// It is a [`Stream`] of them. Dropping it tells the other side to stop.
pub struct Items<T> {
    items: Pin<Box<dyn Stream<Item = Result<T, StreamError>> + Send>>,
    pub(crate) keep_alive: Option<Duration>,
}

/// How items of JSON are told apart.
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
        Self::fallible(items.map(Ok::<T, StreamError>))
    }

    /// The items of a stream up to its first error, which breaks off the
    /// message that they are in.
    pub fn fallible<E: fmt::Display>(
        items: impl Stream<Item = Result<T, E>> + Send + 'static,
    ) -> Self {
        Self {
            items: Box::pin(items.map(|item| item.map_err(StreamError::broken))),
            keep_alive: None,
        }
    }

    /// The next item; `None` at the end.
    ///
    /// # Errors
    /// Returns [`StreamError`] if the stream cannot be read further; nothing
    /// comes after it.
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
    /// The items of a request's body, each of which is held against `schema`.
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

    /// The items of an answer's body.
    #[must_use]
    pub fn answered(bytes: ByteStream, framing: Framing) -> Self {
        let frames = Frames::new(bytes, framing);
        Self::of(stream::try_unfold(frames, |mut frames| async move {
            let Some(frame) = frames.next().await? else {
                return Ok(None);
            };
            let item = json_single::from_slice(&frame).map_err(StreamError::broken)?;
            Ok(Some((item, frames)))
        }))
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

/// The texts of items, cut out of the pieces that come.
struct Frames {
    bytes: ByteStream,
    mark: u8,
    rest: BytesMut,
    /// How much of the rest is known to have no mark.
    searched: usize,
    ended: bool,
}

impl Frames {
    fn new(bytes: ByteStream, framing: Framing) -> Self {
        Self {
            bytes,
            mark: match framing {
                Framing::Lines => b'\n',
                Framing::Records => SEPARATOR,
            },
            rest: BytesMut::new(),
            searched: 0,
            ended: false,
        }
    }

    /// The next text that is not blank.
    async fn next(&mut self) -> Result<Option<Bytes>, StreamError> {
        loop {
            let unsearched = self.rest.get(self.searched..).unwrap_or_default();
            let found = unsearched.iter().position(|byte| *byte == self.mark);
            let frame = match found {
                Some(found) => {
                    let frame = self.rest.split_to(self.searched + found);
                    self.rest.advance(1);
                    frame
                }
                None if self.ended => self.rest.split(),
                None => {
                    self.more().await?;
                    continue;
                }
            };
            self.searched = 0;
            if !frame.trim_ascii().is_empty() {
                return Ok(Some(frame.freeze()));
            }
            if self.ended && self.rest.is_empty() {
                return Ok(None);
            }
        }
    }

    async fn more(&mut self) -> Result<(), StreamError> {
        self.searched = self.rest.len();
        match self.bytes.next().await {
            None => self.ended = true,
            Some(piece) => self.rest.extend_from_slice(&piece?),
        }
        self.bytes.holds(self.rest.len())
    }
}
