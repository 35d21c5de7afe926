//! A document's text, and where in it a value stands.
//!
//! Values carry no positions; a [`Pointer`] names a value, and [`Source::locate`] finds it in the
//! text. Looking a position up is done only for a diagnostic, so a good document pays nothing.

use percent_encoding::percent_decode_str;
use saphyr_parser::{Event, Parser, Span};

/// A document as it was written.
#[derive(Debug, Clone)]
pub struct Source {
    /// The name that diagnostics print, usually the path as given.
    pub name: String,
    /// The whole text, YAML or JSON.
    pub text: String,
}

/// A JSON Pointer (RFC 6901) into a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pointer(String);

impl Pointer {
    /// Reads a pointer in its escaped form.
    pub fn parse(text: &str) -> Option<Pointer> {
        (text.is_empty() || text.starts_with('/')).then(|| Pointer(text.to_owned()))
    }

    /// Reads a reference into the same document: a pointer as a URI fragment (RFC 6901 §6), in
    /// which braces, for one, are percent-encoded.
    pub fn of_reference(reference: &str) -> Option<Pointer> {
        let fragment = percent_decode_str(reference.strip_prefix('#')?);
        Pointer::parse(&fragment.decode_utf8().ok()?)
    }

    /// The pointer to a member or item below this one.
    #[must_use]
    pub fn child(&self, token: impl AsRef<str>) -> Pointer {
        let token = token.as_ref().replace('~', "~0").replace('/', "~1");
        Pointer(format!("{}/{token}", self.0))
    }

    /// The unescaped tokens from the root.
    pub fn tokens(&self) -> impl Iterator<Item = String> {
        self.0
            .split('/')
            .skip(1)
            .map(|token| token.replace("~1", "/").replace("~0", "~"))
    }

    /// The escaped text; empty for the whole document.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A place in a text: line and column count from 1, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// How many characters of that line the value's first token covers.
    pub length: usize,
}

impl Source {
    /// Where the value at `pointer` begins: its key where it has one.
    ///
    /// A pointer into something that is not there yields the closest ancestor that is.
    pub fn locate(&self, pointer: &Pointer) -> Option<Position> {
        let mut cursor = Cursor {
            events: Parser::new_from_str(&self.text),
            wanted: pointer.tokens().collect(),
            best: None,
        };
        cursor.descend(0);
        cursor.best
    }

    /// One line of the text, without its end; lines count from 1.
    pub fn line(&self, number: usize) -> Option<&str> {
        self.text.lines().nth(number.checked_sub(1)?)
    }
}

/// Walks the events of a text along the tokens of a pointer.
struct Cursor<'t> {
    events: Parser<'t, saphyr_parser::StrInput<'t>>,
    wanted: Vec<String>,
    best: Option<Position>,
}

impl<'t> Cursor<'t> {
    fn next(&mut self) -> Option<(Event<'t>, Span)> {
        loop {
            match self.events.next()?.ok()? {
                (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
                other => return Some(other),
            }
        }
    }

    /// Looks into the next value for the token at `depth`.
    fn descend(&mut self, depth: usize) -> Option<()> {
        let (event, span) = self.next()?;
        if self.best.is_none() {
            self.best = Some(position(&span));
        }
        let wanted = self.wanted.get(depth)?.clone();
        match event {
            Event::MappingStart(..) => loop {
                let (key, at) = self.next()?;
                let Event::Scalar(key, ..) = key else {
                    return None;
                };
                if *key == *wanted {
                    self.best = Some(position(&at));
                    return self.descend(depth + 1);
                }
                self.skip()?;
            },
            Event::SequenceStart(..) => {
                for _ in 0..wanted.parse::<usize>().ok()? {
                    self.skip()?;
                }
                self.best = None;
                self.descend(depth + 1)
            }
            _ => None,
        }
    }

    /// Passes over one whole value.
    fn skip(&mut self) -> Option<()> {
        let mut open = 0usize;
        loop {
            match self.next()?.0 {
                Event::MappingStart(..) | Event::SequenceStart(..) => open += 1,
                Event::MappingEnd | Event::SequenceEnd => open = open.checked_sub(1)?,
                _ => {}
            }
            if open == 0 {
                return Some(());
            }
        }
    }
}

fn position(span: &Span) -> Position {
    let same_line = span.start.line() == span.end.line();
    Position {
        line: span.start.line(),
        column: span.start.col() + 1,
        length: if same_line {
            span.end.col().saturating_sub(span.start.col()).max(1)
        } else {
            1
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, pointer: &str, expected: Option<(usize, usize)>) {
        let source = Source {
            name: "t".into(),
            text: text.into(),
        };
        let found = source.locate(&Pointer::parse(pointer).unwrap());
        assert_eq!(found.map(|p| (p.line, p.column)), expected);
    }

    #[test]
    fn finds_keys_in_yaml() {
        check("a:\n  b:\n    - x\n    - c: 1\n", "/a/b/1/c", Some((4, 7)));
    }

    #[test]
    fn finds_keys_in_json() {
        check("{\"a\": {\"b/c\": [1, 2]}}", "/a/b~1c", Some((1, 8)));
    }

    #[test]
    fn falls_back_to_the_closest_ancestor() {
        check("a:\n  b: 1\n", "/a/zz", Some((1, 1)));
    }

    #[test]
    fn status_keys_may_be_numbers() {
        check("responses:\n  200: {}\n", "/responses/200", Some((2, 3)));
    }
}
