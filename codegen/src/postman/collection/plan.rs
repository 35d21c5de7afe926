//! The order of requests, and the values that they hand on.

use super::super::chain::Chain;
use super::super::operations;
use super::super::variables::Variables;
use super::resource::{Resource, Value, is_below, resources};
use crate::ir::{Api, Operation, Section};
use std::collections::BTreeMap;

/// The methods of requests that change nothing.
const SAFE: [&str; 5] = ["GET", "HEAD", "OPTIONS", "QUERY", "TRACE"];

/// The decisions about a run of the whole collection.
pub(super) struct Plan<'a> {
    /// All operations in the order of the run.
    pub(super) order: Vec<&'a Operation>,
    pub(super) chain: Chain,
    /// The stored values of the chain that are read from lists, which may be empty.
    pub(super) listed: Vec<usize>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(api: &'a Api, variables: &mut Variables) -> Plan<'a> {
        let resources = resources(api);
        let mut plan = Plan {
            order: Vec::new(),
            chain: Chain::default(),
            listed: Vec::new(),
        };
        for section in &api.sections {
            plan.add_section(api, &resources, section);
        }
        for position in 0..plan.order.len() {
            plan.hand_on(&resources, position, variables);
        }
        plan
    }

    fn add_section(&mut self, api: &'a Api, resources: &[Resource<'a>], section: &Section) {
        let mut folder = operations(api, section);
        // Parents are created before their children, and deleted after them.
        folder.sort_by_key(|operation| {
            let depth = operation.path.matches('/').count() as isize;
            match operation.method.as_str() {
                "POST" if is_collection(api, operation) => (0, depth),
                "DELETE" => (2, -depth),
                _ => (1, 0),
            }
        });
        for operation in &folder {
            self.add(resources, &folder, operation, &mut Vec::new());
        }
        for section in &section.sections {
            self.add_section(api, resources, section);
        }
    }

    /// Adds an operation after the operations of its folder whose responses it uses.
    fn add(
        &mut self,
        resources: &[Resource<'a>],
        folder: &[&'a Operation],
        operation: &'a Operation,
        waiting: &mut Vec<usize>,
    ) {
        if self.position(operation).is_some() || waiting.contains(&operation.index) {
            return;
        }
        waiting.push(operation.index);
        for resource in of_path(resources, &operation.path) {
            let source = resource.source;
            if source.method != "DELETE" && folder.iter().any(|it| it.index == source.index) {
                self.add(resources, folder, source, waiting);
            }
        }
        self.order.push(operation);
    }

    fn position(&self, operation: &Operation) -> Option<usize> {
        self.order.iter().position(|it| it.index == operation.index)
    }

    /// Decides the path parameters of a request that earlier requests have stored.
    fn hand_on(&mut self, resources: &[Resource<'a>], position: usize, variables: &mut Variables) {
        let Some(&operation) = self.order.get(position) else {
            return;
        };
        // Of two resources with a parameter, the one further from the root has its value.
        let mut values = BTreeMap::new();
        for resource in of_path(resources, &operation.path) {
            if self.is_available(resources, resource, position) {
                let own = resource.values.iter();
                values.extend(own.map(|(param, value)| (*param, (resource, value))));
            }
        }
        for (param, (resource, value)) in values {
            let stored = match value {
                Value::Body(pointer) => {
                    let name = || variables.claim(&variable(resources, resource, param));
                    let stored = self.chain.store(resource.source, pointer, name);
                    self.listed
                        .extend((!resource.is_created()).then_some(stored));
                    Some(stored)
                }
                Value::Request(name) => self.chain.used_by(resource.source, name),
            };
            if let Some(stored) = stored {
                self.chain.use_in(operation, param, stored);
            }
        }
    }

    /// Whether a request may use a resource: an earlier request has its id, none has deleted it, and nothing is
    /// changed but what the run has created.
    fn is_available(
        &self,
        resources: &[Resource<'a>],
        resource: &Resource<'a>,
        position: usize,
    ) -> bool {
        let earlier = self.order.get(..position).unwrap_or_default();
        let is_deleted = || {
            let mut earlier = earlier.iter();
            earlier.any(|it| it.method == "DELETE" && it.path == resource.path)
        };
        let is_read = || {
            let operation = self.order.get(position);
            operation.is_some_and(|it| SAFE.contains(&it.method.as_str()))
        };
        let source = resource.source.index;
        earlier.iter().any(|it| it.index == source)
            && (is_read() || is_own(resources, resource))
            && !is_deleted()
    }
}

/// The resources that a path leads to or through.
fn of_path<'r, 'a>(
    resources: &'r [Resource<'a>],
    path: &str,
) -> impl Iterator<Item = &'r Resource<'a>> {
    resources.iter().filter(move |it| is_below(path, it.path))
}

/// Whether an operation creates items of a collection: other paths lead to these items.
fn is_collection(api: &Api, operation: &Operation) -> bool {
    let items = format!("{}/{{", operation.path);
    api.operations.iter().any(|it| it.path.starts_with(&items))
}

/// Whether the run has created a resource, or the resource that it belongs to.
fn is_own(resources: &[Resource<'_>], resource: &Resource<'_>) -> bool {
    resource.is_created()
        || resources.iter().any(|outer| {
            outer.path.len() < resource.path.len()
                && is_below(resource.path, outer.path)
                && is_below(&resource.source.path, outer.path)
                && is_own(resources, outer)
        })
}

/// The variable of a parameter, with the source's id where several resources have parameters of this name.
fn variable(resources: &[Resource<'_>], resource: &Resource<'_>, param: &str) -> String {
    let is_stored = |one: &&Resource<'_>| {
        let mut values = one.values.iter();
        values.any(|(name, value)| *name == param && matches!(value, Value::Body(_)))
    };
    if resources.iter().filter(is_stored).count() > 1 {
        format!("{}.{param}", resource.source.id)
    } else {
        param.to_owned()
    }
}
