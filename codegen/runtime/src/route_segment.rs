//! One segment of a path template: literal text with parameters in it.
//!
//! Text is compared after percent-decoding, so that `/%63ats` is `/cats`;
//! what a parameter captures is left encoded. A parameter never captures
//! nothing, and where a segment has several, each takes as little as it can.

use std::cmp::Reverse;
use std::ops::Range;

use percent_encoding::percent_decode_str;

/// A segment of a template. The more specific of two is the lesser: that with
/// more literal text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Segment {
    weight: Reverse<usize>,
    /// The literal texts around the parameters: one more than there are
    /// parameters, any of them possibly empty.
    literals: Vec<String>,
}

impl Segment {
    /// A template's segment, and the names of its parameters in order. A
    /// brace that is not closed is literal.
    pub(super) fn parse(template: &'static str) -> (Self, Vec<&'static str>) {
        let (mut literals, mut names) = (vec![String::new()], Vec::new());
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, tail)) = after.split_once('}') else {
                break;
            };
            push(&mut literals, before);
            literals.push(String::new());
            names.push(name);
            rest = tail;
        }
        push(&mut literals, rest);
        let weight = Reverse(literals.iter().map(String::len).sum());
        (Self { weight, literals }, names)
    }

    /// The text of a segment without parameters.
    pub(super) fn literal(&self) -> Option<&str> {
        match self.literals.as_slice() {
            [text] => Some(text),
            _ => None,
        }
    }

    /// The ranges of `text` that the parameters capture.
    pub(super) fn captures(&self, text: &str) -> Option<Vec<Range<usize>>> {
        let [first, middle @ .., last] = self.literals.as_slice() else {
            return None;
        };
        let mut start = literal_prefix(text, first)?;
        let end = literal_suffix(text, start, last)?;
        let mut ranges = Vec::with_capacity(middle.len() + 1);
        for literal in middle {
            let (found, after) = find(text, start + 1, end, literal)?;
            ranges.push(start..found);
            start = after;
        }
        (start < end).then(|| {
            ranges.push(start..end);
            ranges
        })
    }
}

fn push(literals: &mut [String], text: &str) {
    if let Some(last) = literals.last_mut() {
        last.push_str(&percent_decode_str(text).decode_utf8_lossy());
    }
}

/// The first place from `start` on where `literal` stands before `end`: where
/// it begins and where it ends.
fn find(text: &str, start: usize, end: usize, literal: &str) -> Option<(usize, usize)> {
    let mut from = start;
    while from < end {
        let rest = text.get(from..end);
        if let Some(length) = rest.and_then(|rest| literal_prefix(rest, literal)) {
            return Some((from, from + length));
        }
        from += 1;
    }
    None
}

/// Where the suffix `literal` of `text` begins, not before `start`.
fn literal_suffix(text: &str, start: usize, literal: &str) -> Option<usize> {
    if literal.is_empty() {
        return Some(text.len());
    }
    let fits = |from: &usize| {
        let rest = text.get(*from..);
        rest.is_some_and(|rest| literal_prefix(rest, literal) == Some(rest.len()))
    };
    (start..text.len()).rev().find(fits)
}

/// How many bytes of `text` decode to `literal` at its beginning.
fn literal_prefix(text: &str, literal: &str) -> Option<usize> {
    let mut read = 0;
    for expected in literal.bytes() {
        let (byte, length) = next_octet(text.as_bytes().get(read..)?)?;
        if byte != expected {
            return None;
        }
        read += length;
    }
    Some(read)
}

/// The octet that `bytes` begin with, and how many bytes write it.
fn next_octet(bytes: &[u8]) -> Option<(u8, usize)> {
    match bytes {
        [b'%', high, low, ..] => {
            let digit = |byte: &u8| char::from(*byte).to_digit(16);
            match (digit(high), digit(low)) {
                (Some(high), Some(low)) => Some((u8::try_from(high * 16 + low).ok()?, 3)),
                _ => Some((b'%', 1)),
            }
        }
        [byte, ..] => Some((*byte, 1)),
        [] => None,
    }
}
