//! One POST over a connection of its own: questions are few.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST};
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::ChainEndpoint;
use crate::tls::{Roots, TlsError, Trust};

/// The largest answer in bytes.
const MOST: usize = 64 << 10;

/// The way to an endpoint.
pub(super) struct Transport {
    endpoint: ChainEndpoint,
    /// `None` for connections without TLS.
    tls: Option<TlsConnector>,
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.endpoint.fmt(f)
    }
}

impl Transport {
    pub(super) fn new(endpoint: &ChainEndpoint) -> Result<Self, TlsError> {
        let tls = endpoint.is_secure().then(|| {
            let client = Trust::Host(Roots::System).client()?;
            Ok::<_, TlsError>(TlsConnector::from(Arc::new(client)))
        });
        Ok(Self {
            endpoint: endpoint.clone(),
            tls: tls.transpose()?,
        })
    }

    /// The body of the answer 200 to a body of JSON, or what went wrong.
    pub(super) async fn post(&self, body: String) -> Result<Bytes, String> {
        let host = self.endpoint.host();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        let stream = TcpStream::connect((address, self.endpoint.port())).await;
        let stream = stream.map_err(|error| error.to_string())?;
        let Some(tls) = &self.tls else {
            return self.over(stream, body).await;
        };
        let name = ServerName::try_from(address.to_owned()).map_err(|error| error.to_string())?;
        let stream = tls.connect(name, stream).await;
        self.over(stream.map_err(|error| error.to_string())?, body)
            .await
    }

    async fn over<S>(&self, stream: S, body: String) -> Result<Bytes, String>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let request = self.request(body).map_err(|error| error.to_string())?;
        let shaken = http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = shaken.map_err(|error| error.to_string())?;
        let carrying = tokio::spawn(connection);
        let answered = read(sender.send_request(request).await).await;
        carrying.abort();
        answered
    }

    fn request(&self, body: String) -> Result<Request<Full<Bytes>>, http::Error> {
        let url = &self.endpoint.url;
        let path = url.path_and_query().map_or("/", |it| it.as_str());
        let host = url.authority().map_or("", |it| it.as_str());
        Request::post(path)
            .header(HOST, host)
            .header(CONTENT_TYPE, "application/json")
            .body(Full::from(body))
    }
}

/// The body of an answer 200.
async fn read(answered: hyper::Result<Response<Incoming>>) -> Result<Bytes, String> {
    let response = answered.map_err(|error| error.to_string())?;
    if response.status() != StatusCode::OK {
        return Err(format!("it answers {}", response.status().as_u16()));
    }
    let body = Limited::new(response.into_body(), MOST).collect().await;
    Ok(body.map_err(|error| error.to_string())?.to_bytes())
}
