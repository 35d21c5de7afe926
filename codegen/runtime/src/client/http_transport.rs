//! The transport over the network: connections, timeouts and retries.

use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum_core::body::Body;
use bytes::Bytes;
use http::{Extensions, Request, Response};
use http_body::{Body as _, Frame, SizeHint};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use tokio::time::Sleep;

use crate::client::connector::{self, Connector, TimedOut};
use crate::client::retries::{self, Retries};
use crate::client::transport::{StreamedAnswer, Transport};
use crate::encode::request_builder::WholeBody;

/// HTTP/1.1 over a pool of connections, with TLS where the feature `tls` is on. A cheap clone shares
/// the pool.
///
/// A connection is made within 10 seconds, and an answer is there within 30. A request that fails for a time is
/// sent again, as [`Retries`] says, where the server cannot do it twice by that: with an idempotent method, with
/// an `Idempotency-Key`, or where no connection was made. A body that is a stream is sent once, and takes as long
/// as it takes.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    client: Client<Connector, Body>,
    timeout: Option<Duration>,
    retries: Retries,
}

/// An [`HttpTransport`] that is being made.
#[derive(Debug, Clone)]
#[must_use]
pub struct HttpTransportBuilder {
    connect_timeout: Duration,
    timeout: Option<Duration>,
    retries: Retries,
    #[cfg(feature = "tls")]
    tls: Option<rustls::ClientConfig>,
}

impl HttpTransport {
    /// A transport without connections yet. Sending needs a tokio runtime.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A transport with other timeouts, retries or certificates.
    pub fn builder() -> HttpTransportBuilder {
        HttpTransportBuilder {
            connect_timeout: Duration::from_secs(10),
            timeout: Some(Duration::from_secs(30)),
            retries: Retries::default(),
            #[cfg(feature = "tls")]
            tls: None,
        }
    }

    /// Sends a request once.
    async fn attempt(
        &self,
        request: Request<Body>,
        limits: Limits,
    ) -> Result<Response<Body>, HttpError> {
        let asked = self.client.request(request);
        let Some(limit) = limits.head else {
            return Ok(asked.await?.map(Body::new));
        };
        let end = tokio::time::Instant::now() + limit;
        let late = |_| HttpError(Cause::TimedOut(TimedOut(limit)));
        let response = tokio::time::timeout_at(end, asked).await.map_err(late)??;
        if !limits.whole {
            return Ok(response.map(Body::new));
        }
        let until = Box::pin(tokio::time::sleep_until(end));
        let timed = |body| TimedBody {
            body: Body::new(body),
            until,
            limit,
        };
        Ok(response.map(|body| Body::new(timed(body))))
    }

    /// How long an attempt at a request may take.
    fn limits(&self, extensions: &Extensions, has_whole_body: bool) -> Limits {
        Limits {
            head: self.timeout.filter(|_| has_whole_body),
            whole: extensions.get::<StreamedAnswer>().is_none(),
        }
    }
}

impl Default for HttpTransport {
    fn default() -> Self {
        Self::new()
    }
}

impl HttpTransportBuilder {
    /// How long it may take to make a connection, TLS included; 10 seconds unless said otherwise.
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        self
    }

    /// How long an attempt may take, from its sending to the end of the answer, or to its head where
    /// the operation answers with streams; 30 seconds unless said otherwise, `None` for ever.
    pub fn timeout(mut self, timeout: impl Into<Option<Duration>>) -> Self {
        self.timeout = timeout.into();
        self
    }

    /// Sets the requests that are sent again, and when.
    pub fn retries(mut self, retries: Retries) -> Self {
        self.retries = retries;
        self
    }

    /// Whom to trust, and which certificate to show; unless it is said, those whom the system trusts,
    /// and none.
    #[cfg(feature = "tls")]
    pub fn tls(mut self, config: rustls::ClientConfig) -> Self {
        self.tls = Some(config);
        self
    }

    /// The transport.
    #[must_use]
    pub fn build(self) -> HttpTransport {
        #[cfg(feature = "tls")]
        let connector = {
            let tls = self.tls.unwrap_or_else(connector::system_tls);
            connector::connector(self.connect_timeout, tls)
        };
        #[cfg(not(feature = "tls"))]
        let connector = connector::connector(self.connect_timeout);
        HttpTransport {
            client: Client::builder(TokioExecutor::new()).build(connector),
            timeout: self.timeout,
            retries: self.retries,
        }
    }
}

impl Transport for HttpTransport {
    type Error = HttpError;

    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, HttpError> {
        #[cfg(not(feature = "tls"))]
        if request.uri().scheme() == Some(&http::uri::Scheme::HTTPS) {
            return Err(HttpError(Cause::NoTls));
        }
        let (head, body) = request.into_parts();
        let whole = head.extensions.get().map(|WholeBody(bytes)| bytes.clone());
        let whole = whole.or_else(|| body.is_end_stream().then(Bytes::new));
        let limits = self.limits(&head.extensions, whole.is_some());
        let Some(whole) = whole else {
            return self.attempt(Request::from_parts(head, body), limits).await;
        };
        let is_idempotent = retries::is_idempotent(&head);
        let (mut body, mut retried) = (body, 0);
        loop {
            let tried = self
                .attempt(Request::from_parts(head.clone(), body), limits)
                .await;
            let (may_succeed, asked) = match &tried {
                Ok(response) => (
                    is_idempotent && retries::is_temporary(response.status()),
                    retries::retry_after(response.headers()),
                ),
                Err(error) => (is_idempotent || error.is_connect(), None),
            };
            let wait = self.retries.wait(retried, asked);
            let Some(wait) = wait.filter(|_| may_succeed) else {
                return tried;
            };
            drop(tried);
            tokio::time::sleep(wait).await;
            (body, retried) = (Body::from(whole.clone()), retried + 1);
        }
    }
}

/// How long an attempt may take.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Until the head of the answer is there.
    head: Option<Duration>,
    /// Whether its body has to be there by then, too.
    whole: bool,
}

/// The body of an answer that has to be there by a time.
struct TimedBody {
    body: Body,
    until: Pin<Box<Sleep>>,
    limit: Duration,
}

impl http_body::Body for TimedBody {
    type Data = Bytes;
    type Error = Box<dyn Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let late = self.until.as_mut().poll(context);
        late.map(|()| Some(Err(TimedOut(self.limit).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Why there was no answer.
#[derive(Debug)]
pub struct HttpError(Cause);

#[derive(Debug)]
enum Cause {
    Client(hyper_util::client::legacy::Error),
    TimedOut(TimedOut),
    #[cfg(not(feature = "tls"))]
    NoTls,
}

impl HttpError {
    /// Whether no connection was made, so that the server knows nothing of the request.
    #[must_use]
    pub fn is_connect(&self) -> bool {
        matches!(&self.0, Cause::Client(error) if error.is_connect())
    }

    /// Whether the time was over, that of making a connection or that of the attempt.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        let mut error: Option<&(dyn Error + 'static)> = Some(self);
        while let Some(cause) = error {
            if cause.is::<TimedOut>() {
                return true;
            }
            error = cause.source();
        }
        false
    }
}

impl From<hyper_util::client::legacy::Error> for HttpError {
    fn from(error: hyper_util::client::legacy::Error) -> Self {
        Self(Cause::Client(error))
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.0 {
            Cause::Client(error) if error.is_connect() => "no connection",
            Cause::Client(_) => "the connection failed",
            Cause::TimedOut(_) => "no answer",
            #[cfg(not(feature = "tls"))]
            Cause::NoTls => "`https` needs the feature `tls`",
        })?;
        // What the source alone would say is `client error`.
        let mut error = self.source();
        while let Some(cause) = error {
            write!(f, ": {cause}")?;
            error = cause.source();
        }
        Ok(())
    }
}

impl Error for HttpError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            Cause::Client(error) => error.source(),
            Cause::TimedOut(error) => Some(error),
            #[cfg(not(feature = "tls"))]
            Cause::NoTls => None,
        }
    }
}
