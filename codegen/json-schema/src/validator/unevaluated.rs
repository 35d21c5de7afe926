//! Marks the items or members of a value that the other keywords of a schema
//! have evaluated (2020-12 Unevaluated, section 11).
//!
//! Marks are by position: the n-th item, or the n-th member in the object's
//! own order.

use serde_json::Value;

use crate::validator::node::{Assertion, Contains, Items, NodeId, Tagged};
use crate::validator::run::Run;

impl Run<'_> {
    /// The marks that schema `id`, its `unevaluated…` keywords aside, leaves.
    pub(crate) fn evaluated(&mut self, id: NodeId, value: &Value) -> Vec<bool> {
        let mut marks = vec![false; size(value)];
        let schemas = self.schemas;
        let mut visited = vec![id];
        for keyword in schemas.keywords(id) {
            if !matches!(
                keyword,
                Assertion::UnevaluatedItems(_) | Assertion::UnevaluatedProperties(_)
            ) {
                self.mark(keyword, value, &mut marks, &mut visited);
            }
        }
        marks
    }

    /// Adds the marks of a schema that accepts `value`. References may come
    /// back to where they started; `visited` are the schemas looked at.
    fn mark_schema(
        &mut self,
        id: NodeId,
        value: &Value,
        marks: &mut [bool],
        visited: &mut Vec<NodeId>,
    ) {
        if visited.contains(&id) {
            return;
        }
        visited.push(id);
        let schemas = self.schemas;
        let outside = self.scopes.enter(schemas.keywords(id));
        for keyword in schemas.keywords(id) {
            self.mark(keyword, value, marks, visited);
        }
        self.scopes.leave(outside);
    }

    fn mark(
        &mut self,
        keyword: &Assertion,
        value: &Value,
        marks: &mut [bool],
        visited: &mut Vec<NodeId>,
    ) {
        match (keyword, value) {
            (Assertion::Ref(schema), _) => self.mark_schema(*schema, value, marks, visited),
            (Assertion::DynamicRef(anchor, schema), _) => {
                let schema = self.scopes.find(anchor).unwrap_or(*schema);
                self.mark_schema(schema, value, marks, visited);
            }
            (
                Assertion::AllOf(schemas)
                | Assertion::AnyOf(schemas)
                | Assertion::OneOf(schemas)
                | Assertion::Tagged(Tagged {
                    branches: schemas, ..
                }),
                _,
            ) => {
                for schema in schemas {
                    if self.holds(*schema, value) {
                        self.mark_schema(*schema, value, marks, visited);
                    }
                }
            }
            (Assertion::If(rule), _) => {
                let holds = self.holds(rule.condition, value);
                let condition = holds.then_some(rule.condition);
                let branch = if holds { rule.then } else { rule.otherwise };
                for schema in condition.into_iter().chain(branch) {
                    self.mark_schema(schema, value, marks, visited);
                }
            }
            (Assertion::DependentSchemas(rules), Value::Object(object)) => {
                for (_, schema) in rules.iter().filter(|(name, _)| object.contains_key(name)) {
                    self.mark_schema(*schema, value, marks, visited);
                }
            }
            (Assertion::Members(rule), Value::Object(object)) => {
                for (name, mark) in object.keys().zip(marks) {
                    *mark |= rule.additional.is_some() || rule.names(name);
                }
            }
            (Assertion::Items(rule), Value::Array(_)) => mark_items(rule, marks),
            (Assertion::Contains(rule), Value::Array(items)) => {
                self.mark_contained(rule, items, marks)
            }
            (Assertion::UnevaluatedItems(_), Value::Array(_))
            | (Assertion::UnevaluatedProperties(_), Value::Object(_)) => marks.fill(true),
            _ => {}
        }
    }

    fn mark_contained(&mut self, rule: &Contains, items: &[Value], marks: &mut [bool]) {
        for (item, mark) in items.iter().zip(marks) {
            *mark |= self.holds(rule.schema, item);
        }
    }
}

fn mark_items(rule: &Items, marks: &mut [bool]) {
    let count = if rule.rest.is_some() {
        marks.len()
    } else {
        rule.prefix.len()
    };
    for mark in marks.iter_mut().take(count) {
        *mark = true;
    }
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    }
}
