//! Files of JSON: two spaces a level, as `serde_json` prints them, in a fraction of the time.

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

/// JSON with a newline at its end, which is `size` bytes long or so.
pub(super) fn json(value: &impl Serialize, size: usize) -> String {
    let mut text = Vec::with_capacity(size);
    let mut serializer = Serializer::with_formatter(&mut text, Indented::default());
    // Values and maps with string keys always serialize, and a vector takes everything.
    let _ = value.serialize(&mut serializer);
    text.push(b'\n');
    String::from_utf8(text).unwrap_or_default()
}

/// Writes a line's end and its indentation at once, where `PrettyFormatter` writes level by level.
#[derive(Default)]
struct Indented {
    level: usize,
    holds_something: bool,
}

impl Indented {
    fn line<W: ?Sized + Write>(&self, separator: &str, writer: &mut W) -> io::Result<()> {
        const LINE: &str = "\n                                                                ";
        writer.write_all(separator.as_bytes())?;
        if let Some(line) = LINE.get(..1 + 2 * self.level) {
            return writer.write_all(line.as_bytes());
        }
        writer.write_all(b"\n")?;
        (0..self.level).try_for_each(|_| writer.write_all(b"  "))
    }

    fn open<W: ?Sized + Write>(&mut self, bracket: &[u8], writer: &mut W) -> io::Result<()> {
        self.level += 1;
        self.holds_something = false;
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + Write>(&mut self, bracket: &[u8], writer: &mut W) -> io::Result<()> {
        self.level = self.level.saturating_sub(1);
        if self.holds_something {
            self.line("", writer)?;
        }
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, first: bool, writer: &mut W) -> io::Result<()> {
        self.line(if first { "" } else { "," }, writer)
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(b"[", writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(b"]", writer)
    }

    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(first, writer)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.holds_something = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(b"{", writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(b"}", writer)
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.next(first, writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.holds_something = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn prints_as_serde_json_does() {
        let mut deep = json!("bottom");
        for level in 0..40 {
            deep = json!([deep, { "level": level, "none": {}, "list": [1.5, null] }, []]);
        }
        let expected = serde_json::to_string_pretty(&deep).unwrap();
        assert_eq!(super::json(&deep, 0), format!("{expected}\n"));
    }
}
