//! The parts of the probed contract that requests are made of.

use serde_json::{Map, Value};

/// The place of a value in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Path,
    Query,
    Header,
    Cookie,
    Json,
    Form,
    Multipart,
}

impl Place {
    /// The name that violations give to the place.
    pub(super) fn name(self) -> &'static str {
        match self {
            Place::Path => "path",
            Place::Query => "query",
            Place::Header => "header",
            Place::Cookie => "cookie",
            Place::Json | Place::Form | Place::Multipart => "body",
        }
    }
}

/// A parameter, or the body.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) style: String,
    pub(super) explode: bool,
    pub(super) required: bool,
    pub(super) schema: Value,
    pub(super) example: Value,
}

impl Field {
    /// Whether its value is written as JSON rather than as text.
    pub(super) fn is_json(&self) -> bool {
        self.place == Place::Json || self.style == "json"
    }

    pub(super) fn is_body(&self) -> bool {
        self.place.name() == "body"
    }
}

#[derive(Debug)]
pub(super) struct Operation {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) fields: Vec<Field>,
}

#[derive(Debug)]
pub(super) struct Contract {
    pub(super) operations: Vec<Operation>,
}

impl Contract {
    /// Reads the contract of the probe, which has a part of OpenAPI.
    pub(super) fn read(text: &str) -> Result<Contract, serde_yaml::Error> {
        let document: Value = serde_yaml::from_str(text)?;
        let mut operations = Vec::new();
        for (path, item) in members(&document, "paths") {
            for (method, operation) in item.as_object().into_iter().flatten() {
                operations.push(Operation {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    fields: fields(&document, operation),
                });
            }
        }
        Ok(Contract { operations })
    }
}

fn members<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = (&'v String, &'v Value)> {
    value
        .get(name)
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
}

fn fields(document: &Value, operation: &Value) -> Vec<Field> {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    let parameters = parameters.into_iter().flatten();
    let mut fields: Vec<Field> = parameters.map(|value| parameter(document, value)).collect();
    let body = operation.get("requestBody").unwrap_or(&Value::Null);
    for (media, content) in members(body, "content") {
        let schema = inlined(document, content.get("schema").unwrap_or(&Value::Null));
        fields.push(Field {
            name: String::new(),
            place: match media.as_str() {
                "application/json" => Place::Json,
                "multipart/form-data" => Place::Multipart,
                _ => Place::Form,
            },
            style: String::new(),
            explode: true,
            required: true,
            example: schema.get("example").cloned().unwrap_or_default(),
            schema,
        });
    }
    fields
}

fn parameter(document: &Value, value: &Value) -> Field {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    let place = match text("in") {
        Some("path") => Place::Path,
        Some("header") => Place::Header,
        Some("cookie") => Place::Cookie,
        _ => Place::Query,
    };
    let content = members(value, "content").next();
    let default_style = if matches!(place, Place::Path | Place::Header) {
        "simple"
    } else {
        "form"
    };
    let style = if content.is_some() {
        "json"
    } else {
        text("style").unwrap_or(default_style)
    };
    let schema = content.map_or(&value["schema"], |(_, media)| &media["schema"]);
    Field {
        name: text("name").unwrap_or_default().to_owned(),
        place,
        style: style.to_owned(),
        explode: value
            .get("explode")
            .and_then(Value::as_bool)
            .unwrap_or(style == "form"),
        required: value.get("required") == Some(&Value::Bool(true)),
        schema: inlined(document, schema),
        example: value.get("example").cloned().unwrap_or_default(),
    }
}

/// A schema with the schemas that it refers to in their places; none of them is recursive.
fn inlined(document: &Value, schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                let target = target
                    .strip_prefix('#')
                    .and_then(|path| document.pointer(path));
                return inlined(document, target.unwrap_or(&Value::Null));
            }
            let members = members.iter();
            let members = members.map(|(name, member)| (name.clone(), inlined(document, member)));
            members.collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(|item| inlined(document, item)).collect(),
        _ => schema.clone(),
    }
}
