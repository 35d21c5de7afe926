//! A pattern as states that a text goes through, all at once (Thompson's
//! construction), from its start to its end or the other way.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

/// A pattern of more states than this is refused.
const STATES: usize = 20_000;

/// Which way a text is gone through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// The states of a pattern.
#[derive(Debug)]
pub(crate) struct Program {
    states: Vec<State>,
    start: usize,
}

#[derive(Debug)]
enum State {
    /// The pattern matches.
    Accept,
    /// A character within one of these, in order, leads on.
    Take(Vec<(char, char)>, usize),
    /// Both are next.
    Split(usize, usize),
    /// What may be said of a place leads on.
    At(Look, usize),
    /// Look-around that holds leads on.
    Around(usize, usize),
}

impl Program {
    /// The states of a pattern, to be gone through in a direction; `look`
    /// tells the groups by name that stand for look-around.
    ///
    /// # Errors
    /// Where the pattern is too large.
    pub(crate) fn of(
        pattern: &Hir,
        direction: Direction,
        look: fn(&str) -> Option<usize>,
    ) -> Result<Self, String> {
        let mut maker = Maker {
            states: vec![State::Accept],
            direction,
            look,
        };
        let start = maker.part(pattern, 0)?;
        Ok(Self {
            states: maker.states,
            start,
        })
    }
}

struct Maker {
    states: Vec<State>,
    direction: Direction,
    look: fn(&str) -> Option<usize>,
}

impl Maker {
    fn push(&mut self, state: State) -> Result<usize, String> {
        if self.states.len() >= STATES {
            return Err("the pattern exceeds the size limit".to_owned());
        }
        self.states.push(state);
        Ok(self.states.len() - 1)
    }

    /// The state that a part of the pattern begins with, where `next` comes
    /// after it.
    fn part(&mut self, hir: &Hir, next: usize) -> Result<usize, String> {
        match hir.kind() {
            HirKind::Empty => Ok(next),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).map_err(|error| error.to_string())?;
                let mut ordered: Vec<char> = text.chars().collect();
                if self.direction == Direction::Forward {
                    ordered.reverse();
                }
                let mut ordered = ordered.into_iter();
                ordered.try_fold(next, |next, c| self.push(State::Take(vec![(c, c)], next)))
            }
            HirKind::Class(Class::Unicode(class)) => {
                let ranges = class.iter().map(|range| (range.start(), range.end()));
                self.push(State::Take(ranges.collect(), next))
            }
            HirKind::Class(Class::Bytes(_)) => Err("bytes are not supported".to_owned()),
            HirKind::Look(look) => self.push(State::At(*look, next)),
            HirKind::Repetition(repetition) => self.repetition(repetition, next),
            HirKind::Capture(capture) => {
                let name = capture.name.as_deref();
                match name.and_then(self.look) {
                    Some(index) => self.push(State::Around(index, next)),
                    None => self.part(&capture.sub, next),
                }
            }
            HirKind::Concat(parts) => {
                let ordered: Vec<&Hir> = match self.direction {
                    Direction::Forward => parts.iter().rev().collect(),
                    Direction::Backward => parts.iter().collect(),
                };
                let mut ordered = ordered.into_iter();
                ordered.try_fold(next, |next, part| self.part(part, next))
            }
            HirKind::Alternation(parts) => {
                let mut parts = parts.iter();
                let first = match parts.next() {
                    Some(first) => self.part(first, next)?,
                    None => return Ok(next),
                };
                parts.try_fold(first, |before, part| {
                    let other = self.part(part, next)?;
                    self.push(State::Split(before, other))
                })
            }
        }
    }

    fn repetition(&mut self, repetition: &Repetition, next: usize) -> Result<usize, String> {
        let mut first = next;
        match repetition.max {
            Some(max) => {
                for _ in repetition.min..max {
                    let more = self.part(&repetition.sub, first)?;
                    first = self.push(State::Split(more, next))?;
                }
            }
            None => {
                let again = self.push(State::Split(next, next))?;
                let more = self.part(&repetition.sub, again)?;
                if let Some(state) = self.states.get_mut(again) {
                    *state = State::Split(more, next);
                }
                first = again;
            }
        }
        for _ in 0..repetition.min {
            first = self.part(&repetition.sub, first)?;
        }
        Ok(first)
    }
}

/// Whether a match that began anywhere ends at each place of a text, from the
/// first in the direction to the last.
pub(crate) struct Places<'t> {
    program: &'t Program,
    direction: Direction,
    text: &'t [char],
    /// At which places look-around holds.
    holds: &'t [Vec<bool>],
    /// How many places are behind.
    passed: usize,
    /// The states that wait for a character.
    waiting: Vec<usize>,
    /// For each state, the last place where it was, counted from 1.
    seen: Vec<usize>,
    open: Vec<usize>,
}

impl<'t> Places<'t> {
    pub(crate) fn of(
        program: &'t Program,
        direction: Direction,
        text: &'t [char],
        holds: &'t [Vec<bool>],
    ) -> Self {
        Self {
            program,
            direction,
            text,
            holds,
            passed: 0,
            waiting: Vec::new(),
            seen: vec![0; program.states.len()],
            open: Vec::new(),
        }
    }

    fn holds(&self, look: Look, at: usize) -> bool {
        let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_');
        let before = at.checked_sub(1).and_then(|before| self.text.get(before));
        let is_boundary = is_word(before) != is_word(self.text.get(at));
        match look {
            Look::Start => at == 0,
            Look::End => at == self.text.len(),
            Look::WordAscii => is_boundary,
            Look::WordAsciiNegate => !is_boundary,
            // Nothing that is written in ECMA-262 becomes one of these.
            _ => false,
        }
    }

    /// The states that the open ones lead to without a character; whether the
    /// pattern matches.
    fn settle(&mut self, at: usize) -> bool {
        let mut accepts = false;
        while let Some(state) = self.open.pop() {
            match self.seen.get_mut(state) {
                Some(seen) if *seen <= self.passed => *seen = self.passed + 1,
                _ => continue,
            }
            match self.program.states.get(state) {
                Some(State::Accept) => accepts = true,
                Some(State::Take(..)) => self.waiting.push(state),
                Some(State::Split(one, other)) => self.open.extend([*one, *other]),
                Some(State::At(look, next)) if self.holds(*look, at) => self.open.push(*next),
                Some(State::Around(look, next)) => {
                    let holds = self.holds.get(*look).and_then(|places| places.get(at));
                    if holds.copied().unwrap_or_default() {
                        self.open.push(*next);
                    }
                }
                _ => {}
            }
        }
        accepts
    }
}

impl Iterator for Places<'_> {
    type Item = bool;

    fn next(&mut self) -> Option<bool> {
        let left = self.text.len().checked_sub(self.passed)?;
        let (at, character) = match self.direction {
            Direction::Forward => (self.passed, self.text.get(self.passed)),
            Direction::Backward => {
                let character = left.checked_sub(1).and_then(|before| self.text.get(before));
                (left, character)
            }
        };
        self.open.push(self.program.start);
        let accepts = self.settle(at);
        self.passed += 1;
        for state in std::mem::take(&mut self.waiting) {
            if let Some(State::Take(ranges, next)) = self.program.states.get(state)
                && character.is_some_and(|c| is_within(ranges, *c))
            {
                self.open.push(*next);
            }
        }
        Some(accepts)
    }
}

/// Whether a character is within one of the ranges, which are in order.
fn is_within(ranges: &[(char, char)], character: char) -> bool {
    let after = ranges.partition_point(|(start, _)| *start <= character);
    let range = after.checked_sub(1).and_then(|before| ranges.get(before));
    range.is_some_and(|(_, end)| character <= *end)
}
