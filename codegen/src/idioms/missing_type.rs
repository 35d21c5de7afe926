//! A schema of a value without `type`, whose keywords are all about one type.
//!
//! By the letter, values of all other types are valid, whatever they are. The author means the type of the
//! keywords. Seen: DigitalOcean (objects with `properties`), hand-written documents of OpenAPI 3.0.
//!
//! A schema that constrains a value beside others has no type for a reason: a part of `allOf`, a variant, what is in
//! `if`, `not` or `contains`, and a property there of which another part says more. So only schemas in the position
//! of a value have this idiom.

use super::{Idiom, Known, Members, Report, list};
use crate::diagnostic::Code;
use crate::schema::is_annotation;
use json_schema::keyword::{Keyword, Subschemas, subschemas};
use json_schema::reference::key_of_reference;
use json_schema::types::Types;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: true,
    values_alone: true,
    report: Some(Report {
        code: Code::MissingType,
        message: "this schema has no `type`, so that values of all types that its keywords are not about are valid",
        help: "add the `type` of the keywords: `type: object` beside `properties`, `type: array` beside `items`",
        meaning: "it has the type of its keywords",
    }),
};

fn rewrite(members: &mut Members, _: &Known<'_>) -> bool {
    let Some(ty) = implied(members) else {
        return false;
    };
    members.shift_insert(0, "type".into(), ty.into());
    true
}

/// The type that all keywords of a schema are about.
fn implied(members: &Members) -> Option<&'static str> {
    if members.contains_key("type") {
        return None;
    }
    let mut about: Option<Types> = None;
    for (name, operand) in members {
        let types = match name.as_str() {
            "format" => of_format(operand.as_str()?),
            "discriminator" => Types::OBJECT,
            "nullable" => continue,
            name if is_annotation(name) => continue,
            name => Keyword::named(name)?.applies_to,
        };
        if types == Types::ALL {
            return None;
        }
        about = Some(about.map_or(types, |known| known.intersection(types)));
    }
    let about = about?;
    let name = match about {
        Types::OBJECT => "object",
        Types::ARRAY => "array",
        Types::STRING => "string",
        Types::INTEGER => "integer",
        Types::NUMBER => "number",
        _ => return None,
    };
    let examples = list(members, "examples").iter();
    let values = ["default", "example"]
        .iter()
        .filter_map(|it| members.get(*it));
    let mut shown = values.chain(examples).filter(|value| !value.is_null());
    shown
        .all(|value| about.contains(type_of(value)))
        .then_some(name)
}

fn of_format(format: &str) -> Types {
    match format {
        "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64" => {
            Types::INTEGER
        }
        "float" | "double" | "decimal" => Types::NUMBER,
        _ => Types::STRING,
    }
}

fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(number) if number.is_f64() => Types::NUMBER,
        Value::Number(_) => Types::INTEGER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}

/// What the position of a schema says of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Position {
    /// It is all that is said of a value.
    Value,
    /// It is one of several schemas of a value, of whose properties the others declare these.
    Part(BTreeSet<String>),
    /// It tells values apart, or constrains some.
    Condition,
}

impl Position {
    /// The position of a schema inside one in this position, in the operand of a keyword, at this token there.
    pub(super) fn inside(
        &self,
        members: &Members,
        keyword: &str,
        token: Option<&str>,
        known: &Known<'_>,
    ) -> Position {
        match (self, keyword) {
            (Position::Condition, _) => Position::Condition,
            (_, "allOf" | "anyOf" | "oneOf") => {
                let mut names = match self {
                    Position::Part(names) => names.clone(),
                    _ => BTreeSet::new(),
                };
                names.extend(declared_beside(members, keyword, token, known));
                Position::Part(names)
            }
            (Position::Part(names), "properties") => match token {
                Some(name) if !names.contains(name) => Position::Value,
                _ => Position::Condition,
            },
            (
                Position::Value,
                "properties"
                | "patternProperties"
                | "additionalProperties"
                | "items"
                | "prefixItems",
            ) => Position::Value,
            _ => Position::Condition,
        }
    }
}

/// The names of the properties that a schema declares, but for those of one of its parts or variants.
fn declared_beside(
    members: &Members,
    keyword: &str,
    token: Option<&str>,
    known: &Known<'_>,
) -> BTreeSet<String> {
    let mut names = own_names(members);
    for list in ["allOf", "anyOf", "oneOf"] {
        // Variants exclude each other.
        if list == keyword && list != "allOf" {
            continue;
        }
        for (index, part) in self::list(members, list).iter().enumerate() {
            let is_it = list == keyword && token == Some(index.to_string().as_str());
            if let Some(part) = part.as_object().filter(|_| !is_it) {
                collect(part, known, &mut names);
            }
        }
    }
    names
}

fn own_names(members: &Members) -> BTreeSet<String> {
    let own = members.get("properties").and_then(Value::as_object);
    own.into_iter()
        .flatten()
        .map(|(name, _)| name.clone())
        .collect()
}

/// Adds the names of the properties that a schema declares, with its parts and variants.
fn collect(members: &Members, known: &Known<'_>, names: &mut BTreeSet<String>) {
    names.extend(own_names(members));
    for keyword in ["allOf", "anyOf", "oneOf"] {
        for part in list(members, keyword).iter().filter_map(Value::as_object) {
            collect(part, known, names);
        }
    }
    known.follow(members, |target| collect(target, known, names));
}

/// The positions of schemas that have keys: those of values, unless others refer to them as parts or conditions
/// alone. A part that is an object is one wherever it is.
pub(super) fn positions(
    schemas: &Members,
    place: impl Fn(&str) -> Vec<String>,
) -> BTreeMap<String, Position> {
    let mut conditions = BTreeSet::new();
    let mut parts = BTreeSet::new();
    let known = Known::new(schemas);
    for (key, schema) in schemas {
        let position = of_place(&place(key));
        visit(
            schema,
            &position,
            &known,
            &mut |key, position| match position {
                Position::Condition => _ = conditions.insert(key),
                Position::Part(_) => _ = parts.insert(key),
                Position::Value => {}
            },
        );
    }
    let positions = schemas.iter().map(|(key, schema)| {
        let is_object = || schema.as_object().and_then(implied) == Some("object");
        let is_value = !conditions.contains(key) && (!parts.contains(key) || is_object());
        let position = match is_value {
            true => of_place(&place(key)),
            false => Position::Condition,
        };
        (key.clone(), position)
    });
    positions.collect()
}

/// The position of a schema by the tokens of its place in the document.
fn of_place(tokens: &[String]) -> Position {
    let mut last = tokens.iter().rev();
    let (last, before) = (last.next(), last.next());
    let is = |token: Option<&String>, names: &[&str]| {
        token.is_some_and(|token| names.contains(&token.as_str()))
    };
    let holders = [
        "properties",
        "patternProperties",
        "prefixItems",
        "schemas",
        "$defs",
        "definitions",
    ];
    let single = ["schema", "itemSchema", "items", "additionalProperties"];
    match tokens.len() < 3 || is(before, &holders) || is(last, &single) {
        true => Position::Value,
        false => Position::Condition,
    }
}

/// Visits the references in a schema, each with its position.
fn visit(
    schema: &Value,
    position: &Position,
    known: &Known<'_>,
    found: &mut impl FnMut(String, &Position),
) {
    let Some(members) = schema.as_object() else {
        return;
    };
    let key = members.get("$ref").and_then(Value::as_str);
    if let Some(key) = key.and_then(key_of_reference) {
        found(key, position);
    }
    for (keyword, operand) in members {
        known.followed.set(0);
        let mut inside = |token: Option<&str>, inner: &Value| {
            if inner.is_object() {
                let position = position.inside(members, keyword, token, known);
                visit(inner, &position, known, found);
            }
        };
        match (subschemas(keyword), operand) {
            (Subschemas::One, inner) => inside(None, inner),
            (Subschemas::ByName, Value::Object(all)) => {
                all.iter()
                    .for_each(|(name, inner)| inside(Some(name), inner));
            }
            (Subschemas::List, Value::Array(all)) => {
                let all = all.iter().enumerate();
                all.for_each(|(index, inner)| inside(Some(&index.to_string()), inner));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::implied;
    use serde_json::{Value, json};

    #[test]
    fn a_type_is_implied_where_all_keywords_are_about_it() {
        for (schema, expected) in [
            (
                json!({ "properties": {}, "required": ["a"], "title": "A" }),
                Some("object"),
            ),
            (
                json!({ "additionalProperties": { "type": "string" }, "x-a": 1 }),
                Some("object"),
            ),
            (json!({ "items": {}, "example": [1] }), Some("array")),
            (json!({ "minLength": 1, "format": "email" }), Some("string")),
            (json!({ "format": "date-time" }), Some("string")),
            (
                json!({ "format": "int32", "minimum": 1, "default": 3 }),
                Some("integer"),
            ),
            (json!({ "maximum": 1.5, "example": 1 }), Some("number")),
            (
                json!({ "nullable": true, "properties": {}, "example": null }),
                Some("object"),
            ),
            // Nothing is said, or of several types, or of values.
            (json!({ "description": "Anything." }), None),
            (json!({ "minLength": 1, "minimum": 1 }), None),
            (json!({ "properties": {}, "items": {} }), None),
            (json!({ "enum": ["a"], "minLength": 1 }), None),
            (json!({ "properties": {}, "anyOf": [{}] }), None),
            (json!({ "$ref": "#/A", "minLength": 1 }), None),
            (json!({ "type": "string", "minLength": 1 }), None),
            // Its author knows values of another type.
            (json!({ "minLength": 1, "default": 5 }), None),
            (json!({ "properties": {}, "examples": [{}, "a"] }), None),
            (json!({ "format": "int64", "example": "5" }), None),
        ] {
            let Value::Object(members) = &schema else {
                continue;
            };
            assert_eq!(implied(members), expected, "{schema}");
        }
    }
}
