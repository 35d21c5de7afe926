//! A server that answers as a test says, and counts connections.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The server's reaction to a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Does {
    Says(&'static str),
    /// Says this, and nothing more.
    Hangs(&'static str),
    Closes,
}

pub(crate) const OK: Does = Does::Says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

/// A server that does each of these in turn, the last for ever, once for each connection.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl Server {
    /// Without TLS.
    pub(crate) async fn that(does: &'static [Does]) -> Self {
        Self::with(does, |stream| async { Some(stream) }).await
    }

    /// Over connections that become others first, as TLS makes of them.
    pub(crate) async fn with<S, F>(does: &'static [Does], become_other: fn(TcpStream) -> F) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
        F: Future<Output = Option<S>> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let nth = count.fetch_add(1, Ordering::SeqCst);
                let does = does[nth.min(does.len() - 1)];
                tokio::spawn(async move {
                    if let Some(stream) = become_other(stream).await {
                        answer(stream, does).await;
                    }
                });
            }
        });
        Self { address, asked }
    }

    /// How many connections there have been, each with a request.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin, does: Does) {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else {
            return;
        };
        request.push(byte);
    }
    match does {
        Does::Closes => {}
        Does::Says(text) => {
            let text = text.replacen("\r\n", "\r\nConnection: close\r\n", 1);
            _ = stream.write_all(text.as_bytes()).await;
            // What comes beside the head is read before the end, or the answer is reset.
            _ = stream.shutdown().await;
            _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
        }
        Does::Hangs(text) => {
            _ = stream.write_all(text.as_bytes()).await;
            std::future::pending::<()>().await;
        }
    }
}
