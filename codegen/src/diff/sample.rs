//! Values that a schema is likely to accept, and values at the edge of what it accepts.
//!
//! Nothing here is certain: whoever uses a value asks the interpreter about it. Samples are made
//! from one contract's schemas, with the limits of both in mind.

use super::apart::Apart;
use super::choice::{distinct, is_blank, preferred, telling};
use super::node::{All, Kind, Node, Variant};
use super::normal::Nodes;
use super::scalar::{admits, fits, numbers, texts};
use super::text;
use serde_json::{Map, Number, Value};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How deeply samples are nested; required members that nest deeper have no sample.
const DEEPEST: usize = 8;
/// The longest list that is made to cross a limit.
const LONGEST: u64 = 20_000;

/// How many schemas one sampler looks at; large contracts nest without end.
const BUDGET: usize = 1_000;

/// Makes samples of one contract's schemas.
pub(super) struct Sampler<'s, 'a> {
    pub(super) nodes: &'s Nodes<'a>,
    /// Whether optional members are there as well.
    full: bool,
    /// Whether examples and defaults are looked past, and a value of one variant is made one of no
    /// other.
    wary: bool,
    /// Whether there is nothing in it that the generated types do not keep.
    kept: bool,
    /// Whether nothing in it is empty, as far as the schemas let; for what cannot be written empty.
    filled: bool,
    left: Cell<usize>,
    /// The schemas around what is being made: required of themselves without end, they have no values.
    around: RefCell<Vec<Vec<usize>>>,
}

impl<'s, 'a> Sampler<'s, 'a> {
    pub(super) fn new(nodes: &'s Nodes<'a>, full: bool) -> Sampler<'s, 'a> {
        Sampler {
            nodes,
            full,
            wary: false,
            kept: false,
            filled: false,
            left: Cell::new(BUDGET),
            around: RefCell::default(),
        }
    }

    /// The same, for contracts whose examples are wrong or whose variants overlap.
    pub(super) fn wary(self, wary: bool) -> Sampler<'s, 'a> {
        Sampler { wary, ..self }
    }

    /// The same, for values that are read and written again.
    pub(super) fn kept(self, kept: bool) -> Sampler<'s, 'a> {
        Sampler { kept, ..self }
    }

    /// The same, for values that are written where nothing empty can be.
    pub(super) fn filled(self, filled: bool) -> Sampler<'s, 'a> {
        Sampler { filled, ..self }
    }

    /// The first of these, or of those that are not empty.
    fn first(&self, mut values: impl Iterator<Item = Value>) -> Option<Value> {
        if self.filled {
            telling(values)
        } else {
            values.next()
        }
    }

    /// Whether a value is rather not used where there need not be one.
    fn leaves_out(&self, value: &Value) -> bool {
        self.filled && is_blank(value)
    }

    /// Whether optional members are wanted at that depth.
    fn is_full(&self, depth: usize) -> bool {
        self.full && depth < 3
    }

    pub(super) fn node(&self, all: &All<'a>) -> Rc<Node<'a>> {
        self.nodes.of(all)
    }

    /// One value that the schemas are likely to accept.
    pub(super) fn sample(&self, all: &All<'a>) -> Option<Value> {
        self.sample_at(all, 0)
    }

    fn sample_at(&self, all: &All<'a>, depth: usize) -> Option<Value> {
        let left = self.left.get().checked_sub(1)?;
        self.left.set(left);
        if depth > DEEPEST {
            return None;
        }
        let here = all.addresses();
        if !here.is_empty() && !self.is_full(depth) && self.around.borrow().contains(&here) {
            return None;
        }
        self.around.borrow_mut().push(here);
        let value = self.of_node(&self.node(all), depth);
        self.around.borrow_mut().pop();
        value
    }

    /// One value that a variant is likely to accept, its tag included.
    pub(super) fn variant(&self, variant: &Variant<'a>) -> Option<Value> {
        self.variant_at(variant, 0)
    }

    fn variant_at(&self, variant: &Variant<'a>, depth: usize) -> Option<Value> {
        let value = self.sample_at(&variant.schemas, depth)?;
        Some(variant.tagged(value))
    }

    /// One value of a normal form.
    pub(super) fn of_node(&self, node: &Node<'a>, depth: usize) -> Option<Value> {
        if let Some(listed) = &node.listed {
            return self.first(listed.iter().cloned());
        }
        let noted = node.notes.examples.iter().chain(&node.notes.default);
        let mut noted = noted.filter(|value| !self.wary && is_plain(node, value));
        if let Some(value) = noted.find(|value| !self.leaves_out(value)) {
            return Some(value.clone());
        }
        match self.of_unions(node, depth, None) {
            Some(Value::Object(members)) => self.object(node, depth, members),
            Some(value) => Some(value),
            None => preferred(node).find_map(|kind| self.of_kind(node, kind, depth)),
        }
    }

    /// What the unions of a normal form ask for, but for one of them.
    fn of_unions(&self, node: &Node<'a>, depth: usize, but: Option<usize>) -> Option<Value> {
        let mut value = None;
        // A union beside other keywords is kept whole, whatever is in it.
        let kept = self.kept && node.is_only_unions();
        let within = Sampler {
            left: Cell::new(self.left.get()),
            around: self.around.clone(),
            kept,
            ..*self
        };
        let unions = node.unions.iter().enumerate();
        for (_, union) in unions.filter(|(index, _)| but != Some(*index)) {
            let variants = union.variants.iter();
            let own = variants.filter_map(|variant| {
                let own = within.variant_at(variant, depth + 1)?;
                let apart = self.wary && union.exactly_one;
                if apart {
                    let apart = Apart::new(&within, within.nodes);
                    apart.away_from_all(variant, union.variants.iter(), own)
                } else {
                    Some(own)
                }
            });
            value = match (value, self.first(own)) {
                (Some(Value::Object(known)), Some(Value::Object(own))) => {
                    Some(Value::Object(known.into_iter().chain(own).collect()))
                }
                (known, own) => known.or(own),
            };
        }
        self.left.set(within.left.get());
        value
    }

    /// An object with the given members, and what it must have beside them, or, when full, can have: what
    /// its unions ask for as well, but for one of them.
    pub(super) fn around(
        &self,
        node: &Node<'a>,
        members: Map<String, Value>,
        but: Option<usize>,
    ) -> Option<Map<String, Value>> {
        let mut whole = match self.of_unions(node, 0, but) {
            Some(Value::Object(beside)) => beside,
            _ => Map::new(),
        };
        whole.extend(members);
        match self.object(node, 0, whole)? {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Whether a member that a normal form does not name may be put beside the others.
    pub(super) fn keeps_others(&self, node: &Node<'a>) -> bool {
        !self.kept || node.keeps_others()
    }

    /// A value with no more in it than there has to be.
    pub(super) fn plain(&self, all: &All<'a>) -> Option<Value> {
        let plain = Sampler::new(self.nodes, false);
        let plain = plain.wary(self.wary).filled(self.filled).kept(self.kept);
        plain.sample(all)
    }

    /// A value of one kind.
    pub(super) fn of_kind(&self, node: &Node<'a>, kind: Kind, depth: usize) -> Option<Value> {
        match kind {
            Kind::Null => Some(Value::Null),
            Kind::Boolean => Some(Value::Bool(true)),
            Kind::Number => numbers(node, node).into_iter().next().map(Value::Number),
            Kind::String => texts(node, node).into_iter().next().map(Value::String),
            Kind::Array => self.array(node, depth, count(node, "minItems")),
            Kind::Object => self.object(node, depth, Map::new()),
        }
    }

    /// A list of that many items, different ones as far as possible.
    pub(super) fn array(&self, node: &Node<'a>, depth: usize, length: u64) -> Option<Value> {
        if length > LONGEST {
            return None;
        }
        let wanted = if self.filled || self.is_full(depth) {
            length.max(1)
        } else {
            length
        };
        let room = node.bounds.get("maxItems").and_then(Number::as_u64);
        let wanted = usize::try_from(room.map_or(wanted, |room| wanted.min(room.max(length))));
        let unique = node
            .marks
            .iter()
            .any(|(keyword, _)| *keyword == "uniqueItems");
        let mut items = Vec::new();
        for index in 0..wanted.ok()? {
            let schemas = node.item(index).unwrap_or_default();
            let item = self.sample_at(&schemas, depth + 1)?;
            items.push(if unique { distinct(item, &items) } else { item });
        }
        Some(Value::Array(items))
    }

    /// An object with the given members, and those it must have or, when full, can have.
    pub(super) fn object(
        &self,
        node: &Node<'a>,
        depth: usize,
        members: Map<String, Value>,
    ) -> Option<Value> {
        let mut members = members;
        let optional = node.properties.keys().filter(|_| self.is_full(depth));
        for name in node.required.iter().chain(optional) {
            if members.contains_key(name) {
                continue;
            }
            let required = node.required.contains(name);
            let schemas = node.member(name).unwrap_or_default();
            match self.sample_at(&schemas, depth + 1) {
                None if required => return None,
                Some(value) if required || !self.leaves_out(&value) => {
                    members.insert(name.clone(), value);
                }
                _ => {}
            }
        }
        let wanted = count(node, "minProperties").max(u64::from(self.filled));
        let wanted = usize::try_from(wanted).ok()?;
        self.pad(node, &mut members, wanted, depth);
        self.accompany(node, &mut members, depth)?;
        Some(Value::Object(members))
    }

    /// Adds the members that those that are there ask for; `None` where one has no value.
    fn accompany(
        &self,
        node: &Node<'a>,
        members: &mut Map<String, Value>,
        depth: usize,
    ) -> Option<()> {
        let asked: Vec<(String, String)> = node.dependencies().collect();
        let missing = |members: &Map<String, Value>| {
            let mut asked = asked.iter();
            let lacks = |(name, other): &&(String, String)| {
                members.contains_key(name) && !members.contains_key(other)
            };
            asked.find(lacks).map(|(_, other)| other.clone())
        };
        while let Some(name) = missing(members) {
            let schemas = node.member(&name).unwrap_or_default();
            members.insert(name, self.sample_at(&schemas, depth + 1)?);
        }
        Some(())
    }

    /// Adds members until there are so many, as far as the schema lets.
    pub(super) fn pad(
        &self,
        node: &Node<'a>,
        members: &mut Map<String, Value>,
        wanted: usize,
        depth: usize,
    ) {
        let declared = node.properties.keys().cloned();
        let invented = (0..64).map(|index| format!("extra{index}"));
        let patterned = node
            .patterns
            .keys()
            .flat_map(|pattern| text::matching(pattern));
        for name in declared.chain(patterned).chain(invented) {
            if members.len() >= wanted {
                return;
            }
            let schemas = node.member(&name).unwrap_or_default();
            if !members.contains_key(&name)
                && !schemas.refuses_everything()
                && let Some(value) = self.sample_at(&schemas, depth + 1)
                && !self.leaves_out(&value)
            {
                members.insert(name, value);
            }
        }
    }
}

/// Whether a value has no parts, and is valid as far as its own schema says: examples outlive the limits
/// that they were written for.
fn is_plain(node: &Node<'_>, value: &Value) -> bool {
    let fits = match value {
        Value::Array(_) | Value::Object(_) => false,
        Value::String(text) => fits(node, text),
        Value::Number(number) => admits(node, number),
        Value::Null | Value::Bool(_) => true,
    };
    fits && node.kinds.contains(&Kind::of(value))
}

/// A lower limit on how many; 0 where there is none.
pub(super) fn count(node: &Node<'_>, keyword: &str) -> u64 {
    let limit = node.bounds.get(keyword).and_then(Number::as_u64);
    limit.unwrap_or_default()
}
