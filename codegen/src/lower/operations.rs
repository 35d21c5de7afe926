//! Operations: names, security, and everything else by the other modules.

use super::conditional;
use super::models::Models;
use super::paths::{Target, routes};
use super::security::SecurityRequirements;
use super::statuses;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::ir::{Accept, Name, Operation, Param, Security};
use crate::names::Scope;
use crate::openapi::{self, Document, LEFT_OUT, ParamLocation, RAW};
use crate::source::Pointer;
use std::collections::BTreeMap;

/// The fallback for an operation that no request tells from another.
const FALLBACK: &str =
    "the client has the operation, and the service takes its requests for the other";

/// The places of callbacks that belong to no operation.
const CALLBACKS: &str = "/components/callbacks/";

/// Lowers all operations; one that cannot be expressed is left out and reported.
pub(super) fn lower(
    document: &Document,
    requirements: &mut SecurityRequirements,
    models: &mut Models<'_>,
) -> Vec<(usize, Operation)> {
    let sources = document.operations.iter().zip(routes(document));
    let sources = sources.map(|(source, target)| {
        let name = format!("{} {}", source.method, source.path);
        (source, name, target)
    });
    lower_all(sources, requirements, models)
}

/// Lowers operations, each given with its default name and place; the result has those that can be
/// expressed, each with its index among the sources.
pub(super) fn lower_all<'d>(
    sources: impl Iterator<Item = (&'d openapi::Operation, String, Target)>,
    requirements: &mut SecurityRequirements,
    models: &mut Models<'_>,
) -> Vec<(usize, Operation)> {
    let mut names = Scope::default();
    let mut bodies = Scope::default();
    let mut ids = BTreeMap::new();
    let mut operations = Vec::new();
    for (place, (source, generated_id, target)) in sources.enumerate() {
        let checkpoint = models.diagnostics.checkpoint();
        let mut id = source.id.clone().unwrap_or_else(|| generated_id.clone());
        let id_at = source.at.child("operationId");
        // Responses and parameters shared by operations are lowered under one id. A callback in the
        // components is always named after its owner, because the order of its users may change.
        if ids.get(&id) == Some(&id_at) || id_at.as_str().starts_with(CALLBACKS) {
            id = generated_id;
        } else if let Some(first) = ids.get(&id) {
            let message = format!("the operationId `{id}` is used twice");
            let problem = Diagnostic::new(Code::DuplicateOperationId, &id_at, message)
                .related(first, "it is used here first");
            let fallback = format!("this one is called `{generated_id}`");
            models.diagnostics.recover(problem, &fallback);
            id = generated_id;
        }
        ids.insert(id.clone(), id_at);
        if let Some(shadowed_by) = &target.shadowed_by {
            models
                .diagnostics
                .recover(duplicate(source, shadowed_by), FALLBACK);
        }
        let mut lowering = Lowering {
            models,
            source,
            name: names.claim(Name::of(&id)),
            bodies: &mut bodies,
            target,
            requirements,
        };
        let Some(mut operation) = lowering.outline(id) else {
            models.diagnostics.degraded_since(checkpoint, LEFT_OUT);
            continue;
        };
        let checkpoint = lowering.models.diagnostics.checkpoint();
        if !operation.raw && lowering.fill(&mut operation).is_none() {
            operation.raw = true;
        }
        lowering.models.diagnostics.degraded_since(checkpoint, RAW);
        if operation.raw {
            // They are part of the request that the handler gets.
            operation.extensions = false;
            operation.raw_headers = false;
        }
        operation.index = operations.len();
        operations.push((place, operation));
    }
    operations
}

/// Reports an id of a webhook or callback that an operation of another kind has (OpenAPI 3.1.1 §4.8.10.1).
pub(super) fn check_ids(document: &Document, diagnostics: &mut Diagnostics) {
    let outgoing = [&document.webhooks, &document.callbacks];
    let outgoing = outgoing.map(|all| all.iter().map(|one| &one.operation).collect());
    let [webhooks, callbacks]: [Vec<_>; 2] = outgoing;
    let mut known: BTreeMap<&str, Pointer> = BTreeMap::new();
    for group in [document.operations.iter().collect(), webhooks, callbacks] {
        let ids = group.into_iter().filter_map(|operation| {
            let at = operation.at.child("operationId");
            Some((operation.id.as_deref()?, at))
        });
        let ids: Vec<_> = ids.collect();
        for (id, at) in &ids {
            // A path item may be one of a path and a webhook.
            if let Some(first) = known.get(id).filter(|first| *first != at) {
                let message = format!("the operationId `{id}` is used twice");
                let problem = Diagnostic::new(Code::DuplicateOperationId, at, message)
                    .related(first, "it is used here first");
                diagnostics.recover(problem, "both have it");
            }
        }
        known.extend(ids);
    }
}

/// The problem of an operation that no request tells from another.
fn duplicate(source: &openapi::Operation, shadowed_by: &Pointer) -> Diagnostic {
    let message = "another operation has the same method and a path that matches the same";
    let problem =
        Diagnostic::new(Code::DuplicatePath, &source.at, message).related(shadowed_by, "this one");
    match source.path.contains('#') {
        true => problem.help("what follows `#` in an address never leaves the caller"),
        false => problem,
    }
}

pub(super) struct Lowering<'m, 'a> {
    pub(super) models: &'m mut Models<'a>,
    pub(super) source: &'m openapi::Operation,
    pub(super) name: Name,
    /// The names of bodies other than those of schemas: forms, and choices of several media types.
    pub(super) bodies: &'m mut Scope,
    pub(super) target: Target,
    pub(super) requirements: &'m mut SecurityRequirements,
}

impl Lowering<'_, '_> {
    /// The part of an operation that raw ones have too.
    fn outline(&mut self, id: String) -> Option<Operation> {
        let source = self.source;
        let path_params = self.path_params()?;
        let tag = source.tags.first().cloned();
        let served = self.target.shadowed_by.is_none();
        let (security, requirements) = match served {
            true => self.requirements.lower(&source.security),
            false => (Security::Public, source.security.clone()),
        };
        Some(Operation {
            index: 0,
            name: self.name.clone(),
            tag: tag.unwrap_or_else(|| "default".into()),
            other_tags: source.tags.iter().skip(1).cloned().collect(),
            summary: source.summary.clone().unwrap_or_default(),
            description: source.description.clone().unwrap_or_default(),
            deprecated: source.deprecated,
            deprecated_at: source.deprecation.at,
            sunset: source.deprecation.sunset,
            method: source.method.clone(),
            server: source.servers.first().map(super::server),
            path: self.target.path.clone(),
            rivals: Vec::new(),
            matchers: self.target.matchers.clone(),
            served,
            raw: source.raw,
            path_params,
            params: Vec::new(),
            if_none_match: None,
            body: None,
            responses: Vec::new(),
            framework_responses: Vec::new(),
            refusals: None,
            accept: Accept::default(),
            security,
            is_silent_on_security: source.is_silent_on_security,
            requirements,
            not_modified: conditional::not_modified(source).filter(|_| !source.raw),
            metered: source.metered,
            lenient: source.lenient,
            extensions: source.extensions,
            raw_headers: source.raw_headers,
            id,
        })
    }

    /// Adds the parts that a raw operation does not have; `None` if the operation has to be raw.
    fn fill(&mut self, operation: &mut Operation) -> Option<()> {
        let source = self.source;
        let mut scope = Scope::default();
        let others = source
            .parameters
            .iter()
            .filter(|p| p.place != ParamLocation::Path);
        let mut params: Vec<Param> = others.map(|p| self.param(p, &mut scope)).collect();
        self.report_shared_pairs(&params);
        let body = match &source.body {
            Some(body) => Some(self.body(body)?),
            None => None,
        };
        let (framework, own): (Vec<_>, Vec<_>) = source
            .responses
            .iter()
            .partition(|response| response.framework_made.is_some());
        let mut variants = Scope::default();
        let responses: Option<Vec<_>> = own
            .into_iter()
            .map(|response| self.response(response, &mut variants))
            .collect();
        let mut variants = Scope::default();
        let framework: Option<Vec<_>> = framework
            .into_iter()
            .map(|response| self.response(response, &mut variants))
            .collect();
        let (mut responses, framework) = (responses?, framework?);
        statuses::divide(&mut responses, &framework);
        operation.accept = self.accept(&responses);
        if operation.not_modified.is_some() {
            operation.if_none_match = conditional::take_if_none_match(&mut params);
        }
        operation.params = params;
        operation.body = body;
        operation.responses = responses;
        operation.framework_responses = framework;
        Some(())
    }
}
