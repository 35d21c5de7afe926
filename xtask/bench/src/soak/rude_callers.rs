//! Callers who hang up or do not read.

use super::callers::request;
use super::deployment::Deployment;
use super::repeat;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How many documents a slow reader asks for: more than the system takes for it.
const DOCUMENTS: usize = 100;

/// How many seconds it reads.
const READING: usize = 40;

/// Hangs up in the middle of a head or a body, or before an answer has come; how often.
///
/// # Errors
/// When a server does not accept a connection.
pub(super) fn hang_up(on: &Deployment, end: Instant) -> io::Result<usize> {
    let key = format!(
        "service-api-key: {}\r\n",
        on.keys.first().map_or("", String::as_str)
    );
    let whole = request("GET", "/analytics", &key, "");
    let body = request("POST", "/configs", &key, "{ this is not read }");
    let kinds = [&whole, &body].map(|it| [it.as_str(), it.get(..it.len() - 9).unwrap_or_default()]);
    let kinds = kinds.as_flattened();
    let mut count = 0;
    repeat(end, Duration::from_millis(200), |turn| {
        for server in &on.servers {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port))?;
            let sent = kinds.get(turn % kinds.len()).copied().unwrap_or_default();
            stream.write_all(sent.as_bytes())?;
            count += 1;
        }
        Ok(())
    })?;
    Ok(count)
}

/// Asks each server for large documents and reads a kilobyte a second of them, for longer than the server
/// bears, again and again; how many such connections servers have closed so far.
///
/// # Errors
/// When a server does not accept a connection, or does not say how many it has closed.
pub(super) fn read_slowly(from: &Deployment, end: Instant) -> io::Result<usize> {
    let documents = request("GET", "/openapi", "", "").repeat(DOCUMENTS);
    let mut readers: Vec<TcpStream> = Vec::new();
    repeat(end, Duration::from_secs(1), |turn| {
        if turn % READING == 0 {
            readers.clear();
            for server in &from.servers {
                let mut reader = TcpStream::connect(("127.0.0.1", server.port))?;
                reader.write_all(documents.as_bytes())?;
                readers.push(reader);
            }
        }
        // A closed connection may still have bytes that were sent before.
        readers.retain_mut(|reader| reader.read(&mut [0; 1024]).is_ok());
        Ok(())
    })?;
    let closed = r#"http_connections_closed_total{reason="slow reader"}"#;
    let servers = from.servers.iter();
    let counts = servers.map(|server| Ok(server.metric(closed)? as usize));
    counts.sum()
}
