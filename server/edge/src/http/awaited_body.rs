//! A request's body that tells its connection while it is waited for.
//!
//! A connection whose body does not come is idle as one whose next request does not: while all connections
//! are taken, another takes its place.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;

use super::activity::Activity;

/// The body, and the activity of its connection.
pub(super) struct AwaitedBody {
    body: Incoming,
    activity: Arc<Activity>,
}

impl AwaitedBody {
    pub(super) fn new(body: Incoming, activity: Arc<Activity>) -> Self {
        Self { body, activity }
    }
}

impl Body for AwaitedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        match &frame {
            Poll::Pending => self.activity.await_body(),
            Poll::Ready(Some(Ok(_))) if !self.body.is_end_stream() => {}
            Poll::Ready(_) => self.activity.end_body(),
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
