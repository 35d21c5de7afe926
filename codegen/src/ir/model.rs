//! Types: their structure, and the constraints on their values.

use super::{Api, ConditionId, FormatId, IntegerType, Name, VariantFilter};
use crate::formats::Typed;
use crate::schema::JsonType;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ptr;

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
    /// One of several integers that have names.
    IntegerEnum(Vec<EnumVariant<i64>>),
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

/// A variant of an enum of strings, or of integers.
#[derive(Debug)]
pub struct EnumVariant<T = String> {
    /// The value.
    pub wire: T,
    /// Its name.
    pub name: Name,
    /// Its description.
    pub doc: String,
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
    /// no object is of the variant that alone takes its JSON type.
    Tag(String),
    /// By the JSON type, which no two variants share; see [`UnionVariant::types`].
    Type,
    /// By filters; of several variants that they let pass, exactly one must accept the value
    /// (`oneOf`), or of those that do, the one that keeps most of its members is taken (`anyOf`).
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

impl Union {
    /// The JSON types other than objects that one variant takes and no other does; none of a variant that takes
    /// every type, because its schema says of none that it is meant.
    pub(crate) fn own_types(&self, variant: &UnionVariant) -> Vec<JsonType> {
        if JsonType::ALL.iter().all(|ty| variant.types.contains(ty)) {
            return Vec::new();
        }
        let is_of_schema = |it: &&UnionVariant| it.schema == variant.schema;
        // A variant that does not hold the tag stands here once for each of its names.
        let first = self.variants.iter().find(is_of_schema);
        if !first.is_some_and(|first| ptr::eq(first, variant)) {
            return Vec::new();
        }
        let is_taken = |ty: JsonType| {
            let others = self.variants.iter().filter(|it| !is_of_schema(it));
            others.flat_map(|it| &it.types).any(|other| other.meets(ty))
        };
        let types = variant.types.iter().copied();
        let own = types.filter(|ty| *ty != JsonType::Object && !is_taken(*ty));
        own.collect()
    }
}

impl Api {
    /// The members that a type keeps of an object; `None` where it keeps all.
    pub(crate) fn kept_members(&self, ty: &Type) -> Option<Vec<&str>> {
        self.kept_within(ty, &mut Vec::new())
    }

    /// The same; the unions `around` the type are followed already.
    fn kept_within(&self, ty: &Type, around: &mut Vec<ModelId>) -> Option<Vec<&str>> {
        let id = match &ty.kind {
            TypeKind::Nullable(inner) => return self.kept_within(inner, around),
            TypeKind::Model(id) => *id,
            _ => return None,
        };
        match &self.models.get(id.0)?.shape {
            ModelShape::Struct {
                extra: Extra::Kept { .. },
                ..
            } => None,
            ModelShape::Struct { fields, .. } => {
                Some(fields.iter().map(|field| field.wire.as_str()).collect())
            }
            ModelShape::Alias(inner) | ModelShape::Newtype(inner) => {
                self.kept_within(inner, around)
            }
            ModelShape::Union(_) if around.contains(&id) => Some(Vec::new()),
            ModelShape::Union(union) => {
                around.push(id);
                let variants = union.variants.iter().filter(|it| it.takes_objects());
                let mut names = BTreeSet::new();
                for variant in variants {
                    names.extend(self.kept_within(&variant.ty, around)?);
                }
                Some(names.into_iter().collect())
            }
            _ => None,
        }
    }
}

impl UnionVariant {
    /// Whether some value is an object, which a member can name.
    pub(crate) fn takes_objects(&self) -> bool {
        self.types.contains(&JsonType::Object)
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
