//! Values that a schema is likely to accept, and values at the edge of what it accepts.
//!
//! Nothing here is certain: whoever uses a value asks the interpreter about it. Samples are made
//! from one contract's schemas, with the limits of both in mind.

use super::node::{All, Kind, Node};
use super::normal::node;
use super::text;
use super::view::View;
use serde_json::{Map, Number, Value, json};
use std::cell::Cell;

/// How deeply samples are nested; required members that nest deeper have no sample.
const DEEPEST: usize = 8;
/// The longest text or list that is made to cross a limit.
const LONGEST: u64 = 20_000;

/// How many schemas one sampler looks at; large contracts nest without end.
const BUDGET: usize = 4_000;

/// Makes samples of one contract's schemas.
pub(super) struct Sampler<'a> {
    view: &'a View,
    /// Whether optional members are there as well.
    full: bool,
    left: Cell<usize>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(view: &'a View, full: bool) -> Sampler<'a> {
        Sampler {
            view,
            full,
            left: Cell::new(BUDGET),
        }
    }

    /// Whether optional members are wanted at that depth.
    fn is_full(&self, depth: usize) -> bool {
        self.full && depth < 3
    }

    pub(super) fn node(&self, all: &All<'a>) -> Node<'a> {
        node(self.view, all)
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
        let node = self.node(all);
        self.of_node(&node, depth)
    }

    /// One value of a normal form.
    pub(super) fn of_node(&self, node: &Node<'a>, depth: usize) -> Option<Value> {
        if let Some(listed) = &node.listed {
            return listed.first().cloned();
        }
        let noted = node.notes.examples.iter().chain(&node.notes.default);
        let mut noted = noted.filter(|value| node.kinds.contains(&Kind::of(value)));
        if let Some(value) = noted.find(|value| !value.is_object() && !value.is_array()) {
            return Some(value.clone());
        }
        let mut value = None;
        for union in &node.unions {
            let mut variants = union.variants.iter();
            let own = variants.find_map(|variant| self.sample_at(variant, depth + 1));
            value = match (value, own) {
                (Some(Value::Object(known)), Some(Value::Object(own))) => {
                    Some(Value::Object(known.into_iter().chain(own).collect()))
                }
                (known, own) => known.or(own),
            };
        }
        match value {
            Some(Value::Object(members)) => self.object(node, depth, members),
            Some(value) => Some(value),
            None => self.of_kind(node, preferred(node)?, depth),
        }
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
        let wanted = if self.is_full(depth) {
            length.max(1)
        } else {
            length
        };
        let room = node.bounds.get("maxItems").and_then(Number::as_u64);
        let wanted = usize::try_from(room.map_or(wanted, |room| wanted.min(room.max(length))));
        let mut items = Vec::new();
        for index in 0..wanted.ok()? {
            let schemas = node.item(index).unwrap_or_default();
            let item = self.sample_at(&schemas, depth + 1)?;
            items.push(distinct(item, &items));
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
            let schemas = node.member(name).unwrap_or_default();
            match self.sample_at(&schemas, depth + 1) {
                Some(value) => _ = members.insert(name.clone(), value),
                None if node.required.contains(name) => return None,
                None => {}
            }
        }
        let wanted = usize::try_from(count(node, "minProperties")).ok()?;
        self.pad(node, &mut members, wanted, depth);
        Some(Value::Object(members))
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
            {
                members.insert(name, value);
            }
        }
    }
}

/// The kind that a sample is of, where there is a choice.
fn preferred(node: &Node<'_>) -> Option<Kind> {
    let order = [
        Kind::String,
        Kind::Object,
        Kind::Array,
        Kind::Number,
        Kind::Boolean,
        Kind::Null,
    ];
    let telling = order.into_iter().find(|kind| match kind {
        Kind::Object => !node.properties.is_empty() || !node.required.is_empty(),
        Kind::Array => !node.tuples.is_empty(),
        _ => false,
    });
    let telling = telling.filter(|kind| node.kinds.contains(kind));
    telling.or_else(|| order.into_iter().find(|kind| node.kinds.contains(kind)))
}

/// A lower limit on how many; 0 where there is none.
pub(super) fn count(node: &Node<'_>, keyword: &str) -> u64 {
    let limit = node.bounds.get(keyword).and_then(Number::as_u64);
    limit.unwrap_or_default()
}

/// The value, or one like it that is not among those.
fn distinct(value: Value, known: &[Value]) -> Value {
    if !known.contains(&value) {
        return value;
    }
    match value {
        Value::String(text) => {
            let chars = ('a'..='z').chain('A'..='Z').chain('0'..='9');
            let mut stem: Vec<char> = text.chars().collect();
            stem.pop();
            let stem: String = stem.into_iter().collect();
            let mut other = chars.map(|c| Value::String(format!("{stem}{c}")));
            other
                .find(|other| !known.contains(other))
                .unwrap_or_else(|| Value::String(format!("{text}{}", known.len())))
        }
        Value::Number(number) => match number.as_i64() {
            Some(integer) => json!(integer.saturating_add(i64::try_from(known.len()).unwrap_or(0))),
            None => Value::Number(number),
        },
        other => other,
    }
}

/// Numbers of a normal form, those about the limits of either first.
pub(super) fn numbers(node: &Node<'_>, other: &Node<'_>) -> Vec<Number> {
    let mut found = Vec::new();
    let keywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    for side in [node, other] {
        for limit in keywords
            .iter()
            .filter_map(|keyword| side.bounds.get(*keyword))
        {
            about(limit, &mut found);
        }
    }
    for side in [node, other] {
        for (_, text) in side.marks.iter().filter(|(name, _)| *name == "multipleOf") {
            if let Ok(step) = text.parse::<f64>() {
                let multiples = [1.0, 2.0, 3.0, 5.0, 7.0].map(|n| n * step);
                found.extend(multiples.iter().filter_map(|n| number(*n)));
            }
        }
    }
    found.extend([0_i64, 1, -1, 2, 3, 5, 7, 10, 40_000, 3_000_000_000].map(Number::from));
    found.extend(Number::from_f64(0.5));
    found.retain(|number| !node.integer || !number.is_f64());
    let inside = found.iter().position(|number| admits(node, number));
    if let Some(position) = inside {
        found.swap(0, position);
    }
    found
}

/// A limit and its neighbours.
fn about(limit: &Number, found: &mut Vec<Number>) {
    found.push(limit.clone());
    if let Some(integer) = limit.as_i64() {
        let near = [1, -1, 2, -2].map(|step| integer.checked_add(step));
        found.extend(near.into_iter().flatten().map(Number::from));
    }
    if let Some(float) = limit.as_f64() {
        found.extend(
            [0.5, -0.5, 1.0, -1.0]
                .iter()
                .filter_map(|step| number(float + step)),
        );
    }
}

/// A number, as an integer where it is one.
fn number(value: f64) -> Option<Number> {
    let text = format!("{value}");
    let integer = text.parse::<i64>().ok().map(Number::from);
    integer.or_else(|| Number::from_f64(value))
}

fn admits(node: &Node<'_>, number: &Number) -> bool {
    let Some(value) = number.as_f64() else {
        return false;
    };
    let limit = |keyword: &str| node.bounds.get(keyword).and_then(Number::as_f64);
    let multiple = |text: &str| {
        let step = text.parse::<f64>().unwrap_or(1.0);
        (value / step).fract() == 0.0
    };
    limit("minimum").is_none_or(|min| value >= min)
        && limit("maximum").is_none_or(|max| value <= max)
        && limit("exclusiveMinimum").is_none_or(|min| value > min)
        && limit("exclusiveMaximum").is_none_or(|max| value < max)
        && !(node.integer && value.fract() != 0.0)
        && node
            .marks
            .iter()
            .filter(|(name, _)| *name == "multipleOf")
            .all(|(_, text)| multiple(text))
}

/// Texts of a normal form, among them some at the limits of either.
pub(super) fn texts(node: &Node<'_>, other: &Node<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let marked = |keyword: &str| {
        let marks = node.marks.iter().chain(&other.marks);
        let texts = marks.filter(|(name, _)| *name == keyword);
        texts.map(|(_, text)| text.clone()).collect::<Vec<_>>()
    };
    let patterns = marked("pattern");
    let mut lengths: Vec<u64> = Vec::new();
    for side in [node, other] {
        for keyword in ["minLength", "maxLength"] {
            if let Some(limit) = side.bounds.get(keyword).and_then(Number::as_u64) {
                lengths.extend([limit, limit.saturating_add(1), limit.saturating_sub(1)]);
            }
        }
    }
    for pattern in &patterns {
        found.extend(text::matching(pattern));
    }
    for format in marked("format") {
        found.extend(
            text::formatted(&format)
                .iter()
                .map(|text| (*text).to_owned()),
        );
    }
    if patterns.is_empty() {
        found.extend(["a", "sample", "", "A b", "1", "é"].map(str::to_owned));
    }
    for length in lengths.into_iter().filter(|length| *length <= LONGEST) {
        let length = usize::try_from(length).unwrap_or_default();
        let shaped = patterns
            .iter()
            .filter_map(|pattern| text::matching_of(pattern, length));
        found.extend(shaped);
        found.push(text::plain(length));
    }
    if !patterns.is_empty() {
        found.extend(["a", "sample", "", "A b", "1", "é"].map(str::to_owned));
    }
    let inside = found.iter().position(|text| fits(node, text));
    if let Some(position) = inside {
        found.swap(0, position);
    }
    found
}

/// Whether a text keeps the lengths, patterns and formats of a normal form.
fn fits(node: &Node<'_>, text: &str) -> bool {
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    let limit = |keyword: &str| node.bounds.get(keyword).and_then(Number::as_u64);
    let marked = node.marks.iter().all(|(keyword, operand)| match *keyword {
        "pattern" => crate::pattern::compile(operand).is_ok_and(|regex| regex.is_match(text)),
        "format" => crate::checker::format::is_valid(operand, text),
        _ => true,
    });
    limit("minLength").is_none_or(|min| length >= min)
        && limit("maxLength").is_none_or(|max| length <= max)
        && marked
}
