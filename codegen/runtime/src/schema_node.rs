//! A compiled schema: a list of keywords whose subschemas are indices into
//! the bundle.
//!
//! Plain data. A boolean schema is the empty list or [`Keyword::Never`].

use std::collections::HashMap;

use serde_json::{Number, Value};

use super::format;
use super::pattern::Pattern;
use super::type_set::Types;

/// The index of a schema in its bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub(super) usize);

/// One keyword with its compiled operand. Keywords that share their meaning
/// (`properties` and its neighbours) are one.
#[derive(Debug)]
pub(super) enum Keyword {
    /// The schema `false`.
    Never,
    /// A keyword that makes no sense refuses every value.
    Broken,
    Ref(NodeId),
    /// `$dynamicRef`: what the outermost resource that was entered calls by the
    /// name, else the target.
    DynamicRef(String, NodeId),
    /// Entering the schema enters a resource with these dynamic anchors. Always
    /// the first keyword of its schema.
    Scope(Vec<(String, NodeId)>),
    Type(Types),
    Enum(Vec<Value>),
    Const(Value),
    Minimum(Number),
    Maximum(Number),
    ExclusiveMinimum(Number),
    ExclusiveMaximum(Number),
    MultipleOf(Number),
    MinLength(u64),
    MaxLength(u64),
    Pattern(Pattern),
    Format(Format),
    Items(Items),
    Contains(Contains),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    UnevaluatedItems(NodeId),
    Members(Members),
    Required(Vec<String>),
    PropertyNames(NodeId),
    MinProperties(u64),
    MaxProperties(u64),
    DependentRequired(Vec<(String, Vec<String>)>),
    DependentSchemas(Vec<(String, NodeId)>),
    UnevaluatedProperties(NodeId),
    AllOf(Vec<NodeId>),
    AnyOf(Vec<NodeId>),
    OneOf(Vec<NodeId>),
    /// Either of the last two, with a discriminator.
    Tagged(Tagged),
    Not(NodeId),
    If(Conditional),
}

/// `format`, and the type that stands for its strings, where there is one.
#[derive(Debug)]
pub(super) struct Format {
    pub(super) name: String,
    pub(super) read: Option<fn(&str) -> bool>,
}

impl Format {
    /// Whether a text is of the format, and its type can hold it.
    pub(super) fn accepts(&self, text: &str) -> bool {
        format::is_valid(&self.name, text) && self.read.is_none_or(|read| read(text))
    }
}

/// `prefixItems` and `items`.
#[derive(Debug)]
pub(super) struct Items {
    pub(super) prefix: Vec<NodeId>,
    pub(super) rest: Option<NodeId>,
}

/// `contains`, `minContains` and `maxContains`.
#[derive(Debug)]
pub(super) struct Contains {
    pub(super) schema: NodeId,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

/// `properties`, `patternProperties` and `additionalProperties`.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) properties: HashMap<String, NodeId>,
    pub(super) patterns: Vec<(Pattern, NodeId)>,
    pub(super) additional: Option<NodeId>,
}

/// The branches of a union, and which of them each value of a member names.
#[derive(Debug)]
pub(super) struct Tagged {
    pub(super) property: String,
    pub(super) tags: Vec<(String, NodeId)>,
    pub(super) branches: Vec<NodeId>,
}

/// `if`, `then` and `else`.
#[derive(Debug)]
pub(super) struct Conditional {
    pub(super) condition: NodeId,
    pub(super) then: Option<NodeId>,
    pub(super) otherwise: Option<NodeId>,
}
