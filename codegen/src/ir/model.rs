//! Types: what values are made of, and what must hold of them.

use super::{ConditionId, FormatId, IntegerType, VariantFilter};
use crate::schema::JsonType;
use serde_json::Value;

/// The index of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub usize);

/// The index of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternId(pub usize);

/// A regular expression and the name of its constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// In capitals.
    pub constant: String,
    /// As in the document (ECMA-262).
    pub source: String,
}

/// A generated type.
#[derive(Debug)]
pub struct Model {
    /// The Rust name.
    pub name: String,
    /// What the document says of it.
    pub doc: String,
    /// The key of its schema.
    pub schema: String,
    /// What it looks like.
    pub shape: ModelShape,
}

/// The shapes of types.
#[derive(Debug)]
pub enum ModelShape {
    /// An object with known members.
    Struct {
        /// The members.
        fields: Vec<Field>,
        /// What happens to other members.
        extra: Extra,
    },
    /// One of several strings.
    Enum(Vec<EnumVariant>),
    /// Exactly one value.
    Constant(Value),
    /// One of several types.
    Union(Union),
    /// Another name for a type.
    Alias(Type),
    /// A type of its own around another, because it contains itself.
    Newtype(Type),
}

/// What an object does with members that it does not name.
#[derive(Debug)]
pub enum Extra {
    /// They are accepted and dropped.
    Ignored,
    /// They are refused.
    Refused,
    /// They are kept, each of this type, in a field of that Rust name.
    Kept {
        /// The field.
        rust: String,
        /// The type of every such member.
        ty: Type,
    },
}

/// A member of an object, or a parameter in its struct.
#[derive(Debug)]
pub struct Field {
    /// The name in JSON.
    pub wire: String,
    /// The Rust name, escaped.
    pub rust: String,
    /// What the document says of it.
    pub doc: String,
    /// Its type when it is there.
    pub ty: Type,
    /// Whether it may be absent.
    pub required: bool,
    /// Whether the type contains the struct itself, so that it must be boxed.
    pub boxed: bool,
    /// Whether the document deprecates it.
    pub deprecated: bool,
}

/// A variant of a string enum.
#[derive(Debug)]
pub struct EnumVariant {
    /// The string.
    pub wire: String,
    /// The Rust name.
    pub rust: String,
}

/// One of several types.
#[derive(Debug)]
pub struct Union {
    /// The alternatives.
    pub variants: Vec<UnionVariant>,
    /// How the variant of a value is found.
    pub discrimination: Discrimination,
}

/// How the variant of a value is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Discrimination {
    /// By the value of this member; see [`UnionVariant::tags`].
    Tag(String),
    /// By the JSON type, of which no two variants have one in common; see [`UnionVariant::types`].
    Type,
    /// By the variants that are not ruled out at a glance; of several, exactly one may take the
    /// value (`oneOf`), or the first that takes it has it (`anyOf`).
    Each {
        /// Whether it is `oneOf`.
        exactly_one: bool,
        /// What rules a variant out, one for each.
        filters: Vec<VariantFilter>,
        /// How it is settled which variant takes a value where several are not ruled out.
        ambiguity: Ambiguity,
    },
}

/// How it is settled which of several variants takes a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ambiguity {
    /// By reading the value as each, and checking what was read.
    Reading,
    /// By compiled conditions, one for each: to read the value would lead to the same ambiguity about
    /// its parts more than once each.
    Conditions(Vec<ConditionId>),
    /// By asking the interpreter about the schemas of the variants.
    Schemas,
}

/// An alternative of a union.
#[derive(Debug, Clone)]
pub struct UnionVariant {
    /// The Rust name.
    pub rust: String,
    /// Its type.
    pub ty: Type,
    /// Whether it must be boxed.
    pub boxed: bool,
    /// The key of its schema.
    pub schema: String,
    /// The values of the union's tag that select it.
    pub tags: Vec<String>,
    /// The JSON types that its values may have.
    pub types: Vec<JsonType>,
}

/// A type with the constraints that hold where it is used.
#[derive(Debug, Clone)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// What else must hold.
    pub rules: Box<Rules>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// A whole number.
    Integer(IntegerType),
    /// `f64`
    Number,
    /// `String`
    String,
    /// The type of a format.
    Formatted {
        /// Which.
        format: FormatId,
        /// Whether the text is kept beside the value, because rules speak of it.
        verbatim: bool,
    },
    /// Any JSON value.
    Json,
    /// The JSON value `null`.
    Null,
    /// `Vec`
    Array(Box<Type>),
    /// A map from strings, in their order.
    Map(Box<Type>),
    /// `Option`: the value, or `null`.
    Nullable(Box<Type>),
    /// A generated type.
    Model(ModelId),
}

/// Constraints beyond a type. Numbers are JSON numbers as written.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(missing_docs, reason = "each is the keyword of the same name")]
pub struct Rules {
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<PatternId>,
    pub format: Option<String>,
    pub minimum: Option<Value>,
    pub maximum: Option<Value>,
    pub exclusive_minimum: Option<Value>,
    pub exclusive_maximum: Option<Value>,
    pub multiple_of: Option<Value>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
    /// The only truth values or whole numbers that there are; none for any.
    pub values: Vec<Value>,
    /// The key of a schema that the checker must find the whole value valid against.
    pub schema: Option<String>,
    /// A condition that the whole value must meet, in the place of such a schema.
    pub condition: Option<ConditionId>,
}
