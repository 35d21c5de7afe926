//! The requests that are sent over and over, each with the key of another customer.

use std::io;
use workspace::Server;

/// One kind of request.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) status: u16,
    path: String,
    /// The media type that is asked for.
    accept: &'static str,
    /// Further headers.
    headers: String,
}

/// All kinds of requests.
///
/// # Errors
/// When the server does not answer as it should.
pub(super) fn all(server: &Server) -> io::Result<[Workload; 4]> {
    let page = Workload {
        name: "catalog page of 20",
        status: 200,
        path: "/api/v1/charities".to_owned(),
        accept: "application/json",
        headers: String::new(),
    };
    let answer = page.answer(server, None)?;
    let slug = between(&answer, "\"slug\":\"", "\"")?;
    let tag = between(&answer, "etag: ", "\r\n")?;
    Ok([
        Workload {
            name: "single charity",
            path: format!("/api/v1/charities/{slug}"),
            headers: String::new(),
            ..page
        },
        Workload {
            name: "304 of that page",
            status: 304,
            headers: format!("if-none-match: {tag}\r\n"),
            path: page.path.clone(),
            ..page
        },
        Workload {
            name: "Atom feed of 50",
            path: "/api/v1/charities/feed.atom".to_owned(),
            accept: "application/atom+xml",
            headers: String::new(),
            ..page
        },
        page,
    ])
}

fn between<'a>(answer: &'a [u8], before: &str, after: &str) -> io::Result<&'a str> {
    let text = str::from_utf8(answer).map_err(io::Error::other)?;
    let found = text
        .split_once(before)
        .and_then(|(_, rest)| rest.split_once(after));
    let missing = || io::Error::other(format!("an answer without {before}: {text}"));
    found.map(|(found, _)| found).ok_or_else(missing)
}

impl Workload {
    /// Requests with each of the keys, one after the other.
    pub(super) fn requests(&self, keys: &[String]) -> Vec<String> {
        keys.iter().map(|key| self.request(Some(key), "")).collect()
    }

    /// A server's answer, as it goes over the wire.
    ///
    /// # Errors
    /// When it has another status.
    pub(super) fn answer(&self, server: &Server, key: Option<&String>) -> io::Result<Vec<u8>> {
        let answer = server.ask(self.request(key, "connection: close\r\n").as_bytes())?;
        if answer.starts_with(format!("HTTP/1.1 {} ", self.status).as_bytes()) {
            return Ok(answer);
        }
        let answer = String::from_utf8_lossy(&answer);
        Err(io::Error::other(format!("{}: {answer}", self.path)))
    }

    fn request(&self, key: Option<&String>, more: &str) -> String {
        let Self {
            path,
            accept,
            headers,
            ..
        } = self;
        let key = key
            .map(|key| format!("service-api-key: {key}\r\n"))
            .unwrap_or_default();
        format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nuser-agent: bench\r\n\
             accept: {accept}\r\n{key}{headers}{more}\r\n"
        )
    }
}

/// Checks that two responses are equal but for the headers that differ from request to request.
///
/// # Errors
/// When they are not.
pub(super) fn compare(one: &[u8], other: &[u8]) -> io::Result<()> {
    let (one, other) = (normal(one), normal(other));
    if one == other {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "the answers differ:\n{one}\n--- and\n{other}"
    )))
}

/// An answer without its date, its headers in order.
fn normal(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let mut lines: Vec<&str> = head.lines().collect();
    lines.retain(|line| !line.starts_with("date:"));
    lines.sort_unstable();
    format!("{}\n\n{body}", lines.join("\n"))
}
