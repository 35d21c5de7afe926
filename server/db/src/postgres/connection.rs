//! Opens and configures connections to PostgreSQL.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Client, Config, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::explain;
use crate::{DbError, PostgresUrl, Timeouts};

/// The maximum number of connections. A statement takes a fraction of a millisecond, so that these
/// serve thousands of requests a second; several replicas share the server's own limit, which is 100 by
/// default.
pub(crate) const CONNECTIONS: usize = 16;

/// The number of connections that may write at a time. Writers wait for each other, and readers must
/// not wait for them.
const WRITERS: usize = 8;

/// The maximum time that a request waits for a connection.
pub(crate) const WAIT: Duration = Duration::from_millis(500);

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
#[derive(Clone)]
pub(crate) struct Peer {
    config: Config,
    /// `None` for connections without TLS, in accordance with the configuration.
    tls: Option<MakeRustlsConnect>,
}

impl Peer {
    /// The settings of the database at `url`, without connecting. Reads the files that the URL names.
    pub(crate) fn at(url: &PostgresUrl) -> Result<Peer, DbError> {
        let unusable = |error: tls::TlsError| DbError::Unavailable(error.to_string());
        let tls = url.tls().map(|trust| trust.client()).transpose();
        Ok(Peer {
            config: bounded(url.config()),
            tls: tls.map_err(unusable)?.map(MakeRustlsConnect::new),
        })
    }

    /// Opens a connection for a request.
    pub(crate) async fn open(&self) -> Result<(Client, JoinHandle<()>), DbError> {
        self.open_within(OPEN).await
    }

    /// Opens the first connection of a program.
    pub(crate) async fn open_first(&self) -> Result<(Client, JoinHandle<()>), DbError> {
        self.open_within(OPEN_FIRST).await
    }

    /// Opens a connection, whose task ends when the client is dropped.
    async fn open_within(&self, limit: Duration) -> Result<(Client, JoinHandle<()>), DbError> {
        let opening = async {
            match &self.tls {
                Some(tls) => open(&self.config, tls.clone()).await,
                None => open(&self.config, NoTls).await,
            }
        };
        let opened = timeout(limit, opening).await;
        opened.unwrap_or_else(|_| Err(DbError::unavailable("it does not respond")))
    }
}

async fn open<T>(config: &Config, tls: T) -> Result<(Client, JoinHandle<()>), DbError>
where
    T: MakeTlsConnect<Socket, Stream: Send + 'static, TlsConnect: TlsConnect<Socket>>,
{
    // No connection could be opened: nothing is known about the data.
    let unreachable = |error| DbError::Unavailable(explain(&error));
    let (client, connection) = config.connect(tls).await.map_err(unreachable)?;
    let connection = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!("a connection to the database ends: {}", explain(&error));
        }
    });
    client
        .batch_execute(&settings())
        .await
        .map_err(unreachable)?;
    Ok((client, connection))
}

/// The semaphore that limits the number of writers.
pub(crate) fn writers() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(WRITERS))
}

/// Waits for the right to write.
pub(crate) async fn permit(writers: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, DbError> {
    let turn = timeout(WAIT, Arc::clone(writers).acquire_owned()).await;
    let turn = turn.ok().and_then(Result::ok);
    turn.ok_or_else(|| DbError::Unavailable("too many writes are waiting".to_owned()))
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
    let statement = Timeouts::Request.statement();
    format!(
        "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = {};
         SET default_transaction_isolation = 'read committed'",
        statement.map_or(0, |most| most.as_millis()),
        IDLE_TIMEOUT.as_millis(),
    )
}
