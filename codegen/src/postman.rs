//! Postman collections (format v2.1.0) and the environment that belongs to them.
//!
//! [`collection`] is for people, [`conformance`] for tests. Both send the contract's examples, defaults and
//! constants, and required values that the contract lacks are made up ([`made_up`]). The same contract always
//! gives the same bytes, and an edit changes only its own part.

mod auth;
mod body;
mod chain;
mod collection;
mod conformance;
mod cookies;
mod describe;
mod environment;
mod fields;
mod format;
mod identity;
mod made_up;
mod request;
mod sample;
mod sequence;
mod style;
#[cfg(test)]
mod tests;
mod url;
mod variables;

pub(crate) use collection::collection;
pub(crate) use conformance::conformance;
pub(crate) use environment::environment;

use crate::ir::{Api, Operation, Section, Security};
use chain::Chain;
use format::{Description, Entry, Folder, Item};
use identity::Identity;
use made_up::MadeUp;
use variables::Variables;

/// The input for printing requests: the contract, and the decisions for all requests.
struct Context<'a> {
    api: &'a Api,
    identity: Identity,
    variables: Variables,
    chain: Chain,
    made_up: MadeUp<'a>,
    /// Whether requests have a credential where it is optional.
    sends_optional_credentials: bool,
}

impl Context<'_> {
    fn new<'a>(api: &'a Api, file: &str) -> Context<'a> {
        Context {
            api,
            identity: Identity::new(api, file),
            variables: Variables::new(api),
            chain: Chain::default(),
            made_up: MadeUp::new(api),
            sends_optional_credentials: false,
        }
    }

    fn sends_credential(&self, operation: &Operation) -> bool {
        match operation.security {
            Security::Public => false,
            Security::Optional(_) => self.sends_optional_credentials,
            Security::Required(_) => true,
        }
    }
}

/// The folder of a tag: the requests of its operations, and the folders of the tags below it.
fn folder(
    context: &Context<'_>,
    section: &Section,
    requests: &dyn Fn(&[&Operation]) -> Vec<Item>,
) -> Folder {
    let operations = operations(context.api, section);
    let items = requests(&operations).into_iter().map(Entry::from);
    let folders = section.sections.iter();
    let folders = folders.map(|section| Entry::Folder(folder(context, section, requests)));
    Folder {
        id: context.identity.id(&format!("folder {}", section.tag)),
        name: section.title.clone(),
        description: Description(section.doc.clone()),
        item: items.chain(folders).collect(),
    }
}

/// The served operations of a tag, in the order of the document.
fn operations<'a>(api: &'a Api, section: &Section) -> Vec<&'a Operation> {
    let group = section.group.and_then(|index| api.groups.get(index));
    let indices = group.into_iter().flat_map(|group| &group.operations);
    let operations = indices.filter_map(|index| api.operations.get(*index));
    operations.filter(|operation| operation.served).collect()
}
