//! Differences that prove to be no break: no valid value comes to them, or those that do are valid by
//! other means.

use super::compare::{Finding, Grid, Pair, PairId, Step};
use super::edit::{Edit, Effect};
use super::hollow::Hollow;
use super::node::Union;
use super::surroundings::Scene;
use super::variants;
use super::view::Direction;
use serde_json::Value;
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
    let sent = scene.nodes().0;
    let hollow = Hollow::new(sent);
    let is_hollow = |pair: PairId| {
        let schemas = scene.schemas(pair);
        schemas.is_some_and(|(own, _)| hollow.is_empty(&own))
    };
    let inclusion = Inclusion {
        scene,
        left: Cell::new(BUDGET),
    };
    let lacks_items = || {
        let schemas = scene.schemas(finding.pair);
        let items = schemas.and_then(|(own, _)| sent.of(&own).item(0));
        items.is_some_and(|items| hollow.is_empty(&items))
    };
    // Where nothing that is empty arrives, as in a path, one that is not may still be asked for.
    let refuses_only = |empty: &Value, keyword: &str| {
        let schemas = scene.schemas(finding.pair);
        let theirs = schemas.map(|(_, theirs)| scene.nodes().1.of(&theirs));
        let least = theirs.and_then(|node| node.bounds.get(keyword)?.as_u64());
        let is_whole = finding.path.is_empty();
        is_whole && least.is_some_and(|least| least <= 1) && !(scene.subject.arrives)(empty)
    };
    let is_idle = || match finding.edit.facet.as_str() {
        "variant" => inclusion.takes_all(finding.pair),
        // Of what there is none of, there is no list but the empty one.
        "maxItems" => lacks_items(),
        "minLength" => refuses_only(&Value::from(""), "minLength"),
        "minItems" => refuses_only(&Value::Array(Vec::new()), "minItems"),
        _ => false,
    };
    if is_hollow(finding.pair) {
        return Reach::Harmless;
    }
    // What is evaluated beside a union counts there as well.
    let around = finding.path.iter().map(|(pair, _)| *pair);
    let mut around = around.chain([finding.pair]);
    if around.any(|pair| inclusion.counts_members(pair)) {
        return Reach::Open;
    }
    if is_idle() {
        return Reach::Harmless;
    }
    let is_open =
        |pair: PairId, step: &Step| !is_hollow(pair) && !inclusion.is_idle(&hollow, pair, step);
    if finding.path.iter().all(|(pair, step)| is_open(*pair, step)) {
        return Reach::Open;
    }
    match scene.comparison.on_way(finding, is_open) {
        Some(other) => Reach::Otherwise(other),
        None => Reach::Harmless,
    }
}

/// Whether one contract takes every value that the other does.
struct Inclusion<'s, 'a> {
    scene: Scene<'s, 'a>,
    left: Cell<usize>,
}

impl<'s, 'a> Inclusion<'s, 'a> {
    fn direction(&self) -> Direction {
        self.scene.subject.direction
    }

    fn pair(&self, id: PairId) -> Option<&'s Pair<'a>> {
        self.scene.comparison.pairs.get(id)
    }

    fn differs(&self, id: PairId) -> bool {
        self.scene.comparison.differs(id)
    }

    /// What is of the contract that accepts a value.
    fn own<T>(&self, before: T, after: T) -> T {
        match self.direction() {
            Direction::Request => before,
            Direction::Response => after,
        }
    }

    /// The union of the contract that accepts a value, and that of the other one.
    fn sides<'g>(&self, grid: &'g Grid<'a>) -> (&'g Union<'a>, &'g Union<'a>) {
        match self.direction() {
            Direction::Request => (&grid.before, &grid.after),
            Direction::Response => (&grid.after, &grid.before),
        }
    }

    /// Whether a step leads into a variant that matters to no value.
    fn is_idle(&self, hollow: &Hollow<'_, 'a>, pair: PairId, step: &Step) -> bool {
        let Step::Variant(union, before, after) = step else {
            return false;
        };
        let grid = self.pair(pair).and_then(|pair| pair.unions.get(*union));
        grid.is_some_and(|grid| {
            let own = self.own(*before, *after);
            let variant = self.sides(grid).0.variants.get(own);
            variant.is_some_and(|variant| hollow.is_mute(variant))
                || self.is_void(grid, own)
                || self.is_taken(pair, grid, own, &mut Vec::new())
        })
    }

    /// Whether what a pair refuses depends on what schemas beside it declare.
    fn counts_members(&self, pair: PairId) -> bool {
        self.pair(pair).is_some_and(|pair| {
            let mut keywords = pair.opaque.iter().map(|(keyword, _)| keyword);
            keywords.any(|keyword| keyword.starts_with("unevaluated"))
        })
    }

    /// Whether all variants at a pair are taken.
    fn takes_all(&self, id: PairId) -> bool {
        self.pair(id).is_some_and(|pair| {
            let mut grids = pair.unions.iter();
            grids.all(|grid| self.takes(id, grid, &mut Vec::new()))
        })
    }

    /// Whether one of the unions at a pair takes what the other does: it has all variants that have values
    /// and no others, or takes each by itself.
    fn takes(&self, pair: PairId, grid: &Grid<'a>, around: &mut Vec<PairId>) -> bool {
        let (own, theirs) = self.sides(grid);
        let (rows, columns) = variants::unequal(self.scene.comparison, grid);
        let (lost, gained) = self.own((&rows, &columns), (&columns, &rows));
        let left = || gained.is_empty() && lost.iter().all(|own| self.is_void(grid, *own));
        variants::same(self.scene.comparison, grid)
            || (own.exactly_one && !theirs.is_named() && left())
            || (0..own.variants.len())
                .all(|own| self.is_void(grid, own) || self.is_taken(pair, grid, own, around))
    }

    /// Whether a variant of the other contract takes every value of one.
    fn is_taken(
        &self,
        pair: PairId,
        grid: &Grid<'a>,
        own: usize,
        around: &mut Vec<PairId>,
    ) -> bool {
        let union = self.sides(grid).1;
        let is_exact = union.exactly_one && union.variants.len() > 1;
        if is_exact || union.is_named() {
            return false;
        }
        let cells = grid.cells.iter();
        let mut cells = cells.filter(|((row, column), _)| self.own(*row, *column) == own);
        cells.any(|(_, id)| self.includes(*id, around) || self.includes_beside(*id, pair, around))
    }

    /// Whether exactly one may hold of a variant and another, which did not change and takes all of its
    /// values.
    fn is_void(&self, grid: &Grid<'a>, own: usize) -> bool {
        let cells = || {
            let cells = grid.cells.iter();
            cells.map(|((row, column), id)| match self.direction() {
                Direction::Request => (*row, *column, *id),
                Direction::Response => (*column, *row, *id),
            })
        };
        let union = self.sides(grid).0;
        let stays = |other: usize, theirs: usize| {
            let mut same = cells().filter(|(row, column, _)| (*row, *column) == (other, theirs));
            same.any(|(.., id)| !self.differs(id))
        };
        union.exactly_one
            && !union.is_named()
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
        if !self.differs(id) || around.contains(&id) {
            return true;
        }
        let Some(pair) = self.spend(id) else {
            return false;
        };
        around.push(id);
        let includes =
            pair.edits.iter().all(|edit| self.lets(edit)) && self.parts(id, pair, around);
        around.pop();
        includes
    }

    /// The same of the values of a variant, of which the schemas around its union say more.
    fn includes_beside(&self, id: PairId, union: PairId, around: &mut Vec<PairId>) -> bool {
        let lets = |edit: &Edit| self.lets(edit) || self.is_said_around(edit, id, union);
        let pair = self.spend(id);
        pair.is_some_and(|pair| pair.edits.iter().all(lets) && self.parts(id, pair, around))
    }

    /// A pair that may be looked at.
    fn spend(&self, id: PairId) -> Option<&'s Pair<'a>> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        self.pair(id).filter(|_| !self.counts_members(id))
    }

    /// Whether what is said of the parts of a value takes as much.
    fn parts(&self, id: PairId, pair: &Pair<'a>, around: &mut Vec<PairId>) -> bool {
        let mut opaque = pair.opaque.iter();
        let mut children = pair.children.iter();
        opaque.all(|(_, child)| !self.differs(*child))
            && children.all(|(_, child)| self.includes(*child, around))
            && pair.unions.iter().all(|grid| self.takes(id, grid, around))
    }

    /// Whether a member that the other variant alone declares is of its types as the schemas around the
    /// union have it.
    fn is_said_around(&self, edit: &Edit, id: PairId, union: PairId) -> bool {
        let declares = self.own(Effect::Declares, Effect::Undeclares);
        let name = edit.facet.strip_prefix("properties/");
        let Some(name) = name.filter(|_| edit.effect == declares) else {
            return false;
        };
        let (sent, expected) = self.scene.nodes();
        let around = self.scene.schemas(union).map(|(own, _)| sent.of(&own));
        let declared = self.scene.schemas(id).map(|(_, other)| expected.of(&other));
        let said = around.and_then(|node| Some(sent.of(&node.member(name)?)));
        let declared = declared.and_then(|node| Some(expected.of(&node.member(name)?)));
        matches!((said, declared), (Some(said), Some(declared)) if declared.takes_types_of(&said))
    }

    /// Whether an edit refuses nothing that was accepted.
    fn lets(&self, edit: &Edit) -> bool {
        let (is_member, request) = (
            edit.facet.starts_with("properties/"),
            self.direction() == Direction::Request,
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
