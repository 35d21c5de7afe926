//! Opens and configures connections to PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Client, Config, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::explain;
use crate::database::{PostgresUrl, StoreError, TimeoutClass};

/// The maximum number of connections. A statement takes a fraction of a millisecond, so that these
/// serve thousands of requests a second; several replicas share the server's own limit, which is 100 by
/// default.
const CONNECTIONS: usize = 16;

/// The number of connections that may write at a time. Writers wait for each other, and readers must
/// not wait for them.
const WRITERS: usize = 8;

/// The maximum time that a request waits for a connection.
const WAIT: Duration = Duration::from_millis(500);

/// The time limit of opening a connection for a request; shared by all hosts of the URL.
const OPEN: Duration = Duration::from_secs(2);

/// The time limit of opening the first connection, when a program starts.
const OPEN_FIRST: Duration = Duration::from_secs(10);

/// The TCP keepalive time: the silence after which a host is probed.
const SILENCE: Duration = Duration::from_secs(15);

/// The time after which the server ends an idle transaction, whose replica hangs and holds locks that
/// others wait for.
const IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// A database with its connection settings.
pub(crate) struct Peer {
    config: Config,
    /// `None` for connections without TLS, in accordance with the configuration.
    tls: Option<MakeRustlsConnect>,
}

impl Peer {
    /// The settings of the database at `url`, without connecting. Reads the files that the URL names.
    pub(crate) fn at(url: &PostgresUrl) -> Result<Peer, StoreError> {
        let unusable = |error: crate::tls::TlsError| StoreError::Unavailable(error.to_string());
        let tls = url.tls().map(|trust| trust.client()).transpose();
        Ok(Peer {
            config: bounded(url.config()),
            tls: tls.map_err(unusable)?.map(MakeRustlsConnect::new),
        })
    }

    /// Opens one connection, outside of any pool. It ends when the client is dropped.
    pub(crate) async fn open(&self) -> Result<Client, StoreError> {
        let opening = async {
            match &self.tls {
                Some(tls) => open(&self.config, tls.clone()).await,
                None => open(&self.config, NoTls).await,
            }
        };
        let opened = timeout(OPEN_FIRST, opening).await;
        opened.unwrap_or_else(|_| Err(StoreError::Unavailable("it does not answer".to_owned())))
    }

    /// A pool, which opens connections on demand.
    pub(crate) fn pool(self) -> Result<Pool, StoreError> {
        let recycling = ManagerConfig {
            // A lost connection notices its loss, and one that hangs never returns to the pool.
            recycling_method: RecyclingMethod::Fast,
        };
        pool(match self.tls {
            Some(tls) => Manager::from_config(self.config, tls, recycling),
            None => Manager::from_config(self.config, NoTls, recycling),
        })
    }
}

async fn open<T>(config: &Config, tls: T) -> Result<Client, StoreError>
where
    T: MakeTlsConnect<Socket, Stream: Send + 'static, TlsConnect: TlsConnect<Socket>>,
{
    let unreachable = |error| StoreError::Unavailable(explain(&error));
    let (client, connection) = config.connect(tls).await.map_err(unreachable)?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!("a connection to the database ends: {}", explain(&error));
        }
    });
    client
        .batch_execute(&settings())
        .await
        .map_err(unreachable)?;
    Ok(client)
}

fn pool(manager: Manager) -> Result<Pool, StoreError> {
    let prepare = Hook::async_fn(|client, _| {
        Box::pin(async move {
            let settings = client.batch_execute(&settings()).await;
            settings.map_err(HookError::Backend)
        })
    });
    let pool = Pool::builder(manager)
        .max_size(CONNECTIONS)
        .wait_timeout(Some(WAIT))
        .create_timeout(Some(OPEN))
        .recycle_timeout(Some(OPEN))
        .runtime(Runtime::Tokio1)
        .post_create(prepare)
        .build();
    pool.map_err(|error| StoreError::Unavailable(error.to_string()))
}

/// The semaphore that limits the number of writers.
pub(crate) fn writers() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(WRITERS))
}

/// Waits for the right to write.
pub(crate) async fn turn(writers: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, StoreError> {
    let turn = timeout(WAIT, Arc::clone(writers).acquire_owned()).await;
    let turn = turn.ok().and_then(Result::ok);
    turn.ok_or_else(|| StoreError::Unavailable("too many are writing".to_owned()))
}

/// The configuration with network timeouts, unless the URL sets them. They detect a host that has
/// vanished, so that the next one is tried.
fn bounded(config: &Config) -> Config {
    let mut config = config.clone();
    if config.get_connect_timeout().is_none() {
        let hosts = config.get_hosts().len().max(config.get_hostaddrs().len());
        let hosts = u32::try_from(hosts.max(1)).unwrap_or(u32::MAX);
        config.connect_timeout(OPEN / hosts);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    if config.get_keepalives_interval().is_none() {
        config
            .keepalives_idle(SILENCE)
            .keepalives_interval(SILENCE / 3);
    }
    if config.get_application_name().is_none() {
        config.application_name("donation-catalog");
    }
    config
}

/// The settings of a connection, which override those of the database and the role.
fn settings() -> String {
    let statement = TimeoutClass::Request.statement();
    format!(
        "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {};
         SET default_transaction_isolation = 'read committed'",
        statement.map_or(0, |most| most.as_millis()),
        IDLE_TIMEOUT.as_millis(),
    )
}
