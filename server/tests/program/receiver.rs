//! A throw-away receiver of webhooks, over TLS.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use ring::hmac;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::instances::Certified;

/// The answer to each request: bytes, and others that follow them without end. `None` is no answer.
pub(crate) type Says = Option<(&'static str, &'static str)>;

/// The answer of a receiver that has taken an event.
pub(crate) const TAKEN: Says = Some(("HTTP/1.1 204 No Content\r\n\r\n", ""));

/// A request, as it was sent.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// The fields of its head, their names in lower case.
    head: Vec<(String, String)>,
    body: Vec<u8>,
}

/// A receiver on a port of this machine.
pub(crate) struct Receiver {
    pub(crate) port: u16,
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    says: Says,
    /// How long each answer takes.
    takes: Duration,
    received: Vec<Received>,
    connections: usize,
}

impl Receiver {
    pub(crate) fn start(certified: &Certified, says: Says) -> Self {
        Self::at(0, certified, says)
    }

    /// One on this port.
    pub(crate) fn at(port: u16, certified: &Certified, says: Says) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).unwrap();
        let receiver = Self {
            port: listener.local_addr().unwrap().port(),
            shared: Arc::new(Mutex::new(Shared {
                says,
                takes: Duration::ZERO,
                received: Vec::new(),
                connections: 0,
            })),
        };
        let (shared, config) = (Arc::clone(&receiver.shared), certified.server());
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, config) = (Arc::clone(&shared), Arc::clone(&config));
                shared.lock().unwrap().connections += 1;
                // The end of a connection is the sender's.
                thread::spawn(move || drop(serve(stream, config, &shared)));
            }
        });
        receiver
    }

    /// From now on, each answer takes so long.
    pub(crate) fn takes(&self, time: Duration) {
        self.shared.lock().unwrap().takes = time;
    }

    /// From now on, requests are answered so.
    pub(crate) fn says(&self, says: Says) {
        self.shared.lock().unwrap().says = says;
    }

    /// The URL of a webhook that leads here.
    pub(crate) fn url(&self) -> String {
        format!("https://127.0.0.1:{}/hooks", self.port)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.lock().unwrap().received.clone()
    }

    pub(crate) fn connections(&self) -> usize {
        self.shared.lock().unwrap().connections
    }
}

impl Received {
    /// The value of a field.
    #[track_caller]
    pub(crate) fn field(&self, name: &str) -> &str {
        let found = self.head.iter().find(|(other, _)| other == name);
        &found.unwrap_or_else(|| panic!("no {name}: {self:?}")).1
    }

    /// Whether one of its signatures is by the secret, as a receiver checks it.
    pub(crate) fn is_signed_by(&self, secret: &str) -> bool {
        let start = format!(
            "{}.{}.",
            self.field("webhook-id"),
            self.field("webhook-timestamp")
        );
        let signed = [start.as_bytes(), &self.body].concat();
        let key = BASE64.decode(secret.strip_prefix("whsec_").unwrap());
        let key = hmac::Key::new(hmac::HMAC_SHA256, &key.unwrap());
        let mut signatures = self.field("webhook-signature").split(' ');
        signatures.any(|signature| {
            let tag = BASE64.decode(signature.strip_prefix("v1,").unwrap());
            hmac::verify(&key, &signed, &tag.unwrap()).is_ok()
        })
    }
}

fn serve(stream: TcpStream, config: Arc<ServerConfig>, shared: &Mutex<Shared>) -> io::Result<()> {
    let connection = ServerConnection::new(config).map_err(io::Error::other)?;
    let mut stream = BufReader::new(StreamOwned::new(connection, stream));
    while let Some(received) = read(&mut stream)? {
        let (says, takes) = {
            let mut shared = shared.lock().unwrap();
            shared.received.push(received);
            (shared.says, shared.takes)
        };
        thread::sleep(takes);
        let Some((first, rest)) = says else {
            // Until the sender gives up.
            return io::copy(&mut stream, &mut io::sink()).map(drop);
        };
        let answer = stream.get_mut();
        answer.write_all(first.as_bytes())?;
        while !rest.is_empty() {
            answer.write_all(rest.as_bytes())?;
        }
        answer.flush()?;
    }
    Ok(())
}

/// The next request of a connection; `None` at its end.
fn read(
    stream: &mut BufReader<StreamOwned<ServerConnection, TcpStream>>,
) -> io::Result<Option<Received>> {
    let mut head = Vec::new();
    let mut first = String::new();
    if stream.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        head.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut received = Received {
        head,
        body: Vec::new(),
    };
    let length = received.field("content-length").parse().unwrap();
    received.body.resize(length, 0);
    stream.read_exact(&mut received.body)?;
    Ok(Some(received))
}
