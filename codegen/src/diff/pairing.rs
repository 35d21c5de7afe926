//! What of one contract stands for what of the other.

use super::side::Side;
use std::collections::{BTreeMap, VecDeque};

/// By what two things of both contracts are the same.
pub(super) type Key = (String, String);

/// The key of a thing of one contract.
pub(super) type KeyOf<T> = fn(&Side, &T) -> Key;

/// The same list of both contracts.
pub(super) struct Pairing<'a, T> {
    /// Those of the contract before, in their order, each with what it has become.
    pub(super) before: Vec<(&'a T, Option<&'a T>)>,
    /// Those of the contract after that none has become, in their order.
    pub(super) added: Vec<&'a T>,
}

/// Pairs by the first of some keys, and what is left by the next. Those of the same key are paired in
/// their order.
pub(super) fn pair<'a, T>(
    sides: (&Side, &Side),
    (before, after): (&'a [T], &'a [T]),
    keys: &[KeyOf<T>],
) -> Pairing<'a, T> {
    let mut paired: Vec<_> = before.iter().map(|old| (old, None)).collect();
    let mut left: BTreeMap<usize, &T> = after.iter().enumerate().collect();
    for key in keys {
        let mut known: BTreeMap<Key, VecDeque<usize>> = BTreeMap::new();
        for (place, new) in &left {
            known
                .entry(key(sides.1, new))
                .or_default()
                .push_back(*place);
        }
        for (old, new) in paired.iter_mut().filter(|(_, new)| new.is_none()) {
            let place = known
                .get_mut(&key(sides.0, old))
                .and_then(VecDeque::pop_front);
            *new = place.and_then(|place| left.remove(&place));
        }
    }
    Pairing {
        before: paired,
        added: left.into_values().collect(),
    }
}
