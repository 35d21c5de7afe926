//! The input as lines of bounded length.

use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

use super::RecordedPrefix;

/// The longest line in bytes, without its end.
pub(super) const MAX_LINE: u64 = 1 << 20;

/// A line of the input.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// Its bytes, without the line feed.
    Line(&'a [u8]),
    /// It is longer than [`MAX_LINE`]; it was skipped, not kept.
    TooLong,
}

/// The part of an input that was read, from its start.
#[derive(Debug, Clone)]
pub(super) struct Prefix {
    pub(super) bytes: u64,
    pub(super) lines: u64,
    /// The digest of all these bytes; `None` if some were skipped.
    pub(super) digest: Option<Sha256>,
    /// Whether the last line is complete.
    pub(super) whole: bool,
}

/// A reader of lines.
pub(super) struct Input<R> {
    reader: R,
    line: Vec<u8>,
    read: Prefix,
}

impl<R: BufRead> Input<R> {
    /// Reads the lines of `reader`, from which `read` was read already.
    pub(super) fn new(reader: R, read: Prefix) -> Self {
        Input {
            reader,
            line: Vec::new(),
            read,
        }
    }

    /// The part of the input that was read so far.
    pub(super) fn read(&self) -> &Prefix {
        &self.read
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.line.clear();
        let read = self
            .reader
            .by_ref()
            .take(MAX_LINE + 1)
            .read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.read.count(&self.line);
        if self.line.pop_if(|last| *last == b'\n').is_none() && self.line.len() > MAX_LINE as usize
        {
            let skipped = self.reader.skip_until(b'\n')?;
            self.read.skip(skipped);
            return Ok(Some(Piece::TooLong));
        }
        Ok(Some(Piece::Line(&self.line)))
    }
}

impl Prefix {
    /// The empty prefix.
    pub(super) fn nothing() -> Self {
        Self {
            bytes: 0,
            lines: 0,
            digest: Some(Sha256::new()),
            whole: true,
        }
    }

    /// This prefix as a checkpoint stores it; `None` if an import cannot resume after it, because a line
    /// was skipped or the last one is incomplete.
    pub(super) fn prefix(&self) -> Option<RecordedPrefix> {
        let digest = self
            .digest
            .clone()
            .filter(|_| self.whole && self.lines > 0)?;
        Some(RecordedPrefix {
            bytes: self.bytes,
            lines: self.lines,
            digest: digest.finalize().into(),
        })
    }

    fn count(&mut self, line: &[u8]) {
        self.bytes = self.bytes.saturating_add(line.len() as u64);
        self.lines += 1;
        self.whole = line.last() == Some(&b'\n');
        if let Some(digest) = &mut self.digest {
            digest.update(line);
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        self.digest = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_line_feeds() {
        let mut input = Input::new(&b"one\n\nthree\r\nfour"[..], Prefix::nothing());
        for line in [&b"one"[..], b"", b"three\r", b"four"] {
            assert_eq!(input.next().unwrap(), Some(Piece::Line(line)));
        }
        assert_eq!(input.next().unwrap(), None);
        assert_eq!(input.read().bytes, 16);
        assert_eq!(input.read().lines, 4);
        assert_eq!(input.read().prefix(), None, "the last line may go on");
    }

    #[test]
    fn skips_too_long_lines() {
        let longest = usize::try_from(MAX_LINE).unwrap();
        let (fits, too_long) = ("a".repeat(longest), "b".repeat(3 * longest));
        let text = format!("{fits}\n{too_long}\nlast\n{too_long}");
        let mut input = Input::new(text.as_bytes(), Prefix::nothing());
        assert_eq!(input.next().unwrap(), Some(Piece::Line(fits.as_bytes())));
        assert_eq!(input.next().unwrap(), Some(Piece::TooLong));
        assert!(input.line.capacity() < 2 * longest + 2, "the line was kept");
        assert_eq!(input.next().unwrap(), Some(Piece::Line(b"last")));
        assert_eq!(input.next().unwrap(), Some(Piece::TooLong));
        assert_eq!(input.next().unwrap(), None);
        assert_eq!(input.read().bytes, u64::try_from(text.len()).unwrap());
    }
}
