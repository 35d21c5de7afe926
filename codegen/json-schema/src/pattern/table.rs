//! A pattern as a table of states: what it costs for each byte of a text is
//! one look into it.
//!
//! Only where the table stays small, as it does for most patterns that
//! contracts write. A state is a set of places that a text may have come to.

use std::collections::BTreeSet;

use regex_syntax::hir::Hir;

use crate::pattern::places::{Part, Places, bit};

/// More states than this are left to the general engine.
const STATES: usize = 255;

/// As many states as fit into one word, which then says for each of them
/// where a byte leads to.
const FEW: usize = 10;

/// How many bits of such a word say it.
const WIDTH: u32 = 6;

/// The state that no way leads on from.
const DEAD: u8 = 0;

/// The state of the empty text.
const START: u8 = 1;

/// The states of a pattern.
#[derive(Debug)]
pub(crate) struct Table {
    steps: Steps,
    /// The states that a text may end in.
    ends: Vec<bool>,
}

/// Where each byte leads from each state.
#[derive(Debug)]
enum Steps {
    /// A word for each byte. Which one it is does not depend on the state, so
    /// that looking it up does not wait for the byte before.
    Few(Box<[u64; 256]>),
    /// A row for each state.
    Many(Vec<[u8; 128]>),
}

impl Table {
    /// The table of the parts of a pattern that holds for a whole text.
    pub(crate) fn of(parts: &[Hir]) -> Option<Self> {
        let mut places = Places::default();
        let whole = places.sequence(parts)?;
        let (rows, ends) = states(&places, &whole)?;
        let steps = if rows.len() <= FEW {
            Steps::Few(words(&rows))
        } else {
            Steps::Many(rows)
        };
        Some(Self { steps, ends })
    }

    /// Whether the states are so few that nothing is faster.
    pub(crate) const fn is_small(&self) -> bool {
        matches!(self.steps, Steps::Few(_))
    }

    /// Whether the pattern matches `text`.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let state = match &self.steps {
            Steps::Few(words) => {
                let mut shift = u32::from(START) * WIDTH;
                for byte in text.bytes() {
                    let word = words.get(usize::from(byte)).copied().unwrap_or(0);
                    shift = (word.wrapping_shr(shift) & ((1 << WIDTH) - 1)) as u32;
                }
                usize::try_from(shift / WIDTH).unwrap_or(0)
            }
            Steps::Many(rows) => {
                let mut state = START;
                for byte in text.bytes() {
                    let row = rows.get(usize::from(state));
                    let next = row.and_then(|row| row.get(usize::from(byte)));
                    state = next.copied().unwrap_or(DEAD);
                    if state == DEAD {
                        return false;
                    }
                }
                usize::from(state)
            }
        };
        self.ends.get(state).copied().unwrap_or(false)
    }
}

/// For each byte, the shift of the state that follows, at the shift of each
/// state; the dead state's is 0, which is where every other byte leads.
fn words(rows: &[[u8; 128]]) -> Box<[u64; 256]> {
    let mut words = Box::new([0; 256]);
    for (row, from) in rows.iter().zip(0_u32..) {
        for (next, word) in row.iter().zip(words.iter_mut()) {
            *word |= u64::from(u32::from(*next) * WIDTH) << (from * WIDTH);
        }
    }
    words
}

/// The rows of all states, and whether a text may end in each.
fn states(places: &Places, whole: &Part) -> Option<(Vec<[u8; 128]>, Vec<bool>)> {
    // The dead state, and the start, which has come to no place yet.
    let mut states: Vec<Option<BTreeSet<usize>>> = vec![Some(BTreeSet::new()), None];
    let (mut rows, mut ends) = (Vec::new(), Vec::new());
    while let Some(state) = states.get(rows.len()).cloned() {
        let reachable: BTreeSet<usize> = match &state {
            None => whole.first.clone(),
            Some(come_to) => {
                let follow = come_to.iter().filter_map(|place| places.follow.get(*place));
                follow.flatten().copied().collect()
            }
        };
        ends.push(match &state {
            None => whole.empty,
            Some(come_to) => !come_to.is_disjoint(&whole.last),
        });
        let mut row = [DEAD; 128];
        let mut known: Vec<(Vec<usize>, u8)> = Vec::new();
        for (character, next) in (0..).zip(&mut row) {
            let bit = bit(character)?;
            let takes =
                |place: &&usize| places.takes.get(**place).is_some_and(|own| own & bit != 0);
            let target: Vec<usize> = reachable.iter().filter(takes).copied().collect();
            *next = match known.iter().find(|(known, _)| *known == target) {
                Some((_, next)) => *next,
                None => {
                    let index = number(&mut states, target.iter().copied().collect())?;
                    known.push((target, index));
                    index
                }
            };
        }
        rows.push(row);
    }
    Some((rows, ends))
}

/// The number of a state; `None` where there are too many.
fn number(states: &mut Vec<Option<BTreeSet<usize>>>, state: BTreeSet<usize>) -> Option<u8> {
    let state = Some(state);
    let known = states.iter().position(|known| *known == state);
    let index = known.unwrap_or_else(|| {
        states.push(state);
        states.len() - 1
    });
    u8::try_from(index).ok().filter(|_| index < STATES)
}
