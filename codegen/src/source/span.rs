//! Positions of values in a text, found by their pointers: those of JSON as `json_spans` says, those of YAML in one
//! walk over the text's events.

use super::{Pointer, Source, json_spans};
use saphyr_parser::{Event, Marker, Parser, Span, StrInput};
use std::collections::HashMap;
use std::ops::Range;

impl Source {
    /// The text without a byte order mark.
    pub fn body(&self) -> &str {
        self.text.trim_start_matches('\u{feff}')
    }

    /// The positions of the values at `pointers`, as bytes of [`Source::body`].
    ///
    /// A member with a scalar value is found from its key to its end, other members by their key. A
    /// pointer to a missing value gives its closest ancestor; `None` means that the text cannot be
    /// read that far.
    pub fn spans(&self, pointers: &[&Pointer]) -> Vec<Option<Range<usize>>> {
        let wanted = tokens(pointers);
        json_spans::spans(self.body(), &wanted)
            .unwrap_or_else(|| ranges(self.body(), &self.marks(wanted)))
    }

    /// The line and the column, both from 1 and the column in characters, at which each value begins; those
    /// of its closest ancestor where it is missing.
    pub fn positions(&self, pointers: &[Pointer]) -> Vec<(usize, usize)> {
        let lines = Lines::of(self.body());
        let spans = self.spans(&pointers.iter().collect::<Vec<_>>()).into_iter();
        let place = |span: Range<usize>| lines.place(span.start);
        spans.map(|span| span.map_or((1, 1), place)).collect()
    }

    /// Where the values that the tokens lead to begin and end.
    fn marks(&self, wanted: Vec<Vec<String>>) -> Vec<Option<(Marker, Marker)>> {
        let all: Vec<usize> = (0..wanted.len()).collect();
        let mut walk = Walk {
            events: Parser::new_from_str(self.body()),
            spans: vec![None; wanted.len()],
            wanted,
        };
        walk.value(&all, 0, None);
        walk.spans
    }
}

/// The tokens of pointers.
fn tokens(pointers: &[&Pointer]) -> Vec<Vec<String>> {
    let tokens = pointers.iter().map(|pointer| pointer.tokens().collect());
    tokens.collect()
}

/// The bytes between pairs of marks, without white space at their ends, in one pass over the text.
pub(crate) fn ranges(text: &str, marks: &[Option<(Marker, Marker)>]) -> Vec<Option<Range<usize>>> {
    let both = marks.iter().flatten().flat_map(|(start, end)| [start, end]);
    let mut indices: Vec<usize> = both.map(Marker::index).collect();
    indices.sort_unstable();
    indices.dedup();
    let mut characters = text.char_indices().map(|(byte, _)| byte).enumerate();
    let mut bytes = HashMap::new();
    for index in indices {
        let next = characters.by_ref().find(|(at, _)| *at == index);
        bytes.insert(index, next.map_or(text.len(), |(_, byte)| byte));
    }
    let byte = |mark: &Marker| bytes.get(&mark.index()).copied().unwrap_or_default();
    let range = |(start, end): &(Marker, Marker)| {
        let start = byte(start);
        let inside = text.get(start..byte(end)).unwrap_or_default();
        start..start + inside.trim_end().len()
    };
    marks.iter().map(|pair| pair.as_ref().map(range)).collect()
}

/// The bytes at which lines begin.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Lines<'t> {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines {
            text,
            starts: std::iter::once(0).chain(after).collect(),
        }
    }

    /// The byte of a place: line from 1, column from 0 in characters.
    pub(crate) fn byte(&self, line: usize, column: usize) -> usize {
        let start = line
            .checked_sub(1)
            .and_then(|line| self.starts.get(line).copied());
        let start = start.unwrap_or(self.text.len());
        let rest = self.text.get(start..).unwrap_or_default();
        start
            + rest
                .char_indices()
                .nth(column)
                .map_or(rest.len(), |(at, _)| at)
    }

    /// The line of a byte, from 1.
    pub(crate) fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The line, from 1, and the column, from 1 in characters, of a byte.
    pub(crate) fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.line(byte);
        let before = self.text.get(self.start(line)..byte).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// The first byte of a line.
    pub(crate) fn start(&self, line: usize) -> usize {
        let start = line.checked_sub(1).and_then(|line| self.starts.get(line));
        start.copied().unwrap_or_default()
    }

    /// The byte after a line, its end included.
    pub(crate) fn end(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(self.text.len())
    }
}

/// The next event that is part of a value; `None` at the end, or where the text is broken.
pub(crate) fn next<'t>(events: &mut Parser<'t, StrInput<'t>>) -> Option<(Event<'t>, Span)> {
    loop {
        match events.next()?.ok()? {
            (Event::StreamStart | Event::DocumentStart(_) | Event::Nothing, _) => {}
            (Event::StreamEnd | Event::DocumentEnd, _) => return None,
            other => return Some(other),
        }
    }
}

/// Walks the events of a text along the tokens of several pointers at once.
struct Walk<'t> {
    events: Parser<'t, StrInput<'t>>,
    wanted: Vec<Vec<String>>,
    spans: Vec<Option<(Marker, Marker)>>,
}

impl Walk<'_> {
    /// Reads one value; the pointers `here` lead to it or into it.
    fn value(&mut self, here: &[usize], depth: usize, key: Option<Span>) -> Option<()> {
        let (event, span) = next(&mut self.events)?;
        let first = key.unwrap_or(span);
        self.mark(here, first.start, first.end);
        match event {
            Event::MappingStart(..) => loop {
                let (name, at) = next(&mut self.events)?;
                let name = match name {
                    Event::MappingEnd => break self.close(here, depth, key, span, at),
                    Event::Scalar(name, ..) => name.into_owned(),
                    other => {
                        self.skip_rest(&other)?;
                        self.skip()?;
                        continue;
                    }
                };
                self.below(here, depth, &name, Some(at))?;
            },
            Event::SequenceStart(..) => {
                let mut index = 0usize;
                while !matches!(self.events.peek()?.ok()?.0, Event::SequenceEnd) {
                    self.below(here, depth, &index.to_string(), None)?;
                    index += 1;
                }
                let (_, at) = next(&mut self.events)?;
                self.close(here, depth, key, span, at);
            }
            _ => self.mark_exact(here, depth, first.start, span.end),
        }
        Some(())
    }

    /// Reads a member or item, which only the pointers that name it lead into.
    fn below(&mut self, here: &[usize], depth: usize, name: &str, key: Option<Span>) -> Option<()> {
        let leads = |pointer: &&usize| {
            let wanted = self.wanted.get(**pointer);
            wanted
                .and_then(|tokens| tokens.get(depth))
                .map(String::as_str)
                == Some(name)
        };
        let there: Vec<usize> = here.iter().filter(leads).copied().collect();
        if there.is_empty() {
            self.skip()
        } else {
            self.value(&there, depth + 1, key)
        }
    }

    /// A collection without a key is all that is written, if it is written on one line.
    fn close(&mut self, here: &[usize], depth: usize, key: Option<Span>, open: Span, end: Span) {
        if key.is_none() && open.start.line() == end.end.line() && !open.is_empty() {
            self.mark_exact(here, depth, open.start, end.end);
        }
    }

    fn mark(&mut self, pointers: &[usize], start: Marker, end: Marker) {
        for pointer in pointers {
            if let Some(span) = self.spans.get_mut(*pointer) {
                *span = Some((start, end));
            }
        }
    }

    /// Sets the position of the pointers that lead to this very value.
    fn mark_exact(&mut self, here: &[usize], depth: usize, start: Marker, end: Marker) {
        let ends = |pointer: &&usize| {
            let wanted = self.wanted.get(**pointer);
            wanted.is_some_and(|tokens| tokens.len() == depth)
        };
        let exact: Vec<usize> = here.iter().filter(ends).copied().collect();
        self.mark(&exact, start, end);
    }

    /// Skips one whole value.
    fn skip(&mut self) -> Option<()> {
        let (event, _) = next(&mut self.events)?;
        self.skip_rest(&event)
    }

    /// Skips the rest of a value after its first event.
    fn skip_rest(&mut self, first: &Event<'_>) -> Option<()> {
        let opens =
            |event: &Event<'_>| matches!(event, Event::MappingStart(..) | Event::SequenceStart(..));
        let mut open = usize::from(opens(first));
        while open > 0 {
            let (event, _) = next(&mut self.events)?;
            if opens(&event) {
                open += 1;
            } else if matches!(event, Event::MappingEnd | Event::SequenceEnd) {
                open -= 1;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, pointer: &str, expected: &str) {
        let source = Source {
            name: "t".into(),
            text: text.into(),
        };
        let pointer = Pointer::parse(pointer).unwrap();
        let found = source.spans(&[&pointer]).remove(0);
        assert_eq!(&source.body()[found.unwrap()], expected);
    }

    #[test]
    fn finds_members_with_their_scalars() {
        check("a:\n  b:\n    - x\n    - c: 1\n", "/a/b/1/c", "c: 1");
        check("{\"a\": {\"b/c\": [1, 2]}}", "/a/b~1c", "\"b/c\"");
        check("{\"a\": {\"b/c\": [1, 2]}}", "/a/b~1c/1", "2");
        check("responses:\n  200: {}\n", "/responses/200", "200");
        check("a: >-\n  one\n  two\nb: 1\n", "/a", "a: >-\n  one\n  two");
    }

    #[test]
    fn finds_items_that_are_written_on_one_line() {
        check("- { a: 1 }\n- [b, c]\n", "/0", "{ a: 1 }");
        check("- { a: 1 }\n- [b, c]\n", "/1", "[b, c]");
    }

    #[test]
    fn falls_back_to_the_closest_ancestor() {
        check("a:\n  b: 1\n", "/a/zz", "a");
        check("x: &x {q: 1}\ny: *x\n", "/y/q", "y");
    }

    #[test]
    fn counts_characters_not_bytes() {
        check("a: ü\r\nb: 1\r\nc: 2\r\n", "/c", "c: 2");
        check("\u{feff}ä: ü\nb: { 日本: 語 }\n", "/b/日本", "日本: 語");
    }

    #[test]
    fn positions_count_lines_and_characters() {
        let position = |text: &str, pointer: &str| {
            let source = Source {
                name: "t".into(),
                text: text.into(),
            };
            source
                .positions(&[Pointer::parse(pointer).unwrap()])
                .remove(0)
        };
        assert_eq!(position("a: ü\r\nb: 1\r\nc: 2\r\n", "/c"), (3, 1));
        assert_eq!(
            position("\u{feff}ä: ü\nb: { 日本: 語 }\n", "/b/日本"),
            (2, 6)
        );
        assert_eq!(position("{\"ü\": {\"b\": 1}}", "/ü/b"), (1, 8));
    }

    #[test]
    fn finds_in_json_what_it_finds_in_yaml() {
        let text = "{ \"ü\": { \"a\\\"b\": [1, {\"c\": [ ]}, [\n   \"x\" ] ] },\n  \"d\": -1e9 , \"e\": null,\n  \"f\": {\"g\": {}}}\n";
        let source = Source {
            name: "t".into(),
            text: text.into(),
        };
        let pointers = [
            "",
            "/ü",
            "/ü/a\"b",
            "/ü/a\"b/0",
            "/ü/a\"b/1",
            "/ü/a\"b/1/c",
            "/ü/a\"b/2",
            "/ü/a\"b/2/0",
            "/d",
            "/d/x",
            "/e",
            "/f",
            "/f/g",
            "/f/h/i",
            "/z",
        ];
        let pointers = pointers.map(|pointer| Pointer::parse(pointer).unwrap());
        let wanted = tokens(&pointers.iter().collect::<Vec<_>>());
        let as_json = json_spans::spans(text, &wanted).unwrap();
        assert_eq!(as_json, ranges(text, &source.marks(wanted)));
    }

    #[test]
    fn finds_many_in_one_walk() {
        let source = Source {
            name: "t".into(),
            text: "a: {b: 1, c: [2, 3]}\n? [odd, key]\n: {x: 1}\nd: 4\n".into(),
        };
        let pointers = ["/d", "/a/c/1", "/a/b", ""].map(|p| Pointer::parse(p).unwrap());
        let spans = source.spans(&pointers.iter().collect::<Vec<_>>());
        let texts: Vec<&str> = spans
            .into_iter()
            .map(|span| &source.text[span.unwrap()])
            .collect();
        assert_eq!(texts, ["d: 4", "3", "b: 1", ""]);
    }
}
