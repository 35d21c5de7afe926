//! The edge: sockets, and what every request passes before and after the API itself.
//!
//! [`serve`] accepts connections and hands their requests to a [`Respond`]. For the API that is an
//! [`Edge`] around the generated service; for operators it is [`Admin`], on a separate address. The
//! edge gives a request its id, logs and measures it, answers CORS preflights, bounds how many are
//! in flight and for how long, and drains bodies that nobody read.
//!
//! It knows no operation and builds no body: the answers that it must give itself ([`Fault`]) are
//! worded by a function that it is handed, so that the contract's shapes have one author.
//!
//! Below all this, hyper itself answers a request head that it cannot read with a bare 400 (or 431
//! above 32 KiB or 100 headers, or 414) and closes the connection; no code of ours runs for those.

mod access_line;
mod admin;
mod connections;
mod cors;
mod drain;
mod edge;
mod head_timer;
mod logging;
mod metrics;
mod network_connections;
mod periodic;
mod record;
mod request_context;
mod request_id;
mod series;
mod shutdown;

pub use admin::Admin;
pub use connections::{ConnectionLimits, Respond, Served, listen, serve};
pub use edge::{Edge, EdgeOptions, Fault};
pub use logging::{
    LogFilter, LogFilterError, LogFormat, LoggingError, flush_log, init_logging, set_log_filter,
};
pub use metrics::{Metrics, MetricsError};
pub use periodic::every;
pub use request_context::{OperationId, RequestContext, Target, request_span};
pub use request_id::RequestId;
pub use shutdown::{Shutdown, Signals};

#[cfg(test)]
mod tests;
