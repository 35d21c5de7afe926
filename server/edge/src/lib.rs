//! Everything around a request that knows no operation and no SQL.
//!
//! [`http`] accepts connections, limits them, and gives every request its id, its client's address, its log line and
//! its metrics. [`limits`] counts requests, in memory or in Redis. [`http_client`] sends the server's own requests.

#![allow(missing_docs)]

pub mod clock;
pub mod http;
pub mod http_client;
pub mod limits;
pub mod periodic;
pub mod reloadable;
