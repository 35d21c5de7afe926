//! Reading the rest of a refused request's body.
//!
//! A client that is still writing its body when the answer comes, and finds the connection closed,
//! loses the answer: its system throws unread input away when a write fails. So the rest of a body
//! that the API leaves unread is read and dropped while the answer is on its way: at most 8 MiB, for
//! at most 5 s.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use http::{HeaderMap, Request, header};
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use tokio::time::timeout;

/// The most that is read after the answer; a client that sends more may lose it.
const MAX_DRAINED: usize = 8 * 1024 * 1024;
/// How long that may take.
const DRAIN_DEADLINE: Duration = Duration::from_secs(5);

/// The body of a request, to be drained if the API does not read it to its end.
pub(super) struct Unread {
    body: Arc<Mutex<State>>,
    awaits_permission: bool,
}

#[derive(Default)]
struct State {
    /// The body until its end was seen.
    rest: Option<Body>,
    touched: bool,
}

/// Lends the body of `request` to the code that answers it. One without a body gives nothing to drain.
pub(super) fn lend(request: Request<Body>) -> (Request<Body>, Option<Unread>) {
    if request.body().is_end_stream() {
        return (request, None);
    }
    let awaits_permission = awaits_permission(request.headers());
    let (parts, body) = request.into_parts();
    let state = Arc::new(Mutex::new(State {
        rest: Some(body),
        touched: false,
    }));
    let lent = Body::new(Lent(Arc::clone(&state)));
    let unread = Unread {
        body: state,
        awaits_permission,
    };
    (Request::from_parts(parts, lent), Some(unread))
}

impl Unread {
    /// Takes the body back, and reads and drops the rest of it in a task of its own.
    ///
    /// Nothing is read from a client that waits for `100 Continue` before it sends its body: the
    /// answer tells it not to.
    pub(super) fn drain(self) {
        let mut state = self.body.lock().unwrap_or_else(PoisonError::into_inner);
        let unasked = self.awaits_permission && !state.touched;
        if let Some(rest) = state.rest.take()
            && !rest.is_end_stream()
            && !unasked
        {
            tokio::spawn(timeout(DRAIN_DEADLINE, discard(rest)));
        }
    }
}

async fn discard(mut body: Body) {
    let mut read = 0;
    while let Some(Ok(frame)) = body.frame().await
        && read < MAX_DRAINED
    {
        read += frame.data_ref().map_or(0, Bytes::len);
    }
}

fn awaits_permission(headers: &HeaderMap) -> bool {
    headers
        .get(header::EXPECT)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"))
}

/// The body on loan. It ends with an error once it was taken back.
struct Lent(Arc<Mutex<State>>);

#[derive(Debug, thiserror::Error)]
#[error("the request was already answered")]
struct Answered;

impl http_body::Body for Lent {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.touched = true;
        match &mut state.rest {
            Some(body) => Pin::new(body).poll_frame(cx),
            None => Poll::Ready(Some(Err(axum::Error::new(Answered)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.rest.as_ref().is_some_and(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .rest
            .as_ref()
            .map_or_else(SizeHint::default, |rest| rest.size_hint())
    }
}
