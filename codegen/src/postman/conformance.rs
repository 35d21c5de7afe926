//! The collection for tests: every operation, and requests that the server must reject. Scripts check each
//! response against the contract.
//!
//! Requests do not depend on what lists contain, so that a test can run a few of them.

mod created;
mod rejections;
mod schemas;
mod script;

use super::format::{Collection, Description, Info, Item, SCHEMA};
use super::{Context, auth, describe, folder, request};
use crate::ir::{Api, Operation};
use schemas::Lowered;

/// The conformance collection of a contract: a folder per tag, and one with the [`rejections`].
pub(crate) fn conformance(api: &Api) -> Collection {
    let mut context = Context::new(api, "conformance");
    context.chain = created::chain(api, &mut context.variables);
    let lowered = script::lowered(&context);
    let requests = |operations: &[&Operation]| {
        let sorted = sorted(operations).into_iter();
        sorted.map(|one| item(&context, &lowered, one)).collect()
    };
    let sections = api.sections.iter();
    let mut folders: Vec<_> = sections.map(|it| folder(&context, it, &requests)).collect();
    folders.extend(rejections::folder(&context, &lowered));
    Collection {
        info: Info {
            postman_id: context.identity.id("collection"),
            name: format!("{}: conformance", api.title),
            description: Description(format!("Tests a server of version {}.", api.version)),
            schema: SCHEMA,
        },
        item: folders,
        event: vec![script::shared(&lowered)],
        auth: auth::of_collection(&context),
        variable: context.variables.of_collection(api, &context.chain),
    }
}

/// The operations in an order in which a resource is created before it is read, and read before it is deleted.
fn sorted<'a>(operations: &[&'a Operation]) -> Vec<&'a Operation> {
    let mut sorted = operations.to_vec();
    sorted.sort_by_key(|operation| match operation.method.as_str() {
        "POST" => 0,
        "DELETE" => 2,
        _ => 1,
    });
    sorted
}

fn item(context: &Context<'_>, lowered: &Lowered, operation: &Operation) -> Item {
    Item {
        id: context.identity.id(&format!("request {}", operation.id)),
        name: describe::title(operation).to_owned(),
        event: script::of_success(context, lowered, operation),
        request: request::request(context, operation).as_sent(),
        response: Vec::new(),
    }
}
