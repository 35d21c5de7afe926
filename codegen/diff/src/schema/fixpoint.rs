//! Marks the pairs that differ, by a fixpoint: at first none is marked, then differences spread to the pairs
//! above them until nothing changes.

use super::edit::Effect;
use super::pairs::{Pair, PairId, SchemaPairs};
use super::variants;

impl<'a> SchemaPairs<'a> {
    /// Marks every pair from `first` on that differs, and every pair with a change, documentation included.
    pub(super) fn mark_differences(&mut self, first: PairId) {
        while self.spread(first, Self::has_difference, |pair| &mut pair.differs) {}
        while self.spread(first, Self::has_change, |pair| &mut pair.is_changed) {}
    }

    /// Sets a flag of the pairs for which a condition holds by now; whether there were new ones. The pairs
    /// that were found last come first, as they are below the others.
    fn spread(
        &mut self,
        first: PairId,
        holds: fn(&Self, &Pair<'a>) -> bool,
        flag: for<'p> fn(&'p mut Pair<'a>) -> &'p mut bool,
    ) -> bool {
        let mut is_any_new = false;
        for id in (first..self.pairs.len()).rev() {
            if self.pairs.get_mut(id).is_none_or(|pair| *flag(pair)) {
                continue;
            }
            let is_set = self.get(id).is_some_and(|pair| holds(self, pair));
            if let Some(pair) = self.pairs.get_mut(id).filter(|_| is_set) {
                *flag(pair) = true;
                is_any_new = true;
            }
        }
        is_any_new
    }

    fn has_difference(&self, pair: &Pair<'a>) -> bool {
        pair.edits.iter().any(|edit| edit.effect != Effect::Docs)
            || pair.parts().any(|part| self.differs(part))
            || pair
                .unions
                .iter()
                .any(|union| !variants::are_same(self, union))
    }

    fn has_change(&self, pair: &Pair<'a>) -> bool {
        pair.differs
            || !pair.edits.is_empty()
            || pair.parts().any(|part| self.is_changed(part))
            || pair.unions.iter().any(|union| {
                let matched = variants::matched(self, union);
                let mut cells = matched.cells.iter().map(|(_, _, cell)| *cell);
                !matched.edits.is_empty() || cells.any(|cell| self.is_changed(cell))
            })
    }

    fn is_changed(&self, id: PairId) -> bool {
        self.get(id).is_none_or(|pair| pair.is_changed)
    }
}

impl Pair<'_> {
    /// The pairs of members, items and opaque keywords.
    fn parts(&self) -> impl Iterator<Item = PairId> {
        let children = self.children.iter().map(|(_, child)| *child);
        children.chain(self.opaque.iter().map(|(_, child)| *child))
    }
}
