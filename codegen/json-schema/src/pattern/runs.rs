//! A pattern that is one run of characters after another, such as
//! `^0x[0-9a-f]{40}$`: each byte is looked at by itself.

use std::iter;

use regex_syntax::hir::{Hir, HirKind};

use crate::pattern::places::{ascii, bit};

/// More runs than this are left to others.
const RUNS: usize = 16;

/// The runs of a pattern, none of which could leave a character to the next.
#[derive(Debug)]
pub(crate) struct Runs(Vec<Run>);

#[derive(Debug)]
struct Run {
    /// The bytes that it takes.
    takes: Box<[bool; 256]>,
    /// As a set of bits.
    bits: u128,
    min: usize,
    max: usize,
}

impl Runs {
    /// The runs that the parts of a pattern are, if that is all they are.
    pub(crate) fn of(parts: &[Hir]) -> Option<Self> {
        let mut runs = Vec::new();
        for part in parts {
            match part.kind() {
                HirKind::Literal(literal) => {
                    for byte in &*literal.0 {
                        runs.push(Run::new(bit(u32::from(*byte))?, 1, 1));
                    }
                }
                HirKind::Repetition(repetition) => {
                    let max = match repetition.max {
                        Some(max) => usize::try_from(max).ok()?,
                        None => usize::MAX,
                    };
                    let min = usize::try_from(repetition.min).ok()?;
                    runs.push(Run::new(single(&repetition.sub)?, min, max));
                }
                _ => runs.push(Run::new(single(part)?, 1, 1)),
            }
        }
        let runs = Self(runs);
        (runs.0.len() <= RUNS && runs.are_decided()).then_some(runs)
    }

    /// Whether a run that may be longer or shorter ends where what may follow
    /// begins, so that taking all it can is right.
    fn are_decided(&self) -> bool {
        let each = self.0.iter().zip(1..);
        let mut variable = each.filter(|(run, _)| run.min < run.max);
        variable.all(|(run, next)| {
            for other in self.0.iter().skip(next) {
                if run.bits & other.bits != 0 {
                    return false;
                }
                if other.min > 0 {
                    break;
                }
            }
            true
        })
    }

    /// Whether the pattern matches `text`.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let mut rest = text.as_bytes();
        for run in &self.0 {
            let taken = rest.iter().take(run.max);
            let taken = taken.take_while(|byte| run.takes(**byte)).count();
            let (true, Some(left)) = (taken >= run.min, rest.get(taken..)) else {
                return false;
            };
            rest = left;
        }
        rest.is_empty()
    }
}

impl Run {
    fn new(bits: u128, min: usize, max: usize) -> Self {
        let mut takes = Box::new([false; 256]);
        let each = iter::successors(Some(1_u128), |bit| bit.checked_mul(2));
        for (takes, bit) in takes.iter_mut().zip(each) {
            *takes = bits & bit != 0;
        }
        Self {
            takes,
            bits,
            min,
            max,
        }
    }

    fn takes(&self, byte: u8) -> bool {
        self.takes.get(usize::from(byte)).copied().unwrap_or(false)
    }
}

/// The characters of a part that takes exactly one.
fn single(part: &Hir) -> Option<u128> {
    match part.kind() {
        HirKind::Class(class) => ascii(class),
        HirKind::Literal(literal) => match &*literal.0 {
            [byte] => bit(u32::from(*byte)),
            _ => None,
        },
        _ => None,
    }
}
