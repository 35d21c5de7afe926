//! Operations: names, security, and everything else by the other modules.

use super::models::Models;
use super::params::name_variables;
use super::statuses;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::{self, Document, LEFT_OUT, Place};
use crate::ir::{FaultKind, Operation, Param, Security};
use crate::names::{self, Scope};
use std::collections::BTreeMap;

/// Lowers all operations; one that cannot be expressed is left out and reported.
pub(super) fn lower(
    document: &Document,
    mut methods: Scope,
    models: &mut Models<'_>,
) -> Vec<Operation> {
    let mut types = Scope::default();
    let mut bodies = Scope::default();
    let mut ids = BTreeMap::new();
    let mut routes = BTreeMap::new();
    let mut operations = Vec::new();
    for source in &document.operations {
        let mark = models.found.mark();
        let fallback = format!("{} {}", source.method, source.path);
        let mut id = source.id.clone().unwrap_or_else(|| fallback.clone());
        let id_at = source.at.child("operationId");
        if let Some(first) = ids.get(&id) {
            let message = format!("the operationId `{id}` is used twice");
            let problem =
                Diagnostic::new(Code::DuplicateOperationId, Severity::Error, &id_at, message)
                    .related(first, "it is used here first");
            let instead = format!("this one is called `{fallback}`");
            models.found.mend(problem, &instead);
            id = fallback;
        }
        ids.insert(id.clone(), id_at);
        let route = (source.method.clone(), route_of(&source.path));
        if let Some(first) = routes.get(&route) {
            let message = "another operation has the same method and a path that matches the same";
            let related = (first, "this one");
            let found = &mut models.found;
            found.error_with_related(Code::DuplicatePath, &source.at, message, related);
            models.found.lost_since(mark, LEFT_OUT);
            continue;
        }
        routes.insert(route, source.at.clone());
        let mut lowering = Lowering {
            models,
            source,
            pascal: types.claim(names::stem(&names::pascal(&id)).to_owned()),
            bodies: &mut bodies,
        };
        if let Some(mut operation) = lowering.operation(id) {
            operation.index = operations.len();
            operation.rust = methods.claim(operation.rust);
            operations.push(operation);
        }
        models.found.lost_since(mark, LEFT_OUT);
    }
    operations
}

/// The methods that one type has beside those of operations: the host's, the faults', the client's.
pub(super) fn methods() -> Scope {
    let faults = FaultKind::ALL.iter().map(|(_, _, method, _)| *method);
    let names: Vec<&str> = faults
        .chain(["admit", "new", "send", "with_header"])
        .collect();
    Scope::reserving(&names)
}

/// A path with its parameters' names taken out: what decides which requests it matches.
fn route_of(path: &str) -> String {
    let mut route = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => {
                inside = true;
                route.push_str("{}");
            }
            '}' => inside = false,
            _ if !inside => route.push(c),
            _ => {}
        }
    }
    route
}

pub(super) struct Lowering<'m, 'a> {
    pub(super) models: &'m mut Models<'a>,
    pub(super) source: &'m document::Operation,
    pub(super) pascal: String,
    /// The types of bodies with several media types.
    pub(super) bodies: &'m mut Scope,
}

impl Lowering<'_, '_> {
    fn operation(&mut self, id: String) -> Option<Operation> {
        let source = self.source;
        let mut path_params = self.path_params()?;
        let mut scope = Scope::default();
        let others = source.parameters.iter().filter(|p| p.place != Place::Path);
        let mut params: Vec<Param> = others.map(|p| self.param(p, &mut scope)).collect();
        name_variables(&mut path_params, &mut params);
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
        let (mut responses, framework_responses) = (responses?, framework?);
        statuses::divide(&mut responses, &framework_responses);
        Some(Operation {
            index: 0,
            rust: names::snake(&id),
            pascal: self.pascal.clone(),
            tag: source
                .tags
                .first()
                .cloned()
                .unwrap_or_else(|| "default".into()),
            other_tags: source.tags.iter().skip(1).cloned().collect(),
            summary: source.summary.clone().unwrap_or_default(),
            description: source.description.clone().unwrap_or_default(),
            deprecated: source.deprecated,
            method: source.method.clone(),
            path: source.path.clone(),
            path_params,
            params,
            body,
            responses,
            framework_responses,
            security: security(&source.security),
            requirements: source.security.clone(),
            metered: source.metered,
            id,
        })
    }
}

fn security(alternatives: &[Vec<(String, Vec<String>)>]) -> Security {
    if alternatives.iter().all(Vec::is_empty) {
        Security::Public
    } else if alternatives.iter().any(Vec::is_empty) {
        Security::Optional
    } else {
        Security::Required
    }
}
