//! A JSON Schema (draft 2020-12) with every keyword typed.
//!
//! OpenAPI 3.1.1 §4.8.24: a schema object *is* a JSON Schema. Schemas of OpenAPI 3.0 documents have
//! been rewritten to 2020-12 before they come here, and references name the keys of a bundle
//! ([`json_schema::reference`]).

mod json_type;
pub(crate) mod order;

use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use json_schema::keyword::{KEYWORDS, Keyword};
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};
use std::borrow::Cow;

pub use json_type::JsonType;

/// A schema.
#[derive(Debug, Clone)]
pub enum Schema<'a> {
    /// `true`: every value is valid.
    Always,
    /// `false`: no value is valid.
    Never,
    /// A schema with keywords.
    Keywords(Box<Keywords<'a>>),
}

/// The keywords of a schema object; an absent keyword is `None` or empty.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "each field is the keyword of the same name")]
pub struct Keywords<'a> {
    /// The place of the schema in the document.
    pub at: Pointer,
    /// The schema as the bundle holds it.
    pub raw: Cow<'a, Value>,
    /// The bundle key that `$ref` names.
    pub reference: Option<String>,
    pub types: Vec<JsonType>,
    pub constant: Option<Value>,
    pub values: Option<Vec<Value>>,
    pub title: Option<String>,
    pub description: Option<String>,
    pub default: Option<Value>,
    pub examples: Vec<Value>,
    pub deprecated: bool,
    pub format: Option<String>,
    pub properties: Vec<(String, Schema<'a>)>,
    pub required: Vec<String>,
    pub additional: Option<Schema<'a>>,
    pub unevaluated_properties: Option<Schema<'a>>,
    pub unevaluated_items: Option<Schema<'a>>,
    pub items: Option<Schema<'a>>,
    pub all_of: Vec<Schema<'a>>,
    pub any_of: Vec<Schema<'a>>,
    pub one_of: Vec<Schema<'a>>,
    pub discriminator: Option<Discriminator>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<String>,
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
    /// The first keyword without a native Rust form; such a schema is checked as a whole.
    pub foreign: Option<&'static str>,
}

/// OpenAPI 3.1.1 §4.8.25.
#[derive(Debug, Clone)]
pub struct Discriminator {
    /// The member whose value names the variant.
    pub property: String,
    /// From that value to a bundle key.
    pub mapping: Vec<(String, String)>,
    /// The bundle key that is meant where the member is absent, or holds any other value.
    pub default: Option<String>,
}

/// Keywords that the checker enforces but that have no native Rust form.
const FOREIGN: &[&str] = &[
    "not",
    "if",
    "then",
    "else",
    "prefixItems",
    "contains",
    "minContains",
    "maxContains",
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "$dynamicRef",
];

/// The words of a violation of a schema's `pattern` or `format`.
pub(crate) const MESSAGE: &str = "x-message";

/// Keywords that are not of JSON Schema 2020-12: those of OpenAPI, of the bundle, and of earlier
/// drafts, which the second stage rewrites.
const OTHERS: &[&str] = &[
    "discriminator",
    "xml",
    "externalDocs",
    "example",
    "$dynamicScope",
    "dependencies",
    "additionalItems",
    "nullable",
];

/// Whether a keyword says nothing about which values are valid, as one that nobody knows does not.
pub(crate) fn is_annotation(keyword: &str) -> bool {
    match keyword {
        "$comment" | "$schema" | "$vocabulary" => true,
        "discriminator" | "nullable" => false,
        _ => Keyword::named(keyword).is_none_or(Keyword::is_annotation),
    }
}

/// Reads a schema of the bundle, whose operands have all been checked.
pub(crate) fn parse<'a>(
    value: &'a Value,
    at: &Pointer,
    diagnostics: &mut Diagnostics,
) -> Schema<'a> {
    match value {
        Value::Bool(true) => Schema::Always,
        Value::Bool(false) => Schema::Never,
        Value::Object(members) => {
            let mut reader = Reader { at, diagnostics };
            Schema::Keywords(Box::new(reader.keywords(value, members)))
        }
        _ => Schema::Always,
    }
}

/// Compiles a regular expression.
///
/// # Errors
/// The reason why it cannot be matched.
pub(crate) fn check_pattern(pattern: &str) -> Result<(), (Code, String)> {
    let Err(refusal) = json_schema::pattern::compile(pattern) else {
        return Ok(());
    };
    // Of several lines, the last has the error; the others draw the expression.
    let reason = refusal.lines().last().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    // Unsupported, too large or too deeply nested expressions are regular expressions all the same.
    let right = ["not supported", "size limit", "maximum number of nested"];
    let code = if right.iter().any(|known| refusal.contains(known)) {
        Code::UnsupportedPattern
    } else {
        Code::InvalidPattern
    };
    let message = format!("this regular expression cannot be compiled: {reason}");
    Err((code, message))
}

/// Checks that a member of a schema is a keyword; an extension may have any name.
pub(crate) fn check_keyword(name: &str, at: &Pointer, diagnostics: &mut Diagnostics) {
    let known = || {
        let names = KEYWORDS.iter().map(|keyword| keyword.name);
        names.chain(OTHERS.iter().copied())
    };
    if name.starts_with("x-") || known().any(|keyword| keyword == name) {
        return;
    }
    let message = format!("`{name}` is not a keyword of JSON Schema 2020-12 and means nothing");
    let problem = Diagnostic::new(Code::UnknownKeyword, at, message);
    match closest(name, known()) {
        None => diagnostics.warn(problem),
        meant => diagnostics.recover(problem.did_you_mean(meant), "it is ignored"),
    }
}

struct Reader<'r> {
    at: &'r Pointer,
    diagnostics: &'r mut Diagnostics,
}

impl Reader<'_> {
    fn keywords<'a>(&mut self, raw: &'a Value, members: &'a Map<String, Value>) -> Keywords<'a> {
        let at = self.at.clone();
        let mut keywords = Keywords {
            at,
            raw: Cow::Borrowed(raw),
            ..Keywords::default()
        };
        for (keyword, value) in members {
            self.keyword(&mut keywords, keyword, value);
        }
        keywords.settle_unevaluated();
        if keywords.discriminator.is_some()
            && keywords.one_of.is_empty()
            && keywords.any_of.is_empty()
        {
            // Without variants beside it, a discriminator is only a hint at schemas elsewhere.
            keywords.discriminator = None;
        }
        keywords
    }

    fn keyword<'a>(&mut self, into: &mut Keywords<'a>, keyword: &str, value: &'a Value) {
        let at = self.at.child(keyword);
        match keyword {
            "$ref" => into.reference = text(value).and_then(|to| key_of_reference(&to)),
            "type" => into.types = types(value),
            "const" => into.constant = Some(value.clone()),
            "enum" => into.values = value.as_array().cloned(),
            "title" => into.title = text(value),
            "description" => into.description = text(value),
            "default" => into.default = Some(value.clone()),
            "examples" => into.examples = value.as_array().cloned().unwrap_or_default(),
            "deprecated" => into.deprecated = value == &Value::Bool(true),
            "format" => into.format = text(value),
            "properties" => into.properties = self.properties(value, &at),
            "required" => into.required = names(value),
            "additionalProperties" => into.additional = Some(parse(value, &at, self.diagnostics)),
            "unevaluatedProperties" => {
                into.unevaluated_properties = Some(parse(value, &at, self.diagnostics));
            }
            "unevaluatedItems" => {
                into.unevaluated_items = Some(parse(value, &at, self.diagnostics))
            }
            "items" => into.items = Some(parse(value, &at, self.diagnostics)),
            "allOf" => into.all_of = self.schemas(value, &at),
            "anyOf" => into.any_of = self.schemas(value, &at),
            "oneOf" => into.one_of = self.schemas(value, &at),
            "discriminator" => into.discriminator = discriminator(value),
            "minLength" => into.min_length = count(value),
            "maxLength" => into.max_length = count(value),
            "pattern" => into.pattern = text(value),
            "minimum" => into.minimum = number(value),
            "maximum" => into.maximum = number(value),
            "exclusiveMinimum" => into.exclusive_minimum = number(value),
            "exclusiveMaximum" => into.exclusive_maximum = number(value),
            "multipleOf" => into.multiple_of = number(value),
            "minItems" => into.min_items = count(value),
            "maxItems" => into.max_items = count(value),
            "uniqueItems" => into.unique_items = value == &Value::Bool(true),
            "minProperties" => into.min_properties = count(value),
            "maxProperties" => into.max_properties = count(value),
            other => {
                if let Some(foreign) = FOREIGN.iter().find(|known| **known == other) {
                    into.foreign.get_or_insert(foreign);
                }
            }
        }
    }

    fn schemas<'a>(&mut self, value: &'a Value, at: &Pointer) -> Vec<Schema<'a>> {
        let indexed = value.as_array().into_iter().flatten().enumerate();
        indexed
            .map(|(i, item)| parse(item, &at.child(i.to_string()), self.diagnostics))
            .collect()
    }

    fn properties<'a>(&mut self, value: &'a Value, at: &Pointer) -> Vec<(String, Schema<'a>)> {
        let members = value.as_object().into_iter().flatten();
        let parsed = members.map(|(name, schema)| {
            (
                name.clone(),
                parse(schema, &at.child(name), self.diagnostics),
            )
        });
        parsed.collect()
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn count(value: &Value) -> Option<u64> {
    let whole = |number: &f64| *number >= 0.0 && number.fract() == 0.0;
    let float = || value.as_f64().filter(whole).map(|number| number as u64);
    value.as_u64().or_else(float)
}

fn number(value: &Value) -> Option<Value> {
    value.is_number().then(|| value.clone())
}

fn names(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.filter_map(text).collect()
}

fn types(value: &Value) -> Vec<JsonType> {
    let names = match value {
        Value::Array(names) => names.as_slice(),
        other => std::slice::from_ref(other),
    };
    let mut types = Vec::new();
    for named in names
        .iter()
        .filter_map(|name| JsonType::named(name.as_str()?))
    {
        if !types.contains(&named) {
            types.push(named);
        }
    }
    types
}

fn discriminator(value: &Value) -> Option<Discriminator> {
    let property = value.get("propertyName").and_then(Value::as_str)?;
    let mapping = value.get("mapping").and_then(Value::as_object);
    let mapping = mapping.into_iter().flatten();
    let mapping = mapping.filter_map(|(tag, key)| Some((tag.clone(), key.as_str()?.to_owned())));
    Some(Discriminator {
        property: property.to_owned(),
        mapping: mapping.collect(),
        default: value
            .get("defaultMapping")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

impl Keywords<'_> {
    /// Replaces `unevaluated…` by `additionalProperties` and `items`, which mean the same if no other
    /// schema evaluates members or items of the value.
    fn settle_unevaluated(&mut self) {
        let alone = self.reference.is_none() && self.all_of.is_empty();
        let plain = self.one_of.is_empty() && self.any_of.is_empty();
        if self.unevaluated_properties.is_none() && self.unevaluated_items.is_none() {
            return;
        }
        if !plain {
            self.foreign.get_or_insert("unevaluatedProperties");
        } else if alone && self.foreign.is_none() {
            self.take_unevaluated();
        }
    }

    /// Replaces `unevaluated…` by `additionalProperties` and `items`; every schema that evaluates the
    /// value has been joined into this one.
    pub(crate) fn take_unevaluated(&mut self) {
        let properties = self.unevaluated_properties.take();
        self.additional = self.additional.take().or(properties);
        let items = self.unevaluated_items.take();
        self.items = self.items.take().or(items);
    }
}

#[cfg(test)]
mod tests {
    use super::check_keyword;
    use crate::diagnostic::Diagnostics;
    use crate::source::Pointer;
    use json_schema::keyword::KEYWORDS;

    #[test]
    fn every_keyword_of_the_table_is_known() {
        for keyword in KEYWORDS {
            let mut diagnostics = Diagnostics::default();
            check_keyword(keyword.name, &Pointer::default(), &mut diagnostics);
            assert!(diagnostics.is_empty(), "{}", keyword.name);
        }
    }
}
