//! Adds the headers of every error to the answers that hyper writes itself.
//!
//! hyper answers a head that it cannot parse with 400, 414 or 431, before any code of this crate runs and
//! without a hook. Such an answer is recognised when it is written: hyper writes it at once, with nothing
//! before or after it, and it lacks the header that [`protect`](super::response_headers::protect) gives to
//! every other answer.
//!
//! The alternatives are worse: parsing each head a second time before hyper does, a proxy in front, or a
//! hyper of our own.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The end of a head.
const END: &str = "\r\n\r\n";

/// The headers of every error.
const HEADERS: &str = "\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\n\r\n";

/// The length of the longest bare answer, and some more.
const MAX_LENGTH: usize = 160;

/// A stream whose bare answers have the headers of every error.
pub(super) struct BareAnswers<S> {
    stream: S,
    /// How much of a bare answer with its further headers is written.
    written: usize,
}

impl<S: AsyncWrite + Unpin> BareAnswers<S> {
    /// Adds the headers to the bare answers that are written to `stream`.
    pub(super) fn new(stream: S) -> Self {
        Self { stream, written: 0 }
    }

    /// Writes `answer`, which stands for `bytes` bytes of the writer.
    fn write_answer(
        &mut self,
        cx: &mut Context<'_>,
        answer: &str,
        bytes: usize,
    ) -> Poll<io::Result<usize>> {
        while let Some(rest) = answer.as_bytes().get(self.written..)
            && !rest.is_empty()
        {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest))? {
                0 => return Poll::Ready(Ok(0)),
                written => self.written += written,
            }
        }
        Poll::Ready(Ok(bytes))
    }
}

/// `bytes` with the headers of every error, if they are a whole bare answer.
fn with_headers(bytes: &[u8]) -> Option<String> {
    if bytes.len() > MAX_LENGTH || !bytes.starts_with(b"HTTP/1.1 4") {
        return None;
    }
    let head = str::from_utf8(bytes).ok()?.strip_suffix(END)?;
    let is_bare = !head.contains(END) && !head.contains("x-content-type-options");
    is_bare.then(|| format!("{head}{HEADERS}"))
}

impl<S: AsyncWrite + Unpin> AsyncWrite for BareAnswers<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match with_headers(bytes) {
            Some(answer) => self.write_answer(cx, &answer, bytes.len()),
            None => Pin::new(&mut self.stream).poll_write(cx, bytes),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match slices {
            [bytes] => self.poll_write(cx, bytes),
            _ => Pin::new(&mut self.stream).poll_write_vectored(cx, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for BareAnswers<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    const BARE: &str = "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";

    /// Writes `bytes` at once to a peer that takes them three at a time; the bytes that arrive.
    async fn written(bytes: &'static str) -> String {
        let (near, mut far) = duplex(3);
        let writer = tokio::spawn(async move {
            let mut stream = BareAnswers::new(near);
            stream.write_all(bytes.as_bytes()).await.unwrap();
            stream.shutdown().await.unwrap();
        });
        let mut arrived = String::new();
        far.read_to_string(&mut arrived).await.unwrap();
        writer.await.unwrap();
        arrived
    }

    #[tokio::test]
    async fn a_bare_answer_arrives_whole_with_the_headers_of_errors() {
        let head = BARE.strip_suffix(END).unwrap();
        assert_eq!(written(BARE).await, format!("{head}{HEADERS}"));
    }

    #[tokio::test]
    async fn nothing_else_is_changed() {
        for bytes in [
            "HTTP/1.1 404 Not Found\r\nx-content-type-options: nosniff\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 4\r\n\r\n\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-le",
            "",
        ] {
            assert_eq!(written(bytes).await, bytes);
        }
    }
}
