//! Takes `text/event-stream` apart (WHATWG HTML, section 9.2.6): lines that
//! end in CR, LF or both, fields, and the event that a blank line dispatches.
//!
//! Libraries were tried in the place of this code: `eventsource-stream` 0.2 panics where a byte order
//! mark is cut in two (`whatever_the_format_allows_is_read_wherever_it_is_cut`); `sse-stream` 0.3 ends at
//! bytes that are no UTF-8 (`bytes_that_are_no_text_are_replaced`), forgets the last id, and holds a
//! line of any length (`an_endless_line_is_refused`).

use std::time::Duration;

use bytes::{Buf as _, Bytes};

use crate::stream::events::Event;
use crate::stream::{ByteStream, StreamError};

/// The longest event that is held in memory, in bytes.
const MAX_EVENT: usize = 64 << 20;

/// Reads events from pieces of bytes.
pub(crate) struct EventLines {
    bytes: ByteStream,
    piece: Bytes,
    /// The beginning of a line that did not end with its piece.
    line: Vec<u8>,
    /// A carriage return ended the last line; a line feed would be part of it.
    after_return: bool,
    is_first: bool,
    event: String,
    data: String,
    id: Option<String>,
    /// Whether the event that is being read has a line with an id.
    names_id: bool,
    /// Whether the last event had one.
    had_id: bool,
    retry: Option<Duration>,
}

impl EventLines {
    pub(crate) fn new(bytes: ByteStream) -> Self {
        Self {
            bytes,
            piece: Bytes::new(),
            line: Vec::new(),
            after_return: false,
            is_first: true,
            event: String::new(),
            data: String::new(),
            id: None,
            names_id: false,
            had_id: false,
            retry: None,
        }
    }

    /// Whether the last event came with an id of its own.
    pub(crate) const fn has_own_id(&self) -> bool {
        self.had_id
    }

    /// Ends the events, with a reason that the caller is to be told.
    pub(crate) fn refuse(&mut self, error: StreamError) -> StreamError {
        self.bytes.refuse(error)
    }

    /// The next event; one that is not complete at the end is none.
    pub(crate) async fn next(&mut self) -> Result<Option<Event<String>>, StreamError> {
        loop {
            while self.ends_line() {
                let line = std::mem::take(&mut self.line);
                if let Some(event) = self.read_line(&line) {
                    return Ok(Some(event));
                }
            }
            let held = self.line.len() + self.data.len();
            if held > MAX_EVENT {
                return Err(too_large());
            }
            self.bytes.holds(held)?;
            match self.bytes.next().await {
                None => return Ok(None),
                Some(piece) => self.piece = piece?,
            }
        }
    }

    /// Takes the line's part of the piece; returns whether the line ends with it.
    fn ends_line(&mut self) -> bool {
        if self.after_return && !self.piece.is_empty() {
            self.after_return = false;
            if self.piece.first() == Some(&b'\n') {
                self.piece.advance(1);
            }
        }
        let end = self
            .piece
            .iter()
            .position(|byte| matches!(byte, b'\r' | b'\n'));
        let taken = self.piece.split_to(end.unwrap_or(self.piece.len()));
        self.line.extend_from_slice(&taken);
        if end.is_none() {
            return false;
        }
        self.after_return = self.piece.first() == Some(&b'\r');
        self.piece.advance(1);
        true
    }

    fn read_line(&mut self, line: &[u8]) -> Option<Event<String>> {
        let mut line = line;
        if std::mem::take(&mut self.is_first) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => {
                self.id = Some(value.to_owned());
                self.names_id = true;
            }
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().map(Duration::from_millis);
            }
            // A comment begins with the colon; other fields mean nothing.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<Event<String>> {
        let event = Some(std::mem::take(&mut self.event)).filter(|event| !event.is_empty());
        let mut data = std::mem::take(&mut self.data);
        self.had_id = std::mem::take(&mut self.names_id);
        data.pop()?;
        Some(Event {
            data,
            event,
            id: self.id.clone(),
            retry: self.retry.take(),
        })
    }
}

fn too_large() -> StreamError {
    let limit = u64::try_from(MAX_EVENT).unwrap_or(u64::MAX);
    StreamError::TooLarge { limit }
}
