//! From raw schemas to the normal form of [`Node`].

use super::node::{All, BOUNDS, Kind, MARKS, Node, Notes, Rest, Tuple, Union};
use super::view::View;
use crate::checker::decimal::Decimal;
use crate::checker::equality::equal;
use serde_json::{Map, Number, Value};
use std::collections::BTreeSet;

/// How deeply references, `allOf` and unions at one place may be nested.
const DEEPEST: usize = 64;

/// The normal form of schemas that all hold.
pub(super) fn node<'a>(view: &'a View, all: &All<'a>) -> Node<'a> {
    let mut reader = Reader {
        view,
        visited: Vec::new(),
    };
    let mut node = Node::any();
    for schema in &all.0 {
        node = and(node, reader.schema(schema));
    }
    tidy(&mut node);
    node
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

struct Reader<'a> {
    view: &'a View,
    /// The references that are being followed.
    visited: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn schema(&mut self, schema: &'a Value) -> Node<'a> {
        match schema {
            Value::Bool(false) => Node::default(),
            Value::Object(keywords) => self.keywords(keywords),
            _ => Node::any(),
        }
    }

    fn keywords(&mut self, keywords: &'a Map<String, Value>) -> Node<'a> {
        let mut node = own(keywords);
        if let Some(reference) = keywords.get("$ref").and_then(Value::as_str)
            && !self.visited.contains(&reference)
            && self.visited.len() < DEEPEST
            && let Some(target) = self.view.target(reference)
        {
            self.visited.push(reference);
            node = and(node, self.schema(target));
            self.visited.pop();
        }
        for part in schemas(keywords, "allOf") {
            node = and(node, self.schema(part));
        }
        for keyword in ["anyOf", "oneOf"] {
            let variants: Vec<_> = schemas(keywords, keyword).collect();
            if !variants.is_empty() {
                node = and(node, self.union(&variants, keyword == "oneOf"));
            }
        }
        close(&mut node, keywords);
        node
    }

    fn union(&mut self, variants: &[&'a Value], exactly_one: bool) -> Node<'a> {
        let mut nodes = Vec::new();
        let mut kept = Vec::new();
        for variant in variants {
            let mut node = self.schema(variant);
            tidy(&mut node);
            if !node.kinds.is_empty() {
                nodes.push(node);
                kept.push(All::one(named(self.view, variant)));
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

fn schemas<'a>(
    keywords: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = &'a Value> + use<'a> {
    let listed = keywords.get(keyword).and_then(Value::as_array);
    listed.into_iter().flatten()
}

/// What a schema says without its references, `allOf` and unions.
fn own<'a>(keywords: &'a Map<String, Value>) -> Node<'a> {
    let mut node = Node::any();
    types(&mut node, keywords);
    if let Some(values) = keywords.get("enum").and_then(Value::as_array) {
        node.listed = Some(values.clone());
    }
    if let Some(value) = keywords.get("const") {
        let listed = vec![value.clone()];
        node.listed = both_listed(node.listed.take(), Some(listed));
    }
    for (keyword, ..) in BOUNDS {
        if let Some(limit) = keywords.get(*keyword).and_then(Value::as_number) {
            node.bounds.insert(keyword, limit.clone());
        }
    }
    for (keyword, _) in MARKS {
        match keywords.get(*keyword) {
            None | Some(Value::Bool(false)) => {}
            Some(Value::String(text)) => _ = node.marks.insert((keyword, text.clone())),
            Some(operand) => _ = node.marks.insert((keyword, operand.to_string())),
        }
    }
    members(&mut node, keywords);
    items(&mut node, keywords);
    opaque(&mut node, keywords);
    notes(&mut node, keywords);
    node
}

fn types(node: &mut Node<'_>, keywords: &Map<String, Value>) {
    let names: Vec<&str> = match keywords.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => return,
    };
    node.kinds = names.iter().filter_map(|name| Kind::named(name)).collect();
    node.integer = names.contains(&"integer") && !names.contains(&"number");
}

fn members<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let named = |keyword: &str| {
        let members = keywords.get(keyword).and_then(Value::as_object);
        members
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.clone(), All::one(schema)))
    };
    node.properties = named("properties").collect();
    node.patterns = named("patternProperties").collect();
    let required = keywords.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    node.required = required.map(str::to_owned).collect();
    let open = |schema: &Value| {
        *schema == Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
    };
    if let Some(schema) = keywords.get("additionalProperties")
        && !open(schema)
    {
        node.rests.push(Rest {
            names: node.properties.keys().cloned().collect(),
            patterns: node.patterns.keys().cloned().collect(),
            schema,
        });
    }
}

fn items<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let prefix: Vec<_> = schemas(keywords, "prefixItems").collect();
    let rest = keywords
        .get("items")
        .filter(|schema| schema.is_object() || schema.is_boolean());
    if !prefix.is_empty() || rest.is_some() {
        node.tuples.push(Tuple { prefix, rest });
    }
}

fn opaque<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    for keyword in [
        "not",
        "if",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
    ] {
        if let Some(schema) = keywords.get(keyword) {
            node.opaque.insert(keyword.to_owned(), All::one(schema));
        }
    }
    if keywords.contains_key("if") {
        for keyword in ["then", "else"] {
            if let Some(schema) = keywords.get(keyword) {
                node.opaque.insert(keyword.to_owned(), All::one(schema));
            }
        }
    }
    let dependent = keywords.get("dependentSchemas").and_then(Value::as_object);
    for (name, schema) in dependent.into_iter().flatten() {
        node.opaque
            .insert(format!("dependentSchemas/{name}"), All::one(schema));
    }
}

fn notes(node: &mut Node<'_>, keywords: &Map<String, Value>) {
    let notes = &mut node.notes;
    notes.description = keywords
        .get("description")
        .and_then(Value::as_str)
        .map(str::to_owned);
    notes.deprecated = keywords.get("deprecated") == Some(&Value::Bool(true));
    notes.default = keywords.get("default").cloned();
    notes.examples = keywords
        .get("examples")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    notes.extensible = keywords.contains_key("x-extensible-enum");
}

/// `unevaluatedProperties: false` closes an object as `additionalProperties` would, were all its
/// members in one schema; without alternatives that is exactly what it means.
fn close<'a>(node: &mut Node<'a>, keywords: &'a Map<String, Value>) {
    let Some(schema) = keywords.get("unevaluatedProperties") else {
        return;
    };
    let conditional = |name: &String| {
        name.starts_with("if") || name.starts_with("dependent") || name.starts_with("not")
    };
    if node.unions.is_empty() && node.rests.is_empty() && !node.opaque.keys().any(conditional) {
        node.opaque.remove("unevaluatedProperties");
        node.rests.push(Rest {
            names: node.properties.keys().cloned().collect(),
            patterns: node.patterns.keys().cloned().collect(),
            schema,
        });
    }
}

/// What both say.
fn and<'a>(mut one: Node<'a>, other: Node<'a>) -> Node<'a> {
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

fn both_listed(one: Option<Vec<Value>>, other: Option<Vec<Value>>) -> Option<Vec<Value>> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one.retain(|value| other.iter().any(|known| equal(value, known)));
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

/// One node for a union, where each kind of value is some variant's alone: then keywords, which
/// each speak of one kind, cannot meet a value of another variant.
fn spread<'a>(nodes: &[Node<'a>], exactly_one: bool) -> Option<Node<'a>> {
    if let [only] = nodes {
        return Some(only.clone());
    }
    let nested = |node: &Node<'_>| !node.unions.is_empty() || !node.opaque.is_empty();
    if nodes.iter().any(nested) {
        return None;
    }
    if nodes.iter().all(|node| node.listed.is_some()) {
        return lists(nodes, exactly_one);
    }
    let mut taken = BTreeSet::new();
    let kinds = || nodes.iter().flat_map(|node| node.kinds.iter().copied());
    if !kinds().all(|kind| taken.insert(kind)) {
        return None;
    }
    let some_listed = nodes.iter().any(|node| node.listed.is_some());
    let mut listed = Vec::new();
    let mut merged = Node::any();
    for node in nodes {
        let mut node = node.clone();
        if some_listed {
            listed.extend(node.listed.take().or_else(|| finite(&node.kinds))?);
        }
        node.kinds = Kind::ALL.into();
        merged = and(merged, node);
    }
    merged.kinds = taken;
    merged.listed = some_listed.then_some(listed);
    merged.notes = shared(nodes);
    Some(merged)
}

/// Lists of values as one list; `oneOf` refuses what two of them have in common.
fn lists<'a>(nodes: &[Node<'a>], exactly_one: bool) -> Option<Node<'a>> {
    let mut listed: Vec<Value> = Vec::new();
    let mut merged = Node::any();
    for node in nodes {
        let bare = node.bounds.is_empty() && node.marks.is_empty() && node.required.is_empty();
        if !bare || !node.rests.is_empty() || !node.tuples.is_empty() {
            return None;
        }
        for value in node.listed.iter().flatten() {
            let known = listed.iter().any(|known| equal(known, value));
            if known && exactly_one {
                return None;
            }
            if !known {
                listed.push(value.clone());
            }
        }
    }
    merged.listed = Some(listed);
    merged.notes = shared(nodes);
    Some(merged)
}

/// Annotations of a union: what only one variant says may be said of the whole, what several say
/// depends on which of them holds.
fn shared(nodes: &[Node<'_>]) -> Notes {
    let mut defaults = nodes.iter().filter_map(|node| node.notes.default.as_ref());
    let mut descriptions = nodes
        .iter()
        .filter_map(|node| node.notes.description.as_ref());
    Notes {
        default: defaults
            .next()
            .filter(|_| defaults.next().is_none())
            .cloned(),
        description: descriptions
            .next()
            .filter(|_| descriptions.next().is_none())
            .cloned(),
        deprecated: nodes.iter().all(|node| node.notes.deprecated),
        examples: Vec::new(),
        extensible: nodes.iter().any(|node| node.notes.extensible),
    }
}

/// Every value of kinds that have finitely many.
fn finite(kinds: &BTreeSet<Kind>) -> Option<Vec<Value>> {
    let mut values = Vec::new();
    for kind in kinds {
        match kind {
            Kind::Null => values.push(Value::Null),
            Kind::Boolean => values.extend([Value::Bool(false), Value::Bool(true)]),
            _ => return None,
        }
    }
    Some(values)
}

/// Drops what has no effect, so that equal meanings look equal.
fn tidy(node: &mut Node<'_>) {
    if let Some(listed) = &mut node.listed {
        let kinds = &node.kinds;
        let integer = node.integer;
        let admits = |value: &Value| {
            let fraction = value.as_f64().is_some_and(|number| number.fract() != 0.0);
            kinds.contains(&Kind::of(value)) && !(integer && fraction)
        };
        listed.retain(admits);
        node.kinds = listed.iter().map(Kind::of).collect();
        let fraction = |value: &Value| value.as_f64().is_some_and(|n| n.fract() != 0.0);
        node.integer = !listed.iter().any(fraction);
    }
    node.integer &= node.kinds.contains(&Kind::Number);
    if node.integer {
        inclusive(node, "exclusiveMinimum", "minimum", 1);
        inclusive(node, "exclusiveMaximum", "maximum", -1);
    }
    let kinds = node.kinds.clone();
    node.bounds.retain(|keyword, limit| {
        let known = BOUNDS.iter().find(|(name, ..)| name == keyword);
        let zero = keyword.starts_with("min") && *keyword != "minimum" && limit.as_u64() == Some(0);
        known.is_some_and(|(_, kind, _)| kinds.contains(kind))
            && (!zero || *keyword == "minContains")
    });
    node.marks.retain(|(keyword, _)| {
        let known = MARKS.iter().find(|(name, _)| name == keyword);
        known.is_some_and(|(_, kind)| kind.is_none_or(|kind| kinds.contains(&kind)))
    });
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
