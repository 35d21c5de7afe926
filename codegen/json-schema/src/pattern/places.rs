//! The places in a pattern that a text may have come to (Glushkov's
//! construction), for patterns that are about ASCII.

use std::collections::BTreeSet;

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

/// More places than this are left to the general engine.
const PLACES: usize = 256;

/// The places of a pattern where it takes a character.
#[derive(Default)]
pub(crate) struct Places {
    /// The ASCII characters that each takes, as bits.
    pub(crate) takes: Vec<u128>,
    /// The places that may come after each.
    pub(crate) follow: Vec<BTreeSet<usize>>,
}

/// A part of a pattern.
#[derive(Clone, Default)]
pub(crate) struct Part {
    /// Whether it matches the empty text.
    pub(crate) empty: bool,
    /// The places that it may begin with.
    pub(crate) first: BTreeSet<usize>,
    /// The places that it may end with.
    pub(crate) last: BTreeSet<usize>,
}

impl Places {
    fn part(&mut self, hir: &Hir) -> Option<Part> {
        match hir.kind() {
            HirKind::Empty => Some(nothing()),
            HirKind::Literal(literal) => literal.0.iter().try_fold(nothing(), |before, byte| {
                let place = self.place(bit(u32::from(*byte))?)?;
                Some(self.then(before, &place))
            }),
            HirKind::Class(class) => self.place(ascii(class)?),
            HirKind::Look(_) => None,
            HirKind::Repetition(repetition) => self.repetition(repetition),
            HirKind::Capture(capture) => self.part(&capture.sub),
            HirKind::Concat(parts) => self.sequence(parts),
            HirKind::Alternation(parts) => parts.iter().try_fold(Part::default(), |one, other| {
                let other = self.part(other)?;
                Some(Part {
                    empty: one.empty || other.empty,
                    first: &one.first | &other.first,
                    last: &one.last | &other.last,
                })
            }),
        }
    }

    pub(crate) fn sequence(&mut self, parts: &[Hir]) -> Option<Part> {
        parts.iter().try_fold(nothing(), |before, part| {
            let part = self.part(part)?;
            Some(self.then(before, &part))
        })
    }

    fn place(&mut self, takes: u128) -> Option<Part> {
        let place = self.takes.len();
        self.takes.push(takes);
        self.follow.push(BTreeSet::new());
        (place < PLACES).then(|| Part {
            empty: false,
            first: BTreeSet::from([place]),
            last: BTreeSet::from([place]),
        })
    }

    fn then(&mut self, before: Part, after: &Part) -> Part {
        self.link(&before.last, &after.first);
        let mut joined = Part {
            empty: before.empty && after.empty,
            first: before.first,
            last: after.last.clone(),
        };
        if before.empty {
            joined.first.extend(&after.first);
        }
        if after.empty {
            joined.last.extend(before.last);
        }
        joined
    }

    fn link(&mut self, from: &BTreeSet<usize>, to: &BTreeSet<usize>) {
        for place in from {
            if let Some(follow) = self.follow.get_mut(*place) {
                follow.extend(to);
            }
        }
    }

    /// As many copies as there must be, then as many as there may be.
    fn repetition(&mut self, repetition: &Repetition) -> Option<Part> {
        let copies = repetition.max.unwrap_or(repetition.min.max(1));
        let mut whole = nothing();
        for copy in 0..copies {
            let mut part = self.part(&repetition.sub)?;
            if part.first.is_empty() && part.empty {
                return Some(part);
            }
            if repetition.max.is_none() && copy + 1 == copies {
                self.link(&part.last.clone(), &part.first);
            }
            part.empty |= copy >= repetition.min;
            whole = self.then(whole, &part);
        }
        Some(whole)
    }
}

fn nothing() -> Part {
    Part {
        empty: true,
        ..Part::default()
    }
}

pub(crate) fn bit(character: u32) -> Option<u128> {
    (character < 128).then(|| 1 << character)
}

/// The characters of a class as bits, where all are ASCII.
pub(crate) fn ascii(class: &Class) -> Option<u128> {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => {
            let ranges = class.iter();
            ranges.map(|r| (r.start().into(), r.end().into())).collect()
        }
        Class::Bytes(class) => {
            let ranges = class.iter();
            ranges.map(|r| (r.start().into(), r.end().into())).collect()
        }
    };
    let mut all = 0;
    for (start, end) in ranges {
        bit(end)?;
        for character in start..=end {
            all |= bit(character)?;
        }
    }
    Some(all)
}
