//! Values that the document itself gives: examples, defaults, constants and choices. None is made up.

use super::{Api, Content, Example, Media, Operation, Param, Scheme, SchemeKind, Security};
use json_schema::reference::key_in;
use serde_json::Value;

/// How many references are followed to a value; this ends cycles.
const MAX_REFERENCES: usize = 16;

/// A request with the arguments that an operation requires and no others, of the document's own values.
#[derive(Debug)]
pub struct ExampleRequest<'a> {
    /// The operation.
    pub operation: &'a Operation,
    /// The required parameters with their values, those in the path first.
    pub params: Vec<(&'a Param, Value)>,
    /// The body with its media type, if one is required.
    pub body: Option<(&'a Media, Value)>,
    /// The schemes whose credentials are required.
    pub schemes: Vec<&'a Scheme>,
}

impl Api {
    /// The value of a parameter: its first example, else its default or its schema's value.
    pub fn example_of_param(&self, param: &Param) -> Option<Value> {
        first(&param.examples)
            .or_else(|| param.default.clone())
            .or_else(|| self.example_of_schema(&param.schema))
    }

    /// A value in the schema of a key: an example, a default, a constant or a choice.
    pub fn example_of_schema(&self, key: &str) -> Option<Value> {
        let mut key = key.to_owned();
        for _ in 0..MAX_REFERENCES {
            let schema = self.schemas.get(&key)?;
            if let Some(value) = named_by(schema) {
                return Some(value.clone());
            }
            key = key_in(schema)?;
        }
        None
    }

    /// The shortest request of an operation; `None` where the document lacks a value that it requires,
    /// or where its body is made of files or a stream.
    pub fn example_request<'a>(&'a self, operation: &'a Operation) -> Option<ExampleRequest<'a>> {
        if operation.raw {
            return None;
        }
        let required = operation.all_params().filter(|param| param.field.required);
        let params = required.map(|param| Some((param, self.example_of_param(param)?)));
        let body = operation.body.as_ref().filter(|body| body.required);
        let body = match body {
            Some(body) => Some(self.example_body(body.preferred()?)?),
            None => None,
        };
        Some(ExampleRequest {
            operation,
            params: params.collect::<Option<_>>()?,
            body,
            schemes: self.example_schemes(operation)?,
        })
    }

    fn example_body<'a>(&self, media: &'a Media) -> Option<(&'a Media, Value)> {
        let key = match &media.content {
            Content::Json(_, key) | Content::Form(_, key, _) | Content::Scalar(_, key) => Some(key),
            Content::Text => None,
            _ => return None,
        };
        let value = first(&media.examples).or_else(|| self.example_of_schema(key?))?;
        Some((media, value))
    }

    /// The schemes of the first alternative of a requirement; `None` where one cannot be written.
    fn example_schemes(&self, operation: &Operation) -> Option<Vec<&Scheme>> {
        if !matches!(operation.security, Security::Required(_)) {
            return Some(Vec::new());
        }
        let all = operation.requirements.first()?.iter();
        let schemes = all.map(|(name, _)| {
            let scheme = self.schemes.iter().find(|scheme| scheme.wire == *name)?;
            let is_written = !matches!(scheme.kind, SchemeKind::MutualTls | SchemeKind::Unknown);
            is_written.then_some(scheme)
        });
        schemes.collect()
    }
}

/// The value of the first example.
pub(crate) fn first(examples: &[Example]) -> Option<Value> {
    examples.first().map(|example| example.value.clone())
}

fn named_by(schema: &Value) -> Option<&Value> {
    let first_of = |keyword: &str| schema.get(keyword)?.as_array()?.first();
    first_of("examples")
        .or_else(|| schema.get("example"))
        .or_else(|| schema.get("default"))
        .or_else(|| schema.get("const"))
        .or_else(|| first_of("enum"))
}
