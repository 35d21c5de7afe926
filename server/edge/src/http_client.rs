//! The HTTP client for the server's own requests: to nodes of chains and to a provider of OpenID Connect.
//!
//! A request has a connection of its own, as there are few. An answer is bounded in size, and redirects are
//! not followed, so that no answer makes the server ask another host. The caller bounds the time.

use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::header::HOST;
use http::{HeaderValue, Request, Response, Uri};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use tls::{Roots, TlsError, Trust};

/// The largest answer in bytes.
const MAX_BODY: usize = 64 << 10;

/// A client that asks by TLS alone, or without it alone.
#[derive(Clone)]
pub struct HttpClient {
    /// `None` for connections without TLS.
    tls: Option<TlsConnector>,
}

#[derive(Debug, thiserror::Error)]
pub enum HttpClientError {
    /// The URL has no host, or another scheme than the client's.
    #[error("its URL is not one of {0}")]
    Url(&'static str),
    /// It cannot be reached.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not speak HTTP.
    #[error(transparent)]
    Http(#[from] hyper::Error),
    /// The answer is cut off, or too long.
    #[error("its response is truncated or longer than {MAX_BODY} bytes")]
    Body,
}

impl HttpClient {
    /// The client for URLs of https, or for those of http.
    ///
    /// # Errors
    /// When it is for https, and the system has no certificates.
    pub fn new(is_secure: bool) -> Result<Self, TlsError> {
        let tls = is_secure.then(|| {
            let client = Trust::Host(Roots::System).client()?;
            Ok::<_, TlsError>(TlsConnector::from(Arc::new(client)))
        });
        Ok(Self {
            tls: tls.transpose()?,
        })
    }

    /// Whether a URL is one that it asks.
    pub fn asks(&self, url: &Uri) -> bool {
        let (scheme, _) = self.scheme();
        url.scheme_str() == Some(scheme) && url.host().is_some_and(|it| !it.is_empty())
    }

    /// The answer to a request for a whole URL, whatever its status.
    pub async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<Response<Bytes>, HttpClientError> {
        let (scheme, default_port) = self.scheme();
        let url = request.uri().clone();
        let host = url.host().filter(|_| self.asks(&url));
        let host = host.ok_or(HttpClientError::Url(scheme))?;
        let authority = url.authority().map_or("", |it| it.as_str());
        let line = HeaderValue::from_str(authority);
        let line = line.map_err(|_| HttpClientError::Url(scheme))?;
        request.headers_mut().insert(HOST, line);
        let path = url.path_and_query().cloned();
        *request.uri_mut() = path.map(Uri::from).unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        let port = url.port_u16().unwrap_or(default_port);
        let stream = TcpStream::connect((address, port)).await?;
        let Some(tls) = &self.tls else {
            return over(stream, request).await;
        };
        let name = ServerName::try_from(address.to_owned());
        let name = name.map_err(|_| HttpClientError::Url(scheme))?;
        over(tls.connect(name, stream).await?, request).await
    }

    /// The scheme of the URLs that it asks, and the port of that scheme.
    fn scheme(&self) -> (&'static str, u16) {
        match self.tls {
            Some(_) => ("https", 443),
            None => ("http", 80),
        }
    }
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HttpClient({})", self.scheme().0)
    }
}

/// Sends a request over a connection, which ends with the answer.
async fn over<S>(
    stream: S,
    request: Request<Full<Bytes>>,
) -> Result<Response<Bytes>, HttpClientError>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let carrying = tokio::spawn(connection);
    let answered = sender.send_request(request).await;
    let answered = match answered {
        Ok(response) => read(response).await,
        Err(error) => Err(error.into()),
    };
    carrying.abort();
    answered
}

/// An answer with its body.
async fn read(response: Response<Incoming>) -> Result<Response<Bytes>, HttpClientError> {
    let (head, body) = response.into_parts();
    let body = Limited::new(body, MAX_BODY).collect().await;
    let body = body.map_err(|_| HttpClientError::Body)?.to_bytes();
    Ok(Response::from_parts(head, body))
}
