//! Sends requests on a few connections at once and measures their cost to the server.

use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Instant;
use workspace::Server;

const CONNECTIONS: usize = 32;

/// The requests that a server is sent in one turn.
pub(crate) struct Load {
    /// Whole requests, which are sent in turn.
    pub(crate) requests: Vec<String>,
    /// How many are sent at the least.
    pub(crate) count: usize,
    /// How the status of every answer must begin.
    pub(crate) status: String,
}

/// The cost of one request in one turn.
pub(crate) struct Turn {
    /// Microseconds of the server's processor time.
    pub(crate) cpu: f64,
    /// Requests in a second.
    pub(crate) rate: f64,
}

impl Load {
    /// Puts the load on a server.
    ///
    /// # Errors
    /// When an answer has another status or is not complete.
    pub(crate) fn put_on(&self, server: &Server) -> io::Result<Turn> {
        let mut streams = Vec::new();
        for _ in 0..CONNECTIONS {
            let stream = TcpStream::connect(("127.0.0.1", server.port))?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let start = format!("HTTP/1.1 {}", self.status);
        let mut requests = self.requests.iter().cycle();
        let mut buffer = Vec::new();
        let before = server.cpu()?;
        let began = Instant::now();
        let rounds = self.count.div_ceil(CONNECTIONS);
        for _ in 0..rounds {
            for stream in &mut streams {
                let request = requests.next().map(String::as_bytes);
                stream.write_all(request.unwrap_or_default())?;
            }
            for stream in &mut streams {
                receive(stream, &start, &mut buffer)?;
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        let spent = server.cpu()?.saturating_sub(before);
        let sent = (rounds * CONNECTIONS) as f64;
        Ok(Turn {
            cpu: spent.as_secs_f64() * 1e6 / sent,
            rate: sent / seconds,
        })
    }
}

/// Sends a request and reads its whole answer, which must begin with `start`.
///
/// # Errors
/// When it begins otherwise or is not complete.
pub(crate) fn exchange(
    stream: &mut TcpStream,
    request: &[u8],
    start: &str,
    buffer: &mut Vec<u8>,
) -> io::Result<()> {
    stream.write_all(request)?;
    receive(stream, start, buffer)
}

/// Reads one whole answer, which must begin with `start`.
fn receive(stream: &mut TcpStream, start: &str, buffer: &mut Vec<u8>) -> io::Result<()> {
    read_answer(stream, buffer)?;
    match buffer.starts_with(start.as_bytes()) {
        true => Ok(()),
        false => {
            let answer = String::from_utf8_lossy(buffer);
            Err(io::Error::other(format!("not {start}: {answer}")))
        }
    }
}

/// Reads one whole answer.
///
/// # Errors
/// When it is not complete, or followed by other bytes.
pub(crate) fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<()> {
    buffer.clear();
    let mut piece = [0; 64 << 10];
    loop {
        let read = stream.read(&mut piece)?;
        buffer.extend_from_slice(piece.get(..read).unwrap_or_default());
        match length(buffer)? {
            Some(length) if buffer.len() == length => return Ok(()),
            Some(length) if buffer.len() > length => {
                return Err(io::Error::other("bytes follow the answer"));
            }
            _ if read == 0 => return Err(io::Error::other("the server has hung up")),
            _ => {}
        }
    }
}

/// The length of an answer, once its head is there. Without `content-length` it has no body.
fn length(answer: &[u8]) -> io::Result<Option<usize>> {
    let Some(end) = answer.windows(4).position(|end| end == b"\r\n\r\n") else {
        return Ok(None);
    };
    let head = str::from_utf8(answer.get(..end).unwrap_or_default()).map_err(io::Error::other)?;
    let mut lines = head.lines();
    let body = lines.find_map(|line| line.strip_prefix("content-length: "));
    let body: usize = body.unwrap_or("0").parse().map_err(io::Error::other)?;
    Ok(Some(end + 4 + body))
}
