//! The ids of created resources, which links give to later requests (OpenAPI 3.1.1 §4.8.20).
//!
//! Links of reads are not followed: a test must neither delete nor depend on the first item of a list.

use super::super::chain::{Chain, body_pointer, expression, operation};
use super::super::variables::Variables;
use crate::ir::Api;

/// The links from the responses to `POST` to parameters in paths.
pub(super) fn chain(api: &Api, variables: &mut Variables) -> Chain {
    let mut chain = Chain::default();
    for source in api.operations.iter().filter(|it| it.method == "POST") {
        for link in source.responses.iter().flat_map(|response| &response.links) {
            let id = link.operation_id.as_deref().unwrap_or_default();
            let Some(target) = operation(api, id) else {
                continue;
            };
            for param in &target.path_params {
                let name = &param.field.wire;
                let Some(pointer) = expression(link, param).and_then(body_pointer) else {
                    continue;
                };
                if chain.used_by(target, name).is_none() {
                    let variable = || variables.claim(&format!("{}.{name}", source.id));
                    let stored = chain.store(source, pointer, variable);
                    chain.use_in(target, name, stored);
                }
            }
        }
    }
    chain
}
