//! A socket in front of a server, with proxies that mutate its responses. The first segment of
//! the path selects the proxy.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};
use std::thread;

use bytes::Bytes;
use generated::client::HttpTransport;
use generated::runtime::Retries;
use http::header::{CONNECTION, HOST, TRANSFER_ENCODING};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use crate::document::Document;
use crate::mutations::Proxy;

type Proxies = Arc<Mutex<Vec<Arc<Proxy>>>>;

/// A relay on a thread of its own, which runs as long as the test.
pub(super) struct Relay {
    address: SocketAddr,
    proxies: Proxies,
}

/// The destination of requests and the proxy on the way.
#[derive(Clone)]
struct Way {
    server: SocketAddr,
    document: Arc<Document>,
    http: HttpTransport,
    proxies: Proxies,
}

impl Relay {
    pub(super) fn before(server: SocketAddr, document: Arc<Document>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let proxies = Proxies::default();
        let way = Way {
            server,
            document,
            http: HttpTransport::builder().retries(Retries::NONE).build(),
            proxies: Arc::clone(&proxies),
        };
        thread::spawn(move || listen(listener, way));
        Self { address, proxies }
    }

    /// Lets answers pass through these proxies from now on; the base address of each.
    pub(super) fn pass_through(&self, proxies: Vec<Arc<Proxy>>) -> Vec<String> {
        let base = |n| format!("http://{}/{n}/api/v1", self.address);
        let bases = (0..proxies.len()).map(base).collect();
        *self.proxies.lock().unwrap() = proxies;
        bases
    }
}

fn listen(listener: TcpListener, way: Way) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        while let Ok((stream, _)) = listener.accept().await {
            let way = way.clone();
            let service = service_fn(move |request| relay(way.clone(), request));
            let http = hyper::server::conn::http1::Builder::new();
            let connection = http.serve_connection(TokioIo::new(stream), service);
            // Callers end connections as they like.
            tokio::spawn(async { _ = connection.await });
        }
    });
}

async fn relay(way: Way, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let (mut parts, body) = request.into_parts();
    let target = parts.uri.path_and_query().unwrap().as_str();
    let (number, target) = target[1..].split_once('/').unwrap();
    let proxy = Arc::clone(&way.proxies.lock().unwrap()[number.parse::<usize>().unwrap()]);
    parts.uri = format!("http://{}/{target}", way.server).parse().unwrap();
    for own in [HOST, CONNECTION] {
        parts.headers.remove(own);
    }
    let body = body.collect().await.unwrap().to_bytes();
    let request = Request::from_parts(parts, body);
    let answer = proxy.carry(&way.document, &way.http, request).await;
    let (mut parts, body) = answer.unwrap().into_parts();
    for own in [CONNECTION, TRANSFER_ENCODING] {
        parts.headers.remove(own);
    }
    Ok(Response::from_parts(parts, Full::new(body)))
}
