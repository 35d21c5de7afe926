//! Character classes.

use super::{Escape, NOTHING, Reader};

impl Reader<'_> {
    pub(super) fn class(&mut self) -> Result<(), String> {
        let negated = self.pass("^");
        if self.pass("]") {
            // `[^]` is any character and `[]` is none.
            self.out.push_str(if negated { r"[\s\S]" } else { NOTHING });
            return Ok(());
        }
        self.out.push_str(if negated { "[^" } else { "[" });
        while let Some(c) = self.rest.next() {
            if c == ']' {
                self.out.push(']');
                return Ok(());
            }
            let Some(first) = self.class_atom(c)? else {
                continue;
            };
            let mut last = first;
            if self.is_range() {
                self.rest.next();
                if let Some(end) = self.rest.next() {
                    last = self.class_atom(end)?.unwrap_or(first);
                }
            }
            self.range(first, last)?;
        }
        Err("a character class is not closed".to_owned())
    }

    /// Whether a `-` follows that joins two characters: not the last of the
    /// class, and not before a set such as `\d`.
    fn is_range(&self) -> bool {
        let mut ahead = self.rest.clone();
        if ahead.next() != Some('-') {
            return false;
        }
        match ahead.next() {
            None | Some(']') => false,
            Some('\\') => !matches!(
                ahead.next(),
                Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P')
            ),
            Some(_) => true,
        }
    }

    /// One member of a class: its code point, or nothing where it is a set,
    /// which has been written.
    fn class_atom(&mut self, c: char) -> Result<Option<u32>, String> {
        let escape = match c {
            '\\' if self.pass("b") => Escape::Char(8),
            '\\' => self.escape()?,
            _ => Escape::Char(c.into()),
        };
        match escape {
            Escape::Char(code) => Ok(Some(code)),
            Escape::Set(set) => {
                self.out.push_str(&set);
                Ok(None)
            }
            Escape::Outside(_) => {
                Err(r"\B and back-references have no meaning in a character class".to_owned())
            }
        }
    }

    /// The characters from one to another, as members of a class. Surrogates
    /// among them are in no text, so they are left out.
    fn range(&mut self, first: u32, last: u32) -> Result<(), String> {
        if first > last {
            return Err("a range of characters ends before it begins".to_owned());
        }
        let around = [(first, last.min(0xD7FF)), (first.max(0xE000), last)];
        let around = around.map(|(first, last)| (char::from_u32(first), char::from_u32(last)));
        let before = self.out.len();
        for pair in around {
            if let (Some(first), Some(last)) = pair
                && first <= last
            {
                self.member(first);
                if first < last {
                    self.out.push('-');
                    self.member(last);
                }
            }
        }
        if self.out.len() == before {
            self.out.push_str(NOTHING);
        }
        Ok(())
    }

    fn member(&mut self, c: char) {
        if c.is_ascii_punctuation() && !matches!(c, '<' | '>') {
            self.out.push('\\');
        }
        self.out.push(c);
    }
}
