//! Reads bodies of `multipart/form-data` (RFC 7578).
//!
//! A form without files is read whole, within the limit that every body has;
//! one with files is read by [`upload`](super::upload). Parts of other bodies, which have no names,
//! pass one by one: [`parts`].
//!
//! `multer` 3.1 was tried in the place of this parser. It takes all that has arrived into memory
//! before it gives out a part, has no bound for the head of one, and leaves `%22` and `\\` in the names
//! of files as they are; the tests `no_more_of_a_file_is_taken_than_is_read`,
//! `a_hostile_head_or_boundary_is_refused_in_little_time` and `what_is_written_is_read_back` say what
//! users would lose.

pub(crate) mod field;
pub(crate) mod headers;
#[cfg(feature = "streams")]
pub mod parts;
pub(crate) mod read;
pub(crate) mod stream;
pub(crate) mod upload;
pub(crate) mod write;

use bytes::Bytes;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::multipart::field::Fields;

/// The longest head of a part, in bytes.
pub(crate) const HEAD: usize = 16 << 10;

/// How many headers it has at the most: as many as a request.
const LINES: usize = 100;

/// A file as it was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct File {
    /// The name that the sender gives it. It says nothing about where to put
    /// it, and is not to be used as a path.
    pub name: Option<String>,
    /// Its media type, where the sender knows it.
    pub content_type: Option<String>,
    /// Its content.
    pub bytes: Bytes,
}

impl From<Bytes> for File {
    fn from(bytes: Bytes) -> Self {
        Self {
            bytes,
            ..Self::default()
        }
    }
}

/// One part of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The field that it is for.
    pub(crate) field: String,
    pub(crate) file: File,
    /// The headers that are declared for it.
    pub(crate) headers: HeaderMap,
    /// How many bytes it has, which are in the file or were given out.
    pub(crate) octets: u64,
}

/// Divides a body into its parts; `None` where it does not have the form of its `Content-Type`.
pub(crate) fn parts(headers: &HeaderMap, body: &Bytes, fields: &Fields) -> Option<Vec<Part>> {
    let delimiter = delimiter(headers.get(CONTENT_TYPE)?.to_str().ok()?)?;
    let mut rest = find(body, 0, delimiter.as_bytes())? + delimiter.len();
    let delimiter = format!("\r\n{delimiter}");
    let mut parts = Vec::new();
    while body.get(rest..rest + 2) != Some(b"--".as_slice()) {
        // Blanks may pad a delimiter's line (RFC 2046 §5.1.1).
        let start = find(body, rest, b"\r\n")? + 2;
        let end = find(body, start - 2, delimiter.as_bytes())?;
        parts.push(part(body, (start, end), fields)?);
        rest = end + delimiter.len();
    }
    Some(parts)
}

/// Two hyphens and the boundary, which has 1 to 70 characters (RFC 2046
/// §5.1.1): a longer one could be looked for at length.
pub(crate) fn delimiter(content_type: &str) -> Option<String> {
    let boundary = parameter(content_type, "boundary")?;
    (1..=70)
        .contains(&boundary.len())
        .then(|| format!("--{boundary}"))
}

/// The part between `start`, where its headers begin, and `end`.
fn part(body: &Bytes, (start, end): (usize, usize), fields: &Fields) -> Option<Part> {
    // Without headers, the blank line comes at once.
    let split = find(body, start - 2, b"\r\n\r\n").filter(|split| *split <= end)?;
    let head = body.get(start..split.max(start));
    let head = head.filter(|head| head.len() <= HEAD)?;
    let head = self::head(std::str::from_utf8(head).ok()?)?;
    let bytes = body.slice((split + 4).min(end)..end);
    Some(Part {
        headers: fields.kept_headers(&head),
        field: head.field,
        octets: u64::try_from(bytes.len()).ok()?,
        file: File {
            name: head.name,
            content_type: head.content_type,
            bytes,
        },
    })
}

/// The headers of a part.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) field: String,
    pub(crate) name: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) headers: HeaderMap,
}

/// Reads the headers of a part; `None` where they do not name its field.
pub(crate) fn head(text: &str) -> Option<Head> {
    let headers = headers_of(text)?;
    let text_of = |name| std::str::from_utf8(headers.get(name)?.as_bytes()).ok();
    let disposition = text_of(CONTENT_DISPOSITION)?;
    Some(Head {
        field: parameter(disposition, "name")?,
        name: parameter(disposition, "filename"),
        content_type: text_of(CONTENT_TYPE).map(str::to_owned),
        headers,
    })
}

/// The headers of a part, one on each line.
pub(crate) fn headers_of(text: &str) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    // What begins with a blank goes on with the line before (RFC 5322 §2.2.3).
    let unfolded = text.replace("\r\n ", " ").replace("\r\n\t", " ");
    if unfolded.lines().count() > LINES {
        return None;
    }
    for (name, value) in unfolded.lines().filter_map(|line| line.split_once(':')) {
        let value = HeaderValue::try_from(value.trim_ascii()).ok()?;
        if let Ok(name) = HeaderName::try_from(name.trim_ascii()) {
            headers.try_append(name, value).ok()?;
        }
    }
    Some(headers)
}

/// A parameter of a header's value, in quotes or not.
pub(crate) fn parameter(value: &str, wanted: &str) -> Option<String> {
    let (_, mut rest) = value.split_once(';')?;
    loop {
        let (name, after) = rest.split_once('=')?;
        let (value, after) = match after.trim_start().strip_prefix('"') {
            Some(quoted) => unquoted(quoted)?,
            None => {
                let end = after.find(';').unwrap_or(after.len());
                (after.get(..end)?.trim().to_owned(), after.get(end..)?)
            }
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after.split_once(';')?.1;
    }
}

/// The text up to the closing quote, and the rest. Senders escape quotes
/// with a backslash or percent-encode them (RFC 7578 §4.2); a backslash in
/// front of anything else is one, as in the paths that some send.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut out = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((out.replace("%22", "\""), text.get(at + 1..)?)),
            '\\' => match chars.next_if(|(_, next)| matches!(next, '"' | '\\')) {
                Some((_, next)) => out.push(next),
                None => out.push('\\'),
            },
            _ => out.push(c),
        }
    }
    None
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest
        .windows(wanted.len())
        .position(|window| window == wanted);
    found.map(|at| from + at)
}
