//! Receivers of webhooks on one port of the loopback, by TLS. Each answers 204 at once, but for those below
//! `/silent`, which never answer. Events are counted by `webhook-id`, 16 bytes each, and their waits by the millisecond.
//!
//! It prints the port of the receivers, and another one that tells what came: `/metrics` the number of events and of
//! requests that repeated one, `/waits` quantiles of the waits since it was asked for them last.
//!
//! Usage: `receivers CERTIFICATE`: the file that it writes its certificate to, which senders must trust.

use std::collections::HashSet;
use std::convert::Infallible;
use std::error::Error;
use std::future::pending;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{env, fs};

use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use jiff::Timestamp;
use rustls::ServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use uuid::Uuid;

/// The server's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The longest wait that the histogram distinguishes, in milliseconds: a quarter of an hour.
const MAX_WAIT: usize = 15 * 60_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("receivers CERTIFICATE")?;
    let acceptor = certified(file.as_ref())?;
    let receivers = TcpListener::bind("127.0.0.1:0").await?;
    let telling = TcpListener::bind("127.0.0.1:0").await?;
    for listener in [&receivers, &telling] {
        println!("{}", listener.local_addr()?.port());
    }
    let came = Came::default();
    tokio::spawn(tell(telling, came.clone()));
    loop {
        let (stream, _) = receivers.accept().await?;
        stream.set_nodelay(true)?;
        let (acceptor, came) = (acceptor.clone(), came.clone());
        tokio::spawn(async move {
            // An error ends one connection only; it is the sender's.
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream, came, receive).await;
            }
        });
    }
}

/// Speaks TLS with a certificate of its own, which is written to a file.
fn certified(file: &Path) -> Result<TlsAcceptor, Box<dyn Error>> {
    let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    fs::write(file, own.cert.pem())?;
    let key = PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key.into())?;
    Ok(Arc::new(config).into())
}

async fn tell(listener: TcpListener, came: Came) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(serve(stream, came.clone(), answer));
    }
}

type Answer = Response<Full<Bytes>>;

async fn serve<S, F>(stream: S, came: Came, answer: impl Fn(Request<Incoming>, Came) -> F)
where
    S: AsyncRead + AsyncWrite + Unpin,
    F: Future<Output = Answer>,
{
    let answered = service_fn(|request| {
        let answer = answer(request, came.clone());
        async { Ok::<_, Infallible>(answer.await) }
    });
    let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), answered);
    _ = connection.await;
}

/// Takes an event.
async fn receive(request: Request<Incoming>, came: Came) -> Answer {
    if request.uri().path().starts_with("/silent") {
        pending::<()>().await;
    }
    let id = request.headers().get("webhook-id");
    let id = id.and_then(|id| Uuid::try_parse_ascii(id.as_bytes()).ok());
    let body = request.into_body().collect().await;
    let body = body.ok().map(|body| body.to_bytes());
    let event = id.zip(body.and_then(|body| serde_json::from_slice(&body).ok()));
    let status = match event {
        Some((id, body)) => {
            came.lock().note(id, &body, Timestamp::now());
            StatusCode::NO_CONTENT
        }
        None => StatusCode::BAD_REQUEST,
    };
    let mut answer = Answer::default();
    *answer.status_mut() = status;
    answer
}

/// Prints the counts of requests.
async fn answer(request: Request<Incoming>, came: Came) -> Answer {
    let mut came = came.lock();
    let text = match request.uri().path() {
        "/waits" => came.waits().to_string(),
        _ => format!("events {}\nrepeated {}\n", came.events.len(), came.repeated),
    };
    Answer::new(text.into())
}

#[derive(Clone, Default)]
struct Came(Arc<Mutex<Events>>);

impl Came {
    fn lock(&self) -> MutexGuard<'_, Events> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The events that came.
#[derive(Default)]
struct Events {
    events: HashSet<Uuid>,
    repeated: u64,
    /// Since they were recorded, which their ids begin with.
    of_event: Waits,
    /// Since their donations were made, in the data.
    of_line: Waits,
}

impl Events {
    fn note(&mut self, id: Uuid, body: &Value, now: Timestamp) {
        if !self.events.insert(id) {
            self.repeated += 1;
            return;
        }
        let recorded = i64::try_from(id.as_u128() >> 80).unwrap_or_default();
        self.of_event.note(now.as_millisecond() - recorded);
        let made = body.pointer("/data/donatedAt").and_then(Value::as_str);
        if let Some(made) = made.and_then(|text| text.parse::<Timestamp>().ok()) {
            self.of_line
                .note(now.as_millisecond() - made.as_millisecond());
        }
    }

    /// Quantiles, and begins anew.
    fn waits(&mut self) -> Value {
        let [of_event, of_line] = [&mut self.of_event, &mut self.of_line].map(std::mem::take);
        json!({ "event": of_event.quantiles(), "line": of_line.quantiles() })
    }
}

/// How many waits lasted each number of milliseconds.
#[derive(Default)]
struct Waits(Vec<u32>);

impl Waits {
    fn note(&mut self, milliseconds: i64) {
        let place = usize::try_from(milliseconds).unwrap_or(0).min(MAX_WAIT);
        if self.0.len() <= place {
            self.0.resize(place + 1, 0);
        }
        if let Some(count) = self.0.get_mut(place) {
            *count += 1;
        }
    }

    /// The median and the 99th percentile, in milliseconds.
    fn quantiles(&self) -> [usize; 2] {
        let all: u64 = self.0.iter().map(|count| u64::from(*count)).sum();
        [50, 99].map(|part| {
            let mut passed = 0;
            let is_it = |count: &u32| {
                passed += u64::from(*count);
                passed * 100 > all * part
            };
            self.0.iter().position(is_it).unwrap_or_default()
        })
    }
}
