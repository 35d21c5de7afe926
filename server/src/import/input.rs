//! The input as lines of bounded length.

use std::io::{self, BufRead, Read};

/// The longest line in bytes, without its end.
pub(super) const LONGEST: u64 = 1 << 20;

/// A line of the input.
#[derive(Debug, PartialEq)]
pub(super) enum Piece<'a> {
    /// Its bytes, without the line feed.
    Line(&'a [u8]),
    /// It is longer than [`LONGEST`]; it was skipped, not kept.
    TooLong,
}

/// A reader of lines.
pub(super) struct Input<R> {
    reader: R,
    line: Vec<u8>,
    bytes: u64,
}

impl<R: BufRead> Input<R> {
    pub(super) fn new(reader: R) -> Self {
        Input {
            reader,
            line: Vec::new(),
            bytes: 0,
        }
    }

    /// How many bytes were read so far.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next line; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece<'_>>> {
        self.line.clear();
        let read = self
            .reader
            .by_ref()
            .take(LONGEST + 1)
            .read_until(b'\n', &mut self.line)?;
        self.count(read);
        if read == 0 {
            return Ok(None);
        }
        if self.line.pop_if(|last| *last == b'\n').is_none() && self.line.len() > LONGEST as usize {
            let skipped = self.reader.skip_until(b'\n')?;
            self.count(skipped);
            return Ok(Some(Piece::TooLong));
        }
        Ok(Some(Piece::Line(&self.line)))
    }

    fn count(&mut self, read: usize) {
        self.bytes += u64::try_from(read).unwrap_or(u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_line_feeds() {
        let mut input = Input::new(&b"one\n\nthree\r\nfour"[..]);
        for line in [&b"one"[..], b"", b"three\r", b"four"] {
            assert_eq!(input.next().unwrap(), Some(Piece::Line(line)));
        }
        assert_eq!(input.next().unwrap(), None);
        assert_eq!(input.bytes(), 16);
    }

    #[test]
    fn skips_what_is_too_long_and_goes_on() {
        let longest = usize::try_from(LONGEST).unwrap();
        let (fits, too_long) = ("a".repeat(longest), "b".repeat(3 * longest));
        let text = format!("{fits}\n{too_long}\nlast\n{too_long}");
        let mut input = Input::new(text.as_bytes());
        assert_eq!(input.next().unwrap(), Some(Piece::Line(fits.as_bytes())));
        assert_eq!(input.next().unwrap(), Some(Piece::TooLong));
        assert!(input.line.capacity() < 2 * longest + 2, "the line was kept");
        assert_eq!(input.next().unwrap(), Some(Piece::Line(b"last")));
        assert_eq!(input.next().unwrap(), Some(Piece::TooLong));
        assert_eq!(input.next().unwrap(), None);
        assert_eq!(input.bytes(), u64::try_from(text.len()).unwrap());
    }
}
