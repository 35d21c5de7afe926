//! A receiver of webhooks on this machine, which may misbehave.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone)]
pub(super) struct Received {
    pub(super) head: HeaderMap,
    pub(super) path: String,
    pub(super) body: Bytes,
}

/// The behavior of the receiver.
#[derive(Debug, Clone)]
pub(super) enum Behaviour {
    /// Answers with a status.
    Answers(u16),
    /// Answers with a status after a time.
    AnswersAfter(Duration, u16),
    /// Answers 429 with this `Retry-After`.
    IsBusy(&'static str),
    /// Sends the caller elsewhere.
    Redirects(String),
    /// Takes the request and says nothing.
    Hangs,
    /// Says these bytes for each connection, again and again, whatever is asked.
    Says(&'static [u8], &'static [u8]),
}

pub(super) struct Receiver {
    pub(super) address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    behaviour: Arc<Mutex<Behaviour>>,
    connections: Arc<Mutex<usize>>,
}

impl Receiver {
    pub(super) async fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            address: listener.local_addr().unwrap(),
            received: Arc::default(),
            behaviour: Arc::new(Mutex::new(behaviour)),
            connections: Arc::default(),
        };
        let (received, behaviour) = (receiver.received.clone(), receiver.behaviour.clone());
        let connections = receiver.connections.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                *connections.lock().unwrap() += 1;
                let does = behaviour.lock().unwrap().clone();
                match does {
                    Behaviour::Says(first, rest) => drop(tokio::spawn(say(stream, first, rest))),
                    _ => drop(tokio::spawn(serve(
                        stream,
                        received.clone(),
                        behaviour.clone(),
                    ))),
                }
            }
        });
        receiver
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}/hooks?a=b", self.address)
    }

    pub(super) fn now(&self, behaviour: Behaviour) {
        *self.behaviour.lock().unwrap() = behaviour;
    }

    pub(super) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    pub(super) fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }

    /// Waits until so many requests have come.
    pub(super) async fn wait_for(&self, count: usize) -> Vec<Received> {
        let start = Instant::now();
        while self.received().len() < count {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "{} of {count} requests came",
                self.received().len()
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        self.received()
    }
}

async fn serve(
    stream: TcpStream,
    received: Arc<Mutex<Vec<Received>>>,
    behaviour: Arc<Mutex<Behaviour>>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let (received, behaviour) = (received.clone(), behaviour.clone());
        async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            received.lock().unwrap().push(Received {
                path: head.uri.to_string(),
                head: head.headers,
                body,
            });
            let does = behaviour.lock().unwrap().clone();
            let mut response = Response::new(Full::<Bytes>::default());
            match does {
                Behaviour::Answers(status) => {
                    *response.status_mut() = StatusCode::from_u16(status).unwrap();
                }
                Behaviour::AnswersAfter(time, status) => {
                    tokio::time::sleep(time).await;
                    *response.status_mut() = StatusCode::from_u16(status).unwrap();
                }
                Behaviour::IsBusy(retry_after) => {
                    *response.status_mut() = StatusCode::TOO_MANY_REQUESTS;
                    let value = http::HeaderValue::from_static(retry_after);
                    response.headers_mut().insert("retry-after", value);
                }
                Behaviour::Redirects(to) => {
                    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
                    response
                        .headers_mut()
                        .insert("location", to.parse().unwrap());
                }
                Behaviour::Hangs | Behaviour::Says(..) => std::future::pending().await,
            }
            Ok::<_, Infallible>(response)
        }
    });
    let _ = http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

async fn say(mut stream: TcpStream, first: &[u8], rest: &[u8]) {
    let mut asked = [0; 1024];
    let _ = stream.read(&mut asked).await;
    let mut said = stream.write_all(first).await;
    while said.is_ok() && !rest.is_empty() {
        said = stream.write_all(rest).await;
    }
    std::future::pending::<()>().await;
}
