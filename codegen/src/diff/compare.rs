//! Two contracts' schemas side by side.
//!
//! A pair of schemas is looked at once, however often and from wherever it is referred to. Pairs
//! are first taken for the same; whatever differs at a place makes the pairs above it differ, until
//! nothing changes any more. So recursive schemas are the same exactly when no value tells them
//! apart by its shape.

use super::edit::{Edit, Effect};
use super::node::{All, Union};
use super::normal::{Nodes, named};
use super::overlap::Place;
use super::variants;
use super::view::View;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many steps from a body to a difference that is told; hostile documents nest deeper.
const DEEPEST: usize = 256;

/// A pair's index.
pub(super) type PairId = usize;

/// The schemas of two contracts in one direction.
pub(super) struct Comparison<'a> {
    pub(super) before: Nodes<'a>,
    pub(super) after: Nodes<'a>,
    ids: HashMap<(Vec<usize>, Vec<usize>), PairId>,
    pub(super) pairs: Vec<Pair<'a>>,
}

/// Two schemas of the same place.
pub(super) struct Pair<'a> {
    pub(super) before: All<'a>,
    pub(super) after: All<'a>,
    pub(super) edits: Vec<Edit>,
    pub(super) children: Vec<(Step, PairId)>,
    pub(super) opaque: Vec<(String, PairId)>,
    pub(super) unions: Vec<Grid<'a>>,
    /// Whether the two may judge a value differently.
    differs: bool,
    /// Whether there is anything to tell, were it only for people.
    changed: bool,
}

/// Two unions, and the pair of every variant of one with every variant of the other.
pub(super) struct Grid<'a> {
    pub(super) before: Union<'a>,
    pub(super) after: Union<'a>,
    pub(super) cells: BTreeMap<(usize, usize), PairId>,
    /// Those that may be one variant that has changed, the best first.
    pub(super) kin: Vec<variants::Match>,
}

/// From a value to a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// The member of that name.
    Member(String),
    /// A member whose name the pattern matches.
    Matching(String),
    /// A member that no keyword names.
    Other,
    /// The item at that index.
    Item(usize),
    /// The value itself, as a variant of a union: the indices of the union, and of the variant
    /// before and after.
    Variant(usize, usize, usize),
}

/// A difference, and how to come to it from the schema that was asked about.
#[derive(Debug, Clone)]
pub(super) struct Finding {
    /// The pairs passed through, each with the step out of it.
    pub(super) path: Vec<(PairId, Step)>,
    pub(super) pair: PairId,
    pub(super) edit: Edit,
}

impl Pair<'_> {
    /// The pairs of members, items and opaque keywords.
    fn parts(&self) -> impl Iterator<Item = PairId> {
        let children = self.children.iter().map(|(_, child)| *child);
        children.chain(self.opaque.iter().map(|(_, child)| *child))
    }
}

impl<'a> Comparison<'a> {
    pub(super) fn new(before: &'a View, after: &'a View) -> Comparison<'a> {
        Comparison {
            before: Nodes::new(before),
            after: Nodes::new(after),
            ids: HashMap::new(),
            pairs: Vec::new(),
        }
    }

    /// Every difference between two schemas.
    pub(super) fn findings(&mut self, before: All<'a>, after: All<'a>) -> Vec<Finding> {
        let known = self.pairs.len();
        let root = self.pair(before, after);
        let mut next = known;
        while next < self.pairs.len() {
            self.fill(next);
            next += 1;
        }
        self.settle(known);
        self.collect(root)
    }

    pub(super) fn pair(&mut self, before: All<'a>, after: All<'a>) -> PairId {
        let direct = |view: &'a View, all: All<'a>| -> All<'a> {
            All(all
                .0
                .into_iter()
                .map(|schema| named(view, schema))
                .collect())
        };
        let (before, after) = (
            direct(self.before.view, before),
            direct(self.after.view, after),
        );
        let key = (before.addresses(), after.addresses());
        let next = self.pairs.len();
        let id = *self.ids.entry(key).or_insert(next);
        if id == next {
            self.pairs.push(Pair {
                before,
                after,
                edits: Vec::new(),
                children: Vec::new(),
                opaque: Vec::new(),
                unions: Vec::new(),
                differs: false,
                changed: false,
            });
        }
        id
    }

    pub(super) fn differs(&self, id: PairId) -> bool {
        self.pairs.get(id).is_none_or(|pair| pair.differs)
    }

    fn changed(&self, id: PairId) -> bool {
        self.pairs.get(id).is_none_or(|pair| pair.changed)
    }

    /// Lets every difference be felt in the pairs above it, among those from `first` on.
    fn settle(&mut self, first: PairId) {
        let tells = |edit: &Edit| edit.effect != Effect::Docs;
        while self.spread(
            first,
            |this, pair| {
                pair.edits.iter().any(tells)
                    || pair.parts().any(|child| this.differs(child))
                    || pair.unions.iter().any(|grid| !variants::same(this, grid))
            },
            |pair| &mut pair.differs,
        ) {}
        while self.spread(
            first,
            |this, pair| {
                pair.differs
                    || !pair.edits.is_empty()
                    || pair.parts().any(|child| this.changed(child))
                    || pair.unions.iter().any(|grid| {
                        let matched = variants::matched(this, grid);
                        let mut cells = matched.pairs.iter().map(|(_, _, cell)| *cell);
                        !matched.edits.is_empty() || cells.any(|cell| this.changed(cell))
                    })
            },
            |pair| &mut pair.changed,
        ) {}
    }

    /// Sets a flag of the pairs for which a condition holds by now; whether there were any. Those
    /// that were met last come first, so that what is below is mostly known.
    fn spread(
        &mut self,
        first: PairId,
        holds: impl Fn(&Self, &Pair<'a>) -> bool,
        flag: impl for<'p> Fn(&'p mut Pair<'a>) -> &'p mut bool,
    ) -> bool {
        let mut any = false;
        for id in (first..self.pairs.len()).rev() {
            if self.pairs.get_mut(id).is_none_or(|pair| *flag(pair)) {
                continue;
            }
            let now = self.pairs.get(id).is_some_and(|pair| holds(self, pair));
            if let Some(pair) = self.pairs.get_mut(id).filter(|_| now) {
                *flag(pair) = true;
                any = true;
            }
        }
        any
    }

    /// The unions that a difference is of, or within a variant of, where no other variant may hold than
    /// that one: the same difference at each, the innermost first. What such a variant takes, the union
    /// refuses where another takes it too, so that fewer or more values of it are more or fewer of the
    /// union.
    pub(super) fn exact_unions(&self, finding: &Finding) -> Vec<Finding> {
        if matches!(finding.edit.effect, Effect::Docs | Effect::Default) {
            return Vec::new();
        }
        let unions = |pair: PairId| self.pairs.get(pair).map_or(&[][..], |pair| &pair.unions);
        let nameless = |union: &Union<'a>, at: usize| {
            let variant = union.variants.get(at);
            union.exactly_one && variant.is_some_and(|variant| variant.tags.is_empty())
        };
        let within = |(pair, step): &(PairId, Step)| match step {
            Step::Variant(union, before, after) => {
                let grid = unions(*pair).get(*union);
                grid.is_some_and(|grid| {
                    nameless(&grid.before, *before) && nameless(&grid.after, *after)
                })
            }
            _ => false,
        };
        let is_variant = finding.edit.facet == "variant";
        let mut own = unions(finding.pair).iter().filter(|_| is_variant);
        let is_own = own.any(|grid| nameless(&grid.before, 0) && nameless(&grid.after, 0));
        let around = finding.path.iter().enumerate().rev();
        let around = around.filter(|(_, step)| within(step));
        let around = around.map(|(at, (pair, _))| Finding {
            path: finding.path.iter().take(at).cloned().collect(),
            pair: *pair,
            edit: finding.edit.clone(),
        });
        is_own
            .then(|| finding.clone())
            .into_iter()
            .chain(around)
            .collect()
    }

    /// Where the variants of a pair stand that have no equal on the other side: before, and after.
    pub(super) fn unequal(&self, pair: PairId) -> (BTreeSet<Place>, BTreeSet<Place>) {
        let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
        let grids = self.pairs.get(pair).map(|pair| &pair.unions);
        for (at, grid) in grids.into_iter().flatten().enumerate() {
            let (rows, columns) = variants::unequal(self, grid);
            before.extend(rows.into_iter().map(|row| (at, row)));
            after.extend(columns.into_iter().map(|column| (at, column)));
        }
        (before, after)
    }

    /// Gathers the differences below a pair, each on the shortest way to it.
    fn collect(&self, root: PairId) -> Vec<Finding> {
        let mut findings = Vec::new();
        let every = |_: PairId, _: &Step| true;
        self.walk(root, every, |pair, path, edits| {
            findings.extend(edits.into_iter().map(|edit| Finding {
                path: path(),
                pair,
                edit,
            }));
        });
        findings
    }

    /// The same difference on the shortest of the ways to it that have such steps alone.
    pub(super) fn on_way(
        &self,
        finding: &Finding,
        passes: impl Fn(PairId, &Step) -> bool,
    ) -> Option<Finding> {
        let root = finding.path.first().map_or(finding.pair, |(pair, _)| *pair);
        let mut found = None;
        self.walk(root, passes, |pair, path, _| {
            if pair == finding.pair {
                found = Some(path());
            }
        });
        found.map(|path| Finding {
            path,
            ..finding.clone()
        })
    }

    /// Shows each pair below one with the way to it and the differences at it. Each is entered once, on
    /// the shortest of the ways that have such steps alone.
    fn walk(
        &self,
        root: PairId,
        passes: impl Fn(PairId, &Step) -> bool,
        mut show: impl FnMut(PairId, &dyn Fn() -> Vec<(PairId, Step)>, Vec<Edit>),
    ) {
        let mut ways = vec![Way {
            pair: root,
            depth: 0,
            from: None,
        }];
        let mut seen = BTreeSet::from([root]);
        let mut next = 0;
        while let Some(way) = ways.get(next) {
            let (id, depth) = (way.pair, way.depth + 1);
            if let Some(pair) = self.pairs.get(id).filter(|pair| pair.changed) {
                let (edits, below) = self.told(pair);
                show(id, &|| path(&ways, next), edits);
                for (step, pair) in below {
                    if depth <= DEEPEST && passes(id, &step) && seen.insert(pair) {
                        let from = Some((next, step));
                        ways.push(Way { pair, depth, from });
                    }
                }
            }
            next += 1;
        }
    }

    /// The differences at a pair itself, and the pairs below it.
    fn told(&self, pair: &Pair<'a>) -> (Vec<Edit>, Vec<(Step, PairId)>) {
        let mut edits = pair.edits.clone();
        for (keyword, child) in &pair.opaque {
            if self.differs(*child) {
                let message = format!("{keyword} was changed");
                edits.push(Edit::new(keyword, Effect::Both, message));
            }
        }
        let mut below = pair.children.clone();
        for (index, grid) in pair.unions.iter().enumerate() {
            let matched = variants::matched(self, grid);
            edits.extend(matched.edits);
            let steps = matched.pairs.into_iter();
            below
                .extend(steps.map(|(row, column, cell)| (Step::Variant(index, row, column), cell)));
        }
        (edits, below)
    }
}

/// A pair, and the step that led to it from another one.
struct Way {
    pair: PairId,
    depth: usize,
    from: Option<(usize, Step)>,
}

/// The steps that lead to one of these.
fn path(ways: &[Way], last: usize) -> Vec<(PairId, Step)> {
    let mut path = Vec::new();
    let mut at = ways.get(last);
    while let Some((from, step)) = at.and_then(|way| way.from.as_ref()) {
        at = ways.get(*from);
        path.extend(at.map(|way| (way.pair, step.clone())));
    }
    path.reverse();
    path
}
