//! Connections to the servers of webhooks: to addresses that were checked, bounded in time and size.
//!
//! The name in a URL is resolved once for a connection, each of its addresses is checked, and one of those
//! same addresses is connected to: a name that leads elsewhere the next moment changes nothing. Redirects are
//! answers like others.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::header::RETRY_AFTER;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, lookup_host};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::{Target, TargetError, TargetRules};

/// How long a connection may take, its TLS included.
const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(10);

/// How long the body of an answer is waited for.
const BODY: Duration = Duration::from_secs(1);

/// The most bytes of the head of an answer, and its most fields.
const MAX_HEAD: usize = 16 << 10;
const MAX_FIELDS: usize = 64;

/// The most bytes of the body of a response that are read. The next request on the connection comes after them.
const MAX_BODY: usize = 64 << 10;

/// The most characters of the body of a response that are stored.
const MAX_EXCERPT: usize = 1000;

/// Asks for the addresses of a name.
pub(super) type Resolve =
    Arc<dyn Fn(String, u16) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> + Send + Sync>;

#[derive(Clone)]
pub(super) struct Connector {
    rules: TargetRules,
    resolve: Resolve,
    /// `None` where the system has no certificates of authorities.
    tls: Option<TlsConnector>,
}

/// A connection, which carries one request at a time.
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    carrying: JoinHandle<()>,
}

/// A response.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) status: StatusCode,
    /// The value of `Retry-After`.
    pub(super) retry_after: Option<String>,
    /// The start of the body, if all of it arrived in time.
    pub(super) excerpt: Option<String>,
    /// Whether the connection can carry another request.
    pub(super) is_open: bool,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum SendError {
    /// The rules forbid the URL, or an address that its name leads to.
    #[error("the URL {0}")]
    Target(#[from] TargetError),
    /// The name has no address.
    #[error("the host name does not resolve")]
    Name,
    /// No address of it answers.
    #[error("connection failed: {0}")]
    Connect(io::ErrorKind),
    /// Its certificate is not valid for it, or it does not speak TLS.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// This server cannot check certificates.
    #[error("TLS failed: this server has no certificate authorities")]
    NoAuthorities,
    /// The answer is no HTTP, too long, or cut off.
    #[error("not an HTTP response: {0}")]
    Http(String),
    /// It takes too long.
    #[error("no response in time")]
    Late,
}

impl Connector {
    /// A connector that asks the system for addresses.
    pub(super) fn new(rules: TargetRules, tls: Option<TlsConnector>) -> Self {
        let resolve: Resolve = Arc::new(|name, port| {
            async move { Ok(lookup_host((name, port)).await?.collect()) }.boxed()
        });
        Self::with_resolver(rules, tls, resolve)
    }

    /// A connector with another source of addresses.
    pub(super) fn with_resolver(
        rules: TargetRules,
        tls: Option<TlsConnector>,
        resolve: Resolve,
    ) -> Self {
        Self {
            rules,
            resolve,
            tls,
        }
    }

    /// The rules by which addresses are checked.
    pub(super) fn rules(&self) -> &TargetRules {
        &self.rules
    }

    /// Connects to the server of a URL.
    pub(super) async fn connect(&self, target: &Target) -> Result<Connection, SendError> {
        let connected = timeout(CONNECT, self.connect_at_leisure(target)).await;
        connected.unwrap_or(Err(SendError::Late))
    }

    async fn connect_at_leisure(&self, target: &Target) -> Result<Connection, SendError> {
        let addresses = (self.resolve)(target.host(), target.port()).await;
        let addresses = addresses.map_err(|_| SendError::Name)?;
        if addresses.is_empty() {
            return Err(SendError::Name);
        }
        // A name with one forbidden address is not half allowed.
        if !addresses.iter().all(|it| self.rules.admits(it.ip())) {
            return Err(TargetError::Address.into());
        }
        let connected = TcpStream::connect(addresses.as_slice()).await;
        let stream = connected.map_err(|error| SendError::Connect(error.kind()))?;
        let _ = stream.set_nodelay(true);
        if !target.is_secure() {
            return Connection::over(stream).await;
        }
        let tls = self.tls.as_ref().ok_or(SendError::NoAuthorities)?;
        let name = ServerName::try_from(target.host()).map_err(|_| SendError::Name)?;
        let stream = tls.connect(name, stream).await;
        Connection::over(stream.map_err(|error| SendError::Tls(error.to_string()))?).await
    }
}

impl Connection {
    async fn over<S>(stream: S) -> Result<Self, SendError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let begun = http1::Builder::new()
            .max_buf_size(MAX_HEAD)
            .max_headers(MAX_FIELDS)
            .handshake(TokioIo::new(stream));
        let (sender, connection) = begun.await?;
        let carrying = tokio::spawn(connection.map(drop));
        Ok(Self { sender, carrying })
    }

    /// Sends a request; returns its response.
    pub(super) async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Received, SendError> {
        let answered = timeout(ANSWER, self.exchange(request)).await;
        answered.unwrap_or(Err(SendError::Late))
    }

    async fn exchange(&mut self, request: Request<Full<Bytes>>) -> Result<Received, SendError> {
        let response = self.sender.send_request(request).await?;
        let status = response.status();
        let retry_after = response.headers().get(RETRY_AFTER);
        let retry_after = retry_after.and_then(|value| Some(value.to_str().ok()?.to_owned()));
        // The status counts even if the body fails.
        let body = Limited::new(response.into_body(), MAX_BODY).collect();
        let body = timeout(BODY, body).await.ok().and_then(Result::ok);
        let is_open = match &body {
            Some(_) => timeout(BODY, self.sender.ready())
                .await
                .is_ok_and(|it| it.is_ok()),
            None => false,
        };
        Ok(Received {
            status,
            retry_after,
            excerpt: body.map(|body| excerpt(&body.to_bytes())),
            is_open,
        })
    }
}

/// The start of a body. PostgreSQL cannot store the character NUL.
fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body).replace('\0', "\u{fffd}");
    text.chars().take(MAX_EXCERPT).collect()
}

impl From<hyper::Error> for SendError {
    fn from(error: hyper::Error) -> Self {
        Self::Http(error.to_string())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.carrying.abort();
    }
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector(…)")
    }
}
