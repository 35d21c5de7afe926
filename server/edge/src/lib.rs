//! Everything around a request that knows no operation and no SQL.
//!
//! [`http`] accepts connections, limits them, and gives every request its id, its client's address, its log line and
//! its metrics. [`limits`] counts requests, in memory or in Redis. [`tls`] verifies the servers that this process
//! connects to, and [`http_client`] sends them requests.

pub mod clock;
pub mod http;
pub mod http_client;
pub mod limits;
pub mod reloadable;
pub mod tls;
