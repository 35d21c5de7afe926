//! Request bodies: reading them up to a limit, and getting rid of what was
//! not read.
//!
//! A client that is still sending does not read, so an answer that goes out
//! before the body has come in may be lost with the connection. The service
//! therefore lends the body to whatever handles the request, and drains what
//! is left of it afterwards.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::HeaderMap;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt as _;

use super::fault::Fault;
use super::service::Limits;
use super::stream::{ByteStream, Trouble};
use json_schema::issue::{Issue, Place};

/// Reads a whole body.
///
/// # Errors
/// [`Fault::TooLarge`] beyond `limit` bytes; [`Fault::Invalid`] where the
/// body breaks off.
pub async fn read(mut body: Body, limit: u64) -> Result<Bytes, Fault> {
    let too_large = |length: u64| length > limit;
    if too_large(body.size_hint().lower()) {
        return Err(Fault::TooLarge { limit });
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
            return Err(Fault::TooLarge { limit });
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
/// As [`read`], unless it is a stream.
pub async fn take(
    body: Body,
    headers: &HeaderMap,
    limits: &Limits,
    streamed: bool,
    trouble: &Trouble,
) -> Result<(Bytes, ByteStream), Fault> {
    if !streamed {
        return Ok((read(body, limits.body).await?, ByteStream::default()));
    }
    let stream = ByteStream::incoming(body, headers, limits, trouble);
    Ok((Bytes::new(), stream))
}

/// Reads and drops what is left of a body, up to `limit` bytes and for at
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

fn incomplete() -> Fault {
    let message = "ends before it is complete".to_owned();
    Fault::Invalid(vec![Issue {
        place: Place::Body,
        at: String::new(),
        keyword: "type",
        message,
    }])
}

/// What came back of a body that was lent.
#[derive(Debug)]
pub(super) struct Leftover {
    pub(super) body: Body,
    /// Whether reading had begun.
    pub(super) begun: bool,
}

/// Where a lent body comes back to.
#[derive(Debug, Default, Clone)]
pub(super) struct Lender(Arc<Mutex<Option<Leftover>>>);

/// A body that comes back to the lender when it is dropped, unless it has
/// ended; one that is empty from the start is not lent.
pub(super) fn lend(body: Body) -> (Body, Option<Lender>) {
    if body.is_end_stream() {
        return (body, None);
    }
    let lender = Lender::default();
    let leftover = Some(Leftover { body, begun: false });
    (
        Body::new(Lent {
            leftover,
            lender: lender.clone(),
        }),
        Some(lender),
    )
}

impl Lender {
    /// What is left, once the body was dropped.
    pub(super) fn take(&self) -> Option<Leftover> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct Lent {
    leftover: Option<Leftover>,
    lender: Lender,
}

impl http_body::Body for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(leftover) = &mut self.leftover else {
            return Poll::Ready(None);
        };
        leftover.begun = true;
        let polled = Pin::new(&mut leftover.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None | Some(Err(_)))) {
            self.leftover = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.leftover
            .as_ref()
            .is_none_or(|leftover| leftover.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let hint = |leftover: &Leftover| leftover.body.size_hint();
        self.leftover
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), hint)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some(leftover) = self
            .leftover
            .take()
            .filter(|left| !left.body.is_end_stream())
        {
            *self.lender.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(leftover);
        }
    }
}
