//! One HTTP/1.1 connection with its time limits.
//!
//! `--head-timeout`, 10 s by default, limits the time for a request's head and the time that a
//! connection may be idle; [`PacedStream`] limits the time for its answers. Changed values apply to
//! connections that are accepted after the reload. A head has at most [`MAX_HEAD`] bytes and, in hyper,
//! 100 fields.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use http::header::CONNECTION;
use http::{HeaderValue, Request, StatusCode};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulConnection;
use tokio::net::TcpStream;

use super::activity::{Activity, AwaitedBody};
use super::bare_answers::BareAnswers;
use super::paced_stream::{Pace, PacedStream};
use super::serve::{ConnectionLimits, Handler};
use super::shutdown::Shutdown;
use super::{head, response_headers};

/// The longest request head, in bytes; a longer one is answered with 431.
const MAX_HEAD: usize = 32 * 1024;

/// Serves the requests of `stream` until either side closes it. Once a shutdown is requested, each response announces the
/// close, so that a proxy sends the next request elsewhere.
pub(super) fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    handler: impl Handler,
    limits: ConnectionLimits,
    activity: Arc<Activity>,
    shutdown: Shutdown,
) -> impl GracefulConnection + Send {
    // Without this, small answers wait for acknowledgements; failing to set it costs just that.
    let _ = stream.set_nodelay(true);
    let pace = Pace {
        timeout: limits.head_timeout,
        min_throughput: limits.min_throughput,
    };
    let stream = BareAnswers::new(PacedStream::new(stream, pace, Arc::clone(&activity)));
    let max_refusals = limits.max_refusals;
    // Shared by the requests of this connection only, so that they do not contend with other
    // connections for the reference count.
    let shared = Arc::new((handler, activity, shutdown));
    let service = service_fn(move |request: Request<Incoming>| {
        let shared = Arc::clone(&shared);
        async move {
            let (handler, activity, shutdown) = &*shared;
            let _answering = activity.answering();
            let mut response = match head::refusal(&request) {
                Some(refusal) => refusal,
                None => {
                    let request = request.map(|incoming| body(incoming, activity));
                    handler.handle(peer, request).await
                }
            };
            response_headers::protect(&mut response);
            if shutdown.is_requested() || is_refused_too_often(&response, activity, max_refusals) {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service)
}

/// Whether the client goes on sending requests above its limit.
fn is_refused_too_often(response: &Response, activity: &Activity, max: u32) -> bool {
    response.status() == StatusCode::TOO_MANY_REQUESTS && activity.is_last_refusal(max)
}

/// The body of a request. Most requests have none, and then no body is allocated.
fn body(incoming: Incoming, activity: &Arc<Activity>) -> Body {
    if incoming.is_end_stream() {
        Body::empty()
    } else {
        Body::new(AwaitedBody::new(incoming, Arc::clone(activity)))
    }
}
