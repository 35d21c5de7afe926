//! Reads and discards the part of a request's body that the API has not read.
//!
//! At most 8 MiB are read, for at most 5 s, while the response is being sent. A client that is still
//! sending its body when the connection is closed loses the response, because its system discards
//! unread input when a write fails.

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

use super::in_flight::{BodyWait, InFlight};

/// The maximum number of bytes that are discarded; a client that sends more may lose the response.
const MAX_DRAINED: usize = 8 * 1024 * 1024;
/// The time limit of discarding a body.
const DRAIN_DEADLINE: Duration = Duration::from_secs(5);

/// The body of a request, shared with the API, whose unread rest can be discarded.
pub(super) struct Unread {
    body: Arc<Mutex<State>>,
    /// Whether the client waits for `100 Continue` before it sends the body.
    awaits_permission: bool,
}

#[derive(Default)]
struct State {
    /// The body, until it is taken to be discarded.
    rest: Option<Body>,
    /// Whether the API has begun to read it.
    polled: bool,
}

/// Replaces the body of `request` by a [`SharedBody`], whose rest [`Unread::drain`] discards. `None` for
/// a request without a body.
pub(super) fn share_body(
    request: Request<Body>,
    in_flight: &Arc<InFlight>,
) -> (Request<Body>, Option<Unread>) {
    if request.body().is_end_stream() {
        return (request, None);
    }
    let awaits_permission = awaits_permission(request.headers());
    let (parts, body) = request.into_parts();
    let state = Arc::new(Mutex::new(State {
        rest: Some(body),
        polled: false,
    }));
    let shared = Body::new(SharedBody {
        state: Arc::clone(&state),
        in_flight: Arc::clone(in_flight),
        wait: None,
    });
    let unread = Unread {
        body: state,
        awaits_permission,
    };
    (Request::from_parts(parts, shared), Some(unread))
}

impl Unread {
    /// Takes the body from the API, and reads and discards its rest in a task of its own.
    ///
    /// Nothing is read from a client that waits for `100 Continue` before it sends its body: the response
    /// tells it not to.
    pub(super) fn drain(self) {
        let mut state = self.body.lock().unwrap_or_else(PoisonError::into_inner);
        let unsent = self.awaits_permission && !state.polled;
        if let Some(rest) = state.rest.take()
            && !rest.is_end_stream()
            && !unsent
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

/// The body that the API reads. It ends with an error once [`Unread::drain`] has taken it.
struct SharedBody {
    state: Arc<Mutex<State>>,
    in_flight: Arc<InFlight>,
    /// Frees the request's place while the client has not sent the part that the API reads next.
    wait: Option<BodyWait>,
}

#[derive(Debug, thiserror::Error)]
#[error("the request was already answered")]
struct Answered;

impl http_body::Body for SharedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let mut state = this.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.polled = true;
        let frame = match &mut state.rest {
            Some(body) => Pin::new(body).poll_frame(cx),
            None => Poll::Ready(Some(Err(axum::Error::new(Answered)))),
        };
        if frame.is_ready() {
            this.wait = None;
        } else if this.wait.is_none() {
            this.wait = Some(BodyWait::begin(&this.in_flight));
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.rest.as_ref().is_some_and(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .rest
            .as_ref()
            .map_or_else(SizeHint::default, |rest| rest.size_hint())
    }
}
