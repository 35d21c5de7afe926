//! A connection whose client must read its answers at a minimum rate.
//!
//! Only the time counts for which the server cannot write because the client has not read. A client has
//! `head-timeout` of it, 10 s, and buys it back, up to that again, at `min-throughput`: with the default,
//! 3000 bytes are a second. So a client that reads nothing is cut off after 10 s, one that reads 2 kB/s
//! after 30 s, and one that reads 3 kB/s or more never is, however long its answer.
//!
//! 3 kB/s is less than a mobile connection that is throttled to 32 kbit/s carries. It reads the largest
//! answer, the reference's script of 3.5 MB (compressed 1.3 MB), in a quarter of an hour (in 6 minutes).

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use super::activity::Activity;

/// The minimum rate of reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// How long the server waits in vain for a client to read.
    pub(super) timeout: Duration,
    /// The number of bytes that a client must read in a second from then on.
    pub(super) min_throughput: u32,
}

/// A stream that fails to write once its client reads too slowly.
pub(super) struct PacedStream {
    stream: TcpStream,
    pace: Pace,
    activity: Arc<Activity>,
    /// For how much longer the client may keep the server waiting.
    remaining: Duration,
    /// Since when it does.
    blocked: Option<Instant>,
    /// The end of that time, if the client ever kept the server waiting.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl PacedStream {
    /// Holds the client of `stream` to `pace`, and notes in `activity` when it sends or reads.
    pub(super) fn new(stream: TcpStream, pace: Pace, activity: Arc<Activity>) -> Self {
        Self {
            stream,
            pace,
            activity,
            remaining: pace.timeout,
            blocked: None,
            deadline: None,
        }
    }

    /// Follows up on an attempt to write.
    fn wrote(
        &mut self,
        cx: &mut Context<'_>,
        attempt: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match attempt {
            Poll::Pending => self.wait(cx),
            Poll::Ready(Ok(written)) => {
                self.activity.note_move();
                if let Some(since) = self.blocked.take() {
                    self.settle(since.elapsed(), written);
                }
                Poll::Ready(Ok(written))
            }
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }

    fn wait(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let since = *self.blocked.get_or_insert_with(Instant::now);
        let end = since + self.remaining;
        let deadline = self
            .deadline
            .get_or_insert_with(|| Box::pin(sleep_until(end)));
        if deadline.deadline() != end {
            deadline.as_mut().reset(end);
        }
        ready!(deadline.as_mut().poll(cx));
        self.activity.closes_for("slow reader");
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Takes the time of waiting from the remaining time, and adds the time that the bytes read are worth.
    fn settle(&mut self, waited: Duration, written: usize) {
        let rate = f64::from(self.pace.min_throughput.max(1));
        let earned = Duration::from_secs_f64(written as f64 / rate);
        let left = self.remaining.saturating_sub(waited);
        self.remaining = left.saturating_add(earned).min(self.pace.timeout);
    }
}

impl AsyncRead for PacedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.stream).poll_read(cx, buffer));
        self.activity.note_move();
        Poll::Ready(read)
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wrote(cx, attempt)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let attempt = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.wrote(cx, attempt)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
