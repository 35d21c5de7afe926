//! Weather stations: everything that OpenAPI 3.2 added to 3.1, in one service.

mod access;
mod alerts;
mod network;
mod readings;
mod refusals;
mod reports;
mod stations;

use stations_api::runtime::Service;
use stations_api::service::{Dispatcher, service};
use stations_api::{HandlerError, Host};
use std::sync::Arc;
use tokio::sync::broadcast;

use alerts::Alert;
use network::Network;

/// The tokens and keys that are accepted.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The token of an observer, who reads and writes.
    pub observer: String,
    /// The token of a display, which only reads.
    pub display: String,
    /// The key of a station.
    pub station_key: String,
}

/// The state that all requests share.
pub struct App {
    credentials: Credentials,
    network: Network,
    alerts: broadcast::Sender<Alert>,
}

impl Host for App {
    type Context = ();
    type Error = HandlerError;
}

/// The contract as a service to mount.
pub fn app(credentials: Credentials) -> Service<Dispatcher<App>> {
    let app = App {
        credentials,
        network: Network::default(),
        alerts: broadcast::channel(64).0,
    };
    service(Arc::new(app), Default::default())
}
