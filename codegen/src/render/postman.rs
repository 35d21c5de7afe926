//! The Postman collection (format v2.1.0) and the environment that belongs to it.
//!
//! Everything printed comes from the contract: values are its examples, defaults and constants,
//! never made up, and ids are derived from operationIds. So the same contract gives the same bytes
//! everywhere, and an edit changes no more than what it touches. What Postman cannot say stands in
//! the descriptions.

mod auth;
mod body;
mod cookies;
mod describe;
mod environment;
mod format;
mod identity;
mod request;
mod responses;
mod sample;
mod style;
#[cfg(test)]
mod tests;
mod url;
mod variables;

pub(super) use environment::environment;

use crate::ir::{Api, Group, Operation};
use format::{Collection, Description, Folder, Info, Item, SCHEMA};
use identity::Identity;
use variables::Variables;

/// What the printing of one request reads: the contract and what was decided for all requests.
struct Context<'a> {
    api: &'a Api,
    identity: Identity,
    variables: Variables,
}

impl Context<'_> {
    fn new(api: &Api) -> Context<'_> {
        Context {
            api,
            identity: Identity::new(api),
            variables: Variables::new(api),
        }
    }
}

/// The collection: a folder per tag, and every operation once, in the folder of its first tag.
pub(super) fn collection(api: &Api) -> Collection {
    let context = Context::new(api);
    Collection {
        info: Info {
            postman_id: context.identity.id("collection"),
            name: api.title.clone(),
            description: describe::collection(api),
            schema: SCHEMA,
        },
        item: api.groups.iter().map(|g| folder(&context, g)).collect(),
        auth: auth::of_collection(&context),
        variable: context.variables.of_collection(),
    }
}

fn folder(context: &Context<'_>, group: &Group) -> Folder {
    let members = group.operations.iter();
    let operations = members.filter_map(|index| context.api.operations.get(*index));
    Folder {
        id: context.identity.id(&format!("folder {}", group.tag)),
        name: group.tag.clone(),
        description: Description(group.doc.clone()),
        item: operations.map(|o| item(context, o)).collect(),
    }
}

fn item(context: &Context<'_>, operation: &Operation) -> Item {
    let request = request::request(context, operation);
    let name = if operation.summary.is_empty() {
        &operation.id
    } else {
        &operation.summary
    };
    Item {
        id: context.identity.id(&format!("request {}", operation.id)),
        name: name.clone(),
        response: responses::saved(context, operation, &request),
        request,
    }
}
