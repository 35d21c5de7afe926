//! The words and marks of Rust text, as far as it takes to see what a file names.

/// A token of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// An identifier or a keyword.
    Word(&'a str),
    /// A character of punctuation.
    Mark(u8),
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// A literal, or a lifetime.
    Value,
}

/// Reads text that is Rust; comments are nothing.
pub(super) struct Lexer<'a> {
    rest: &'a str,
}

impl<'a> Lexer<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Lexer { rest: text }
    }

    /// Takes `length` bytes; what is no boundary is the end.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }

    fn word(&mut self) -> Token<'a> {
        let rest = self.rest;
        let word = self.take(length(rest, is_word));
        let quoted = self.rest.starts_with(['"', '#']);
        match word {
            "b" | "c" if self.rest.starts_with('"') => self.string(),
            "r" | "br" | "cr" if quoted => match self.rest.trim_start_matches('#') {
                text if text.starts_with('"') => self.raw_string(),
                _ => {
                    let name = length(self.rest.get(1..).unwrap_or_default(), is_word);
                    self.take(1 + name);
                    Token::Word(rest.get(..word.len() + 1 + name).unwrap_or(rest))
                }
            },
            _ => Token::Word(word),
        }
    }

    fn string(&mut self) -> Token<'a> {
        let mut escaped = false;
        let end = self.rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        self.take(end.map_or(usize::MAX, |end| end + 2));
        Token::Value
    }

    fn raw_string(&mut self) -> Token<'a> {
        let hashes = length(self.rest, |byte| byte == b'#');
        let end = format!("\"{}", "#".repeat(hashes));
        let body = self.rest.get(hashes + 1..).unwrap_or_default();
        let length = body.find(&end).unwrap_or(body.len());
        self.take(hashes + 1 + length + end.len());
        Token::Value
    }

    /// A character, or a lifetime.
    fn quote(&mut self) -> Token<'a> {
        let mut characters = self.rest.char_indices().skip(1);
        let (first, second) = (characters.next(), characters.next());
        let end = match (first, second) {
            (Some((_, '\\')), _) => characters.find(|(_, c)| *c == '\'').map(|(at, _)| at + 1),
            (_, Some((at, '\''))) => Some(at + 1),
            _ => Some(1 + length(self.rest.get(1..).unwrap_or_default(), is_word)),
        };
        self.take(end.unwrap_or(usize::MAX));
        Token::Value
    }

    /// A number; a point is a part of it where a digit follows.
    fn number(&mut self) -> Token<'a> {
        self.take(length(self.rest, is_word));
        let fraction = self.rest.strip_prefix('.');
        if fraction.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            self.take(1);
            self.take(length(self.rest, is_word));
        }
        Token::Value
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.rest = self.rest.trim_ascii_start();
        while self.rest.starts_with("//") {
            let line = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(line);
            self.rest = self.rest.trim_ascii_start();
        }
        let first = *self.rest.as_bytes().first()?;
        Some(match first {
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'\'' => self.quote(),
            byte if is_word(byte) => self.word(),
            byte => {
                self.take(1);
                match byte {
                    b'(' | b'[' | b'{' => Token::Open(byte),
                    b')' | b']' | b'}' => Token::Close(byte),
                    _ => Token::Mark(byte),
                }
            }
        })
    }
}

/// Whether a byte is within a word; whatever is not ASCII is.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// How many bytes at the beginning of a text are of a kind.
fn length(text: &str, kind: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| kind(*byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[Token<'_>]) {
        assert_eq!(Lexer::of(text).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn finds_words_and_marks() {
        use Token::{Close, Mark, Open, Value, Word};
        check(
            "a::Für(r#type) // b\n",
            &[
                Word("a"),
                Mark(b':'),
                Mark(b':'),
                Word("Für"),
                Open(b'('),
                Word("r#type"),
                Close(b')'),
            ],
        );
        check(
            "0..=1.5f64",
            &[Value, Mark(b'.'), Mark(b'.'), Mark(b'='), Value],
        );
        check(
            "&'a 'x' '\\'' '∀'",
            &[Mark(b'&'), Value, Value, Value, Value],
        );
    }

    #[test]
    fn strings_hold_no_words() {
        use Token::{Value, Word};
        check(
            r##" "a\"b" c r#"d"e"# b"\\" f "##,
            &[Value, Word("c"), Value, Value, Word("f")],
        );
        check("\"open", &[Value]);
    }
}
