//! Heads and bodies of requests: the bytes of a whole connection to the server. It answers in HTTP,
//! never with a failure of its own, and closes the connection when its client does.

#![no_main]

#[path = "../server.rs"]
mod server;

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::LazyLock;
use std::time::Duration;

use server::DEMO;

/// How long the first bytes of an answer may take before the client gives up. Most requests are
/// incomplete, and the server waits for the rest of them.
const PATIENCE: Duration = Duration::from_millis(10);

/// How long the server may take to close the connection.
const CLOSING: Duration = Duration::from_secs(8);

// The start of the server is not the time of the first input.
libfuzzer_sys::fuzz_target!(init: { LazyLock::force(&DEMO); }, |bytes: &[u8]| {
    // Of an answer that was cut off, only the bytes that came are checked.
    check(&send(bytes));
});

fn send(bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(DEMO.address).expect("a connection");
    // The server may refuse the request before all of it is sent.
    let _ = stream.write_all(bytes);
    stream
        .set_read_timeout(Some(PATIENCE))
        .expect("a limit of time");
    let mut answer = vec![0; 64 << 10];
    let read = stream.read(&mut answer).unwrap_or(0);
    answer.truncate(read);
    let _ = stream.shutdown(Shutdown::Write);
    stream
        .set_read_timeout(Some(CLOSING))
        .expect("a limit of time");
    if let Err(error) = stream.read_to_end(&mut answer) {
        assert!(
            error.kind() == ErrorKind::ConnectionReset,
            "not closed: {error}"
        );
    }
    answer
}

/// Checks the answers of a connection, one after the other.
fn check(mut rest: &[u8]) {
    while !rest.is_empty() {
        let mut fields = [httparse::EMPTY_HEADER; 64];
        let mut head = httparse::Response::new(&mut fields);
        let parsed = head
            .parse(rest)
            .unwrap_or_else(|error| panic!("{error}: {}", show(rest)));
        let (httparse::Status::Complete(length), Some(code)) = (parsed, head.code) else {
            return;
        };
        assert!(code < 500, "{}", show(rest));
        let fields = head.headers.iter();
        let mut lengths = fields.filter(|it| it.name.eq_ignore_ascii_case("content-length"));
        let body = lengths
            .next()
            .map_or(0, |it| show(it.value).parse().expect("a length"));
        rest = &rest[length..];
        // An answer to HEAD has the length of a body that it does not have.
        if !rest.starts_with(b"HTTP/1.") {
            rest = rest.get(body..).unwrap_or_default();
        }
    }
}

fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
