//! How connections are made: TCP, and TLS where the feature `tls` is on, within a time.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use http::Uri;
use hyper_util::client::legacy::connect::HttpConnector;
use tower_service::Service;

/// The connector of the transport.
#[cfg(feature = "tls")]
pub(crate) type Connector = Timed<hyper_rustls::HttpsConnector<HttpConnector>>;
#[cfg(not(feature = "tls"))]
pub(crate) type Connector = Timed<HttpConnector>;

/// Makes connections without TLS alone.
#[cfg(not(feature = "tls"))]
pub(crate) fn connector(limit: Duration) -> Connector {
    let inner = HttpConnector::new();
    Timed { inner, limit }
}

/// Makes connections with TLS for `https`, and without it for `http`.
#[cfg(feature = "tls")]
pub(crate) fn connector(limit: Duration, tls: rustls::ClientConfig) -> Connector {
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    let inner = hyper_rustls::HttpsConnectorBuilder::new()
        .with_tls_config(tls)
        .https_or_http()
        .enable_http1()
        .wrap_connector(tcp);
    Timed { inner, limit }
}

/// TLS that trusts whom the system trusts. Where that is nobody, connections fail.
#[cfg(feature = "tls")]
pub(crate) fn system_tls() -> rustls::ClientConfig {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    tls_of(roots)
}

/// TLS that trusts these certificates.
#[cfg(feature = "tls")]
#[allow(
    clippy::expect_used,
    reason = "the provider has the versions of the protocol that rustls takes by default"
)]
fn tls_of(roots: rustls::RootCertStore) -> rustls::ClientConfig {
    let provider = rustls::crypto::ring::default_provider();
    rustls::ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()
        .expect("versions of the protocol")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

/// A connector whose connections are made within a time: look-up, TCP and TLS together.
#[derive(Debug, Clone)]
pub(crate) struct Timed<C> {
    inner: C,
    limit: Duration,
}

type BoxError = Box<dyn Error + Send + Sync>;

impl<C> Service<Uri> for Timed<C>
where
    C: Service<Uri, Error: Into<BoxError>, Future: Send + 'static>,
{
    type Response = C::Response;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<C::Response, BoxError>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.inner.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = tokio::time::timeout(self.limit, self.inner.call(uri));
        let limit = self.limit;
        Box::pin(async move {
            match connecting.await {
                Ok(made) => made.map_err(Into::into),
                Err(_) => Err(TimedOut(limit).into()),
            }
        })
    }
}

/// Something took longer than it may.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedOut(pub(crate) Duration);

impl fmt::Display for TimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not within {:?}", self.0)
    }
}

impl Error for TimedOut {}
