//! The third stage: every decision about the output. Names, types, presence, statuses, security:
//! the back ends print the result and decide nothing themselves.

mod bodies;
mod conditional;
mod conditions;
mod conversions;
mod cycles;
mod declared;
mod defaults;
mod discriminator;
mod expressions;
mod form_fields;
mod formats;
mod forms;
mod links;
mod merge;
mod models;
pub(crate) mod modifiers;
mod operations;
mod outgoing;
mod pairs;
mod param_shapes;
mod params;
mod parts;
mod paths;
mod published;
mod refusals;
mod rejections;
mod reserved;
mod responses;
mod rivals;
mod sections;
mod security;
mod sequences;
mod statuses;
mod style_types;
mod unions;
mod variant_filters;
mod variant_names;
mod variant_types;

pub(crate) use sequences::framing;

use crate::diagnostic::Diagnostics;
use crate::ir::{Api, ClientRules, Group, Name, Operation, Server, ServerVariable};
use crate::names::Scope;
use crate::openapi::Document;
use models::Models;
use security::SecurityRequirements;
use serde_json::{Map, Value};

/// Lowers a document to the representation that the back ends print. Beside it are the schemas of inline variants
/// and parts that no generated code reads, because types and conditions hold what they say.
pub(crate) fn lower(
    document: Document,
    root: Value,
    diagnostics: &mut Diagnostics,
) -> (Api, Map<String, Value>) {
    let mut models = Models::new(&document.bundle, diagnostics);
    models.lower_components();
    let mut requirements = SecurityRequirements::new(&document);
    let lowered = operations::lower(&document, &mut requirements, &mut models);
    let mut webhooks = outgoing::webhooks(&document, &mut requirements, &mut models);
    let mut callbacks = outgoing::callbacks(&document, &lowered, &mut requirements, &mut models);
    declared::check(&document, models.diagnostics);
    operations::check_ids(&document, models.diagnostics);
    let links = links::lower(&document, &root, &lowered, &mut models);
    let rejections = rejections::lower(&document, &lowered, &mut models);
    let mut operations: Vec<Operation> = lowered.into_iter().map(|(_, one)| one).collect();
    let SecurityRequirements {
        schemes,
        requirements,
        ..
    } = requirements;
    let called = callbacks.iter_mut().map(|callback| &mut callback.operation);
    let own = operations.iter_mut().chain(&mut webhooks).chain(called);
    let (refusals, refusal_sets) = refusals::collect(own);
    let conditions = conditions::attach(&mut models);
    let variants = models.read_write_pairs();
    let Models {
        mut models,
        formats,
        patterns,
        extra,
        compiled,
        causes,
        ..
    } = models;
    cycles::break_cycles(&mut models);
    let groups = groups(&document, &operations);
    let sections = sections::sections(&document, &groups);
    let servers: Vec<Server> = document.servers.iter().map(server).collect();
    let base_path = servers.first().map(Server::path).unwrap_or_default();
    rivals::attach(&mut operations, &base_path);
    let mut schemas = document.bundle.into_schemas();
    schemas.extend(extra);
    let api = Api {
        base_path,
        servers,
        title: document.info.title,
        version: document.info.version,
        description: document.info.description.unwrap_or_default(),
        conversions: conversions::lower(&variants, &models),
        dependencies: formats::dependencies(&formats, &models),
        models,
        formats,
        patterns,
        conditions,
        causes,
        schemas,
        schemes,
        security_requirements: requirements,
        sections,
        groups,
        operations,
        webhooks,
        callbacks,
        links,
        rejections,
        refusals,
        refusal_sets,
        document: published::published(root),
        client: ClientRules::default(),
    };
    (api, compiled)
}

/// The path that operations are below, from the first of their servers.
#[must_use]
pub fn base_path(first: Option<&openapiv3::Server>) -> String {
    first.map(|first| server(first).path()).unwrap_or_default()
}

/// A server.
#[must_use]
pub fn server(server: &openapiv3::Server) -> Server {
    let variables = server.variables.iter().flatten();
    Server {
        url: server.url.clone(),
        description: server.description.clone().unwrap_or_default(),
        variables: variables
            .map(|(name, variable)| ServerVariable {
                name: name.clone(),
                description: variable.description.clone().unwrap_or_default(),
                default: variable.default.clone(),
                allowed: variable.enumeration.clone(),
            })
            .collect(),
    }
}

fn groups(document: &Document, operations: &[Operation]) -> Vec<Group> {
    let declared = document.tags.iter().map(|tag| tag.name.as_str());
    let used = operations.iter().map(|operation| operation.tag.as_str());
    let mut tags: Vec<&str> = Vec::new();
    for tag in declared.chain(used) {
        if !tags.contains(&tag) && operations.iter().any(|operation| operation.tag == tag) {
            tags.push(tag);
        }
    }
    let mut names = Scope::default();
    let mut groups = Vec::new();
    for tag in tags {
        let declared = document.tags.iter().find(|declared| declared.name == tag);
        let members = operations.iter().filter(|operation| operation.tag == tag);
        groups.push(Group {
            tag: tag.to_owned(),
            name: names.claim(Name::of(tag)),
            doc: declared
                .and_then(|tag| tag.description.clone())
                .unwrap_or_default(),
            operations: members.map(|operation| operation.index).collect(),
        });
    }
    groups
}
