//! The activity of one connection, and its idleness.
//!
//! A connection whose request body does not arrive is idle, like one whose next request does not: while all
//! connections are taken, another takes its place.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use hyper::body::Incoming;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::AbortHandle;

use crate::limits::Network;

/// How long a body is waited for before its connection counts as idle.
const BODY_PATIENCE: Duration = Duration::from_millis(500);

/// The activity of one connection.
pub(super) struct Activity {
    /// The network of its client.
    pub(super) network: Network,
    /// Whether its client is a trusted proxy, which sends the requests of many clients.
    is_proxy: bool,
    opened: Instant,
    /// The last time that the client sent or read something, in milliseconds since it was opened.
    moved: AtomicU64,
    is_answering: AtomicBool,
    /// Since when a body is waited for, in milliseconds since the connection was opened; 0 while none is.
    awaits_body: AtomicU64,
    /// How many of its requests were above their limit.
    rate_limited: AtomicU32,
    /// Its place among all connections, from its start until another connection takes it.
    place: Mutex<Option<OwnedSemaphorePermit>>,
    /// The task that serves it.
    task: OnceLock<AbortHandle>,
    closing: OnceLock<&'static str>,
}

/// A request of the connection that is being answered until this is dropped.
pub(super) struct Answering<'a>(&'a Activity);

impl Activity {
    /// The activity of a connection that was opened now.
    pub(super) fn new(network: Network, is_proxy: bool) -> Self {
        Self {
            network,
            is_proxy,
            opened: Instant::now(),
            moved: AtomicU64::new(0),
            is_answering: AtomicBool::new(false),
            awaits_body: AtomicU64::new(0),
            rate_limited: AtomicU32::new(0),
            place: Mutex::new(None),
            task: OnceLock::new(),
            closing: OnceLock::new(),
        }
    }

    /// Notes that the client has sent or read something.
    pub(super) fn note_move(&self) {
        self.moved.store(self.age(), Ordering::Relaxed);
    }

    /// Notes that a request is being answered.
    pub(super) fn answering(&self) -> Answering<'_> {
        // The rest of an earlier body may have been discarded meanwhile.
        self.end_body();
        self.is_answering.store(true, Ordering::Relaxed);
        Answering(self)
    }

    /// Notes that a part of the request's body is waited for.
    pub(super) fn await_body(&self) {
        let now = self.age().max(1);
        let (set, fetch) = (Ordering::Relaxed, Ordering::Relaxed);
        // However often its client sends a byte, the wait began with the first.
        let _ = self.awaits_body.compare_exchange(0, now, set, fetch);
    }

    /// Notes that the whole body is there, or that it never will be.
    pub(super) fn end_body(&self) {
        self.awaits_body.store(0, Ordering::Relaxed);
    }

    /// For how long the connection has been idle; `None` while a request is being answered whose body is
    /// there or has not been waited for longer than [`BODY_PATIENCE`], and before the connection is served.
    pub(super) fn idle(&self) -> Option<Duration> {
        if self.task.get().is_none() || self.place().is_none() {
            return None;
        }
        if !self.is_answering.load(Ordering::Relaxed) {
            return Some(self.since(self.moved.load(Ordering::Relaxed)));
        }
        match self.awaits_body.load(Ordering::Relaxed) {
            0 => None,
            began => Some(self.since(began)).filter(|wait| *wait >= BODY_PATIENCE),
        }
    }

    /// How long ago a number of milliseconds had passed since the connection was opened.
    fn since(&self, age: u64) -> Duration {
        Duration::from_millis(self.age().saturating_sub(age))
    }

    /// Notes an answer 429, and returns whether it is the last one, since there have been `max` of them.
    /// A proxy's connection may have any number.
    pub(super) fn is_last_refusal(&self, max: u32) -> bool {
        let before = self.rate_limited.fetch_add(1, Ordering::Relaxed);
        let is_last = !self.is_proxy && before.saturating_add(1) >= max;
        if is_last {
            self.closes_for("rate limited");
        }
        is_last
    }

    /// Names the task that serves the connection.
    pub(super) fn served_by(&self, task: AbortHandle) {
        let _ = self.task.set(task);
    }

    /// Gives the connection its place.
    pub(super) fn take(&self, place: OwnedSemaphorePermit) {
        *self.place() = Some(place);
    }

    /// Ends the task, and frees the place.
    pub(super) fn close(&self) -> Option<OwnedSemaphorePermit> {
        self.closes_for("longest idle");
        self.task.get()?.abort();
        self.place().take()
    }

    fn place(&self) -> MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes why the server closes the connection.
    pub(super) fn closes_for(&self, reason: &'static str) {
        let _ = self.closing.set(reason);
    }

    /// Why the server closes the connection, if it does for one of the reasons that are counted.
    pub(super) fn closing(&self) -> Option<&'static str> {
        self.closing.get().copied()
    }

    fn age(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        // The idleness that counts begins with the answer.
        self.0.note_move();
        self.0.end_body();
        self.0.is_answering.store(false, Ordering::Relaxed);
    }
}

/// A request's body that reports to its connection while it is awaited.
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
