//! The HTTP edge: sockets, and the steps that every request passes before and after the API.
//!
//! [`serve()`] accepts connections and hands their requests to a [`Handler`]. For the API that is an
//! [`Edge`] around the generated service; for operators it is [`Admin`], on a separate address. The
//! edge gives a request its id, logs and measures it, answers CORS preflights, limits the number and
//! the time of requests in flight, and drains unread bodies.
//!
//! [`Compressed`], around the service itself, compresses long public answers for those who ask for that.
//!
//! It depends on no operation and builds no body: its own responses ([`EdgeError`]) are made by a
//! function that it is given, so that the contract's error format is in one place.
//!
//! Limits of a client:
//!
//! | limit | setting, default | module | beyond it |
//! |---|---|---|---|
//! | open connections | `max-connections`, 4096 | `connections` | the longest idle one is closed, or they wait for `head-timeout` |
//! | of an address or /64, of a /48 | `max-connections-per-network`, `-per-48` | `connections` | closed at once |
//! | answers 429 of a connection | `max-refusals`, 8 | `connection` | closed |
//! | size of a request's head | 32 KiB, 100 fields | `connection` | bare 431 or 414, closed |
//! | time for a request's head, idleness | `head-timeout`, 10 s | `connection` | closed |
//! | rate of reading answers | `min-throughput`, 3000 bytes a second | `paced_stream` | closed |
//! | requests in flight | `max-in-flight`, 1024 | `in_flight` | 503 |
//! | of a caller with a key, or of a network | `max-in-flight-per-caller`, 64 | `limits/concurrency` | 503 |
//! | time for the API, a body's arrival included | `request-timeout`, 10 s | `edge` | 503 |
//! | size of a body | `max-body`, 64 KiB | the generated service | 413 |
//! | unread rest of a body | 8 MiB, 5 s | `drain` | closed |
//! | time for requests after a shutdown | `shutdown-timeout`, 25 s | `serve` | cut off |
//!
//! A head that hyper cannot read gets its bare 400, which `bare_answers` gives the headers of every error; one
//! that `head` refuses gets the same.

pub mod accept;
mod access_line;
mod activity;
mod admin;
mod bare_answers;
mod client_address;
mod compressed;
mod connection;
mod connections;
mod cors;
mod drain;
mod edge;
mod head;
mod in_flight;
mod logging;
mod metrics;
mod paced_stream;
mod rate_headers;
mod record;
mod request_context;
mod request_id;
mod response_headers;
mod serve;
mod shutdown;

use ::http::HeaderName;

pub use access_line::{LoggedClients, set_logged_clients};
pub use admin::Admin;
pub use client_address::{ProxyNetwork, ProxyNetworkError, TrustedProxies};
pub use compressed::{Compressed, gzip};
pub use connections::Connections;
pub use edge::{Edge, EdgeError, EdgeOptions};
pub use logging::{
    LogFilter, LogFilterError, LogFormat, LoggingError, flush_log, init_logging, set_log_filter,
};
pub use metrics::{Metrics, MetricsError};
pub use rate_headers::RateHeaders;
pub use record::{AnsweredRequest, ErrorCode};
pub use request_context::{
    Admission, Caller, OperationId, Outcome, RequestContext, Target, request_span,
};
pub use request_id::RequestId;
pub use serve::{ConnectionLimits, Handler, Served, listen, serve};
pub use shutdown::{Shutdown, Signals};

/// The header that carries a key.
pub(crate) const KEY_HEADER: HeaderName = HeaderName::from_static("service-api-key");

#[cfg(test)]
mod tests;
