//! Conditions: schemas that have no Rust type of their own, as functions over JSON values.

use super::{PatternId, Rules};
use crate::schema::JsonType;
use serde_json::Value;

/// The index of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConditionId(pub usize);

/// A schema as a function over a JSON value, for what has no Rust type of its own.
#[derive(Debug)]
pub struct NamedCondition {
    /// The function's name.
    pub rust: String,
    /// The key of the schema.
    pub schema: String,
    /// What it asks.
    pub condition: Condition,
    /// Where it leads back to itself: the name of the function that remembers what it has found.
    pub remembering: Option<String>,
}

/// What a JSON value must be like. A condition on values of one type is met by all others.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// What no value is.
    Never,
    /// What every one of these asks.
    All(Vec<Condition>),
    /// What at least one of these asks.
    Any(Vec<Condition>),
    /// What exactly one of these asks.
    One(Vec<Condition>),
    /// What this does not ask.
    Not(Box<Condition>),
    /// One thing if a value meets a condition, another if not.
    If {
        /// The condition.
        test: Box<Condition>,
        /// What is asked if it is met.
        then: Box<Condition>,
        /// What is asked if it is not.
        otherwise: Box<Condition>,
    },
    /// What another condition asks.
    Same(ConditionId),
    /// To be of one of these types.
    Types(Vec<JsonType>),
    /// To equal one of these.
    Values(Vec<Value>),
    /// Bounds of numbers.
    Number(Box<Rules>),
    /// Bounds of strings.
    Text(Box<Rules>),
    /// Bounds of arrays.
    Count(Box<Rules>),
    /// What the first items are, and what all after them are.
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
        /// At least so many.
        min: u64,
        /// At most so many.
        max: Option<u64>,
    },
    /// Bounds of objects.
    Size(Box<Rules>),
    /// Members that an object must have.
    Required(Vec<String>),
    /// What a member is, if it is there.
    Member(String, Box<Condition>),
    /// What a member is whose name matches.
    Matching(PatternId, Box<Condition>),
    /// What a member is that is neither named nor matched.
    Others {
        /// The names.
        named: Vec<String>,
        /// The patterns.
        matched: Vec<PatternId>,
        /// What it is.
        member: Box<Condition>,
    },
    /// What a member is that nothing evaluates (2020-12 Core §11.3).
    UnevaluatedMembers {
        /// What evaluates members.
        evaluated: Vec<Evaluated>,
        /// What it is.
        member: Box<Condition>,
    },
    /// What an item is that nothing evaluates (§11.2).
    UnevaluatedItems {
        /// What evaluates items.
        evaluated: Vec<Evaluated>,
        /// What it is.
        item: Box<Condition>,
    },
    /// What the names of members are.
    Names(Box<Condition>),
    /// What an object is that has this member.
    With(String, Box<Condition>),
}

/// Members or items that a schema evaluates.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// What the value meets whose parts they are.
    pub when: Condition,
    /// Which of its parts.
    pub parts: Evaluates,
}

/// Which parts of a value are evaluated.
#[derive(Debug, Clone, PartialEq)]
pub enum Evaluates {
    /// Every member and item.
    All,
    /// Members of these names, or whose names match these patterns.
    Members(Vec<String>, Vec<PatternId>),
    /// So many of the first items.
    First(u64),
    /// The items that meet a condition.
    Items(Condition),
}

impl Condition {
    /// The conditions that this one asks of the value itself.
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

    /// The conditions that this one asks of items, members and their names.
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
