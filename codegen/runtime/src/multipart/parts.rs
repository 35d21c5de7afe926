//! Parts without names, as of `multipart/mixed` (RFC 2046, section 5.1), that pass one by one.
//!
//! A part is held in memory as a whole, within the limit of bodies that are; their number does not matter. Its
//! content is checked when it has arrived, and the first part that violates its schema ends the stream, as with
//! other items.

mod content;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::multipart::stream::Parts;
use crate::multipart::upload::rest;
use crate::multipart::write::boundary;
use crate::multipart::{delimiter, find, headers_of};
use crate::stream::items::Items;
use crate::stream::{ByteStream, StreamError};
use json_schema::issue::Issue;

pub use content::{Kinds, Received, Sent};
pub use content::{bytes, json, parts, scalar, text, with_headers};

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyPart<T> {
    /// Its content.
    pub content: T,
    /// Its media type, where the contract leaves that open: one of `image/*`, say. Of a received part, the one
    /// that it came with.
    pub content_type: Option<String>,
    /// Its other headers.
    pub headers: HeaderMap,
}

impl<T> From<T> for BodyPart<T> {
    fn from(content: T) -> Self {
        Self {
            content,
            content_type: None,
            headers: HeaderMap::new(),
        }
    }
}

/// Parts that pass one by one.
pub type BodyParts<T> = Items<BodyPart<T>>;

/// Reads the content of a part.
type Read<T> = fn(&Received) -> Result<T, Vec<Issue>>;

/// Writes the content of the part at an index; `None` where it cannot be written, or does not belong there.
type Write<T> = fn(usize, &T) -> Option<Sent>;

/// The message about a body that has no parts.
const NO_PARTS: &str = "has no parts as its Content-Type says";

impl<T: Send + 'static> BodyParts<T> {
    /// The parts of a request's body, each of which is checked.
    #[must_use]
    pub fn incoming_by(bytes: ByteStream, read: Read<T>) -> Self {
        Self::read_by(bytes, read, true)
    }

    /// The parts of an answer's body.
    #[must_use]
    pub fn answered_by(bytes: ByteStream, read: Read<T>) -> Self {
        Self::read_by(bytes, read, false)
    }

    fn read_by(bytes: ByteStream, read: Read<T>, is_checked: bool) -> Self {
        let parts = Parts::new(bytes).refused_as(NO_PARTS);
        Self::of(stream::try_unfold(
            (parts, 0_usize),
            move |(mut parts, index)| async move {
                let Some(headers) = parts.next_headers().await? else {
                    return Ok(None);
                };
                let bytes = rest(&mut parts, 0).await?;
                let at = format!("/{index}");
                let part = Received::new(headers, bytes, (index, at), is_checked);
                match read(&part) {
                    Ok(content) => Ok(Some((part.holding(content), (parts, index + 1)))),
                    Err(issues) => Err(parts.bytes.refuse(StreamError::Invalid(issues))),
                }
            },
        ))
    }

    /// The parts as a body of this media type, to which the boundary is added.
    #[must_use]
    pub fn into_parts_by(self, media_type: &str, write: Write<T>) -> ByteStream {
        let boundary = boundary();
        let content_type = format!("{media_type}; boundary={boundary}");
        let end = Bytes::from(format!("--{boundary}--\r\n"));
        let pieces = self.enumerate().map(move |(index, part)| {
            let piece = written(&boundary, index, &part?, write);
            piece.ok_or_else(|| StreamError::broken("a part that cannot be written"))
        });
        let end = stream::once(async move { Ok(end) });
        ByteStream::new(pieces.chain(end)).with_type(content_type)
    }
}

/// A part as it is sent: its delimiter, its headers, its content, and the line end after that.
fn written<T>(boundary: &str, index: usize, part: &BodyPart<T>, write: Write<T>) -> Option<Bytes> {
    let sent = write(index, &part.content)?;
    let mut headers = part.headers.clone();
    for (name, value) in &sent.headers {
        headers.insert(name.clone(), value.clone());
    }
    let content_type = part.content_type.as_deref();
    if let Some(content_type) = content_type.or(sent.content_type.as_deref()) {
        headers.insert(CONTENT_TYPE, HeaderValue::try_from(content_type).ok()?);
    }
    let mut piece = format!("--{boundary}\r\n").into_bytes();
    for (name, value) in &headers {
        line(&mut piece, name, value);
    }
    piece.extend_from_slice(b"\r\n");
    piece.extend_from_slice(&sent.bytes);
    piece.extend_from_slice(b"\r\n");
    Some(piece.into())
}

fn line(piece: &mut Vec<u8>, name: &HeaderName, value: &HeaderValue) {
    piece.extend_from_slice(name.as_str().as_bytes());
    piece.extend_from_slice(b": ");
    piece.extend_from_slice(value.as_bytes());
    piece.extend_from_slice(b"\r\n");
}

/// Takes a body apart that is held in memory; `None` where it does not have the form of its media type.
fn split(content_type: &str, body: &Bytes) -> Option<Vec<(HeaderMap, Bytes)>> {
    let delimiter = delimiter(content_type)?;
    let mut rest = find(body, 0, delimiter.as_bytes())? + delimiter.len();
    let delimiter = format!("\r\n{delimiter}");
    let mut parts = Vec::new();
    while body.get(rest..rest + 2) != Some(b"--".as_slice()) {
        let start = find(body, rest, b"\r\n")? + 2;
        let end = find(body, start - 2, delimiter.as_bytes())?;
        let blank = find(body, start - 2, b"\r\n\r\n").filter(|blank| *blank <= end)?;
        let head = std::str::from_utf8(body.get(start..blank.max(start))?).ok()?;
        let content = body.slice((blank + 4).min(end)..end);
        parts.push((headers_of(head)?, content));
        rest = end + delimiter.len();
    }
    Some(parts)
}
