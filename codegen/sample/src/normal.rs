//! The normal form of a schema: its constraints on one place of a value, however they are written.
//!
//! References are followed, `allOf` is merged, unions of different types are merged, and the order of
//! keywords and the names of components are gone. Schemas of members and items stay as they are
//! ([`AllOf`]), and are normalized on demand.

mod annotations;
mod keywords;
mod merge;
mod normalizer;
mod tidy;
mod union;

pub use annotations::Annotations;
pub use merge::is_tighter;
pub use normalizer::{Normalizer, resolved};
pub use tidy::is_implied_by_members;
pub use union::{Tag, all_values};

use crate::value::pattern;
use json_schema::keyword::{KEYWORDS, Keyword, Operand};
use json_schema::types::Types;
use serde_json::{Number, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Schemas that all apply at one place; an empty list says nothing.
#[derive(Debug, Clone, Default)]
pub struct AllOf<'a>(pub Vec<&'a Value>);

/// A type of JSON values. Integers are numbers with [`NormalForm::integer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of JSON Schema")]
pub enum Type {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

/// The constraints of schemas on one place.
#[derive(Debug, Clone, Default)]
pub struct NormalForm<'a> {
    /// The types that are accepted.
    pub types: BTreeSet<Type>,
    /// Whether numbers must have no fraction.
    pub integer: bool,
    /// The values of `enum` and `const`.
    pub enumerated: Option<Vec<Value>>,
    /// The keywords of [`limits`], the tightest limit of each.
    pub limits: BTreeMap<&'static str, Number>,
    /// The keywords of [`CONSTRAINTS`], each with its operand as text.
    pub constraints: BTreeSet<(&'static str, String)>,
    /// `properties`.
    pub properties: BTreeMap<String, AllOf<'a>>,
    /// `patternProperties`.
    pub patterns: BTreeMap<String, AllOf<'a>>,
    /// `additionalProperties` of each schema that has it.
    pub additional: Vec<Additional<'a>>,
    /// `required`.
    pub required: BTreeSet<String>,
    /// `prefixItems` and `items` of each schema that has them.
    pub items: Vec<Items<'a>>,
    /// `anyOf` and `oneOf` whose variants share a type.
    pub unions: Vec<Union<'a>>,
    /// Keywords whose schemas are compared for equality alone: `not`, `if`, `contains` …
    pub opaque: BTreeMap<String, AllOf<'a>>,
    /// The keywords without an effect on validity.
    pub annotations: Annotations,
}

/// `additionalProperties`: the schema of members that its neighbours do not name.
#[derive(Debug, Clone)]
pub struct Additional<'a> {
    names: BTreeSet<String>,
    patterns: BTreeSet<String>,
    schema: &'a Value,
}

/// `prefixItems` and `items` of one schema.
#[derive(Debug, Clone)]
pub struct Items<'a> {
    prefix: Vec<&'a Value>,
    rest: Option<&'a Value>,
}

/// `anyOf` or `oneOf`.
#[derive(Debug, Clone)]
pub struct Union<'a> {
    /// Whether it is `oneOf`.
    pub exactly_one: bool,
    /// The alternatives.
    pub variants: Vec<Variant<'a>>,
}

/// One of several alternatives.
#[derive(Debug, Clone)]
pub struct Variant<'a> {
    /// The component that a `$ref` names, if the variant is one.
    pub name: Option<String>,
    /// Its schema.
    pub schemas: AllOf<'a>,
    /// The values by which a discriminator names it.
    pub tags: BTreeSet<Tag>,
    /// Whether it is the one of values that a discriminator does not name.
    pub is_default: bool,
}

/// The keywords whose operand is a limit, each with the type that it is about.
pub fn limits() -> impl Iterator<Item = (&'static str, Type)> {
    let all = KEYWORDS.iter();
    let limits = all.filter(|keyword| matches!(keyword.operand, Operand::Number | Operand::Count));
    limits.filter_map(|keyword| Some((keyword.name, Type::of_keyword(keyword)?)))
}

/// Keywords about a value as a whole whose operands have no order.
pub const CONSTRAINTS: [&str; 6] = [
    "format",
    "pattern",
    "contentEncoding",
    "multipleOf",
    "uniqueItems",
    "dependentRequired",
];

/// Whether a keyword says something about values of a type.
#[must_use]
pub fn is_about(keyword: &str, ty: Type) -> bool {
    let known = Keyword::named(keyword).and_then(Type::of_keyword);
    // A format is about strings or about numbers.
    known.map_or(matches!(ty, Type::String | Type::Number), |known| {
        known == ty
    })
}

impl Type {
    /// Every type.
    pub const ALL: [Type; 6] = [
        Type::Null,
        Type::Boolean,
        Type::Number,
        Type::String,
        Type::Array,
        Type::Object,
    ];

    /// The type of a value.
    #[must_use]
    pub fn of(value: &Value) -> Type {
        match value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Boolean,
            Value::Number(_) => Type::Number,
            Value::String(_) => Type::String,
            Value::Array(_) => Type::Array,
            Value::Object(_) => Type::Object,
        }
    }

    /// The one type that a keyword is about; `None` if it is about several.
    fn of_keyword(keyword: &Keyword) -> Option<Type> {
        match keyword.applies_to {
            Types::NUMBER => Some(Type::Number),
            Types::STRING => Some(Type::String),
            Types::ARRAY => Some(Type::Array),
            Types::OBJECT => Some(Type::Object),
            _ => None,
        }
    }

    /// The type with a name of JSON Schema; `integer` is a number.
    pub(crate) fn named(name: &str) -> Option<Type> {
        let mut all = Type::ALL.into_iter();
        match name {
            "integer" => Some(Type::Number),
            name => all.find(|ty| ty.name() == name),
        }
    }

    /// Its name in JSON Schema.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Boolean => "boolean",
            Type::Number => "number",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }
}

impl<'a> AllOf<'a> {
    /// A single schema.
    #[must_use]
    pub fn one(schema: &'a Value) -> AllOf<'a> {
        AllOf(vec![schema])
    }

    /// The addresses of the schemas, which identify them: schemas do not move.
    #[must_use]
    pub fn addresses(&self) -> Vec<usize> {
        self.0.iter().map(|schema| address(schema)).collect()
    }

    /// Adds the schemas of another list, each once.
    pub fn add(&mut self, other: &AllOf<'a>) {
        for schema in &other.0 {
            if !self.0.iter().any(|known| std::ptr::eq(*known, *schema)) {
                self.0.push(schema);
            }
        }
    }

    /// Whether one of them is literally `false`.
    #[must_use]
    pub fn is_false(&self) -> bool {
        self.0.iter().any(|schema| **schema == Value::Bool(false))
    }
}

fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

impl Union<'_> {
    /// Whether a discriminator names its variants.
    #[must_use]
    pub fn is_tagged(&self) -> bool {
        self.variants.iter().any(|variant| !variant.tags.is_empty())
    }
}

impl Variant<'_> {
    /// An object with the discriminator's property set to a name of the variant; other values as they are.
    #[must_use]
    pub fn tagged(&self, value: Value) -> Value {
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

impl<'a> NormalForm<'a> {
    /// The form that accepts every value.
    #[must_use]
    pub fn any() -> NormalForm<'a> {
        NormalForm {
            types: Type::ALL.into(),
            ..NormalForm::default()
        }
    }

    /// Whether only types and unions refuse values.
    #[must_use]
    pub fn is_only_types_and_unions(&self) -> bool {
        self.enumerated.is_none()
            && !self.integer
            && self.limits.is_empty()
            && self.constraints.is_empty()
            && self.required.is_empty()
            && self.opaque.is_empty()
            && !self.describes_parts()
    }

    /// Whether it says anything about members or items.
    #[must_use]
    pub fn describes_parts(&self) -> bool {
        !self.properties.is_empty()
            || !self.patterns.is_empty()
            || !self.additional.is_empty()
            || !self.items.is_empty()
    }

    /// Whether members that it does not name are kept by a generated type.
    pub(crate) fn keeps_others(&self) -> bool {
        let names_some = !self.properties.is_empty() || !self.required.is_empty();
        let is_open = |of: &Additional<'_>| *of.schema != Value::Bool(false);
        !names_some || !self.opaque.is_empty() || self.additional.iter().any(is_open)
    }

    /// The schema of members that no keyword names, if there is one.
    #[must_use]
    pub fn other_members(&self) -> Option<AllOf<'a>> {
        let all = AllOf(self.additional.iter().map(|of| of.schema).collect());
        (!all.0.is_empty()).then_some(all)
    }

    /// The schema of a member; `None` if nothing is said about it.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<AllOf<'a>> {
        let mut all = self.properties.get(name).cloned().unwrap_or_default();
        for (pattern, schemas) in &self.patterns {
            if matches(pattern, name) {
                all.add(schemas);
            }
        }
        for of in &self.additional {
            let is_named =
                of.names.contains(name) || of.patterns.iter().any(|pattern| matches(pattern, name));
            if !is_named {
                all.add(&AllOf::one(of.schema));
            }
        }
        (!all.0.is_empty()).then_some(all)
    }

    /// The pairs of `dependentRequired`: a member, and one that must accompany it.
    pub fn dependencies(&self) -> impl Iterator<Item = (String, String)> {
        let rules = self.constraints_of("dependentRequired");
        let rules = rules
            .filter_map(|rule| serde_json::from_str::<BTreeMap<String, Vec<String>>>(rule).ok());
        rules.flatten().flat_map(|(name, others)| {
            let others = others.into_iter();
            others.map(move |other| (name.clone(), other))
        })
    }

    /// The operands of one of the [`CONSTRAINTS`].
    pub fn constraints_of(&self, keyword: &str) -> impl Iterator<Item = &str> {
        let all = self.constraints.iter();
        let own = all.filter(move |(name, _)| *name == keyword);
        own.map(|(_, operand)| operand.as_str())
    }

    /// The limit of a keyword that counts something.
    #[must_use]
    pub fn limit(&self, keyword: &str) -> Option<u64> {
        self.limits.get(keyword).and_then(Number::as_u64)
    }

    /// How many items have schemas of their own.
    #[must_use]
    pub fn prefix_length(&self) -> usize {
        let lengths = self.items.iter().map(|items| items.prefix.len());
        lengths.max().unwrap_or_default()
    }

    /// The schema of the item at an index; `None` if nothing is said about it.
    #[must_use]
    pub fn item(&self, index: usize) -> Option<AllOf<'a>> {
        let schemas = self
            .items
            .iter()
            .filter_map(|items| items.prefix.get(index).copied().or(items.rest));
        let all = AllOf(schemas.collect());
        (!all.0.is_empty()).then_some(all)
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    pattern::matches(pattern, name).unwrap_or(false)
}
