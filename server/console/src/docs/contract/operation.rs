//! The operations of the contract: parameters, bodies, samples and responses.

use serde_json::Value;

use super::schema::{TypeName, described};
use super::{at, items, members, resolved, text};
use crate::docs::markdown;

#[derive(Debug, Clone)]
pub(in crate::docs) struct Operation {
    /// Its `operationId`, which is also its page below `/docs/reference/`.
    pub(in crate::docs) id: String,
    pub(in crate::docs) tag: String,
    /// In upper case.
    pub(in crate::docs) method: String,
    pub(in crate::docs) path: String,
    pub(in crate::docs) summary: String,
    /// The description in Markdown, as in the contract.
    pub(in crate::docs) markdown: String,
    /// The description in HTML.
    pub(in crate::docs) description: String,
    pub(in crate::docs) key: KeyUse,
    pub(in crate::docs) parameters: Vec<Parameter>,
    pub(in crate::docs) body: Option<TypeName>,
    pub(in crate::docs) samples: Vec<Sample>,
    pub(in crate::docs) answers: Vec<Answer>,
}

/// Whether an operation takes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::docs) enum KeyUse {
    None,
    Optional,
    Required,
}

#[derive(Debug, Clone)]
pub(in crate::docs) struct Parameter {
    pub(in crate::docs) name: String,
    /// `path`, `query` or `header`.
    pub(in crate::docs) location: String,
    pub(in crate::docs) type_name: TypeName,
    pub(in crate::docs) is_required: bool,
    /// Description, bounds and default in HTML.
    pub(in crate::docs) description: String,
}

/// A program that calls the operation.
#[derive(Debug, Clone)]
pub(in crate::docs) struct Sample {
    pub(in crate::docs) label: String,
    /// The language in lower case.
    pub(in crate::docs) language: String,
    pub(in crate::docs) source: String,
}

#[derive(Debug, Clone)]
pub(in crate::docs) struct Answer {
    pub(in crate::docs) status: String,
    /// As HTML.
    pub(in crate::docs) description: String,
    pub(in crate::docs) type_name: Option<TypeName>,
    /// Its first example.
    pub(in crate::docs) example: Option<String>,
}

/// The operations of a document.
pub(super) fn all(document: &Value) -> Vec<Operation> {
    let paths = members(at(document, "/paths"));
    let operations = paths.flat_map(|(path, item)| {
        members(item).map(move |(method, operation)| one(document, path, method, operation))
    });
    operations.collect()
}

fn one(document: &Value, path: &str, method: &str, operation: &Value) -> Operation {
    let parameters = items(&operation["parameters"]).map(|it| parameter(document, it));
    let body = resolved(document, &operation["requestBody"]);
    let body = members(&body["content"]).next();
    let markdown = text(&operation["description"]);
    Operation {
        id: text(&operation["operationId"]),
        tag: text(at(operation, "/tags/0")),
        method: method.to_ascii_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        description: markdown::html(&markdown),
        markdown,
        key: key_use(
            operation
                .get("security")
                .unwrap_or(at(document, "/security")),
        ),
        parameters: parameters.collect(),
        body: body.map(|(_, media)| TypeName::of(&media["schema"])),
        samples: items(&operation["x-codeSamples"]).map(sample).collect(),
        answers: members(&operation["responses"])
            .map(|(status, answer)| self::answer(document, status, answer))
            .collect(),
    }
}

fn key_use(security: &Value) -> KeyUse {
    let alternatives: Vec<_> = items(security).filter_map(Value::as_object).collect();
    match alternatives.iter().any(|schemes| schemes.is_empty()) {
        _ if alternatives.is_empty() => KeyUse::None,
        true => KeyUse::Optional,
        false => KeyUse::Required,
    }
}

fn parameter(document: &Value, parameter: &Value) -> Parameter {
    let parameter = resolved(document, parameter);
    let schema = &parameter["schema"];
    Parameter {
        name: text(&parameter["name"]),
        location: text(&parameter["in"]),
        type_name: TypeName::of(schema),
        is_required: parameter["required"] == true,
        description: described(
            &parameter["description"],
            resolved(document, schema),
            &schema["default"],
        ),
    }
}

fn sample(sample: &Value) -> Sample {
    Sample {
        label: text(&sample["label"]),
        language: text(&sample["lang"]).to_ascii_lowercase(),
        source: text(&sample["source"]),
    }
}

fn answer(document: &Value, status: &str, answer: &Value) -> Answer {
    let answer = resolved(document, answer);
    let media = members(&answer["content"]).next();
    let example = media.and_then(|(_, media)| members(&media["examples"]).next());
    let example = example.map(|(_, example)| &resolved(document, example)["value"]);
    Answer {
        status: status.to_owned(),
        description: markdown::html(&text(&answer["description"])),
        type_name: media.map(|(_, media)| TypeName::of(&media["schema"])),
        example: example.map(|value| match value {
            Value::String(text) => text.clone(),
            value => format!("{value:#}"),
        }),
    }
}
