//! From raw schemas to the normal form of [`Node`].

use super::keywords::{close, own, schemas};
use super::node::{All, BOUNDS, Kind, MARKS, Node, Rest, Union, Variant, address};
use super::scalar::{admits, fits};
use super::union::{finite, flat, spread, tags};
use super::view::View;
use crate::schema::values::Values;
use json_schema::number::decimal::Decimal;
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// How deeply references, `allOf` and unions at one place may be nested.
const DEEPEST: usize = 64;
/// How many schemas make up one place; references that double at every step would be without end.
const BUDGET: usize = 10_000;

/// The normal forms of one contract's schemas, each made once.
pub(super) struct Nodes<'a> {
    pub(super) view: &'a View,
    known: RefCell<HashMap<Vec<usize>, Rc<Node<'a>>>>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(view: &'a View) -> Nodes<'a> {
        Nodes {
            view,
            known: RefCell::default(),
        }
    }

    /// The normal form of schemas that all hold.
    pub(super) fn of(&self, all: &All<'a>) -> Rc<Node<'a>> {
        let key = all.addresses();
        if let Some(known) = self.known.borrow().get(&key) {
            return Rc::clone(known);
        }
        let mut reader = Reader {
            view: self.view,
            following: all.addresses(),
            joined: HashSet::new(),
            variants: HashMap::new(),
            left: BUDGET,
        };
        let mut node = Node::any();
        for schema in &all.0 {
            node = and(node, reader.schema(schema));
        }
        tidy(&mut node);
        let node = Rc::new(node);
        self.known.borrow_mut().insert(key, Rc::clone(&node));
        node
    }
}

/// Follows a reference that stands alone, so that it is the same as what it names.
pub(super) fn named<'a>(view: &'a View, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..DEEPEST {
        let lone = schema.as_object().filter(|keywords| keywords.len() == 1);
        let reference = lone.and_then(|keywords| keywords.get("$ref")?.as_str());
        match reference.and_then(|reference| view.target(reference)) {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// The schema that `not: { not: … }` asks for.
fn twice_negated(keywords: &Map<String, Value>) -> Option<&Value> {
    let negated = keywords.get("not")?.as_object()?;
    negated.get("not").filter(|_| negated.len() == 1)
}

struct Reader<'a> {
    view: &'a View,
    /// The addresses of the schemas that are being looked into: what refers back to one of them adds
    /// nothing to it.
    following: Vec<usize>,
    /// Of those that were referred to: they hold already, and saying it again adds nothing.
    joined: HashSet<usize>,
    /// The variants that were looked into: one that several unions refer to is the same in each.
    variants: HashMap<usize, Rc<Node<'a>>>,
    /// How many more schemas are looked at.
    left: usize,
}

impl<'a> Reader<'a> {
    fn schema(&mut self, schema: &'a Value) -> Node<'a> {
        let Some(left) = self.left.checked_sub(1) else {
            return Node::any();
        };
        self.left = left;
        match schema {
            Value::Bool(false) => Node::default(),
            Value::Object(keywords) => self.keywords(keywords),
            _ => Node::any(),
        }
    }

    fn keywords(&mut self, keywords: &'a Map<String, Value>) -> Node<'a> {
        let mut node = own(keywords);
        if let Some(schema) = twice_negated(keywords) {
            node.opaque.remove("not");
            node = and(node, self.schema(schema));
        }
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str)
            && let Some(target) = self.view.target(reference)
            && let address = address(target)
            && !self.following.contains(&address)
            && self.following.len() < DEEPEST
            && self.joined.insert(address)
        {
            self.following.push(address);
            node = and(node, self.schema(target));
            self.following.pop();
        }
        for part in schemas(keywords, "allOf") {
            node = and(node, self.schema(part));
        }
        for keyword in ["anyOf", "oneOf"] {
            let mut variants: Vec<_> = schemas(keywords, keyword).collect();
            if !variants.is_empty() {
                let exactly_one = keyword == "oneOf";
                if !exactly_one && !keywords.contains_key("discriminator") {
                    variants = flat(self.view, variants);
                }
                node = and(node, self.union(keywords, &variants, exactly_one));
            }
        }
        close(&mut node, keywords);
        node
    }

    /// A variant, looked at for itself, whatever else holds.
    fn variant(&mut self, schema: &'a Value) -> Rc<Node<'a>> {
        let address = address(named(self.view, schema));
        if let Some(known) = self.variants.get(&address) {
            return Rc::clone(known);
        }
        let outside = std::mem::take(&mut self.joined);
        let mut node = self.schema(schema);
        self.joined = outside;
        tidy(&mut node);
        let node = Rc::new(node);
        self.variants.insert(address, Rc::clone(&node));
        node
    }

    fn union(
        &mut self,
        keywords: &Map<String, Value>,
        variants: &[&'a Value],
        exactly_one: bool,
    ) -> Node<'a> {
        let tags = tags(keywords, variants);
        let mut nodes = Vec::new();
        let mut kept = Vec::new();
        for (index, schema) in variants.iter().enumerate() {
            let node = self.variant(schema);
            if !node.kinds.is_empty() {
                nodes.push(node);
                kept.push(Variant {
                    schemas: All::one(named(self.view, schema)),
                    tags: tags.get(index).cloned().unwrap_or_default(),
                });
            }
        }
        if let Some(node) = spread(&nodes, exactly_one) {
            return node;
        }
        let mut node = Node::any();
        node.kinds = nodes
            .iter()
            .flat_map(|node| node.kinds.iter().copied())
            .collect();
        node.unions.push(Union {
            exactly_one,
            variants: kept,
        });
        node
    }
}

/// What both say.
pub(super) fn and<'a>(mut one: Node<'a>, other: Node<'a>) -> Node<'a> {
    one.kinds = one.kinds.intersection(&other.kinds).copied().collect();
    one.integer |= other.integer;
    one.listed = both_listed(one.listed.take(), other.listed);
    for (keyword, limit) in other.bounds {
        let tighter = match one.bounds.get(keyword) {
            Some(known) => tightens(keyword, known, &limit),
            None => true,
        };
        if tighter {
            one.bounds.insert(keyword, limit);
        }
    }
    one.marks.extend(other.marks);
    for (name, schemas) in other.properties {
        one.properties.entry(name).or_default().add(&schemas);
    }
    for (pattern, schemas) in other.patterns {
        one.patterns.entry(pattern).or_default().add(&schemas);
    }
    one.rests.extend(other.rests);
    one.required.extend(other.required);
    one.tuples.extend(other.tuples);
    one.unions.extend(other.unions);
    for (keyword, schemas) in other.opaque {
        // Two of a kind both hold, and must not be read as one.
        let taken = one.opaque.contains_key(&keyword);
        let free = (2..).map(|n| format!("{keyword}#{n}"));
        let mut free = free.filter(|name| !one.opaque.contains_key(name));
        let name = if taken { free.next() } else { Some(keyword) };
        one.opaque.extend(name.map(|name| (name, schemas)));
    }
    let (mine, theirs) = (&mut one.notes, other.notes);
    mine.description = mine.description.take().or(theirs.description);
    mine.default = mine.default.take().or(theirs.default);
    mine.deprecated |= theirs.deprecated;
    mine.extensible |= theirs.extensible;
    mine.examples.extend(theirs.examples);
    one
}

/// Whether `after` admits less than `before`, both limits of the same keyword.
pub(super) fn tightens(keyword: &str, before: &Number, after: &Number) -> bool {
    let lower = BOUNDS
        .iter()
        .any(|(name, _, lower)| *name == keyword && *lower);
    let (before, after) = (Decimal::of(before), Decimal::of(after));
    if lower {
        after > before
    } else {
        after < before
    }
}

pub(super) fn both_listed(
    one: Option<Vec<Value>>,
    other: Option<Vec<Value>>,
) -> Option<Vec<Value>> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            let other = Values::of(&other);
            one.retain(|value| other.contains(value));
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// Drops what has no effect, so that equal meanings look equal.
fn tidy(node: &mut Node<'_>) {
    if let Some(listed) = &mut node.listed {
        listed.retain(|value| holds(&node.kinds, node.integer, value));
        node.kinds = listed.iter().map(Kind::of).collect();
        let fraction = |value: &Value| value.as_f64().is_some_and(|n| n.fract() != 0.0);
        node.integer = !listed.iter().any(fraction);
        decide(node);
    }
    whole(node);
    node.integer &= node.kinds.contains(&Kind::Number);
    if node.integer {
        inclusive(node, "exclusiveMinimum", "minimum", 1);
        inclusive(node, "exclusiveMaximum", "maximum", -1);
    }
    let kinds = node.kinds.clone();
    let counts = node
        .opaque
        .keys()
        .any(|keyword| keyword.starts_with("contains"));
    node.bounds.retain(|keyword, limit| {
        let known = BOUNDS.iter().find(|(name, ..)| name == keyword);
        let zero = keyword.starts_with("min") && *keyword != "minimum" && limit.as_u64() == Some(0);
        let usual = *keyword == "minContains" && limit.as_u64() == Some(1);
        known.is_some_and(|(_, kind, _)| kinds.contains(kind))
            && (!zero || *keyword == "minContains")
            && (counts || !keyword.ends_with("Contains"))
            && !usual
    });
    node.marks.retain(|(keyword, _)| {
        let known = MARKS.iter().find(|(name, _)| name == keyword);
        known.is_some_and(|(_, kind)| kind.is_none_or(|kind| kinds.contains(&kind)))
    });
    member_limits(node);
    if !kinds.contains(&Kind::Object) {
        node.properties.clear();
        node.patterns.clear();
        node.rests.clear();
        node.required.clear();
    }
    if !kinds.contains(&Kind::Array) {
        node.tuples.clear();
    }
}

/// Whether a value is of those types.
fn holds(kinds: &BTreeSet<Kind>, integer: bool, value: &Value) -> bool {
    let fraction = value.as_f64().is_some_and(|number| number.fract() != 0.0);
    kinds.contains(&Kind::of(value)) && !(integer && fraction)
}

/// Of listed texts and numbers, what else is said leaves some, and says nothing more of those.
fn decide(node: &mut Node<'_>) {
    let scalar = |value: &Value| !(value.is_array() || value.is_object());
    let Some(listed) = node.listed.take() else {
        return;
    };
    if listed.iter().all(scalar) {
        let fits = |value: &&Value| match value {
            Value::String(text) => fits(node, text),
            Value::Number(number) => admits(node, number),
            _ => true,
        };
        let left: Vec<Value> = listed.iter().filter(fits).cloned().collect();
        node.bounds.clear();
        node.marks.clear();
        node.kinds = left.iter().map(Kind::of).collect();
        node.listed = Some(left);
    } else {
        node.listed = Some(listed);
    }
}

/// Drops limits on how many members there are that go without saying.
fn member_limits(node: &mut Node<'_>) {
    let mut bounds = std::mem::take(&mut node.bounds);
    bounds.retain(|keyword, limit| !is_said_by_members(node, keyword, limit));
    node.bounds = bounds;
}

/// Whether a limit on how many members there are goes without saying: as many are required, or no more
/// are admitted.
pub(super) fn is_said_by_members(node: &Node<'_>, keyword: &str, limit: &Number) -> bool {
    let closed = |rest: &Rest<'_>| *rest.schema == Value::Bool(false);
    let closed = node.patterns.is_empty() && node.rests.iter().any(closed);
    let count = limit.as_u64().and_then(|limit| usize::try_from(limit).ok());
    count.is_some_and(|count| match keyword {
        "minProperties" => count <= node.required.len(),
        "maxProperties" => closed && count >= node.properties.len(),
        _ => false,
    })
}

/// What is written as a list or a step, and is a type: both booleans, and multiples of 1.
fn whole(node: &mut Node<'_>) {
    let all = finite(&node.kinds).filter(|all| !all.is_empty());
    if let (Some(all), Some(listed)) = (all, &node.listed)
        && all.iter().all(|value| listed.contains(value))
    {
        node.listed = None;
    }
    node.integer |= node.marks.remove(&("multipleOf", "1".to_owned()));
}

/// Of integers, `> 4` and `>= 5` say the same.
fn inclusive(node: &mut Node<'_>, from: &'static str, to: &'static str, step: i64) {
    let Some(limit) = node.bounds.get(from).and_then(Number::as_i64) else {
        return;
    };
    let Some(limit) = limit.checked_add(step).map(Number::from) else {
        return;
    };
    node.bounds.remove(from);
    let looser = node
        .bounds
        .get(to)
        .is_some_and(|known| !tightens(to, known, &limit));
    if !looser {
        node.bounds.insert(to, limit);
    }
}
