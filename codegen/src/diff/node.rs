//! A schema in normal form: what it says at one place of a value, whatever way it was written.
//!
//! References are followed, `allOf` is joined, unions of different types are spread out, order and
//! component names are gone. Schemas of members and items stay raw ([`All`]); they are brought
//! into normal form when a comparison comes to them.

use super::union::Tag;
use serde_json::{Number, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Schemas that all hold at one place; none of them means that nothing is said.
#[derive(Debug, Clone, Default)]
pub(super) struct All<'a>(pub(super) Vec<&'a Value>);

/// The kinds of JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// The normal form.
#[derive(Debug, Clone, Default)]
pub(super) struct Node<'a> {
    /// The kinds that are admitted.
    pub(super) kinds: BTreeSet<Kind>,
    /// Whether numbers have no fraction.
    pub(super) integer: bool,
    /// `enum` and `const`.
    pub(super) listed: Option<Vec<Value>>,
    /// Keywords whose operand is a limit, the tightest of each.
    pub(super) bounds: BTreeMap<&'static str, Number>,
    /// Keywords that refuse by an operand that has no order: `pattern`, `format`, …
    pub(super) marks: BTreeSet<(&'static str, String)>,
    pub(super) properties: BTreeMap<String, All<'a>>,
    pub(super) patterns: BTreeMap<String, All<'a>>,
    pub(super) rests: Vec<Rest<'a>>,
    pub(super) required: BTreeSet<String>,
    pub(super) tuples: Vec<Tuple<'a>>,
    /// `anyOf` and `oneOf` whose variants have kinds in common.
    pub(super) unions: Vec<Union<'a>>,
    /// Keywords with schemas that are only ever compared whole: `not`, `if`, `contains` …
    pub(super) opaque: BTreeMap<String, All<'a>>,
    /// What does not decide which values are valid.
    pub(super) notes: Notes,
}

/// `additionalProperties`: the schema of members that its neighbours do not name.
#[derive(Debug, Clone)]
pub(super) struct Rest<'a> {
    pub(super) names: BTreeSet<String>,
    pub(super) patterns: BTreeSet<String>,
    pub(super) schema: &'a Value,
}

/// `prefixItems` and `items`.
#[derive(Debug, Clone)]
pub(super) struct Tuple<'a> {
    pub(super) prefix: Vec<&'a Value>,
    pub(super) rest: Option<&'a Value>,
}

/// Alternatives.
#[derive(Debug, Clone)]
pub(super) struct Union<'a> {
    /// Whether exactly one must hold.
    pub(super) exactly_one: bool,
    pub(super) variants: Vec<Variant<'a>>,
}

/// One of several alternatives.
#[derive(Debug, Clone)]
pub(super) struct Variant<'a> {
    pub(super) schemas: All<'a>,
    /// What names it in a union with a discriminator.
    pub(super) tags: BTreeSet<Tag>,
}

/// Annotations.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    pub(super) description: Option<String>,
    pub(super) deprecated: bool,
    pub(super) default: Option<Value>,
    pub(super) examples: Vec<Value>,
    /// `x-extensible-enum`: clients are told that the list may grow.
    pub(super) extensible: bool,
}

/// Keywords whose operand is a limit: name, the kind they speak of, whether it is a lower one.
pub(super) const BOUNDS: &[(&str, Kind, bool)] = &[
    ("minimum", Kind::Number, true),
    ("maximum", Kind::Number, false),
    ("exclusiveMinimum", Kind::Number, true),
    ("exclusiveMaximum", Kind::Number, false),
    ("minLength", Kind::String, true),
    ("maxLength", Kind::String, false),
    ("minItems", Kind::Array, true),
    ("maxItems", Kind::Array, false),
    ("minContains", Kind::Array, true),
    ("maxContains", Kind::Array, false),
    ("minProperties", Kind::Object, true),
    ("maxProperties", Kind::Object, false),
];

/// Keywords without an order: name and the kind they speak of, where it is one.
pub(super) const MARKS: &[(&str, Option<Kind>)] = &[
    ("format", None),
    ("pattern", Some(Kind::String)),
    ("contentEncoding", Some(Kind::String)),
    ("multipleOf", Some(Kind::Number)),
    ("uniqueItems", Some(Kind::Array)),
    ("dependentRequired", Some(Kind::Object)),
];

impl Kind {
    pub(super) const ALL: [Kind; 6] = [
        Kind::Null,
        Kind::Boolean,
        Kind::Number,
        Kind::String,
        Kind::Array,
        Kind::Object,
    ];

    pub(super) fn of(value: &Value) -> Kind {
        match value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Boolean,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        }
    }

    /// The kind of a type's name; `integer` is a number.
    pub(super) fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "null" => Kind::Null,
            "boolean" => Kind::Boolean,
            "integer" | "number" => Kind::Number,
            "string" => Kind::String,
            "array" => Kind::Array,
            "object" => Kind::Object,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean => "boolean",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object => "object",
        }
    }
}

/// What tells one schema from another: schemas do not move.
pub(super) fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

impl<'a> All<'a> {
    pub(super) fn one(schema: &'a Value) -> All<'a> {
        All(vec![schema])
    }

    /// What tells one list of schemas from another.
    pub(super) fn addresses(&self) -> Vec<usize> {
        self.0.iter().map(|schema| address(schema)).collect()
    }

    /// Adds what another says, each schema once.
    pub(super) fn add(&mut self, other: &All<'a>) {
        for schema in &other.0 {
            if !self.0.iter().any(|known| std::ptr::eq(*known, *schema)) {
                self.0.push(schema);
            }
        }
    }

    /// Whether no value at all is valid, as far as that is written in so many words.
    pub(super) fn refuses_everything(&self) -> bool {
        self.0.iter().any(|schema| **schema == Value::Bool(false))
    }
}

impl Node<'_> {
    /// Whether a type of it keeps members that it does not name.
    pub(super) fn keeps_others(&self) -> bool {
        let named = !self.properties.is_empty() || !self.required.is_empty();
        let open = |rest: &Rest<'_>| *rest.schema != Value::Bool(false);
        !named || !self.opaque.is_empty() || self.rests.iter().any(open)
    }
}

impl Union<'_> {
    /// Whether a discriminator names its variants.
    pub(super) fn is_named(&self) -> bool {
        self.variants.iter().any(|variant| !variant.tags.is_empty())
    }
}

impl Variant<'_> {
    /// An object that says which variant it is; any other value as it is.
    pub(super) fn tagged(&self, value: Value) -> Value {
        match (value, self.tags.first()) {
            (Value::Object(mut members), Some((property, tag))) => {
                let known = members.get(property).and_then(Value::as_str);
                if !self.tags.iter().any(|(_, tag)| known == Some(tag)) {
                    members.insert(property.clone(), Value::String(tag.clone()));
                }
                Value::Object(members)
            }
            (other, _) => other,
        }
    }
}

impl<'a> Node<'a> {
    /// What says nothing.
    pub(super) fn any() -> Node<'a> {
        Node {
            kinds: Kind::ALL.into(),
            ..Node::default()
        }
    }

    /// Whether nothing but its unions refuses a value of its kinds.
    pub(super) fn is_only_unions(&self) -> bool {
        !self.integer && self.is_only_types_and_unions()
    }

    fn is_only_types_and_unions(&self) -> bool {
        self.listed.is_none()
            && self.bounds.is_empty()
            && self.marks.is_empty()
            && self.required.is_empty()
            && self.opaque.is_empty()
            && !self.speaks_of_parts()
    }

    /// Whether anything is said of members or items.
    pub(super) fn speaks_of_parts(&self) -> bool {
        !self.properties.is_empty()
            || !self.patterns.is_empty()
            || !self.rests.is_empty()
            || !self.tuples.is_empty()
    }

    /// Whether each value of another's types is valid, as nothing but types refuses any.
    pub(super) fn takes_types_of(&self, other: &Node<'_>) -> bool {
        other.kinds.iter().all(|kind| self.takes_kind(*kind, other))
    }

    /// The same of the values of one kind.
    pub(super) fn takes_kind(&self, kind: Kind, other: &Node<'_>) -> bool {
        let whole = kind != Kind::Number || !self.integer || other.integer;
        let types_alone = self.unions.is_empty() && self.is_only_types_and_unions();
        types_alone && whole && self.kinds.contains(&kind)
    }

    /// The schema of members that no keyword names; `None` where nothing is said of them.
    pub(super) fn rest(&self) -> Option<All<'a>> {
        let all = All(self.rests.iter().map(|rest| rest.schema).collect());
        (!all.0.is_empty()).then_some(all)
    }

    /// The schema of a member; `None` where nothing is said of it.
    pub(super) fn member(&self, name: &str) -> Option<All<'a>> {
        let mut all = self.properties.get(name).cloned().unwrap_or_default();
        for (pattern, schemas) in &self.patterns {
            if matches(pattern, name) {
                all.add(schemas);
            }
        }
        for rest in &self.rests {
            let named = rest.names.contains(name)
                || rest.patterns.iter().any(|pattern| matches(pattern, name));
            if !named {
                all.add(&All::one(rest.schema));
            }
        }
        (!all.0.is_empty()).then_some(all)
    }

    /// The members that ask for others by `dependentRequired`, each with one that it asks for.
    pub(super) fn dependencies(&self) -> impl Iterator<Item = (String, String)> {
        let marks = self.marks.iter();
        let rules = marks.filter(|(keyword, _)| *keyword == "dependentRequired");
        let rules = rules.filter_map(|(_, rule)| {
            serde_json::from_str::<BTreeMap<String, Vec<String>>>(rule).ok()
        });
        rules.flatten().flat_map(|(name, others)| {
            let others = others.into_iter();
            others.map(move |other| (name.clone(), other))
        })
    }

    /// How many items have schemas of their own.
    pub(super) fn prefix(&self) -> usize {
        let lengths = self.tuples.iter().map(|tuple| tuple.prefix.len());
        lengths.max().unwrap_or_default()
    }

    /// The schema of the item at an index; `None` where nothing is said of it.
    pub(super) fn item(&self, index: usize) -> Option<All<'a>> {
        let schemas = self
            .tuples
            .iter()
            .filter_map(|tuple| tuple.prefix.get(index).copied().or(tuple.rest));
        let all = All(schemas.collect());
        (!all.0.is_empty()).then_some(all)
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    super::pattern::matches(pattern, name).unwrap_or(false)
}
