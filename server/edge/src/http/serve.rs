//! Accepting connections, and ending them at a shutdown.
//!
//! [`Connections`] limits how many are open. After a shutdown was requested, `--drain-delay` (0 s) passes before
//! the listener closes, and `--shutdown-timeout` (25 s) before requests in flight are cut off.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::Request;
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::connection::connection;
use super::connections::Connections;
use super::shutdown::Shutdown;
use crate::reloadable::Reloadable;

/// The pause when the process is out of descriptors or memory.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The length of the kernel's queue of connections, if it allows as many. Further clients must try
/// again, at intervals of seconds.
const BACKLOG: u32 = 4096;

/// The time between the end of accepting and the close of idle connections: a request that was sent before arrives.
const LAST_REQUESTS: Duration = Duration::from_millis(100);

/// The bytes of answers that the kernel takes of a connection until its client reads. The kernel's own
/// choice may be megabytes, which would hide for how long a client does not read, and cost as much memory.
const SEND_BUFFER: u32 = 32 << 10;

/// Answers requests.
pub trait Handler: Clone + Send + Sync + 'static {
    /// Answers one request that arrived from `peer`. The future is dropped if the peer hangs up.
    fn handle(
        &self,
        peer: SocketAddr,
        request: Request<Body>,
    ) -> impl Future<Output = Response> + Send;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// The maximum number of open connections of each listener. It does not change while connections are
    /// accepted.
    pub max_connections: usize,
    /// How long a new connection may wait for a place, a request head may take, a connection may be
    /// idle, and the server waits for a client to read.
    pub head_timeout: Duration,
    /// The number of bytes that a client must read in a second once it has kept the server waiting for
    /// that long.
    pub min_throughput: u32,
    /// The number of answers 429 after which a connection is closed, unless it is a trusted proxy's.
    pub max_refusals: u32,
    /// How long connections are still accepted after a shutdown was requested, so that a load balancer
    /// can see the readiness fail before connections do.
    pub drain_delay: Duration,
    /// How long requests in flight may then take before they are cut off.
    pub shutdown_timeout: Duration,
}

/// The end of serving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Served {
    /// Every connection was closed in its turn.
    ToTheEnd,
    /// The deadline passed; that many connections were cut off.
    CutOff(usize),
}

/// Listens on an address, even if an earlier process has listened on it a moment ago.
///
/// # Errors
/// When the system does not allow it.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Serves HTTP/1.1 on `listener` until a shutdown was requested and the connections have ended.
///
/// Must run on a Tokio runtime with time and I/O enabled. A failing connection ends alone. Changed
/// `limits` apply to later connections.
pub async fn serve(
    listener: TcpListener,
    handler: impl Handler,
    limits: Reloadable<ConnectionLimits>,
    connections: Connections,
    shutdown: Shutdown,
) -> Served {
    let graceful = GracefulShutdown::new();
    let mut tasks = JoinSet::new();
    let stop = async {
        shutdown.requested().await;
        let delay = limits.get().drain_delay;
        sleep(delay).await;
    };
    tokio::pin!(stop);
    let begin = |stream: TcpStream, peer: SocketAddr, tasks: &mut JoinSet<()>| {
        let Some(open) = connections.open(peer.ip()) else {
            return;
        };
        // Places are given in the order of accepting; only the wait for one is each connection's own.
        let has_place = open.find_place();
        let activity = Arc::clone(&open.activity);
        let (handler, limits) = (handler.clone(), **limits.get());
        let shutdown = shutdown.clone();
        let watcher = graceful.watcher();
        let task = tasks.spawn(async move {
            if has_place || open.wait_for_place(limits.head_timeout).await {
                let activity = Arc::clone(&open.activity);
                let connection = connection(stream, peer, handler, limits, activity, shutdown);
                // The peer has caused the error and knows of it.
                let _ = watcher.watch(connection).await;
            }
        });
        activity.served_by(task);
    };
    loop {
        tokio::select! {
            () = &mut stop => break,
            Some(_) = tasks.join_next() => {}
            accepted = accept(&listener) => if let Some((stream, peer)) = accepted {
                begin(stream, peer, &mut tasks);
            },
        }
    }
    for (stream, peer) in queued(listener) {
        begin(stream, peer, &mut tasks);
    }
    connections.close_waiting();
    if !tasks.is_empty() {
        // Requests that clients have sent arrive, and are served.
        sleep(LAST_REQUESTS).await;
    }
    let all_ended = async {
        graceful.shutdown().await;
        while tasks.join_next().await.is_some() {}
    };
    let deadline = limits.get().shutdown_timeout;
    match timeout(deadline, all_ended).await {
        Ok(()) => Served::ToTheEnd,
        Err(_) => {
            while tasks.try_join_next().is_some() {}
            Served::CutOff(tasks.len())
        }
    }
}

/// Closes the listener; returns the connections that the kernel has accepted. It would reset them, and a proxy cannot
/// know whether their requests were served.
fn queued(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else {
        return Vec::new();
    };
    // It does not block: the first error is that the queue is empty.
    let queued = std::iter::from_fn(|| listener.accept().ok());
    let connections = queued.filter_map(|(stream, peer)| {
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    });
    connections.collect()
}

/// Waits for a connection. `None` if that one failed.
async fn accept(listener: &TcpListener) -> Option<(TcpStream, SocketAddr)> {
    match listener.accept().await {
        Ok(accepted) => Some(accepted),
        Err(error) => {
            if !is_peers_doing(&error) {
                tracing::error!(%error, "cannot accept connections");
                sleep(ACCEPT_PAUSE).await;
            }
            None
        }
    }
}

/// Whether only the connection that was about to be accepted is lost.
fn is_peers_doing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_out_of_descriptors_is_not_the_peers_doing() {
        const EMFILE: i32 = 24;
        assert!(!is_peers_doing(&io::Error::from_raw_os_error(EMFILE)));
        assert!(is_peers_doing(&io::ErrorKind::ConnectionAborted.into()));
    }
}
