//! A compiled schema: a list of keywords whose subschemas are indices into
//! the bundle.
//!
//! Plain data. A boolean schema is the empty list or [`Assertion::Never`].

use std::collections::HashMap;

use serde_json::{Number, Value};

use crate::format;
use crate::pattern::Pattern;
use crate::types::Types;

/// The index of a schema in its bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) usize);

/// One keyword with its compiled operand. Keywords that share their meaning
/// (`properties` and its neighbours) are one.
#[derive(Debug)]
pub(crate) enum Assertion {
    /// The schema `false`.
    Never,
    /// A keyword that makes no sense refuses every value.
    Broken,
    Ref(NodeId),
    /// `$dynamicRef`: the schema with the anchor in the outermost resource that
    /// was entered, else the target.
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
    Worded(Worded),
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

/// `pattern` and `format` of a schema with words of its own for both, `x-message`.
#[derive(Debug)]
pub(crate) struct Worded {
    pub(crate) pattern: Option<Pattern>,
    pub(crate) format: Option<Format>,
    pub(crate) message: String,
}

/// `format`, and the type that stands for its strings, where there is one.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) name: String,
    pub(crate) read: Option<fn(&str) -> bool>,
}

impl Format {
    /// Whether a text is of the format, and its type can hold it.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        format::is_valid(&self.name, text) && self.read.is_none_or(|read| read(text))
    }
}

/// `prefixItems` and `items`.
#[derive(Debug)]
pub(crate) struct Items {
    pub(crate) prefix: Vec<NodeId>,
    pub(crate) rest: Option<NodeId>,
}

/// `contains`, `minContains` and `maxContains`.
#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) schema: NodeId,
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
}

/// `properties`, `patternProperties` and `additionalProperties`.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) properties: HashMap<String, NodeId>,
    pub(crate) patterns: Vec<(Pattern, NodeId)>,
    pub(crate) additional: Option<NodeId>,
}

/// The branches of a union, and which of them each value of a member names.
#[derive(Debug)]
pub(crate) struct Tagged {
    pub(crate) property: String,
    pub(crate) tags: Vec<(String, NodeId)>,
    /// The branch of values that name none.
    pub(crate) default: Option<NodeId>,
    pub(crate) branches: Vec<NodeId>,
    /// Whether the list is `oneOf`.
    pub(crate) exactly_one: bool,
}

/// `if`, `then` and `else`.
#[derive(Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: NodeId,
    pub(crate) then: Option<NodeId>,
    pub(crate) otherwise: Option<NodeId>,
}
