//! A throw-away mail server, which keeps the mails that it gets.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::instances::Certified;
use crate::serving::eventually;

/// The credentials that `AUTH PLAIN` sends for the user `catalog` with the password `s3/cret`.
const CREDENTIALS: &str = "AGNhdGFsb2cAczMvY3JldA==";

/// A mail server on a port of this machine.
pub(super) struct SmtpServer {
    pub(super) port: u16,
    seen: Arc<Mutex<Seen>>,
}

#[derive(Default)]
struct Seen {
    mails: Vec<ReceivedMail>,
    /// The answers to the next recipients in the place of 250.
    refusals: VecDeque<&'static str>,
    /// The mails that were taken and never answered.
    unanswered: usize,
    /// Whether the next mail is taken and never answered.
    is_silent: bool,
}

/// A mail as it was sent.
#[derive(Debug, Clone)]
pub(super) struct ReceivedMail {
    pub(super) from: String,
    pub(super) to: String,
    /// Head and body, as far as their encoding is undone.
    pub(super) text: String,
    pub(super) is_encrypted: bool,
}

/// How connections are encrypted.
#[derive(Clone)]
enum Encryption {
    None,
    StartTls(Arc<ServerConfig>),
    Implicit(Arc<ServerConfig>),
}

trait Stream: Read + Write + Send {}
impl<S: Read + Write + Send> Stream for S {}

impl SmtpServer {
    /// One that does not encrypt.
    pub(super) fn plain() -> Self {
        Self::start(Encryption::None)
    }

    /// One that wants STARTTLS and a password.
    pub(super) fn start_tls(certified: &Certified) -> Self {
        Self::start(Encryption::StartTls(certified.server()))
    }

    /// One that speaks TLS from the first byte, and wants a password.
    pub(super) fn implicit_tls(certified: &Certified) -> Self {
        Self::start(Encryption::Implicit(certified.server()))
    }

    fn start(encryption: Encryption) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let kept = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, encryption) = (Arc::clone(&kept), encryption.clone());
                // A client may leave in the middle.
                thread::spawn(move || drop(serve(stream.unwrap(), &encryption, &seen)));
            }
        });
        Self { port, seen }
    }

    /// The setting of a server that speaks without TLS.
    pub(super) fn url(&self) -> String {
        format!("smtp://localhost:{}?tls=none", self.port)
    }

    /// Answers the next recipients with these.
    pub(super) fn refuse(&self, answers: &[&'static str]) {
        self.seen.lock().unwrap().refusals.extend(answers);
    }

    /// Takes the next mail and says nothing.
    pub(super) fn fall_silent(&self) {
        self.seen.lock().unwrap().is_silent = true;
    }

    /// Waits until a mail was taken and is not answered.
    pub(super) fn has_fallen_silent(&self) {
        eventually("a mail is taken", || {
            (self.seen.lock().unwrap().unanswered > 0).then_some(())
        });
    }

    /// The mails so far.
    pub(super) fn mails(&self) -> Vec<ReceivedMail> {
        self.seen.lock().unwrap().mails.clone()
    }

    /// The mails, once there are so many.
    #[track_caller]
    pub(super) fn received(&self, count: usize) -> Vec<ReceivedMail> {
        eventually("the mails come", || {
            Some(self.mails()).filter(|mails| mails.len() >= count)
        })
    }
}

impl ReceivedMail {
    /// The value of a header field.
    #[track_caller]
    pub(super) fn header(&self, name: &str) -> &str {
        let head = self.text.split("\r\n\r\n").next().unwrap();
        let value = head
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.unwrap_or_else(|| panic!("no {name}: {head}"))
    }

    /// The path of the link in its text.
    #[track_caller]
    pub(super) fn link(&self) -> String {
        let line = self.text.lines().find(|line| line.starts_with("http"));
        let (_, path) = line.unwrap().split_once("/dashboard").unwrap();
        format!("/dashboard{path}")
    }
}

fn encrypted(stream: TcpStream, config: &Arc<ServerConfig>) -> Box<dyn Stream> {
    let connection = ServerConnection::new(Arc::clone(config)).unwrap();
    Box::new(StreamOwned::new(connection, stream))
}

fn serve(stream: TcpStream, encryption: &Encryption, seen: &Mutex<Seen>) -> io::Result<()> {
    match encryption {
        Encryption::None => converse(Box::new(stream), true, Security::None, seen).map(drop),
        Encryption::Implicit(config) => {
            converse(encrypted(stream, config), true, Security::Encrypted, seen).map(drop)
        }
        Encryption::StartTls(config) => {
            let plain = Box::new(stream.try_clone()?);
            if converse(plain, true, Security::Offered, seen)? {
                converse(encrypted(stream, config), false, Security::Encrypted, seen)?;
            }
            Ok(())
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Security {
    None,
    /// Only STARTTLS is answered.
    Offered,
    /// A password is wanted.
    Encrypted,
}

/// Answers until the client goes; whether it wants to begin TLS.
fn converse(
    stream: Box<dyn Stream>,
    greets: bool,
    security: Security,
    seen: &Mutex<Seen>,
) -> io::Result<bool> {
    let mut stream = BufReader::new(stream);
    let say = |stream: &mut BufReader<Box<dyn Stream>>, text: &str| {
        stream
            .get_mut()
            .write_all(format!("{text}\r\n").as_bytes())?;
        stream.get_mut().flush()
    };
    if greets {
        say(&mut stream, "220 ready")?;
    }
    let (mut from, mut to) = (String::new(), String::new());
    let mut is_known = security != Security::Encrypted;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Ok(false);
        }
        let line = line.trim_end();
        let verb = line.split([' ', ':']).next().unwrap().to_uppercase();
        let answer = match &*verb {
            "EHLO" if security == Security::Offered => "250-hello\r\n250 STARTTLS".to_owned(),
            "EHLO" if security == Security::Encrypted => "250-hello\r\n250 AUTH PLAIN".to_owned(),
            "EHLO" => "250 hello".to_owned(),
            "STARTTLS" if security == Security::Offered => {
                say(&mut stream, "220 go on")?;
                return Ok(true);
            }
            _ if security == Security::Offered => "530 STARTTLS first".to_owned(),
            "AUTH" => {
                is_known = line.ends_with(CREDENTIALS);
                if is_known { "235 welcome" } else { "535 no" }.to_owned()
            }
            _ if !is_known => "530 who are you".to_owned(),
            "MAIL" => {
                from = address(line);
                "250 ok".to_owned()
            }
            "RCPT" => {
                to = address(line);
                let refusal = seen.lock().unwrap().refusals.pop_front();
                refusal.unwrap_or("250 ok").to_owned()
            }
            "DATA" => {
                say(&mut stream, "354 go on")?;
                let text = data(&mut stream)?;
                let mut seen = seen.lock().unwrap();
                if std::mem::take(&mut seen.is_silent) {
                    seen.unanswered += 1;
                    drop(seen);
                    // Until the client goes.
                    stream.read_line(&mut String::new())?;
                    return Ok(false);
                }
                seen.mails.push(ReceivedMail {
                    from: from.clone(),
                    to: to.clone(),
                    text,
                    is_encrypted: security == Security::Encrypted,
                });
                "250 ok".to_owned()
            }
            _ => "250 ok".to_owned(),
        };
        say(&mut stream, &answer)?;
    }
}

fn address(line: &str) -> String {
    let (_, rest) = line.split_once('<').unwrap();
    rest.split('>').next().unwrap().to_owned()
}

/// The lines until the dot, their quoted-printable encoding undone as far as the mails here need it.
fn data(stream: &mut impl io::BufRead) -> io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == ".\r\n" {
            return Ok(text.replace("=\r\n", "").replace("=3D", "="));
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}
