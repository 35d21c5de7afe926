//! The schemas of the contract, and the names of types for readers.

use serde_json::Value;

use super::{at, items, members, text};
use crate::docs::markdown;

/// A named schema.
#[derive(Debug)]
pub(in crate::docs) struct Schema {
    pub(in crate::docs) name: String,
    /// As HTML.
    pub(in crate::docs) description: String,
    /// The description in Markdown, as in the contract.
    pub(in crate::docs) markdown: String,
    pub(in crate::docs) members: Vec<Member>,
    /// Its type, where it has no members.
    pub(in crate::docs) type_name: Option<TypeName>,
}

/// A member of an object.
#[derive(Debug)]
pub(in crate::docs) struct Member {
    pub(in crate::docs) name: String,
    pub(in crate::docs) type_name: TypeName,
    pub(in crate::docs) is_required: bool,
    /// Description, bounds and default in HTML.
    pub(in crate::docs) description: String,
}

/// The name of a type for readers; its words may be names of schemas.
#[derive(Debug, Clone, Default)]
pub(in crate::docs) struct TypeName(pub(in crate::docs) Vec<Word>);

/// A part of the name of a type.
#[derive(Debug, Clone)]
pub(in crate::docs) struct Word {
    pub(in crate::docs) text: String,
    /// Whether it is the name of a schema.
    pub(in crate::docs) is_schema: bool,
}

/// The schemas of a document.
pub(super) fn all(document: &Value) -> Vec<Schema> {
    let schemas = members(at(document, "/components/schemas"));
    let mut schemas: Vec<_> = schemas.map(|(name, schema)| named(name, schema)).collect();
    schemas.sort_by(|one, other| one.name.cmp(&other.name));
    schemas
}

fn named(name: &str, schema: &Value) -> Schema {
    let required: Vec<_> = items(&schema["required"]).map(text).collect();
    let members: Vec<_> = members(&schema["properties"])
        .map(|(name, member)| Member {
            name: name.clone(),
            type_name: TypeName::of(member),
            is_required: required.contains(name),
            description: described(&member["description"], member, &member["default"]),
        })
        .collect();
    let markdown = text(&schema["description"]);
    Schema {
        name: name.to_owned(),
        description: markdown::html(&markdown),
        markdown,
        type_name: members.is_empty().then(|| TypeName::of(schema)),
        members,
    }
}

/// The description of a value with its bounds and its default, in HTML.
pub(super) fn described(description: &Value, schema: &Value, default: &Value) -> String {
    let bounds = bounds(schema, default);
    let description = text(description);
    markdown::html(&match bounds.is_empty() {
        true => description,
        false => format!("{description} {}.", bounds.join(", ")),
    })
}

/// The bounds of a value and its default, each as a phrase.
fn bounds(schema: &Value, default: &Value) -> Vec<String> {
    let mut bounds = Vec::new();
    let mut range = |least: &str, most: &str, unit: &str| match (&schema[least], &schema[most]) {
        (Value::Null, Value::Null) => {}
        (least, Value::Null) => bounds.push(format!("At least {least}{unit}")),
        (Value::Null, most) => bounds.push(format!("At most {most}{unit}")),
        (least, most) => bounds.push(format!("{least} to {most}{unit}")),
    };
    range("minimum", "maximum", "");
    range("minLength", "maxLength", " characters");
    range("minItems", "maxItems", " items");
    if !default.is_null() {
        bounds.push(format!("Default: `{}`", plain(default)));
    }
    bounds
}

/// A value without the quotes of a text.
fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

impl Schema {
    /// The first sentence of its description, without Markdown.
    pub(in crate::docs) fn summary(&self) -> String {
        let text = self.markdown.replace('`', "").replace('\n', " ");
        let end = text.find(". ").map_or(text.len(), |at| at + 1);
        text.get(..end).unwrap_or_default().to_owned()
    }

    /// The types that it names.
    pub(super) fn type_names(&self) -> impl Iterator<Item = &TypeName> {
        let members = self.members.iter().map(|member| &member.type_name);
        members.chain(&self.type_name)
    }
}

impl TypeName {
    /// The names of schemas in it.
    pub(super) fn schemas(&self) -> impl Iterator<Item = &str> {
        let schemas = self.0.iter().filter(|word| word.is_schema);
        schemas.map(|word| word.text.as_str())
    }

    /// The name of a schema's type.
    pub(super) fn of(schema: &Value) -> TypeName {
        if let Some(reference) = schema["$ref"].as_str() {
            let name = reference.rsplit('/').next().unwrap_or_default();
            return TypeName(vec![Word {
                text: name.to_owned(),
                is_schema: true,
            }]);
        }
        for alternatives in ["oneOf", "anyOf"] {
            if let Some(schemas) = schema[alternatives].as_array() {
                return joined(schemas.iter().map(TypeName::of), " or ");
            }
        }
        if let Some(schemas) = schema["allOf"].as_array() {
            return joined(schemas.iter().map(TypeName::of), " and ");
        }
        if let Some(values) = schema["enum"].as_array() {
            return joined(values.iter().map(|value| word(&plain(value))), ", ");
        }
        if !schema["const"].is_null() {
            return word(&plain(&schema["const"]));
        }
        let types: Vec<_> = match &schema["type"] {
            Value::Array(types) => types.iter().map(text).collect(),
            Value::String(one) => vec![one.clone()],
            _ => Vec::new(),
        };
        joined(types.iter().map(|name| simple(name, schema)), " or ")
    }
}

/// A type that is no reference and no alternative.
fn simple(name: &str, schema: &Value) -> TypeName {
    if name == "array" {
        let mut list = word("list of ");
        list.0.extend(TypeName::of(&schema["items"]).0);
        return list;
    }
    match (name, schema["format"].as_str()) {
        ("string", Some(format)) => word(&format!("{name} ({format})")),
        _ => word(name),
    }
}

fn word(text: &str) -> TypeName {
    TypeName(vec![Word {
        text: text.to_owned(),
        is_schema: false,
    }])
}

fn joined(names: impl Iterator<Item = TypeName>, delimiter: &str) -> TypeName {
    let mut all = TypeName::default();
    for name in names {
        if !all.0.is_empty() {
            all.0.extend(word(delimiter).0);
        }
        all.0.extend(name.0);
    }
    all
}
