//! The Postman collection (format v2.1.0) and the environment that belongs to it.
//!
//! Requests are made of the contract: values are its examples, defaults and constants, and ids are derived from
//! operationIds. Made up are required values that the contract lacks ([`made_up`]), and requests that must be
//! refused ([`refusals`]). Scripts check the answers ([`script`]), and hand created ids to later requests
//! ([`chain`]). The same contract always gives the same bytes, and an edit changes only its own part. The
//! descriptions contain the parts of the contract for which Postman has no place.

mod auth;
mod body;
mod chain;
mod cookies;
mod describe;
mod environment;
mod format;
mod identity;
mod lowered;
mod made_up;
mod refusals;
mod request;
mod responses;
mod sample;
mod script;
mod sequence;
mod style;
#[cfg(test)]
mod tests;
mod url;
mod variables;

pub(crate) use environment::environment;

use crate::ir::{Api, Operation, Section};
use chain::Chain;
use format::{Collection, Description, Entry, Folder, Info, Item, SCHEMA};
use identity::Identity;
use lowered::Lowered;
use made_up::MadeUp;
use variables::Variables;

/// The input for printing one request: the contract, and the decisions for all requests.
struct Context<'a> {
    api: &'a Api,
    identity: Identity,
    variables: Variables,
    chain: Chain,
    made_up: MadeUp<'a>,
}

impl Context<'_> {
    fn new(api: &Api) -> Context<'_> {
        let chain = Chain::new(api);
        Context {
            api,
            identity: Identity::new(api),
            variables: Variables::new(api, &chain),
            chain,
            made_up: MadeUp::new(api),
        }
    }
}

/// The collection: a folder per tag, every operation once, in the folder of its first tag, and a
/// folder of requests that must be refused. Scripts check every answer.
pub(crate) fn collection(api: &Api) -> Collection {
    let context = Context::new(api);
    let lowered = script::lowered(&context);
    let folders = api.sections.iter();
    let mut item: Vec<_> = folders.map(|s| folder(&context, &lowered, s)).collect();
    item.extend(refusals::folder(&context, &lowered));
    Collection {
        info: Info {
            postman_id: context.identity.id("collection"),
            name: api.title.clone(),
            description: describe::collection(api),
            schema: SCHEMA,
        },
        item,
        event: vec![script::shared(&lowered)],
        auth: auth::of_collection(&context),
        variable: context.variables.of_collection(),
    }
}

/// The folder of a tag: its operations, and the folders of the tags below it.
fn folder(context: &Context<'_>, lowered: &Lowered, section: &Section) -> Folder {
    let group = section
        .group
        .and_then(|index| context.api.groups.get(index));
    let members = group.iter().flat_map(|group| &group.operations);
    let operations = members.filter_map(|index| context.api.operations.get(*index));
    let mut operations: Vec<_> = operations.filter(|operation| operation.served).collect();
    // A resource must be read before it is deleted, and created before it is read.
    operations.sort_by_key(|operation| match operation.method.as_str() {
        "POST" => 0,
        "DELETE" => 2,
        _ => 1,
    });
    let items = operations.into_iter().map(|o| item(context, lowered, o));
    let folders = section.sections.iter();
    let folders = folders.map(|section| Entry::Folder(folder(context, lowered, section)));
    Folder {
        id: context.identity.id(&format!("folder {}", section.tag)),
        name: section.title.clone(),
        description: Description(section.doc.clone()),
        item: items.map(Entry::from).chain(folders).collect(),
    }
}

fn item(context: &Context<'_>, lowered: &Lowered, operation: &Operation) -> Item {
    let request = request::request(context, operation);
    let name = if operation.summary.is_empty() {
        &operation.id
    } else {
        &operation.summary
    };
    Item {
        id: context.identity.id(&format!("request {}", operation.id)),
        name: name.clone(),
        event: script::of_success(context, lowered, operation),
        response: responses::saved(context, operation, &request),
        request,
    }
}
