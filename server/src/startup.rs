//! A whole server: listeners, edge, operations and maintenance, started together and stopped
//! together.

#[cfg(not(feature = "console"))]
#[path = "startup/api_alone.rs"]
mod console;
#[cfg(feature = "console")]
mod console;
mod limiter;
mod live_config;
mod maintenance;
mod occupancy;
mod process_metrics;
mod shared_state;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

pub use self::console::{Console, ConsoleError};
use crate::config::Config;
use db::{Db, DbError};
use edge::clock::Clock;
use edge::http::{self, MetricsError, Served, Shutdown};
use edge::limits::shared::RedisError;
use features::webhooks::secret::SecretKeysError;
pub use live_config::LiveConfig;
use shared_state::{ADMIN, SharedState};

/// How long a stop waits for the emails and deliveries that are being sent.
const LAST_MAIL: Duration = Duration::from_secs(5);

/// A server that is listening.
pub struct Server {
    /// The address of the API.
    pub api: SocketAddr,
    /// The address of liveness, readiness and metrics.
    pub admin: SocketAddr,
    /// The URL of the dashboard, if it has one.
    pub dashboard: Option<String>,
    serving: JoinHandle<Served>,
    /// The sending of mails, which ends by itself at a shutdown.
    sending: JoinSet<()>,
    helpers: JoinSet<()>,
    state: SharedState,
}

/// The reason why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Store(#[from] DbError),
    /// An address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        address: SocketAddr,
        source: io::Error,
    },
    /// The console lacks a setting.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// Redis cannot be used, whether it is there or not.
    #[error("cannot share rate limits")]
    Limits(#[from] RedisError),
    /// The nodes of chains cannot be asked by TLS.
    #[error("cannot use the nodes of --chain-rpc")]
    Rpc(#[from] tls::TlsError),
    /// The keys that encrypt the secrets of webhooks cannot be read.
    #[error(transparent)]
    WebhookKeys(#[from] SecretKeysError),
    /// Metrics cannot be recorded.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
}

impl Server {
    /// Starts to serve. Must run on a Tokio runtime with time and I/O enabled.
    ///
    /// # Errors
    /// When the database cannot be read or an address cannot be listened on.
    pub async fn start(
        config: &Config,
        store: Db,
        clock: Arc<dyn Clock>,
    ) -> Result<Server, StartError> {
        let listener = listen(config.listen)?;
        let admin_listener = listen(config.admin_listen)?;
        let addresses = (address(&listener)?, address(&admin_listener)?);
        let state = SharedState::load(config, store, clock, addresses.0).await?;
        let console = self::console::open(&state, config)?;
        // The first request already finds Redis. A server that does not start is not counted there.
        state.api.maintain().await;
        let edge = state.edge(config, &console);
        let serving = state.serve("api", listener, edge, state.shutdown.clone());
        // Operators are answered until the last request is: only `finished` stops this.
        let admin = state.serve(ADMIN, admin_listener, state.admin(), Shutdown::default());
        let mut helpers = state.maintain(config, &console);
        helpers.spawn(admin.map(drop));
        let mut sending = JoinSet::new();
        console.maintain(&mut helpers, &mut sending, &state.shutdown);
        if let Some(deliverer) = state.deliverer() {
            helpers.spawn(Arc::clone(&deliverer).maintain());
            sending.spawn(deliverer.run(state.shutdown.clone()));
        }
        Ok(Server {
            api: addresses.0,
            admin: addresses.1,
            dashboard: console.dashboard_url(),
            serving: tokio::spawn(serving),
            sending,
            helpers,
            state,
        })
    }

    /// The request to stop this server.
    pub fn shutdown(&self) -> &Shutdown {
        &self.state.shutdown
    }

    /// The part of the configuration that can change while the server serves.
    pub fn config(&self) -> &LiveConfig {
        &self.state.live
    }

    /// Waits until a requested shutdown is complete; the database is closed then.
    pub async fn finished(mut self) -> Served {
        let served = self.serving.await.unwrap_or(Served::CutOff(0));
        // A mail or delivery that is being sent is finished, or sent again by the next process.
        let all_sent = async { while self.sending.join_next().await.is_some() {} };
        // Those that are late are ended below.
        let _ = timeout(LAST_MAIL, all_sent).await;
        self.sending.shutdown().await;
        self.helpers.shutdown().await;
        self.state.close().await;
        served
    }
}

fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
    http::listen(address).map_err(|source| StartError::Listen { address, source })
}

fn address(listener: &TcpListener) -> Result<SocketAddr, StartError> {
    let unspecified = SocketAddr::from(([0, 0, 0, 0], 0));
    listener.local_addr().map_err(|source| StartError::Listen {
        address: unspecified,
        source,
    })
}
