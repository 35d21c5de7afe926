//! Types: their structure, and the constraints on their values.

use super::{ConditionId, FormatId, IntegerType, Name, VariantFilter};
use crate::formats::Typed;
use crate::schema::JsonType;
use serde_json::Value;

/// The index of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ModelId(pub usize);

/// The index of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternId(pub usize);

/// A regular expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Its name.
    pub name: Name,
    /// The text in the document (ECMA-262).
    pub source: String,
}

/// A generated type.
#[derive(Debug)]
pub struct Model {
    /// Its name.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// The key of its schema.
    pub schema: String,
    /// Its shape.
    pub shape: ModelShape,
}

/// The shapes of types.
#[derive(Debug)]
pub enum ModelShape {
    /// An object with known members.
    Struct {
        /// The members.
        fields: Vec<Field>,
        /// The handling of other members.
        extra: Extra,
        /// The constraints on the object as a whole.
        rules: Box<Rules>,
    },
    /// One of several strings.
    Enum(Vec<EnumVariant>),
    /// Exactly one value.
    Constant(Value),
    /// One of several types.
    Union(Union),
    /// A type of the team's own, which serde reads and writes.
    Own {
        /// Its row, as a table of formats has it.
        typed: Box<Typed>,
        /// The schema that its values are checked by.
        rules: Box<Rules>,
    },
    /// Another name for a type.
    Alias(Type),
    /// A type of its own around another, because it contains itself.
    Newtype(Type),
}

/// The handling of members that an object does not name.
#[derive(Debug)]
pub enum Extra {
    /// They are accepted and dropped.
    Ignored,
    /// They are refused.
    Refused,
    /// They are kept.
    Kept {
        /// The name of the field that keeps them.
        name: Name,
        /// The type of every such member.
        ty: Type,
    },
}

/// A member of an object, or a parameter in its struct.
#[derive(Debug, Clone)]
pub struct Field {
    /// The name in JSON.
    pub wire: String,
    /// Its name.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// Its type when it is present.
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
    /// Its name.
    pub name: Name,
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
    /// By the value of this member; see [`UnionVariant::tags`] and [`UnionVariant::is_default`]. A value that is
    /// no object is of the variant of its JSON type, if one takes no objects: these share no type.
    Tag(String),
    /// By the JSON type, which no two variants share; see [`UnionVariant::types`].
    Type,
    /// By filters; of several variants that they let pass, exactly one must accept the value
    /// (`oneOf`), or the first that does is taken (`anyOf`).
    Each {
        /// Whether it is `oneOf`.
        exactly_one: bool,
        /// The filters, one for each variant.
        filters: Vec<VariantFilter>,
        /// How to choose among variants that pass the filters.
        ambiguity: Ambiguity,
    },
}

/// How to choose among several variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ambiguity {
    /// Read the value as each, and check the results.
    Reading,
    /// By compiled conditions, one for each variant: reading would take exponential time, because
    /// the same ambiguity comes again in parts of the value.
    Conditions(Vec<ConditionId>),
    /// By the schema interpreter, with the schemas of the variants.
    Schemas,
}

/// An alternative of a union.
#[derive(Debug, Clone)]
pub struct UnionVariant {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Whether it must be boxed.
    pub boxed: bool,
    /// The key of its schema.
    pub schema: String,
    /// The values of the union's tag that select it.
    pub tags: Vec<String>,
    /// Whether it is selected where the tag is absent or holds any other value.
    pub is_default: bool,
    /// The JSON types that its values may have.
    pub types: Vec<JsonType>,
}

impl UnionVariant {
    /// Whether none of its values is an object, so that no member can name it.
    pub(crate) fn takes_no_object(&self) -> bool {
        !self.types.is_empty() && !self.types.contains(&JsonType::Object)
    }
}

/// A type with the constraints that hold where it is used.
#[derive(Debug, Clone)]
pub struct Type {
    /// The type itself.
    pub kind: TypeKind,
    /// The constraints.
    pub rules: Box<Rules>,
}

/// The kind of a value.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// `bool`
    Bool,
    /// An integer.
    Integer(IntegerType),
    /// `f64`
    Number,
    /// `String`
    String,
    /// The type of a format.
    Formatted {
        /// The format.
        format: FormatId,
        /// Whether the text is kept beside the value, because rules apply to it.
        verbatim: bool,
    },
    /// Any JSON value.
    Json,
    /// The JSON value `null`.
    Null,
    /// `Vec`
    Array(Box<Type>),
    /// A map from strings, ordered by key.
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
    /// The only allowed truth values or integers; empty for any.
    pub values: Vec<Value>,
    /// The key of a schema by which the interpreter checks the whole value.
    pub schema: Option<String>,
    /// A condition on the whole value, instead of such a schema.
    pub condition: Option<ConditionId>,
}
