//! The edge over real sockets: a server on a free port and a client that writes bytes.

mod admin;
mod connections;
mod edge;
mod observation;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ::http::{HeaderMap, Request, StatusCode};
use axum::body::Body;
use axum::response::Response;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::*;
use crate::reloadable::Reloadable;

const LIMITS: ConnectionLimits = ConnectionLimits {
    max_connections: 100,
    head_timeout: Duration::from_secs(60),
    min_throughput: 1000,
    max_refusals: 8,
    drain_delay: Duration::ZERO,
    shutdown_timeout: Duration::from_secs(60),
};

/// An API made of one function.
#[derive(Clone)]
struct Api<F>(F);

impl<F, A> Handler for Api<F>
where
    F: Fn(Request<Body>) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Response> + Send + 'static,
{
    fn handle(
        &self,
        _: SocketAddr,
        request: Request<Body>,
    ) -> impl Future<Output = Response> + Send {
        (self.0)(request)
    }
}

/// A running server.
struct Running {
    address: SocketAddr,
    shutdown: Shutdown,
    served: JoinHandle<Served>,
}

impl Running {
    async fn start(handler: impl Handler, limits: ConnectionLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shutdown = Shutdown::default();
        let served = tokio::spawn(serve(
            listener,
            handler,
            Reloadable::new(limits),
            Connections::new(
                "test",
                limits.max_connections,
                Reloadable::new(options()),
                metrics(),
            ),
            shutdown.clone(),
        ));
        Self {
            address,
            shutdown,
            served,
        }
    }

    async fn connect(&self) -> Client {
        Client(TcpStream::connect(self.address).await.unwrap())
    }

    /// Sends one request on a connection of its own.
    async fn get(&self, head: &str) -> Answer {
        self.connect().await.ask(head).await
    }

    async fn stop(self) -> Served {
        self.shutdown.request();
        patient(self.served).await.unwrap()
    }
}

struct Client(TcpStream);

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Client {
    async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
    }

    async fn ask(&mut self, head: &str) -> Answer {
        self.send(format!("{head}\r\nhost: test\r\n\r\n")).await;
        self.answer().await
    }

    /// Reads one response, whose length is in its head.
    async fn answer(&mut self) -> Answer {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(patient(self.0.read_u8()).await.unwrap());
        }
        let head = String::from_utf8(head).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap()[9..12].parse().unwrap();
        let headers: HeaderMap = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| {
                (
                    name.parse::<::http::HeaderName>().unwrap(),
                    value.parse().unwrap(),
                )
            })
            .collect();
        let length = headers
            .get("content-length")
            .map_or(0, |length| length.to_str().unwrap().parse().unwrap());
        let mut body = vec![0; length];
        patient(self.0.read_exact(&mut body)).await.unwrap();
        let body = String::from_utf8(body).unwrap();
        Answer {
            status,
            headers,
            body,
        }
    }

    /// Whether the server closes the connection without sending more.
    async fn is_closed(&mut self) -> bool {
        matches!(patient(self.0.read(&mut [0])).await, Ok(0) | Err(_))
    }
}

/// Waits long enough for a busy machine, but not for ever.
async fn patient<F: Future>(future: F) -> F::Output {
    timeout(Duration::from_secs(20), future)
        .await
        .expect("it hangs")
}

pub(super) fn options() -> EdgeOptions {
    EdgeOptions {
        trusted_proxies: TrustedProxies::default(),
        max_connections_per_network: 100,
        max_connections_per_48: 100,
        max_in_flight: 100,
        request_timeout: Duration::from_secs(60),
    }
}

fn plain(status: u16, body: &str) -> Response {
    Response::builder()
        .status(status)
        .body(Body::from(body.to_owned()))
        .unwrap()
}

/// An edge around `api` whose own answers are the error's name. `/open` works without a key.
fn edge<F, A>(api: F, options: EdgeOptions, metrics: &Arc<Metrics>) -> Edge<Api<F>>
where
    F: Fn(Request<Body>) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Response> + Send + 'static,
{
    let error_response = |error| {
        let status = if error == EdgeError::Panicked {
            500
        } else {
            503
        };
        plain(status, &format!("{error:?}"))
    };
    Edge::new(
        Api(api),
        Reloadable::new(options),
        Arc::clone(metrics),
        |_| {},
        error_response,
        |path| path == "/open",
    )
}

pub(super) fn metrics() -> Arc<Metrics> {
    Arc::new(Metrics::new().unwrap())
}
