//! Conditions: schemas without a Rust type of their own, as functions over JSON values.

use super::{Name, PatternId, Rules};
use crate::schema::JsonType;
use serde_json::Value;
use std::fmt;

/// Why a schema is not compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The target of a reference depends on the path of evaluation.
    DynamicRef,
    /// A keyword of earlier drafts.
    Dependencies,
    /// A discriminator that does not name each of its variants.
    Discriminator,
    /// It would compile to too much code.
    Size,
    /// Its evaluation would call itself with the same value.
    Endless,
    /// It cannot be read.
    Malformed,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cause::DynamicRef => "$dynamicRef",
            Cause::Dependencies => "dependencies",
            Cause::Discriminator => "discriminator",
            Cause::Size => "size",
            Cause::Endless => "endless recursion",
            Cause::Malformed => "malformed",
        })
    }
}

/// The index of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConditionId(pub usize);

/// A schema without a Rust type of its own, as a function over a JSON value.
#[derive(Debug)]
pub struct NamedCondition {
    /// Its name.
    pub name: Name,
    /// The key of the schema.
    pub schema: String,
    /// The check.
    pub condition: Condition,
    /// For a recursive condition, the name under which its results are cached.
    pub cached: Option<Name>,
}

/// A check of a JSON value. A check for values of one type accepts all others.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Accepts every value.
    Always,
    /// Accepts no value.
    Never,
    /// All of these accept.
    All(Vec<Condition>),
    /// At least one of these accepts.
    Any(Vec<Condition>),
    /// Exactly one of these accepts.
    One(Vec<Condition>),
    /// This does not accept.
    Not(Box<Condition>),
    /// One check if a value meets a condition, another if not.
    If {
        /// The condition.
        test: Box<Condition>,
        /// The check if it is met.
        then: Box<Condition>,
        /// The check if it is not.
        otherwise: Box<Condition>,
    },
    /// The named condition accepts.
    Named(ConditionId),
    /// The value is of one of these types.
    Types(Vec<JsonType>),
    /// The value equals one of these.
    Values(Vec<Value>),
    /// Bounds of numbers.
    Number(Box<Rules>),
    /// Bounds of strings.
    Text(Box<Rules>),
    /// Bounds of arrays.
    Count(Box<Rules>),
    /// The checks of the first items, and of all after them.
    Items {
        /// One for each of the first items.
        prefix: Vec<Condition>,
        /// For all items after those.
        rest: Box<Condition>,
    },
    /// How many items meet a condition.
    Contains {
        /// The condition.
        item: Box<Condition>,
        /// At least this many.
        min: u64,
        /// At most this many.
        max: Option<u64>,
    },
    /// Bounds of objects.
    Size(Box<Rules>),
    /// Members that an object must have.
    Required(Vec<String>),
    /// The check of a member, if it is there.
    Member(String, Box<Condition>),
    /// The check of members whose names match.
    Matching(PatternId, Box<Condition>),
    /// The check of members that are neither named nor matched.
    Others {
        /// The names.
        named: Vec<String>,
        /// The patterns.
        matched: Vec<PatternId>,
        /// The check.
        member: Box<Condition>,
    },
    /// The check of members that no keyword evaluates (2020-12 Core §11.3).
    UnevaluatedMembers {
        /// The schemas that evaluate members.
        evaluated: Vec<Evaluated>,
        /// The check.
        member: Box<Condition>,
    },
    /// The check of items that no keyword evaluates (§11.2).
    UnevaluatedItems {
        /// The schemas that evaluate items.
        evaluated: Vec<Evaluated>,
        /// The check.
        item: Box<Condition>,
    },
    /// The check of the members' names.
    Names(Box<Condition>),
    /// The check of an object that has this member.
    With(String, Box<Condition>),
}

/// Members or items that a schema evaluates.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The condition on the whole value.
    pub when: Condition,
    /// The evaluated parts.
    pub parts: Evaluates,
}

/// The parts of a value that are evaluated.
#[derive(Debug, Clone, PartialEq)]
pub enum Evaluates {
    /// Every member and item.
    All,
    /// Members of these names, or whose names match these patterns.
    Members(Vec<String>, Vec<PatternId>),
    /// This many of the first items.
    First(u64),
    /// The items that meet a condition.
    Items(Condition),
}

impl Condition {
    /// The conditions that this one calls for the value itself.
    pub fn of_the_value(&self) -> Vec<&Condition> {
        match self {
            Condition::All(all) | Condition::Any(all) | Condition::One(all) => all.iter().collect(),
            Condition::Not(inner) | Condition::With(_, inner) => vec![inner],
            Condition::If {
                test,
                then,
                otherwise,
            } => vec![test, then, otherwise],
            Condition::UnevaluatedMembers { evaluated, .. }
            | Condition::UnevaluatedItems { evaluated, .. } => {
                evaluated.iter().map(|evaluated| &evaluated.when).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The conditions that this one calls for items, members and their names.
    pub fn of_its_parts(&self) -> Vec<&Condition> {
        match self {
            Condition::Items { prefix, rest } => prefix.iter().chain([rest.as_ref()]).collect(),
            Condition::Contains { item, .. } => vec![item],
            Condition::Member(_, inner)
            | Condition::Matching(_, inner)
            | Condition::Names(inner)
            | Condition::UnevaluatedMembers { member: inner, .. }
            | Condition::Others { member: inner, .. } => vec![inner],
            Condition::UnevaluatedItems { evaluated, item } => {
                let items = evaluated
                    .iter()
                    .filter_map(|evaluated| match &evaluated.parts {
                        Evaluates::Items(item) => Some(item),
                        _ => None,
                    });
                items.chain([item.as_ref()]).collect()
            }
            _ => Vec::new(),
        }
    }
}
