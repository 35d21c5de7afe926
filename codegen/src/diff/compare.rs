//! Two contracts' schemas side by side.
//!
//! A pair of schemas is looked at once, however often and from wherever it is referred to. Pairs
//! are first taken for the same; whatever differs at a place makes the pairs above it differ, until
//! nothing changes any more. So recursive schemas are the same exactly when no value tells them
//! apart by its shape.

use super::edit::{Edit, Effect, declared, edits};
use super::node::{All, Node, Union};
use super::normal::{named, node};
use super::variants;
use super::view::View;
use std::collections::{BTreeSet, HashMap};

/// How many pairs a comparison looks at; a document that has more is hostile.
const MOST_PAIRS: usize = 200_000;
/// The size of unions above which only variants of one name or index are compared.
const LARGEST_GRID: usize = 2_500;

/// A pair's index.
pub(super) type PairId = usize;

/// The schemas of two contracts in one direction.
pub(super) struct Comparison<'a> {
    pub(super) before: &'a View,
    pub(super) after: &'a View,
    ids: HashMap<(Vec<usize>, Vec<usize>), PairId>,
    pub(super) pairs: Vec<Pair<'a>>,
}

/// Two schemas of the same place.
pub(super) struct Pair<'a> {
    pub(super) before: All<'a>,
    pub(super) after: All<'a>,
    pub(super) edits: Vec<Edit>,
    children: Vec<(Step, PairId)>,
    opaque: Vec<(String, PairId)>,
    unions: Vec<Grid<'a>>,
    /// Whether the two may judge a value differently.
    differs: bool,
    /// Whether there is anything to tell, were it only for people.
    changed: bool,
}

/// Two unions, and the pair of every variant of one with every variant of the other.
pub(super) struct Grid<'a> {
    pub(super) before: Union<'a>,
    pub(super) after: Union<'a>,
    pub(super) cells: HashMap<(usize, usize), PairId>,
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
            before,
            after,
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
        let mut findings = Vec::new();
        let mut seen = BTreeSet::new();
        self.collect(root, &mut Vec::new(), &mut seen, &mut findings);
        findings
    }

    fn pair(&mut self, before: All<'a>, after: All<'a>) -> PairId {
        let direct = |view: &'a View, all: All<'a>| -> All<'a> {
            All(all
                .0
                .into_iter()
                .map(|schema| named(view, schema))
                .collect())
        };
        let (before, after) = (direct(self.before, before), direct(self.after, after));
        let addresses = |all: &All<'a>| -> Vec<usize> {
            let address = |schema: &&'a serde_json::Value| std::ptr::from_ref(*schema).addr();
            all.0.iter().map(address).collect()
        };
        let key = (addresses(&before), addresses(&after));
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

    /// Looks at a pair for the first time.
    fn fill(&mut self, id: PairId) {
        let Some(pair) = self.pairs.get(id) else {
            return;
        };
        if id > MOST_PAIRS {
            return;
        }
        let (all_before, all_after) = (pair.before.clone(), pair.after.clone());
        let mut before = node(self.before, &all_before);
        let mut after = node(self.after, &all_after);
        wrap(&mut before, &all_before, &mut after, &all_after);
        let mut edits = edits(&before, &after);
        let mut children = Vec::new();
        if !before.kinds.is_empty() && !after.kinds.is_empty() {
            self.members(&before, &after, &mut edits, &mut children);
            self.items(&before, &after, &mut edits, &mut children);
        }
        let opaque = self.opaque(&before, &after, &mut edits);
        let unions = self.unions(&before, &after, &mut edits);
        if let Some(pair) = self.pairs.get_mut(id) {
            pair.edits = edits;
            pair.children = children;
            pair.opaque = opaque;
            pair.unions = unions;
        }
    }

    fn members(
        &mut self,
        before: &Node<'a>,
        after: &Node<'a>,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        let names: BTreeSet<&String> = before
            .properties
            .keys()
            .chain(after.properties.keys())
            .collect();
        for name in names {
            let (old, new) = (before.member(name), after.member(name));
            let stays = before.properties.contains_key(name) && after.properties.contains_key(name);
            match (old, new) {
                (Some(old), Some(new))
                    if stays || !(old.refuses_everything() || new.refuses_everything()) =>
                {
                    children.push((Step::Member(name.clone()), self.pair(old, new)));
                }
                (old, new) => edits.push(declared(name, old.as_ref(), new.as_ref())),
            }
        }
        let patterns: BTreeSet<&String> = before
            .patterns
            .keys()
            .chain(after.patterns.keys())
            .collect();
        for pattern in patterns {
            match (before.patterns.get(pattern), after.patterns.get(pattern)) {
                (Some(old), Some(new)) => {
                    let pair = self.pair(old.clone(), new.clone());
                    children.push((Step::Matching(pattern.clone()), pair));
                }
                (old, new) => {
                    let text = |all: Option<&All<'a>>| all.map(|_| format!("`{pattern}`"));
                    edits.extend(Edit::presence("patternProperties", text(old), text(new)));
                }
            }
        }
        self.optional(
            "additionalProperties",
            before.rest(),
            after.rest(),
            Step::Other,
            edits,
            children,
        );
    }

    fn items(
        &mut self,
        before: &Node<'a>,
        after: &Node<'a>,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        let prefix = before.prefix().max(after.prefix());
        // The index behind the last prefix stands for all that follow.
        for index in 0..=prefix {
            let (old, new) = (before.item(index), after.item(index));
            self.optional("items", old, new, Step::Item(index), edits, children);
        }
    }

    /// A subschema that either side may lack; what says nothing refuses nothing.
    fn optional(
        &mut self,
        facet: &str,
        old: Option<All<'a>>,
        new: Option<All<'a>>,
        step: Step,
        edits: &mut Vec<Edit>,
        children: &mut Vec<(Step, PairId)>,
    ) {
        if old.is_none() && new.is_none() {
            return;
        }
        let closed = |all: &Option<All<'a>>| all.as_ref().is_some_and(All::refuses_everything);
        if closed(&old) != closed(&new) {
            let narrows = closed(&new);
            let verb = if narrows { "refused" } else { "admitted" };
            let effect = if narrows {
                Effect::Narrows
            } else {
                Effect::Widens
            };
            let message = format!("{facet} that the schema does not name are now {verb}");
            edits.push(Edit::new(facet, effect, message));
            return;
        }
        let pair = self.pair(old.unwrap_or_default(), new.unwrap_or_default());
        children.push((step, pair));
    }

    fn opaque(
        &mut self,
        before: &Node<'a>,
        after: &Node<'a>,
        edits: &mut Vec<Edit>,
    ) -> Vec<(String, PairId)> {
        let mut pairs = Vec::new();
        let keywords: BTreeSet<&String> = before.opaque.keys().chain(after.opaque.keys()).collect();
        for keyword in keywords {
            match (before.opaque.get(keyword), after.opaque.get(keyword)) {
                (Some(old), Some(new)) => {
                    pairs.push((keyword.clone(), self.pair(old.clone(), new.clone())));
                }
                (Some(_), None) => {
                    let message = format!("{keyword} was removed");
                    edits.push(Edit::new(keyword, Effect::Widens, message));
                }
                (None, _) => {
                    let message = format!("{keyword} was added");
                    edits.push(Edit::new(keyword, Effect::Narrows, message));
                }
            }
        }
        pairs
    }

    fn unions(
        &mut self,
        before: &Node<'a>,
        after: &Node<'a>,
        edits: &mut Vec<Edit>,
    ) -> Vec<Grid<'a>> {
        let mut grids = Vec::new();
        let longer = before.unions.len().max(after.unions.len());
        for index in 0..longer {
            match (before.unions.get(index), after.unions.get(index)) {
                (Some(old), Some(new)) => {
                    if old.exactly_one != new.exactly_one {
                        let (effect, message) = if new.exactly_one {
                            (Effect::Narrows, "anyOf became oneOf")
                        } else {
                            (Effect::Widens, "oneOf became anyOf")
                        };
                        edits.push(Edit::new("oneOf", effect, message.to_owned()));
                    }
                    grids.push(self.grid(old, new));
                }
                (Some(_), None) => {
                    let message = "the union was removed".to_owned();
                    edits.push(Edit::new("oneOf", Effect::Widens, message));
                }
                (None, _) => {
                    let message = "a union was added".to_owned();
                    edits.push(Edit::new("oneOf", Effect::Narrows, message));
                }
            }
        }
        grids
    }

    fn grid(&mut self, before: &Union<'a>, after: &Union<'a>) -> Grid<'a> {
        let (rows, columns) = (before.variants.len(), after.variants.len());
        let whole = rows * columns <= LARGEST_GRID;
        let mut cells = HashMap::new();
        for (row, old) in before.variants.iter().enumerate() {
            for (column, new) in after.variants.iter().enumerate() {
                if whole || row == column || variants::alike(old, new) {
                    cells.insert((row, column), self.pair(old.clone(), new.clone()));
                }
            }
        }
        Grid {
            before: before.clone(),
            after: after.clone(),
            cells,
        }
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
                        let pairs = variants::matched(this, grid).pairs;
                        pairs.iter().any(|(_, _, cell)| this.changed(*cell))
                    })
            },
            |pair| &mut pair.changed,
        ) {}
    }

    /// Sets a flag of the pairs for which a condition holds by now; whether there were any.
    fn spread(
        &mut self,
        first: PairId,
        holds: impl Fn(&Self, &Pair<'a>) -> bool,
        flag: impl for<'p> Fn(&'p mut Pair<'a>) -> &'p mut bool,
    ) -> bool {
        let holding: Vec<bool> = self
            .pairs
            .iter()
            .skip(first)
            .map(|pair| holds(self, pair))
            .collect();
        let mut any = false;
        for (pair, holds) in self.pairs.iter_mut().skip(first).zip(holding) {
            let flag = flag(pair);
            any |= holds && !*flag;
            *flag |= holds;
        }
        any
    }

    /// Gathers the differences below a pair; each pair is entered once.
    fn collect(
        &self,
        id: PairId,
        path: &mut Vec<(PairId, Step)>,
        seen: &mut BTreeSet<PairId>,
        out: &mut Vec<Finding>,
    ) {
        let Some(pair) = self.pairs.get(id) else {
            return;
        };
        if !pair.changed || !seen.insert(id) {
            return;
        }
        let mut add = |edit: Edit| {
            out.push(Finding {
                path: path.clone(),
                pair: id,
                edit,
            });
        };
        pair.edits.iter().cloned().for_each(&mut add);
        for (keyword, child) in &pair.opaque {
            if self.differs(*child) {
                let message = format!("{keyword} was changed");
                add(Edit::new(keyword, Effect::Both, message));
            }
        }
        let mut below = pair.children.clone();
        for (index, grid) in pair.unions.iter().enumerate() {
            let matched = variants::matched(self, grid);
            matched.edits.into_iter().for_each(&mut add);
            let steps = matched.pairs.into_iter();
            below
                .extend(steps.map(|(row, column, cell)| (Step::Variant(index, row, column), cell)));
        }
        for (step, child) in below {
            path.push((id, step));
            self.collect(child, path, seen, out);
            path.pop();
        }
    }
}

/// Where one side is a union and the other is not, takes the other for a union of one variant.
fn wrap<'a>(before: &mut Node<'a>, old: &All<'a>, after: &mut Node<'a>, new: &All<'a>) {
    let single = |all: &All<'a>, like: &Node<'a>| {
        let mut node = Node::any();
        node.kinds.clone_from(&like.kinds);
        node.unions.push(Union {
            exactly_one: false,
            variants: vec![all.clone()],
        });
        node
    };
    let is_union = |node: &Node<'a>| node.unions.len() == 1 && node.is_only_unions();
    let is_plain = |node: &Node<'a>| node.unions.is_empty() && !node.is_only_unions();
    if is_union(after) && is_plain(before) {
        *before = single(old, before);
        equalise(before, after);
    } else if is_union(before) && is_plain(after) {
        *after = single(new, after);
        equalise(after, before);
    }
}

/// A union of one variant is as exact as one likes it to be.
fn equalise<'a>(single: &mut Node<'a>, union: &Node<'a>) {
    for (mine, theirs) in single.unions.iter_mut().zip(&union.unions) {
        mine.exactly_one = theirs.exactly_one;
    }
    single.notes = union.notes.clone();
    single.kinds.clone_from(&union.kinds);
}
