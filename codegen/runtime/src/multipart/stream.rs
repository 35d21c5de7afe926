//! Takes a body of parts apart while it arrives (RFC 2046, section 5.1; RFC 7578): no more of it is
//! held than a piece and a boundary.

use bytes::{Buf as _, Bytes, BytesMut};
use http::HeaderMap;

use crate::multipart::field::too_long;
use crate::multipart::{self, HEAD, Head};
use crate::stream::{ByteStream, StreamError};
use json_schema::issue::{Issue, Place};

/// The parts that have not been read yet.
pub(crate) struct Parts {
    pub(crate) bytes: ByteStream,
    /// A line end, two hyphens and the boundary; empty where there is none.
    delimiter: Vec<u8>,
    rest: BytesMut,
    /// Whether the delimiter that ends the present part is still to come; the bytes before the first part count
    /// as one.
    in_part: bool,
    /// How much of the present part has come, in bytes.
    octets: u64,
    /// The name of the present part, and how many bytes it has at most.
    bound: Option<(String, u64)>,
    /// The message about a body that cannot be divided into parts.
    refusal: &'static str,
}

impl Parts {
    pub(crate) fn new(bytes: ByteStream) -> Self {
        let content_type = bytes.content_type().unwrap_or_default();
        let delimiter = multipart::delimiter(content_type);
        let delimiter = delimiter.map(|delimiter| format!("\r\n{delimiter}").into_bytes());
        let in_part = delimiter.is_some();
        Self {
            bytes,
            delimiter: delimiter.unwrap_or_default(),
            // The first delimiter may be at the very beginning.
            rest: BytesMut::from("\r\n"),
            in_part,
            octets: 0,
            bound: None,
            refusal: "is not a form as its Content-Type says",
        }
    }

    /// The same body, of which something else is said where it cannot be taken apart.
    pub(crate) const fn refused_as(mut self, refusal: &'static str) -> Self {
        self.refusal = refusal;
        self
    }

    /// Lets the present part have so many bytes and no more.
    pub(crate) fn bind(&mut self, name: &str, most: u64) {
        self.bound = Some((name.to_owned(), most));
    }

    /// Skips the rest of the present part, and counts its bytes.
    pub(crate) async fn skip(&mut self) -> Result<u64, StreamError> {
        while self.piece().await?.is_some() {}
        Ok(self.octets)
    }

    /// The head of the next part; the rest of the present one is skipped.
    pub(crate) async fn next(&mut self) -> Result<Option<Head>, StreamError> {
        self.next_by(multipart::head).await
    }

    /// The headers of the next part, which need not name it.
    pub(crate) async fn next_headers(&mut self) -> Result<Option<HeaderMap>, StreamError> {
        self.next_by(multipart::headers_of).await
    }

    async fn next_by<H>(&mut self, read: fn(&str) -> Option<H>) -> Result<Option<H>, StreamError> {
        if self.delimiter.is_empty() {
            return Err(self.malformed());
        }
        self.skip().await?;
        let begin = self.delimiter.len();
        while self.rest.len() < begin + 2 {
            self.more().await?;
        }
        if self.rest.get(begin..begin + 2) == Some(b"--".as_slice()) {
            return Ok(None);
        }
        // Blanks may pad a delimiter's line; a part without headers has its
        // blank line at once.
        let mut from = begin;
        let end = loop {
            let rest = self.rest.get(from..).unwrap_or_default();
            if let Some(end) = rest.windows(4).position(|window| window == b"\r\n\r\n") {
                break from + end;
            }
            if self.rest.len() - begin > HEAD {
                return Err(self.malformed());
            }
            // What has been looked at is not looked at again with each byte.
            from = self.rest.len().saturating_sub(3).max(begin);
            self.more().await?;
        };
        // However many pieces it has come in.
        if end - begin > HEAD {
            return Err(self.malformed());
        }
        let head = self.rest.get(begin..end).map(<[u8]>::to_vec);
        let head = head.and_then(|head| String::from_utf8(head).ok());
        let Some(head) = head.as_deref().and_then(read) else {
            return Err(self.malformed());
        };
        // The line end before a delimiter may be that of the blank line.
        self.rest.advance(end + 2);
        self.in_part = true;
        (self.octets, self.bound) = (0, None);
        let empty = self.begins_with_delimiter().await?;
        if !empty {
            self.rest.advance(2);
        }
        Ok(Some(head))
    }

    /// The next piece of the present part; `None` at its end.
    pub(crate) async fn piece(&mut self) -> Result<Option<Bytes>, StreamError> {
        if !self.in_part {
            return Ok(None);
        }
        loop {
            let wanted = self.delimiter.as_slice();
            let found = find(&self.rest, wanted);
            // The beginning of a delimiter may be at the end.
            let ready = found.unwrap_or(self.rest.len().saturating_sub(wanted.len() - 1));
            if ready > 0 {
                self.count(ready)?;
                return Ok(Some(self.rest.split_to(ready).freeze()));
            }
            if found.is_some() {
                self.in_part = false;
                return Ok(None);
            }
            self.more().await?;
        }
    }

    /// Counts bytes of the present part, of which there may be too many.
    fn count(&mut self, more: usize) -> Result<(), StreamError> {
        self.octets += u64::try_from(more).unwrap_or(u64::MAX);
        match &self.bound {
            Some((name, most)) if self.octets > *most => {
                let issue = too_long(name, *most);
                Err(self.bytes.refuse(StreamError::Invalid(vec![issue])))
            }
            _ => Ok(()),
        }
    }

    /// Whether the part that begins here is empty and without a line of its
    /// own.
    async fn begins_with_delimiter(&mut self) -> Result<bool, StreamError> {
        while self.rest.len() < self.delimiter.len() {
            self.more().await?;
        }
        Ok(self.rest.starts_with(&self.delimiter))
    }

    async fn more(&mut self) -> Result<(), StreamError> {
        match self.bytes.next().await {
            Some(piece) => self.rest.extend_from_slice(&piece?),
            None => return Err(self.malformed()),
        }
        Ok(())
    }

    fn malformed(&mut self) -> StreamError {
        self.bytes.refuse(StreamError::Invalid(vec![Issue {
            place: Place::Body,
            at: String::new(),
            keyword: "type",
            message: self.refusal.to_owned(),
        }]))
    }
}

/// Where `wanted`, which begins with a carriage return, is found.
fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    let mut from = 0;
    loop {
        let rest = bytes.get(from..)?;
        let next = rest.iter().position(|byte| *byte == b'\r')?;
        if rest.get(next..)?.starts_with(wanted) {
            return Some(from + next);
        }
        from += next + 1;
    }
}
