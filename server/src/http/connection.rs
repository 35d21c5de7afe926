//! One HTTP/1.1 connection with its time limits.
//!
//! `--head-timeout`, 10 s by default, limits the time for a request's head, the time that a connection
//! may be idle, and the time that a write may wait for a client that does not read. A changed value
//! applies to connections that are accepted after the reload. A head has at most [`MAX_HEAD`] bytes
//! and, in hyper, 100 fields.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::Request;
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::net::TcpStream;
use tokio_io_timeout::TimeoutStream;

use super::serve::Handler;

/// The longest request head, in bytes; a longer one is answered with 431.
const MAX_HEAD: usize = 32 * 1024;

/// Serves the requests of `stream` until either side closes it.
pub(super) fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    handler: impl Handler,
    head_timeout: Duration,
) -> impl GracefulConnection + Send {
    // Without this, small answers wait for acknowledgements; failing to set it costs just that.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(head_timeout));
    // Shared by the requests of this connection only, so that they do not contend with other
    // connections for the reference count.
    let handler = Arc::new(handler);
    let service = service_fn(move |request: Request<Incoming>| {
        let handler = Arc::clone(&handler);
        async move { Ok::<_, Infallible>(handler.handle(peer, request.map(body)).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head_timeout)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
}

/// The body of a request. Most requests have none, and then no body is allocated.
fn body(incoming: Incoming) -> Body {
    if incoming.is_end_stream() {
        Body::empty()
    } else {
        Body::new(incoming)
    }
}
