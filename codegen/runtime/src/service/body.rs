//! Reads request bodies up to a limit, and drains those that are not read.
//!
//! A client that is still sending does not read, so an answer that goes out
//! before the body has come in may be lost with the connection. The service
//! therefore takes back the rest of the body from the handler, and drains it
//! afterwards.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum_core::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;

use crate::http::limits::Limits;
use crate::http::rejection::Rejection;
use crate::stream::{ByteStream, StreamRejection};
use json_schema::issue::{Issue, Place};

/// Reads a whole body.
///
/// # Errors
/// Returns [`Rejection::TooLarge`] if the body has more than `limit` bytes, and
/// [`Rejection::Invalid`] if it breaks off.
pub async fn read(mut body: Body, limit: u64) -> Result<Bytes, Rejection> {
    let too_large = |length: u64| length > limit;
    if too_large(body.size_hint().lower()) {
        return Err(Rejection::TooLarge { limit });
    }
    // Most bodies come in one piece, which is then not copied.
    let mut first = Bytes::new();
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| incomplete())?.into_data() else {
            continue;
        };
        let length = first.len().max(whole.len()) + data.len();
        if too_large(u64::try_from(length).unwrap_or(u64::MAX)) {
            return Err(Rejection::TooLarge { limit });
        }
        if first.is_empty() {
            first = data;
        } else {
            if whole.is_empty() {
                whole.extend_from_slice(&first);
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(if whole.is_empty() {
        first
    } else {
        whole.into()
    })
}

/// The request's body: whole, or as a stream where it is to be read as it
/// arrives. The other of the two is empty.
///
/// # Errors
/// Returns the errors of [`read`] if the body is read as a whole.
pub async fn take(
    body: Body,
    headers: &HeaderMap,
    limits: &Limits,
    streamed: bool,
    stream_rejection: &StreamRejection,
) -> Result<(Bytes, ByteStream), Rejection> {
    if !streamed {
        return Ok((read(body, limits.body).await?, ByteStream::default()));
    }
    let stream = ByteStream::incoming(body, headers, limits, stream_rejection);
    Ok((Bytes::new(), stream))
}

/// Reads and drops the rest of a body, up to `limit` bytes and for at
/// most `deadline`.
pub async fn drain(mut body: Body, limit: u64, deadline: Duration) {
    let all = async {
        let mut left = limit;
        while let Some(Ok(frame)) = body.frame().await {
            let length = frame.data_ref().map_or(0, Bytes::len);
            match left.checked_sub(u64::try_from(length).unwrap_or(u64::MAX)) {
                Some(less) => left = less,
                None => break,
            }
        }
    };
    // Whether the body ended or the deadline passed makes no difference: the
    // server closes the connection of a body that was not read to its end.
    let _: Result<(), _> = tokio::time::timeout(deadline, all).await;
}

fn incomplete() -> Rejection {
    let message = "ends before it is complete".to_owned();
    Rejection::Invalid(vec![Issue {
        place: Place::Body,
        at: String::new(),
        keyword: "type",
        message,
    }])
}

/// The part of a body that a handler has left.
#[derive(Debug)]
pub(crate) struct Unread {
    pub(crate) body: Body,
    /// Whether reading had begun.
    pub(crate) begun: bool,
}

/// The place that a dropped body leaves its rest in.
#[derive(Debug, Default, Clone)]
pub(crate) struct UnreadBody(Arc<Mutex<Option<Unread>>>);

/// A body that leaves its rest behind when it is dropped before its end. One
/// that is empty from the start has none.
pub(crate) fn track(body: Body) -> (Body, Option<UnreadBody>) {
    if body.is_end_stream() {
        return (body, None);
    }
    let unread = UnreadBody::default();
    let rest = Some(Unread { body, begun: false });
    (
        Body::new(TrackedBody {
            rest,
            unread: unread.clone(),
        }),
        Some(unread),
    )
}

impl UnreadBody {
    /// The rest, once the body was dropped.
    pub(crate) fn take(&self) -> Option<Unread> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct TrackedBody {
    rest: Option<Unread>,
    unread: UnreadBody,
}

impl http_body::Body for TrackedBody {
    type Data = Bytes;
    type Error = axum_core::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum_core::Error>>> {
        let Some(rest) = &mut self.rest else {
            return Poll::Ready(None);
        };
        rest.begun = true;
        let polled = Pin::new(&mut rest.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.rest = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.rest
            .as_ref()
            .is_none_or(|rest| rest.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let hint = |rest: &Unread| rest.body.size_hint();
        self.rest
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), hint)
    }
}

impl Drop for TrackedBody {
    fn drop(&mut self) {
        if let Some(rest) = self.rest.take().filter(|left| !left.body.is_end_stream()) {
            *self.unread.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(rest);
        }
    }
}
