//! The table of the keywords of JSON Schema 2020-12: the operand of each, the
//! schemas in it, and the types that it applies to.

use crate::types::Types;

/// A keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keyword {
    /// The keyword as it is written.
    pub name: &'static str,
    /// The vocabulary that it belongs to.
    pub vocabulary: Vocabulary,
    /// The types of the values that it says something about; of values of
    /// other types it says nothing.
    pub applies_to: Types,
    /// The type of its operand.
    pub operand: Operand,
}

/// The vocabularies of the 2020-12 meta-schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    /// References, anchors and definitions (Core, section 8).
    Core,
    /// Subschemas that apply to the same value (Core, section 10.2).
    InPlace,
    /// Subschemas that apply to items or members (Core, section 10.3).
    Parts,
    /// `unevaluatedItems` and `unevaluatedProperties` (Core, section 11).
    Unevaluated,
    /// Assertions (Validation, section 6).
    Validation,
    /// `format` (Validation, section 7).
    Format,
    /// The content of strings (Validation, section 8).
    Content,
    /// Annotations (Validation, section 9).
    MetaData,
}

/// How a keyword holds schemas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subschemas {
    /// It holds none.
    None,
    /// One schema.
    One,
    /// A list of schemas.
    List,
    /// Schemas by name.
    ByName,
}

/// The type of a keyword's operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// Any value.
    Any,
    /// A list of any values.
    Values,
    /// `true` or `false`.
    Flag,
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// Lists of strings by name.
    TextsByName,
    /// The name of a type, or a list of them.
    Types,
    /// A number.
    Number,
    /// A number above 0.
    Positive,
    /// A whole number of at least 0.
    Count,
    /// One schema.
    Schema,
    /// A list of at least one schema.
    Schemas,
    /// Schemas by name.
    SchemasByName,
    /// Flags by name.
    FlagsByName,
}

impl Keyword {
    /// The keyword of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        KEYWORDS.iter().find(|keyword| keyword.name == name)
    }

    /// Whether it says nothing about which values are valid. `format` may.
    #[must_use]
    pub const fn is_annotation(&self) -> bool {
        matches!(self.vocabulary, Vocabulary::MetaData | Vocabulary::Content)
    }

    /// How it holds schemas.
    #[must_use]
    pub const fn subschemas(&self) -> Subschemas {
        match self.operand {
            Operand::Schema => Subschemas::One,
            Operand::Schemas => Subschemas::List,
            Operand::SchemasByName => Subschemas::ByName,
            _ => Subschemas::None,
        }
    }
}

/// How the keyword of a name holds schemas; one that is not in the table holds
/// none.
#[must_use]
pub fn subschemas(name: &str) -> Subschemas {
    Keyword::named(name).map_or(Subschemas::None, Keyword::subschemas)
}

/// Whether the schemas of a keyword apply to the same value as the schema that
/// it stands in.
#[must_use]
pub fn is_in_place(name: &str) -> bool {
    Keyword::named(name).is_some_and(|keyword| keyword.vocabulary == Vocabulary::InPlace)
}

/// All keywords, in the order of the specification.
pub const KEYWORDS: &[Keyword] = {
    use Operand::{
        Any, Count, Flag, FlagsByName, Number, Positive, Schema, Schemas, SchemasByName, Text,
        Texts, TextsByName, Values,
    };
    use Vocabulary::{Content, Core, Format, InPlace, MetaData, Parts, Unevaluated, Validation};
    const EVERY: Types = Types::ALL;
    const STRING: Types = Types::STRING;
    const NUMBER: Types = Types::NUMBER;
    const ARRAY: Types = Types::ARRAY;
    const OBJECT: Types = Types::OBJECT;
    &[
        keyword("$schema", Core, EVERY, Text),
        keyword("$id", Core, EVERY, Text),
        keyword("$anchor", Core, EVERY, Text),
        keyword("$dynamicAnchor", Core, EVERY, Text),
        keyword("$ref", Core, EVERY, Text),
        keyword("$dynamicRef", Core, EVERY, Text),
        keyword("$vocabulary", Core, EVERY, FlagsByName),
        keyword("$comment", Core, EVERY, Text),
        keyword("$defs", Core, EVERY, SchemasByName),
        // Of earlier drafts, and still reserved.
        keyword("definitions", Core, EVERY, SchemasByName),
        keyword("allOf", InPlace, EVERY, Schemas),
        keyword("anyOf", InPlace, EVERY, Schemas),
        keyword("oneOf", InPlace, EVERY, Schemas),
        keyword("not", InPlace, EVERY, Schema),
        keyword("if", InPlace, EVERY, Schema),
        keyword("then", InPlace, EVERY, Schema),
        keyword("else", InPlace, EVERY, Schema),
        keyword("dependentSchemas", InPlace, OBJECT, SchemasByName),
        keyword("prefixItems", Parts, ARRAY, Schemas),
        keyword("items", Parts, ARRAY, Schema),
        keyword("contains", Parts, ARRAY, Schema),
        keyword("properties", Parts, OBJECT, SchemasByName),
        keyword("patternProperties", Parts, OBJECT, SchemasByName),
        keyword("additionalProperties", Parts, OBJECT, Schema),
        keyword("propertyNames", Parts, OBJECT, Schema),
        keyword("unevaluatedItems", Unevaluated, ARRAY, Schema),
        keyword("unevaluatedProperties", Unevaluated, OBJECT, Schema),
        keyword("type", Validation, EVERY, Operand::Types),
        keyword("enum", Validation, EVERY, Values),
        keyword("const", Validation, EVERY, Any),
        keyword("multipleOf", Validation, NUMBER, Positive),
        keyword("maximum", Validation, NUMBER, Number),
        keyword("exclusiveMaximum", Validation, NUMBER, Number),
        keyword("minimum", Validation, NUMBER, Number),
        keyword("exclusiveMinimum", Validation, NUMBER, Number),
        keyword("maxLength", Validation, STRING, Count),
        keyword("minLength", Validation, STRING, Count),
        keyword("pattern", Validation, STRING, Text),
        keyword("maxItems", Validation, ARRAY, Count),
        keyword("minItems", Validation, ARRAY, Count),
        keyword("uniqueItems", Validation, ARRAY, Flag),
        keyword("maxContains", Validation, ARRAY, Count),
        keyword("minContains", Validation, ARRAY, Count),
        keyword("maxProperties", Validation, OBJECT, Count),
        keyword("minProperties", Validation, OBJECT, Count),
        keyword("required", Validation, OBJECT, Texts),
        keyword("dependentRequired", Validation, OBJECT, TextsByName),
        keyword("format", Format, EVERY, Text),
        keyword("contentEncoding", Content, STRING, Text),
        keyword("contentMediaType", Content, STRING, Text),
        keyword("contentSchema", Content, STRING, Schema),
        keyword("title", MetaData, EVERY, Text),
        keyword("description", MetaData, EVERY, Text),
        keyword("default", MetaData, EVERY, Any),
        keyword("deprecated", MetaData, EVERY, Flag),
        keyword("readOnly", MetaData, EVERY, Flag),
        keyword("writeOnly", MetaData, EVERY, Flag),
        keyword("examples", MetaData, EVERY, Values),
    ]
};

const fn keyword(
    name: &'static str,
    vocabulary: Vocabulary,
    applies_to: Types,
    operand: Operand,
) -> Keyword {
    Keyword {
        name,
        vocabulary,
        applies_to,
        operand,
    }
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, Keyword};

    #[test]
    fn every_keyword_is_there_once() {
        for keyword in KEYWORDS {
            assert_eq!(Keyword::named(keyword.name), Some(keyword));
        }
    }
}
