//! The HTTP edge: sockets, and the steps that every request passes before and after the API.
//!
//! [`serve()`] accepts connections and hands their requests to a [`Handler`]. For the API that is an
//! [`Edge`] around the generated service; for operators it is [`Admin`], on a separate address. The
//! edge gives a request its id, logs and measures it, answers CORS preflights, limits the number and
//! the time of requests in flight, and drains unread bodies.
//!
//! It depends on no operation and builds no body: its own responses ([`EdgeError`]) are made by a
//! function that it is given, so that the contract's error format is in one place.
//!
//! Limits of a client:
//!
//! | limit | setting, default | module | beyond it |
//! |---|---|---|---|
//! | open connections | `max-connections`, 4096 | `serve` | wait in the kernel's queue |
//! | open connections of a network | `max-connections-per-network`, a quarter of those | `network_connections` | closed at once |
//! | size of a request's head | 32 KiB, 100 fields | `connection` | bare 431 or 414, closed |
//! | time for a request's head, idleness | `head-timeout`, 10 s | `connection` | closed |
//! | time until a client reads again | `head-timeout`, 10 s | `connection` | closed |
//! | requests in flight | `max-in-flight`, 1024 | `in_flight` | 503 |
//! | time for the API, a body's arrival included | `request-timeout`, 10 s | `edge` | 503 |
//! | size of a body | `max-body`, 64 KiB | the generated service | 413 |
//! | unread rest of a body | 8 MiB, 5 s | `drain` | closed |
//! | time for requests after a shutdown | `shutdown-timeout`, 25 s | `serve` | cut off |
//!
//! A head that hyper cannot read gets a bare 400, before any code of this crate runs.

mod access_line;
mod admin;
mod connection;
mod cors;
mod drain;
mod edge;
mod in_flight;
mod logging;
mod metrics;
mod network_connections;
mod record;
mod request_context;
mod request_id;
mod serve;
mod shutdown;

pub use admin::Admin;
pub use edge::{Edge, EdgeError, EdgeOptions};
pub use logging::{
    LogFilter, LogFilterError, LogFormat, LoggingError, flush_log, init_logging, set_log_filter,
};
pub use metrics::{Metrics, MetricsError};
pub use network_connections::NetworkConnections;
pub use request_context::{OperationId, RequestContext, Target, request_span};
pub use request_id::RequestId;
pub use serve::{ConnectionLimits, Handler, Served, listen, serve};
pub use shutdown::{Shutdown, Signals};

#[cfg(test)]
mod tests;
