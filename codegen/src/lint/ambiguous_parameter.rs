//! A parameter that takes a value and the list of it alone has one text for both (OpenAPI 3.1.1
//! §4.8.12.3): the list of one is read as its item, which its sender may not have meant.
//!
//! The value that is shown has been checked, alone and as a list. Objects in brackets and JSON tell
//! lists from their items.

use super::Findings;
use super::sample::Sampler;
use super::subject::Subject;
use crate::checker::Schemas;
use crate::document::{Parameter, Style};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let bundle = &subject.document.bundle;
    let schemas = Schemas::parse(&Value::Object(bundle.schemas().clone()).to_string());
    let (mut sampler, mut seen) = (Sampler::new(subject), BTreeSet::new());
    let operations = subject.document.all_operations();
    for parameter in operations.flat_map(|operation| &operation.parameters) {
        let Some(schema) = bundle.get(&parameter.schema).filter(|_| is_text(parameter)) else {
            continue;
        };
        if !seen.insert(parameter.at.as_str().to_owned()) {
            continue;
        }
        let takes = |value: &Value| schemas.is_valid(&parameter.schema, value);
        let both = |value: &&Value| {
            let alone = !value.is_null() && !value.is_object() && takes(value);
            alone && takes(&Value::Array(vec![(*value).clone()]))
        };
        let samples = sampler.samples(schema);
        let parts = samples.iter().flat_map(|sample| match sample {
            Value::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        });
        if let Some(value) = parts.into_iter().find(both) {
            let message = format!("`[{value}]` is written as `{value}` is, and read as that");
            let help = "take a list alone, which may be of one item, or write the value as JSON: \
                        `content: { application/json: { schema } }`";
            found.advise(&parameter.at, message, help);
        }
    }
}

/// Whether lists are told by how many texts there are.
fn is_text(parameter: &Parameter) -> bool {
    !matches!(parameter.style, Style::Json | Style::DeepObject)
}
