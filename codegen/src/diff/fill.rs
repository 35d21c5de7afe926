//! A pair of schemas, looked at for the first time: its own differences, and the pairs below it.

use super::compare::{Comparison, Grid, PairId, Step};
use super::edit::{Edit, Effect, are_both, declared, edits};
use super::exclusive::is_exclusive;
use super::node::{All, Kind, Node, Union, Variant};
use super::normal::Nodes;
use super::variants::{self, Traits};
use std::collections::{BTreeMap, BTreeSet};

/// How many pairs a comparison looks at; a document that has more is hostile.
const MOST_PAIRS: usize = 200_000;
/// The size of unions above which only variants of one name or index are compared.
const LARGEST_GRID: usize = 2_500;

impl<'a> Comparison<'a> {
    /// Looks at a pair for the first time.
    pub(super) fn fill(&mut self, id: PairId) {
        let Some(pair) = self.pairs.get(id) else {
            return;
        };
        if id > MOST_PAIRS {
            return;
        }
        let (all_before, all_after) = (pair.before.clone(), pair.after.clone());
        let mut before = Node::clone(&self.before.of(&all_before));
        let mut after = Node::clone(&self.after.of(&all_after));
        self.wrap(&mut before, &all_before, &mut after, &all_after);
        let mut edits = edits(&before, &after);
        let mut children = Vec::new();
        if are_both(&before, &after, Kind::Object) {
            self.members(&before, &after, &mut edits, &mut children);
        }
        if are_both(&before, &after, Kind::Array) {
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
            let closed = |all: &Option<All<'a>>| all.as_ref().is_some_and(All::refuses_everything);
            if closed(&old) && closed(&new) {
                continue;
            }
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
                    let mut edit = Edit::presence("patternProperties", text(old), text(new));
                    let others = if old.is_some() {
                        after.rest()
                    } else {
                        before.rest()
                    };
                    // Beside `additionalProperties`, a pattern takes members out of its hands.
                    if let (Some(edit), Some(others)) = (&mut edit, others) {
                        edit.effect = match (others.refuses_everything(), new.is_some()) {
                            (true, true) => Effect::Widens,
                            (true, false) => Effect::Narrows,
                            (false, _) => Effect::Both,
                        };
                    }
                    edits.extend(edit);
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
                    edits.extend(self.exactness(old, new));
                    grids.push(self.grid(old, new));
                }
                (Some(old), None) => {
                    let idle = is_idle(&self.before, before, old);
                    let effect = if idle { Effect::Docs } else { Effect::Widens };
                    edits.push(Edit::new(
                        "oneOf",
                        effect,
                        "the union was removed".to_owned(),
                    ));
                }
                (None, Some(new)) => {
                    let idle = is_idle(&self.after, after, new);
                    let effect = if idle { Effect::Docs } else { Effect::Narrows };
                    edits.push(Edit::new("oneOf", effect, "a union was added".to_owned()));
                }
                (None, None) => {}
            }
        }
        grids
    }

    /// That one of several must hold where any might, or the reverse: nothing, where no value is of two.
    fn exactness(&self, old: &Union<'a>, new: &Union<'a>) -> Option<Edit> {
        let (effect, message, is_idle) = match (old.exactly_one, new.exactly_one) {
            (false, true) => {
                let is_idle = is_exclusive(&self.after, new);
                (Effect::Narrows, "anyOf became oneOf", is_idle)
            }
            (true, false) => {
                let is_idle = is_exclusive(&self.before, old);
                (Effect::Widens, "oneOf became anyOf", is_idle)
            }
            _ => return None,
        };
        (!is_idle).then(|| Edit::new("oneOf", effect, message.to_owned()))
    }

    /// Where one side is a union and the other is not, takes the other for a union of one variant.
    fn wrap(&self, before: &mut Node<'a>, old: &All<'a>, after: &mut Node<'a>, new: &All<'a>) {
        let is_union = |node: &Node<'a>| node.unions.len() == 1 && node.is_only_unions();
        let is_plain = |node: &Node<'a>| node.unions.is_empty() && !node.is_only_unions();
        if is_union(after) && is_plain(before) {
            *before = single(old, before);
            equalise(&self.after, before, after);
        } else if is_union(before) && is_plain(after) {
            *after = single(new, after);
            equalise(&self.before, after, before);
        }
    }

    fn grid(&mut self, before: &Union<'a>, after: &Union<'a>) -> Grid<'a> {
        let traits = |nodes: &Nodes<'a>, union: &Union<'a>| -> Vec<Traits> {
            let variants = union.variants.iter();
            variants.map(|variant| Traits::of(nodes, variant)).collect()
        };
        let old = traits(&self.before, before);
        let new = traits(&self.after, after);
        let whole = old.len() * new.len() <= LARGEST_GRID;
        let mut cells = BTreeMap::new();
        for (row, (was, old)) in before.variants.iter().zip(&old).enumerate() {
            for (column, (is, new)) in after.variants.iter().zip(&new).enumerate() {
                if whole || row == column || old.is_namesake(new) {
                    let pair = self.pair(was.schemas.clone(), is.schemas.clone());
                    cells.insert((row, column), pair);
                }
            }
        }
        let kin = variants::kin(&cells, &old, &new);
        Grid {
            before: before.clone(),
            after: after.clone(),
            cells,
            kin,
        }
    }
}

/// Whether a union refuses nothing of the types around it, as of each some variant takes all, nor
/// declares parts that keywords around it would count.
fn is_idle<'a>(nodes: &Nodes<'a>, around: &Node<'a>, union: &Union<'a>) -> bool {
    let variants = union.variants.iter();
    let variants: Vec<_> = variants.map(|variant| nodes.of(&variant.schemas)).collect();
    let says_more = |node: &Node<'a>| {
        node.speaks_of_parts() || !node.unions.is_empty() || !node.opaque.is_empty()
    };
    let takes = |kind: &Kind| variants.iter().any(|node| node.takes_kind(*kind, around));
    !union.exactly_one
        && !variants.iter().any(|node| says_more(node))
        && around.kinds.iter().all(takes)
}

/// Those schemas as a union of one variant, beside which no more is said than types.
fn single<'a>(all: &All<'a>, like: &Node<'a>) -> Node<'a> {
    let mut node = Node::any();
    node.kinds.clone_from(&like.kinds);
    node.unions.push(Union {
        exactly_one: false,
        variants: vec![Variant {
            schemas: all.clone(),
            tags: BTreeSet::new(),
        }],
    });
    node
}

/// A union of one variant is as exact as one likes it to be. What types it has is told of its variant, as long
/// as none of the other's variants loses any to a type that stands beside them.
fn equalise<'a>(nodes: &Nodes<'a>, single: &mut Node<'a>, union: &Node<'a>) {
    for (mine, theirs) in single.unions.iter_mut().zip(&union.unions) {
        mine.exactly_one = theirs.exactly_one;
    }
    single.notes = union.notes.clone();
    let mut variants = union.unions.iter().flat_map(|union| &union.variants);
    let keeps_types =
        variants.all(|variant| nodes.of(&variant.schemas).kinds.is_subset(&union.kinds));
    if keeps_types || single.kinds.is_subset(&union.kinds) {
        single.kinds.clone_from(&union.kinds);
    }
}
