//! The collection for people: a folder per tag, one request per operation with its documented examples, and short
//! tests.
//!
//! A run from top to bottom works as a caller would: it creates a resource, uses it and deletes it. [`plan`]
//! decides the order and the values that requests hand on, [`expectation`] what a test checks; the other modules print.

mod expectation;
mod plan;
mod resource;
mod responses;
mod script;

use super::format::{Collection, Info, Item, SCHEMA};
use super::{Context, auth, describe, folder, request};
use crate::ir::{Api, Operation};
use plan::Plan;

/// The collection of a contract for people.
pub(crate) fn collection(api: &Api) -> Collection {
    let mut context = Context::new(api, "collection");
    context.sends_optional_credentials = true;
    let plan = Plan::new(api, &mut context.variables);
    context.chain = plan.chain;
    let requests = |operations: &[&Operation]| {
        let order = plan.order.iter().copied();
        let of_folder = order.filter(|one| operations.iter().any(|it| it.index == one.index));
        of_folder
            .map(|operation| item(&context, operation, &plan.listed))
            .collect()
    };
    let sections = api.sections.iter();
    Collection {
        info: Info {
            postman_id: context.identity.id("collection"),
            name: api.title.clone(),
            description: describe::collection(api, &context.variables.secrets()),
            schema: SCHEMA,
        },
        item: sections.map(|it| folder(&context, it, &requests)).collect(),
        event: Vec::new(),
        auth: auth::of_collection(&context),
        variable: context.variables.of_collection(api, &context.chain),
    }
}

fn item(context: &Context<'_>, operation: &Operation, listed: &[usize]) -> Item {
    let request = request::request(context, operation);
    Item {
        id: context.identity.id(&format!("request {}", operation.id)),
        name: describe::title(operation).to_owned(),
        event: script::events(context, operation, listed),
        response: responses::saved(context, operation, &request),
        request,
    }
}
