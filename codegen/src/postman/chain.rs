//! Values of answers for later requests: the ids of created resources.
//!
//! A link (OpenAPI 3.1.1 §4.8.20) from a creation to another operation names the parameter and the place of its
//! value in the answer. Links of reads are not followed: a run must neither delete nor depend on the first item
//! of a list.

use super::script::operation;
use crate::ir::Api;

/// The values that are handed from one request to another.
pub(super) struct Chain(Vec<Kept>);

/// A value that is kept for later requests.
pub(super) struct Kept {
    /// The operation whose answer contains it.
    source: String,
    /// The place in the answer, as a JSON Pointer.
    pub(super) pointer: String,
    /// The variable that holds it.
    pub(super) variable: String,
    /// The operation and path parameter that use it.
    target: (String, String),
}

impl Chain {
    /// The links of all creations to parameters in paths.
    pub(super) fn new(api: &Api) -> Chain {
        let mut kept: Vec<Kept> = Vec::new();
        for source in api
            .operations
            .iter()
            .filter(|source| source.method == "POST")
        {
            for link in source.responses.iter().flat_map(|response| &response.links) {
                let id = link.operation_id.as_deref().unwrap_or_default();
                let Some(target) = operation(api, id) else {
                    continue;
                };
                let names = target.path_params.iter().map(|param| &param.field.wire);
                for name in names {
                    let value = link.parameters.iter().find(|(given, _)| given == name);
                    let text = value.and_then(|(_, value)| value.as_str());
                    let Some(pointer) = text.and_then(|text| text.strip_prefix("$response.body#"))
                    else {
                        continue;
                    };
                    let target = (target.id.clone(), name.clone());
                    if kept.iter().all(|earlier| earlier.target != target) {
                        kept.push(Kept {
                            source: source.id.clone(),
                            pointer: pointer.to_owned(),
                            variable: format!("{}.{name}", target.0),
                            target,
                        });
                    }
                }
            }
        }
        Chain(kept)
    }

    /// The values taken from the answer of an operation.
    pub(super) fn kept_by(&self, operation: &str) -> impl Iterator<Item = &Kept> {
        self.0.iter().filter(move |kept| kept.source == operation)
    }

    /// The variable that a path parameter takes its value from.
    pub(super) fn taken_by(&self, operation: &str, param: &str) -> Option<&str> {
        let mut each = self.0.iter();
        let kept = each.find(|kept| kept.target.0 == operation && kept.target.1 == param)?;
        Some(&kept.variable)
    }

    /// Every variable with the operation and parameter that use it.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        let each = self.0.iter();
        each.map(|kept| {
            (
                kept.variable.as_str(),
                kept.target.0.as_str(),
                kept.target.1.as_str(),
            )
        })
    }
}
