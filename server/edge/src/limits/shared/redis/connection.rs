//! Connections to Redis, with TLS or without.
//!
//! The `redis` crate's own TLS reads the certificates of the system anew for each connection, on the
//! thread that answers requests, refuses all of them over one that it cannot read, and takes a file
//! without certificates. Here they are read and checked once, at the start.

use std::io;
use std::path::Path;
use std::sync::Arc;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ConnectionAddr, RedisResult};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::RedisUrl;
use tls::{Roots, TlsError, Trust};

/// The reason why the configuration of Redis is invalid, whether Redis runs or not.
#[derive(Debug, thiserror::Error)]
pub enum RedisError {
    /// The client refuses the URL, although it was checked.
    #[error(transparent)]
    Url(#[from] redis::RedisError),
    /// Its host is no name that a certificate could have.
    #[error("{0} is not a valid name in a certificate")]
    Name(String),
    /// Authorities are given for a connection without TLS.
    #[error("redis-ca is for a URL that begins with rediss://")]
    Idle,
    /// The certificates of authorities cannot be loaded.
    #[error(transparent)]
    Tls(#[from] TlsError),
}

/// A Redis server, and how to connect to it.
pub(super) struct RedisServer {
    client: Client,
    /// `None` for connections without TLS.
    tls: Option<Tls>,
}

/// A port that speaks TLS, and the name that its certificate must have.
struct Tls {
    connector: TlsConnector,
    host: String,
    port: u16,
    name: ServerName<'static>,
}

impl RedisServer {
    pub(super) fn at(url: &RedisUrl, authorities: Option<&Path>) -> Result<Self, RedisError> {
        let client = Client::open(url.info()?)?;
        let address = client.get_connection_info().addr();
        let tls = match (url.tls(), address) {
            (true, ConnectionAddr::Tcp(host, port)) => Some(Tls::of(host, *port, authorities)?),
            (true, other) => return Err(RedisError::Name(other.to_string())),
            (false, _) if authorities.is_some() => return Err(RedisError::Idle),
            (false, _) => None,
        };
        Ok(Self { client, tls })
    }

    pub(super) async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        // Each question has its own time limit.
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(None)
            .set_response_timeout(None);
        let Some(tls) = &self.tls else {
            let connecting = self
                .client
                .get_multiplexed_async_connection_with_config(&config);
            return connecting.await;
        };
        let stream = tls.connect().await?;
        let settings = self.client.get_connection_info().redis_settings();
        let (connection, carrying) =
            MultiplexedConnection::new_with_config(settings, stream, config).await?;
        tokio::spawn(carrying);
        Ok(connection)
    }
}

impl Tls {
    fn of(host: &str, port: u16, authorities: Option<&Path>) -> Result<Self, RedisError> {
        let roots = authorities.map_or(Roots::System, |path| Roots::File(path.to_owned()));
        let name = ServerName::try_from(host.to_owned());
        Ok(Self {
            connector: TlsConnector::from(Arc::new(Trust::Host(roots).client()?)),
            host: host.to_owned(),
            port,
            name: name.map_err(|_| RedisError::Name(host.to_owned()))?,
        })
    }

    async fn connect(&self) -> io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
        stream.set_nodelay(true)?;
        let agreed = self.connector.connect(self.name.clone(), stream).await;
        agreed.map_err(|error| {
            let place = format!("{}:{}", self.host, self.port);
            io::Error::new(error.kind(), format!("no TLS with {place}: {error}"))
        })
    }
}
