//! Differences that prove to be no break: no valid value comes to them, or those that do are valid by
//! other means.

use super::compare::{Comparison, Finding, Grid, PairId, Step};
use super::edit::{Edit, Effect};
use super::hollow::Hollow;
use super::node::Union;
use super::surroundings::Scene;
use super::variants;
use super::view::Direction;
use std::cell::Cell;

/// How many pairs are looked at for one difference.
const BUDGET: usize = 1_000;

/// How values that one contract accepts come to a difference.
pub(super) enum Reach {
    /// None does, or each that does is one of another variant too, of which the other contract takes all.
    Harmless,
    /// None does on the way that is known, but some may on this one.
    Otherwise(Finding),
    /// Some may.
    Open,
}

/// How values come to a difference that no value was found to prove.
pub(super) fn reach(scene: Scene<'_, '_>, finding: &Finding) -> Reach {
    let hollow = Hollow::new(scene.nodes().0);
    let is_hollow = |pair: PairId| {
        let schemas = scene.schemas(pair);
        schemas.is_some_and(|(own, _)| hollow.is_empty(&own))
    };
    let inclusion = Inclusion {
        comparison: scene.comparison,
        direction: scene.subject.direction,
        left: Cell::new(BUDGET),
    };
    if is_hollow(finding.pair)
        || (finding.edit.facet == "variant" && inclusion.takes_all(finding.pair))
    {
        return Reach::Harmless;
    }
    let is_open =
        |pair: PairId, step: &Step| !is_hollow(pair) && !inclusion.is_idle(&hollow, pair, step);
    // What is evaluated beside a union counts there as well.
    let mut around = finding.path.iter().map(|(pair, _)| *pair);
    if around.any(|pair| inclusion.counts_members(pair))
        || finding.path.iter().all(|(pair, step)| is_open(*pair, step))
    {
        return Reach::Open;
    }
    match scene.comparison.on_way(finding, is_open) {
        Some(other) => Reach::Otherwise(other),
        None => Reach::Harmless,
    }
}

/// Whether one contract takes every value that the other does.
struct Inclusion<'s, 'a> {
    comparison: &'s Comparison<'a>,
    direction: Direction,
    left: Cell<usize>,
}

impl<'a> Inclusion<'_, 'a> {
    /// What is of the contract that accepts a value.
    fn own<T>(&self, before: T, after: T) -> T {
        match self.direction {
            Direction::Request => before,
            Direction::Response => after,
        }
    }

    /// The union of the contract that accepts a value, and that of the other one.
    fn sides<'g>(&self, grid: &'g Grid<'a>) -> (&'g Union<'a>, &'g Union<'a>) {
        match self.direction {
            Direction::Request => (&grid.before, &grid.after),
            Direction::Response => (&grid.after, &grid.before),
        }
    }

    /// Whether a step leads into a variant that matters to no value.
    fn is_idle(&self, hollow: &Hollow<'_, 'a>, pair: PairId, step: &Step) -> bool {
        let Step::Variant(union, before, after) = step else {
            return false;
        };
        let pairs = &self.comparison.pairs;
        let grid = pairs.get(pair).and_then(|pair| pair.unions.get(*union));
        grid.is_some_and(|grid| {
            let own = self.own(*before, *after);
            let variant = self.sides(grid).0.variants.get(own);
            variant.is_some_and(|variant| hollow.is_mute(variant))
                || self.is_void(grid, own)
                || self.is_taken(grid, own, &mut Vec::new())
        })
    }

    /// Whether what a pair refuses depends on what schemas beside it declare.
    fn counts_members(&self, pair: PairId) -> bool {
        let pair = self.comparison.pairs.get(pair);
        pair.is_some_and(|pair| {
            let mut keywords = pair.opaque.iter().map(|(keyword, _)| keyword);
            keywords.any(|keyword| keyword.starts_with("unevaluated"))
        })
    }

    /// Whether all variants at a pair are taken.
    fn takes_all(&self, pair: PairId) -> bool {
        let pair = self.comparison.pairs.get(pair);
        pair.is_some_and(|pair| {
            let mut grids = pair.unions.iter();
            grids.all(|grid| self.takes(grid, &mut Vec::new()))
        })
    }

    fn takes(&self, grid: &Grid<'a>, around: &mut Vec<PairId>) -> bool {
        let variants = self.sides(grid).0.variants.len();
        variants::same(self.comparison, grid)
            || (0..variants).all(|own| self.is_taken(grid, own, around))
    }

    /// Whether a variant of the other contract takes every value of one.
    fn is_taken(&self, grid: &Grid<'a>, own: usize, around: &mut Vec<PairId>) -> bool {
        let union = self.sides(grid).1;
        if union.exactly_one
            || union
                .variants
                .iter()
                .any(|variant| !variant.tags.is_empty())
        {
            return false;
        }
        let mut cells = grid.cells.iter();
        cells
            .any(|((row, column), id)| self.own(*row, *column) == own && self.includes(*id, around))
    }

    /// Whether exactly one may hold of a variant and another, which did not change and takes all of its
    /// values.
    fn is_void(&self, grid: &Grid<'a>, own: usize) -> bool {
        let cells = || {
            let cells = grid.cells.iter();
            cells.map(|((row, column), id)| match self.direction {
                Direction::Request => (*row, *column, *id),
                Direction::Response => (*column, *row, *id),
            })
        };
        let union = self.sides(grid).0;
        let named = union
            .variants
            .iter()
            .any(|variant| !variant.tags.is_empty());
        let stays = |other: usize, theirs: usize| {
            let mut same = cells().filter(|(row, column, _)| (*row, *column) == (other, theirs));
            same.any(|(.., id)| !self.comparison.differs(id))
        };
        union.exactly_one
            && !named
            && (0..union.variants.len())
                .filter(|other| *other != own)
                .any(|other| {
                    let mut taking = cells().filter(|(row, ..)| *row == own);
                    taking.any(|(_, theirs, id)| {
                        stays(other, theirs) && self.includes(id, &mut Vec::new())
                    })
                })
    }

    /// Whether one schema of a pair takes every value of the other, below those pairs, of which that is
    /// to be shown.
    fn includes(&self, id: PairId, around: &mut Vec<PairId>) -> bool {
        if !self.comparison.differs(id) || around.contains(&id) {
            return true;
        }
        let (Some(pair), Some(left), false) = (
            self.comparison.pairs.get(id),
            self.left.get().checked_sub(1),
            self.counts_members(id),
        ) else {
            return false;
        };
        self.left.set(left);
        around.push(id);
        let opaque = |(_, child): &(String, PairId)| !self.comparison.differs(*child);
        let mut children = pair.children.iter();
        let includes = pair.edits.iter().all(|edit| self.lets(edit))
            && pair.opaque.iter().all(opaque)
            && children.all(|(_, child)| self.includes(*child, around))
            && pair.unions.iter().all(|grid| self.takes(grid, around));
        around.pop();
        includes
    }

    /// Whether an edit refuses nothing that was accepted.
    fn lets(&self, edit: &Edit) -> bool {
        let (is_member, request) = (
            edit.facet.starts_with("properties/"),
            self.direction == Direction::Request,
        );
        match edit.effect {
            Effect::Docs | Effect::Default => true,
            Effect::Widens => request,
            Effect::Narrows => !request,
            Effect::Undeclares => request && is_member,
            Effect::Declares => !request && is_member,
            Effect::Both | Effect::Hint => false,
        }
    }
}
