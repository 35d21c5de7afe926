//! The pairs of schemas of two versions, and the differences below a pair.

use super::edit::{Edit, Effect};
use super::variants;
use sample::Bundle;
use sample::normal::{AllOf, Normalizer, Union, resolved};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// How many steps lead from a body to a difference; hostile documents nest deeper.
const MAX_DEPTH: usize = 256;

/// The index of a pair.
pub(crate) type PairId = usize;

/// The schemas of two versions for messages in one direction.
pub(crate) struct SchemaPairs<'a> {
    pub(crate) before: Normalizer<'a>,
    pub(crate) after: Normalizer<'a>,
    ids: HashMap<(Vec<usize>, Vec<usize>), PairId>,
    pub(super) pairs: Vec<Pair<'a>>,
}

/// Two schemas for the same place.
pub(crate) struct Pair<'a> {
    pub(crate) before: AllOf<'a>,
    pub(crate) after: AllOf<'a>,
    pub(super) edits: Vec<Edit>,
    /// The pairs of members and items.
    pub(super) children: Vec<(Step, PairId)>,
    /// The pairs of keywords that are compared for equality alone.
    pub(super) opaque: Vec<(String, PairId)>,
    pub(super) unions: Vec<UnionPair<'a>>,
    /// Whether a value may be valid for one of the two alone.
    pub(super) differs: bool,
    /// Whether anything was changed, documentation included.
    pub(super) is_changed: bool,
}

/// Two unions for the same place.
pub(super) struct UnionPair<'a> {
    pub(super) before: Union<'a>,
    pub(super) after: Union<'a>,
    /// The pairs of a variant before and one after, by their indices.
    pub(super) cells: BTreeMap<(usize, usize), PairId>,
    /// The cells that may be one variant that has changed, the most similar first.
    pub(super) related: Vec<variants::Match>,
}

/// A step from a value to a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// The member with a name.
    Member(String),
    /// A member whose name matches a pattern.
    Matching(String),
    /// A member that no keyword names.
    Other,
    /// The item at an index.
    Item(usize),
    /// The value itself as a variant: the indices of the union, and of the variant before and after.
    Variant(usize, usize, usize),
}

/// A difference, and the path to it from the schemas that were compared.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// The pairs on the path, each with the step out of it.
    pub(crate) path: Vec<(PairId, Step)>,
    pub(crate) pair: PairId,
    pub(crate) edit: Edit,
}

impl<'a> SchemaPairs<'a> {
    pub(crate) fn new(before: &'a Bundle, after: &'a Bundle) -> SchemaPairs<'a> {
        SchemaPairs {
            before: Normalizer::new(before),
            after: Normalizer::new(after),
            ids: HashMap::new(),
            pairs: Vec::new(),
        }
    }

    /// Every difference between two schemas.
    pub(crate) fn findings(&mut self, before: AllOf<'a>, after: AllOf<'a>) -> Vec<Finding> {
        let known = self.pairs.len();
        let root = self.pair(before, after);
        let mut next = known;
        while next < self.pairs.len() {
            self.compare(next);
            next += 1;
        }
        self.mark_differences(known);
        self.collect(root)
    }

    pub(super) fn pair(&mut self, before: AllOf<'a>, after: AllOf<'a>) -> PairId {
        let direct = |bundle: &'a Bundle, all: AllOf<'a>| {
            let schemas = all.0.into_iter();
            AllOf(schemas.map(|schema| resolved(bundle, schema)).collect())
        };
        let before = direct(self.before.bundle, before);
        let after = direct(self.after.bundle, after);
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
                is_changed: false,
            });
        }
        id
    }

    pub(crate) fn get(&self, id: PairId) -> Option<&Pair<'a>> {
        self.pairs.get(id)
    }

    /// The differences at a pair itself, without those of variants.
    pub(crate) fn edits(&self, id: PairId) -> &[Edit] {
        self.get(id).map_or(&[], |pair| &pair.edits)
    }

    /// The unions at a pair.
    pub(crate) fn unions(&self, id: PairId) -> impl Iterator<Item = (&Union<'a>, &Union<'a>)> {
        let unions = self.get(id).map_or(&[][..], |pair| &pair.unions);
        unions.iter().map(|one| (&one.before, &one.after))
    }

    pub(super) fn differs(&self, id: PairId) -> bool {
        self.get(id).is_none_or(|pair| pair.differs)
    }

    /// Gathers the differences below a pair. Each pair is entered once, on a path with as few variants as
    /// possible, and then as few steps: a witness without unions is the easiest to find and to read.
    fn collect(&self, root: PairId) -> Vec<Finding> {
        let mut visits = vec![Visit {
            pair: root,
            depth: 0,
            from: None,
        }];
        let mut findings = Vec::new();
        let mut seen = HashSet::new();
        let (mut open, mut behind_variants) = (VecDeque::from([0]), VecDeque::new());
        while let Some(at) = open.pop_front().or_else(|| behind_variants.pop_front()) {
            let Some((id, depth)) = visits.get(at).map(|visit| (visit.pair, visit.depth)) else {
                continue;
            };
            let pair = self.get(id).filter(|pair| pair.is_changed);
            let Some(pair) = pair.filter(|_| seen.insert(id)) else {
                continue;
            };
            let (edits, below) = self.differences(pair);
            findings.extend(edits.into_iter().map(|edit| Finding {
                path: path(&visits, at),
                pair: id,
                edit,
            }));
            for (step, pair) in below.into_iter().filter(|_| depth < MAX_DEPTH) {
                let queue = match step {
                    Step::Variant(..) => &mut behind_variants,
                    _ => &mut open,
                };
                queue.push_back(visits.len());
                visits.push(Visit {
                    pair,
                    depth: depth + 1,
                    from: Some((at, step)),
                });
            }
        }
        findings
    }

    /// The differences at a pair itself, and the pairs below it.
    fn differences(&self, pair: &Pair<'a>) -> (Vec<Edit>, Vec<(Step, PairId)>) {
        let mut edits = pair.edits.clone();
        for (keyword, child) in &pair.opaque {
            if self.differs(*child) {
                let message = format!("{keyword} was changed");
                edits.push(Edit::new(keyword, Effect::Both, message));
            }
        }
        let mut below = pair.children.clone();
        for (index, union) in pair.unions.iter().enumerate() {
            let matched = variants::matched(self, union);
            edits.extend(matched.edits);
            let cells = matched.cells.into_iter();
            below.extend(cells.map(|(old, new, cell)| (Step::Variant(index, old, new), cell)));
        }
        (edits, below)
    }
}

/// A pair, and the step that led to it from another one.
struct Visit {
    pair: PairId,
    depth: usize,
    from: Option<(usize, Step)>,
}

/// The steps that lead to one of the visits.
fn path(visits: &[Visit], last: usize) -> Vec<(PairId, Step)> {
    let mut path = Vec::new();
    let mut at = visits.get(last);
    while let Some((from, step)) = at.and_then(|visit| visit.from.as_ref()) {
        at = visits.get(*from);
        path.extend(at.map(|visit| (visit.pair, step.clone())));
    }
    path.reverse();
    path
}
