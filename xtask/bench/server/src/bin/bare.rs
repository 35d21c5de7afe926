//! A server on bare hyper that answers everything with the answer in a file, byte for byte but for
//! the date, which hyper writes. It prints its port.
//!
//! Usage: `bare ANSWER`

use std::convert::Infallible;
use std::error::Error;
use std::future::ready;
use std::sync::Arc;
use std::{env, fs};

use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// The server's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("bare ANSWER")?;
    let answer = Arc::new(Answer::parse(&fs::read(file)?)?);
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = Arc::clone(&answer);
        let service = service_fn(move |_| ready(Ok::<_, Infallible>(answer.response())));
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        // An error ends one connection only; it is the client's.
        tokio::spawn(async move { _ = connection.await });
    }
}

/// The response to every request.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    /// Parses a response from its bytes, without the headers that hyper adds.
    fn parse(wire: &[u8]) -> Result<Answer, Box<dyn Error>> {
        let end = wire.windows(4).position(|end| end == b"\r\n\r\n");
        let (head, body) = wire.split_at(end.ok_or("no head")? + 4);
        let mut lines = str::from_utf8(head)?.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            if !["date", "content-length", "connection"].contains(&name) {
                headers.append(
                    HeaderName::try_from(name)?,
                    HeaderValue::from_bytes(value.as_bytes())?,
                );
            }
        }
        Ok(Answer {
            status: status.ok_or("no status")?.parse()?,
            headers,
            body: Bytes::copy_from_slice(body),
        })
    }

    fn response(&self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body.clone()));
        *response.status_mut() = self.status;
        response.headers_mut().clone_from(&self.headers);
        response
    }
}
