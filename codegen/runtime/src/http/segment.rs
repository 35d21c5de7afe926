//! One segment of a path template: literal text with parameters in it.
//!
//! Literals are compared as RFC 3986 §6.2.2.2 has it: an encoded unreserved
//! character is that character, so that `/%63ats` is `/cats`, and an encoded
//! reserved one is not, so that `/x%3Acancel` is no `/{id}:cancel`. Captured
//! values are left encoded. A parameter never captures nothing, and where a
//! segment has several, each takes as little as it can; one that a segment
//! names again is the same text each time.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::ops::Range;

use percent_encoding::percent_decode_str;

/// A segment of a template. The more specific of two is the lesser: that with
/// more literal text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Segment {
    weight: Reverse<usize>,
    /// The literal texts around the parameters, [`canonical`]: one more than
    /// there are parameters, any of them possibly empty.
    literals: Vec<String>,
    /// For each parameter, the first of that name.
    firsts: Vec<usize>,
}

impl Segment {
    /// A template's segment, and the names of its parameters in order. A
    /// brace that is not closed is literal.
    pub(crate) fn parse(template: &str) -> (Self, Vec<&str>) {
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
        let first = |name: &&str| names.iter().position(|known| known == name);
        let segment = Self {
            weight: Reverse(literals.iter().map(|text| octets(text).count()).sum()),
            firsts: names.iter().filter_map(first).collect(),
            literals,
        };
        (segment, names)
    }

    /// The text of a segment without parameters.
    pub(crate) fn literal(&self) -> Option<&str> {
        match self.literals.as_slice() {
            [text] => Some(text),
            _ => None,
        }
    }

    /// The characters between the parameters: one of them inside a value must be
    /// encoded, so that it does not end the value.
    pub(crate) fn separators(&self) -> impl Iterator<Item = char> {
        let between = match self.literals.as_slice() {
            [_, between @ .., _] => between,
            _ => &[],
        };
        between.iter().flat_map(|literal| literal.chars())
    }

    /// Whether a text is one of the segment's.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        match self.literal() {
            Some(literal) => canonical(text) == literal,
            None => self.captures(text).is_some(),
        }
    }

    /// All divisions of `text` among several parameters, each with a name of its
    /// own, as [`Self::captures`] has the first of; none where there are more than
    /// [`DIVISIONS`].
    pub(crate) fn divisions(&self, text: &str) -> Vec<Vec<Range<usize>>> {
        let mut all = Vec::new();
        let [first, middle @ .., last] = self.literals.as_slice() else {
            return all;
        };
        let start = literal_prefix(text, first);
        let rest = start.and_then(|start| Some((start, literal_suffix(text, start, last)?)));
        let mut names = self.firsts.iter().enumerate();
        if let Some((start, end)) = rest
            && names.all(|(at, first)| at == *first)
            && !divide(text, start..end, middle, &mut Vec::new(), &mut all)
        {
            all.clear();
        }
        all
    }

    /// The ranges of `text` that the parameters capture.
    pub(crate) fn captures(&self, text: &str) -> Option<Vec<Range<usize>>> {
        let [first, middle @ .., last] = self.literals.as_slice() else {
            return None;
        };
        let start = literal_prefix(text, first)?;
        let mut firsts = self.firsts.iter().enumerate();
        let mut division = Division {
            text,
            end: literal_suffix(text, start, last)?,
            between: middle,
            firsts: &self.firsts,
            distinct: firsts.all(|(at, first)| at == *first),
            plain: !text.contains('%'),
            ranges: Vec::with_capacity(self.firsts.len()),
            seen: vec![None; middle.len()],
            effort: EFFORT,
        };
        division.complete(start).then_some(division.ranges)
    }
}

/// The segments of a template; none for the empty one.
pub(crate) fn segments(template: &str) -> impl Iterator<Item = &str> {
    let below = template.strip_prefix('/').unwrap_or(template);
    template
        .strip_prefix('/')
        .map(|_| below.split('/'))
        .into_iter()
        .flatten()
}

/// The most divisions of one text that are compared.
const DIVISIONS: usize = 64;

/// Adds the divisions of a range of `text` at the literal texts in `between`, each after the ranges in `taken`;
/// returns whether they are not too many. An encoded literal text divides only where there is no plain one.
fn divide(
    text: &str,
    rest: Range<usize>,
    between: &[String],
    taken: &mut Vec<Range<usize>>,
    all: &mut Vec<Vec<Range<usize>>>,
) -> bool {
    let Range { start, end } = rest;
    let Some((literal, behind)) = between.split_first() else {
        if start < end {
            let last = std::iter::once(start..end);
            all.push(taken.iter().cloned().chain(last).collect());
        }
        return all.len() <= DIVISIONS;
    };
    let mut from = start + 1;
    let mut is_plain = None;
    while let Some((found, next)) = find(text, from, end, literal) {
        let plain = next - found == literal.len();
        if *is_plain.get_or_insert(plain) != plain {
            break;
        }
        taken.push(start..found);
        let few = divide(text, next..end, behind, taken, all);
        taken.pop();
        if !few {
            return false;
        }
        from = found + 1;
    }
    true
}

/// How much may be tried to find a text that is the same wherever a segment names it, in bytes that
/// are looked at: for two of a name and no encoding, all there is to try in the longest path.
const EFFORT: usize = 1 << 20;

/// The effort of one attempt, beside one for each byte that it looks at.
const ATTEMPT: usize = 16;

/// A literal text that was looked for: from where on, and where it begins and ends.
type Seen = (usize, Option<(usize, usize)>);

/// A text that is being divided among parameters.
struct Division<'a> {
    text: &'a str,
    end: usize,
    /// The literal texts between the parameters.
    between: &'a [String],
    firsts: &'a [usize],
    /// Whether no name comes twice.
    distinct: bool,
    /// Whether nothing is percent-encoded.
    plain: bool,
    /// The ranges of the parameters, as far as they are known.
    ranges: Vec<Range<usize>>,
    /// Where each of `between` was found last.
    seen: Vec<Option<Seen>>,
    /// The rest of [`EFFORT`].
    effort: usize,
}

impl Division<'_> {
    /// Finds the ranges of the other parameters from `start` on. Where nothing is
    /// named twice, the first attempt is the only one.
    fn complete(&mut self, start: usize) -> bool {
        let param = self.ranges.len();
        let Some(first) = self.firsts.get(param) else {
            return true;
        };
        if let Some(earlier) = self.ranges.get(*first).cloned() {
            let again = self.again(earlier, start);
            return again.is_some_and(|(end, next)| self.take(start..end, next));
        }
        if param == self.between.len() {
            return start < self.end && self.take(start..self.end, self.end);
        }
        let mut from = start + 1;
        while let Some((found, next)) = self.find(param, from) {
            if self.take(start..found, next) {
                return true;
            }
            if self.distinct || self.effort == 0 {
                return false;
            }
            from = found + 1;
        }
        false
    }

    /// Whether the next parameter may take a range, where the one after it begins at `next`.
    fn take(&mut self, range: Range<usize>, next: usize) -> bool {
        self.charge(ATTEMPT);
        self.ranges.push(range);
        let complete = self.complete(next);
        if !complete {
            self.ranges.pop();
        }
        complete
    }

    /// Where the text that was taken `earlier` ends if it stands at `start` again, and where the literal text
    /// behind it does. Without encoding, its length tells most that are not it.
    fn again(&mut self, earlier: Range<usize>, start: usize) -> Option<(usize, usize)> {
        let known = self.text.get(earlier)?;
        if !self.plain {
            let (length, read) = alike(known, self.text.get(start..self.end)?);
            self.charge(read);
            let end = start + length?;
            return Some((end, self.behind(end)?));
        }
        let end = start + known.len();
        let next = self.behind(end)?;
        self.charge(known.len());
        (self.text.get(start..end)? == known).then_some((end, next))
    }

    /// Where the literal text behind the next parameter ends, if it begins at `from`.
    fn behind(&self, from: usize) -> Option<usize> {
        match self.between.get(self.ranges.len()) {
            Some(literal) => Some(from + literal_prefix(self.text.get(from..self.end)?, literal)?),
            None => (from == self.end).then_some(from),
        }
    }

    /// The first place from `from` on where the literal text behind a parameter stands. A place that is known
    /// from an earlier search is not looked for again.
    fn find(&mut self, param: usize, from: usize) -> Option<(usize, usize)> {
        let seen = self.seen.get_mut(param)?;
        let known = seen.filter(|(start, found)| {
            *start <= from && found.is_none_or(|(begin, _)| from <= begin)
        });
        if let Some((_, found)) = known {
            return found;
        }
        let found = find(self.text, from, self.end, self.between.get(param)?);
        *seen = Some((from, found));
        self.charge(
            found
                .map_or(self.end, |(begin, _)| begin)
                .saturating_sub(from),
        );
        found
    }

    fn charge(&mut self, bytes: usize) {
        self.effort = self.effort.saturating_sub(bytes);
    }
}

/// How many bytes at the beginning of `text` decode to the same text as `known`, and how many were looked at to
/// see it.
fn alike(known: &str, text: &str) -> (Option<usize>, usize) {
    let mut read = 0;
    for expected in percent_decode_str(known) {
        match text.as_bytes().get(read..).and_then(next_octet) {
            Some((octet, length)) if octet.byte() == expected => read += length,
            _ => return (None, read),
        }
    }
    (Some(read), read)
}

fn push(literals: &mut [String], text: &str) {
    if let Some(last) = literals.last_mut() {
        last.push_str(&canonical(text));
    }
}

/// The first place from `start` on where `literal` stands before `end`: where
/// it begins and where it ends. A percent-encoded one is a parameter's wherever
/// there is another; no part of an encoded octet is one.
fn find(text: &str, start: usize, end: usize, literal: &str) -> Option<(usize, usize)> {
    let places = || (start..end).filter(|from| !is_within_octet(text, *from));
    let rest = |from: usize| text.get(from..end);
    if !literal.is_empty() && !literal.contains('%') {
        let mut plain = places();
        let is_plain = |from: &usize| rest(*from).is_some_and(|rest| rest.starts_with(literal));
        if let Some(from) = plain.find(is_plain) {
            return Some((from, from + literal.len()));
        }
    }
    places().find_map(|from| Some((from, from + literal_prefix(rest(from)?, literal)?)))
}

/// Where the suffix `literal` of `text` begins, not before `start`.
fn literal_suffix(text: &str, start: usize, literal: &str) -> Option<usize> {
    if literal.is_empty() {
        return Some(text.len());
    }
    let fits = |from: &usize| {
        let rest = text.get(*from..);
        !is_within_octet(text, *from)
            && rest.is_some_and(|rest| literal_prefix(rest, literal) == Some(rest.len()))
    };
    (start..text.len()).rev().find(fits)
}

/// Whether a place is behind the `%` of an encoded octet, which ends later.
fn is_within_octet(text: &str, at: usize) -> bool {
    (1..3).any(|back| {
        let octet = at
            .checked_sub(back)
            .and_then(|from| text.as_bytes().get(from..));
        octet.is_some_and(|octet| {
            octet.starts_with(b"%") && matches!(next_octet(octet), Some((_, 3)))
        })
    })
}

/// How many bytes of `text` are `literal` at its beginning.
fn literal_prefix(text: &str, literal: &str) -> Option<usize> {
    let mut read = 0;
    for (expected, _) in octets(literal) {
        let (octet, length) = next_octet(text.as_bytes().get(read..)?)?;
        if octet != expected {
            return None;
        }
        read += length;
    }
    Some(read)
}

/// A literal text in the one form of all that are equal to it: unreserved characters and the delimiters that a
/// segment may have are as they are, and all other octets are encoded.
pub(crate) fn canonical(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let written = octets(text).map(|(octet, _)| match octet {
        Octet::Plain(byte) => char::from(byte).to_string(),
        Octet::Encoded(byte) => format!("%{byte:02X}"),
    });
    Cow::Owned(written.collect())
}

/// An octet of a segment, normalized: an unreserved character is plain however it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Octet {
    Plain(u8),
    Encoded(u8),
}

impl Octet {
    const fn byte(self) -> u8 {
        match self {
            Self::Plain(byte) | Self::Encoded(byte) => byte,
        }
    }
}

/// Whether a byte may be in a segment without being encoded (RFC 3986 §3.3).
const fn is_plain(byte: u8) -> bool {
    is_unreserved(byte)
        || matches!(
            byte,
            b'!' | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b';'
                | b'='
                | b':'
                | b'@'
        )
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// The octets of a text, each with the number of bytes that write it.
fn octets(text: &str) -> impl Iterator<Item = (Octet, usize)> {
    let mut rest = text.as_bytes();
    std::iter::from_fn(move || {
        let (octet, length) = next_octet(rest)?;
        rest = rest.get(length..)?;
        Some((octet, length))
    })
}

/// The octet that `bytes` begin with, and how many bytes write it. A `%` that begins no triplet stands for
/// itself.
fn next_octet(bytes: &[u8]) -> Option<(Octet, usize)> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    match bytes {
        [b'%', high, low, ..] if digit(high).is_some() && digit(low).is_some() => {
            let byte = u8::try_from(digit(high)? * 16 + digit(low)?).ok()?;
            let octet = match is_unreserved(byte) {
                true => Octet::Plain(byte),
                false => Octet::Encoded(byte),
            };
            Some((octet, 3))
        }
        [byte, ..] if is_plain(*byte) => Some((Octet::Plain(*byte), 1)),
        [byte, ..] => Some((Octet::Encoded(*byte), 1)),
        [] => None,
    }
}
