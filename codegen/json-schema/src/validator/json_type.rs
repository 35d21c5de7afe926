//! The types that a schema admits, before there is a value.
//!
//! Raw parameter text has no type of its own: `5` may be meant as an integer
//! or as a string. A [`JsonType`] gathers the types that the keywords of a
//! schema, through references and combinations, admit. It is a hint and may
//! admit more than the schema does; the value is validated afterwards.

use std::collections::HashMap;

use serde_json::Value;

use crate::number::decimal::Decimal;
use crate::types::Types;
use crate::validator::Schemas;
use crate::validator::combine::listed;
use crate::validator::node::{Assertion, Conditional, NodeId, Tagged};
use crate::validator::run::Run;
use crate::validator::scalar::{is_integer, is_of};

/// The kinds of value that a place in a schema admits.
#[derive(Debug, Clone)]
pub struct JsonType<'s> {
    pub(crate) schemas: &'s Schemas,
    /// The schemas that were added, and whether as alternatives.
    added: HashMap<NodeId, bool>,
    /// Schemas that all hold.
    all: Vec<NodeId>,
    /// Schemas of which some hold: the branches of unions and conditions.
    some: Vec<NodeId>,
    /// Whether some of these come from the branches of a union around this place.
    pub(crate) vague: bool,
    /// Whether a branch holds, for the branches that [`coerce`](crate::coerce) has decided.
    pub(crate) verdicts: HashMap<NodeId, bool>,
}

impl<'s> JsonType<'s> {
    pub(crate) fn new(schemas: &'s Schemas, id: Option<NodeId>) -> Self {
        let mut this = Self {
            schemas,
            added: HashMap::new(),
            all: Vec::new(),
            some: Vec::new(),
            vague: false,
            verdicts: HashMap::new(),
        };
        if let Some(id) = id {
            this.add(id, false);
        }
        this
    }

    /// The same where it is also known of these branches whether they hold.
    pub(crate) fn knowing(&self, verdicts: &[(NodeId, bool)]) -> Self {
        let mut this = Self::new(self.schemas, None);
        this.verdicts.clone_from(&self.verdicts);
        this.verdicts.extend(verdicts.iter().copied());
        self.all.iter().for_each(|id| this.add(*id, false));
        this
    }

    /// The types that are admitted.
    #[must_use]
    pub fn types(&self) -> Types {
        let own = |id: &NodeId| own_types(self.schemas.keywords(*id));
        let all = self
            .all
            .iter()
            .map(own)
            .fold(Types::ALL, Types::intersection);
        match self.some.iter().map(own).reduce(Types::union) {
            Some(some) => all.intersection(some),
            None => all,
        }
    }

    /// The types that are admitted for the item at `index` of an array.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        self.descend(|keyword| match keyword {
            Assertion::Items(rule) => rule
                .prefix
                .get(index)
                .or(rule.rest.as_ref())
                .into_iter()
                .copied()
                .collect(),
            _ => Vec::new(),
        })
    }

    /// The types that are admitted for the member `name` of an object.
    #[must_use]
    pub fn property(&self, name: &str) -> Self {
        let known = self.descend(|keyword| match keyword {
            Assertion::Members(rule) => rule.of(name),
            _ => Vec::new(),
        });
        if !known.all.is_empty() || !known.some.is_empty() {
            return known;
        }
        self.descend(|keyword| match keyword {
            Assertion::UnevaluatedProperties(id) => vec![*id],
            _ => Vec::new(),
        })
    }

    /// Whether the contract says in so many words that an object may have
    /// members beyond `properties`.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.keywords().any(|keyword| match keyword {
            Assertion::Members(rule) => {
                !rule.patterns.is_empty() || rule.additional.is_some_and(|id| !self.is_never(id))
            }
            _ => false,
        })
    }

    /// Whether it says in so many words that an object has none beyond them.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.keywords().any(|keyword| match keyword {
            Assertion::Members(rule) => rule.additional.is_some_and(|id| self.is_never(id)),
            Assertion::UnevaluatedProperties(id) => self.is_never(*id),
            _ => false,
        })
    }

    fn is_never(&self, id: NodeId) -> bool {
        matches!(self.schemas.keywords(id), [Assertion::Never])
    }

    /// See [`Schemas::normalise`].
    pub(crate) fn normalise(&self, value: &mut Value) {
        match value {
            Value::Number(number) => {
                let types = self.types();
                let integral = types.contains(Types::INTEGER) && !types.contains(Types::NUMBER);
                if integral
                    && number.as_i128().is_none()
                    && let Some(whole) = Decimal::of(number).and_then(|own| own.to_i128())
                    && let Some(whole) = serde_json::Number::from_i128(whole)
                {
                    *number = whole;
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.item(index).normalise(item);
                }
            }
            Value::Object(members) => {
                for (name, member) in members.iter_mut() {
                    self.property(name).normalise(member);
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }

    /// Whether a value is admitted, by all that these schemas say of it.
    #[must_use]
    pub fn accepts(&self, value: &Value) -> bool {
        let mut run = Run::new(self.schemas);
        self.all.iter().all(|id| run.accepts(*id, value))
            && (self.some.is_empty() || self.some.iter().any(|id| run.accepts(*id, value)))
    }

    pub(crate) fn admits_type_of(&self, value: &Value) -> bool {
        is_of(self.types(), value)
    }

    /// The values that the schema lists, where it lists them.
    pub(crate) fn literals(&self) -> Option<impl Iterator<Item = &'s Value>> {
        let schemas = self.schemas;
        let keywords = self.all.iter().flat_map(|id| schemas.keywords(*id));
        keywords.filter_map(listed).next().map(<[Value]>::iter)
    }

    /// The keywords of the schemas that all hold.
    pub(crate) fn certain(&self) -> impl Iterator<Item = &'s Assertion> {
        let schemas = self.schemas;
        self.all.iter().flat_map(|id| schemas.keywords(*id))
    }

    /// The same, each with its schema.
    pub(crate) fn certain_of(&self) -> impl Iterator<Item = (NodeId, &'s Assertion)> {
        let schemas = self.schemas;
        let of = move |id: &NodeId| (*id, schemas.keywords(*id));
        let all = self.all.iter().map(of);
        all.flat_map(|(id, keywords)| keywords.iter().map(move |keyword| (id, keyword)))
    }

    /// The number of schemas that it gathers the types of.
    pub(crate) fn size(&self) -> usize {
        self.all.len() + self.some.len()
    }

    fn keywords(&self) -> impl Iterator<Item = &'s Assertion> {
        let schemas = self.schemas;
        let ids = self.all.iter().chain(&self.some);
        ids.flat_map(|id| schemas.keywords(*id))
    }

    fn descend(&self, step: impl Fn(&Assertion) -> Vec<NodeId>) -> Self {
        let mut below = Self::new(self.schemas, None);
        for (ids, alternative) in [(&self.all, false), (&self.some, true)] {
            let schemas = self.schemas;
            for keyword in ids.iter().flat_map(|id| schemas.keywords(*id)) {
                for id in step(keyword) {
                    below.vague |= alternative;
                    below.add(id, alternative);
                }
            }
        }
        below
    }

    /// Adds a schema and its parts. Each is added once, so that recursive
    /// references end; a schema that always applies is no alternative.
    fn add(&mut self, id: NodeId, alternative: bool) {
        match self.added.get(&id) {
            Some(false) => return,
            Some(true) if alternative => return,
            Some(true) => self.some.retain(|some| *some != id),
            None => {}
        }
        self.added.insert(id, alternative);
        if alternative {
            self.some.push(id)
        } else {
            self.all.push(id)
        }
        let schemas = self.schemas;
        for keyword in schemas.keywords(id) {
            match keyword {
                Assertion::Ref(target) => self.add(*target, alternative),
                Assertion::AllOf(parts) => parts.iter().for_each(|id| self.add(*id, alternative)),
                Assertion::AnyOf(parts)
                | Assertion::OneOf(parts)
                | Assertion::Tagged(Tagged {
                    branches: parts, ..
                }) => match self.left(parts).as_slice() {
                    [only] => self.add(*only, alternative),
                    several => several.iter().for_each(|id| self.add(*id, true)),
                },
                Assertion::If(rule) => self.add_conditional(rule, alternative),
                Assertion::DependentSchemas(rules) => {
                    let holding = rules
                        .iter()
                        .filter(|(_, id)| self.verdict(*id) == Some(true));
                    let holding: Vec<_> = holding.map(|(_, id)| *id).collect();
                    holding.into_iter().for_each(|id| self.add(id, alternative));
                }
                _ => {}
            }
        }
    }

    fn add_conditional(&mut self, rule: &Conditional, alternative: bool) {
        match self.verdict(rule.condition) {
            Some(true) => {
                let holding = rule.then.into_iter().chain([rule.condition]);
                holding.for_each(|id| self.add(id, alternative));
            }
            Some(false) => rule
                .otherwise
                .into_iter()
                .for_each(|id| self.add(id, alternative)),
            None => {
                let branches = rule.then.into_iter().chain(rule.otherwise);
                branches.for_each(|id| self.add(id, true));
            }
        }
    }
}

fn own_types(keywords: &[Assertion]) -> Types {
    keywords
        .iter()
        .fold(Types::ALL, |types, keyword| match keyword {
            Assertion::Type(own) => types.intersection(*own),
            Assertion::Never => Types::NONE,
            _ => match listed(keyword) {
                Some(values) => {
                    let listed = values.iter().map(type_of).fold(Types::NONE, Types::union);
                    types.intersection(listed)
                }
                None => types,
            },
        })
}

fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(number) if is_integer(number) => Types::INTEGER,
        Value::Number(_) => Types::NUMBER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}
