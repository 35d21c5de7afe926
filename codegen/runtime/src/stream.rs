//! Bodies that pass piece by piece: memory is bounded by the length of a
//! piece, and the sender waits for a slow receiver.
//!
//! Which bodies are streams is decided by their media types: JSON, forms, texts
//! and XML are read whole, everything else is a [`ByteStream`]. A request's
//! stream has two limits of its own: [`Limits::stream`] for all bytes that
//! pass, and [`Limits::body`] for those that [`ByteStream::bytes`] holds in
//! memory.

#[cfg(feature = "streams")]
pub(crate) mod event_lines;
#[cfg(feature = "streams")]
pub mod events;
#[cfg(feature = "streams")]
pub(crate) mod items;

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};

use axum_core::body::Body;
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::{Body as _, Frame, SizeHint};

use crate::decode::tolerant::ReadError;
use crate::http::limits::Limits;
use crate::http::rejection::{HandlerError, Rejection};
use json_schema::issue::{Issue, Place};

/// Why a stream ends before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamError {
    /// More came than may come.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The received content violates the contract; all violations that were
    /// found.
    Invalid(Vec<Issue>),
    /// An item of a response does not match its schema. The stream continues with the next item.
    Undecodable {
        /// The received item, or the data of the event.
        data: Bytes,
        /// The location and the cause.
        error: Box<ReadError>,
    },
    /// The other side broke off, or the source of the stream failed.
    Broken {
        /// The reason.
        reason: String,
    },
}

impl StreamError {
    /// The error of a stream whose source failed.
    pub fn broken(error: impl fmt::Display) -> Self {
        Self::Broken {
            reason: error.to_string(),
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit } => write!(f, "the stream is longer than {limit} bytes"),
            Self::Invalid(issues) => {
                write!(f, "the stream violates the contract")?;
                match issues.first() {
                    Some(first) => write!(f, ": {} {}", first.at, first.message),
                    None => Ok(()),
                }
            }
            Self::Undecodable { error, .. } => write!(f, "an item of the stream: {error}"),
            Self::Broken { reason } => write!(f, "the stream broke off: {reason}"),
        }
    }
}

impl std::error::Error for StreamError {}

impl From<StreamError> for Rejection {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::TooLarge { limit } => Self::TooLarge { limit },
            StreamError::Invalid(issues) => Self::Invalid(issues),
            StreamError::Undecodable { .. } | StreamError::Broken { .. } => {
                Self::Invalid(vec![Issue {
                    place: Place::Body,
                    at: String::new(),
                    keyword: "type",
                    message: "ends before it is complete".to_owned(),
                }])
            }
        }
    }
}

impl From<StreamError> for HandlerError {
    /// For a handler that has nothing to add: the violations of the request's
    /// stream are the answer, whichever error the handler fails with.
    fn from(error: StreamError) -> Self {
        match error.into() {
            Rejection::Invalid(issues) => Self::Invalid(issues),
            _ => Self::Internal,
        }
    }
}

/// The rejection of a request's stream, which a handler met while it read.
///
/// The handler is running by then and its error type is the team's own, so
/// the first rejection is kept here, and answered when the handler fails.
#[derive(Debug, Clone, Default)]
pub struct StreamRejection(Arc<OnceLock<Rejection>>);

impl StreamRejection {
    /// The rejection to answer a handler's failure with.
    #[must_use]
    pub fn or(&self, failed: Rejection) -> Rejection {
        self.0.get().cloned().unwrap_or(failed)
    }

    pub(crate) fn note(&self, error: &StreamError) {
        _ = self.0.set(error.clone().into());
    }
}

/// A body of bytes that arrives, or is sent, piece by piece.
///
/// It is a [`Stream`] of pieces. Dropping it unread is fine: the rest of a
/// request is drained, and the sender of a response is stopped.
pub struct ByteStream {
    body: Body,
    content_type: Option<String>,
    limit: u64,
    whole: u64,
    passed: u64,
    /// How long it is, where that is known from elsewhere.
    announced: Option<u64>,
    /// All of it, where it is held in memory.
    held: Option<Bytes>,
    stream_rejection: Option<StreamRejection>,
}

impl ByteStream {
    /// A stream of pieces. An error ends it, and breaks off the message that
    /// it is the body of.
    pub fn new<S, E>(pieces: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: fmt::Display + 'static,
    {
        let pieces = pieces.map(|piece| piece.map_err(StreamError::broken));
        Self::from(Body::from_stream(pieces))
    }

    /// The body of a request, within the limits of its operation.
    #[must_use]
    pub fn incoming(
        body: Body,
        headers: &HeaderMap,
        limits: &Limits,
        stream_rejection: &StreamRejection,
    ) -> Self {
        let content_type = headers.get(CONTENT_TYPE);
        Self {
            content_type: content_type.and_then(|value| Some(value.to_str().ok()?.to_owned())),
            limit: limits.stream,
            whole: limits.body,
            stream_rejection: Some(stream_rejection.clone()),
            ..Self::from(body)
        }
    }

    /// The same stream, of which it is known how long it is.
    pub(crate) const fn announcing(mut self, length: Option<u64>) -> Self {
        self.announced = length;
        self
    }

    /// The same stream, of a media type that its contract leaves open: one of
    /// `image/*`, say.
    #[must_use]
    pub fn with_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Its media type, where it is known: the `Content-Type` that it came
    /// with, or the one of [`ByteStream::with_type`].
    #[must_use]
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// How many bytes are to come, where the sender said so.
    #[must_use]
    pub fn length(&self) -> Option<u64> {
        http_body::Body::size_hint(self).exact()
    }

    /// Whether it is known that nothing is to come.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.body.is_end_stream()
    }

    /// All of it, if it is held in memory and nothing of it has been read.
    pub(crate) fn held(&self) -> Option<Bytes> {
        let held = || self.held.clone().filter(|_| self.passed == 0);
        held().or_else(|| self.is_empty().then(Bytes::new))
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// Returns [`StreamError`] if the stream cannot be read further; nothing
    /// comes after it.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        StreamExt::next(self).await
    }

    /// All of it, in memory. Of a request no more than [`Limits::body`].
    ///
    /// # Errors
    /// Returns [`StreamError::TooLarge`] if there are more bytes, and the
    /// errors of [`ByteStream::next`].
    pub async fn bytes(self) -> Result<Bytes, StreamError> {
        let most = self.whole;
        self.bytes_within(most).await
    }

    /// All of it, in memory, unless it is longer than `most` bytes.
    ///
    /// # Errors
    /// Returns [`StreamError::TooLarge`] if there are more bytes, and the
    /// errors of [`ByteStream::next`].
    pub async fn bytes_within(mut self, most: u64) -> Result<Bytes, StreamError> {
        self.limit = self.limit.min(most);
        let mut first = Bytes::new();
        let mut all = Vec::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            // Most bodies come in one piece, which is then not copied.
            if first.is_empty() && all.is_empty() {
                first = piece;
                continue;
            }
            if all.is_empty() {
                all.extend_from_slice(&first);
            }
            all.extend_from_slice(&piece);
        }
        Ok(if all.is_empty() { first } else { all.into() })
    }

    /// Whether so much of it may be held in memory at once.
    pub(crate) fn holds(&mut self, length: usize) -> Result<(), StreamError> {
        let limit = self.whole;
        if u64::try_from(length).is_ok_and(|length| length <= limit) {
            return Ok(());
        }
        Err(self.refuse(StreamError::TooLarge { limit }))
    }

    /// Ends the stream, with a reason that the caller is to be told.
    pub(crate) fn refuse(&mut self, error: StreamError) -> StreamError {
        if let Some(stream_rejection) = &self.stream_rejection {
            stream_rejection.note(&error);
        }
        self.body = Body::empty();
        error
    }
}

impl http_body::Body for ByteStream {
    type Data = Bytes;
    type Error = StreamError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, StreamError>>> {
        let limit = self.limit;
        if self.body.size_hint().lower() > limit.saturating_sub(self.passed) {
            return Poll::Ready(Some(Err(self.refuse(StreamError::TooLarge { limit }))));
        }
        let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            None => return Poll::Ready(None),
            Some(Ok(frame)) => frame,
            Some(Err(error)) => {
                return Poll::Ready(Some(Err(self.refuse(StreamError::broken(error)))));
            }
        };
        let length = frame.data_ref().map_or(0, Bytes::len);
        self.passed += u64::try_from(length).unwrap_or(u64::MAX);
        if self.passed > limit {
            return Poll::Ready(Some(Err(self.refuse(StreamError::TooLarge { limit }))));
        }
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.announced {
            Some(length) => SizeHint::with_exact(length.saturating_sub(self.passed)),
            None => self.body.size_hint(),
        }
    }
}

impl Stream for ByteStream {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, StreamError>>> {
        loop {
            match ready!(self.as_mut().poll_frame(context)) {
                None => return Poll::Ready(None),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                // Trailers are no part of the content.
                Some(Ok(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Poll::Ready(Some(Ok(data)));
                    }
                }
            }
        }
    }
}

impl From<Body> for ByteStream {
    fn from(body: Body) -> Self {
        Self {
            body,
            content_type: None,
            limit: u64::MAX,
            whole: u64::MAX,
            passed: 0,
            announced: None,
            held: None,
            stream_rejection: None,
        }
    }
}

impl From<ByteStream> for Body {
    fn from(stream: ByteStream) -> Self {
        Self::new(stream)
    }
}

macro_rules! from_whole {
    ($($whole:ty),*) => {
        $(impl From<$whole> for ByteStream {
            fn from(whole: $whole) -> Self {
                let held = Bytes::from(whole);
                Self {
                    held: Some(held.clone()),
                    ..Self::from(Body::from(held))
                }
            }
        })*
    };
}

from_whole!(Bytes, Vec<u8>, String, &'static [u8], &'static str);

impl Default for ByteStream {
    /// An empty one.
    fn default() -> Self {
        Self::from(Body::empty())
    }
}

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteStream")
            .field("content_type", &self.content_type)
            .field("length", &self.length())
            .field("passed", &self.passed)
            .finish_non_exhaustive()
    }
}
