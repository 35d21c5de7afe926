//! The keywords that combine schemas (2020-12 Applicator, 10.2).
//!
//! Where no branch of a union fits, the violations of a branch are reported
//! only if it is the single one that the value can have been meant for;
//! listing those of every branch would explain nothing.

use serde_json::Value;

use crate::equality::equal;
use crate::types::Types;
use crate::validator::json_type::JsonType;
use crate::validator::node::{Assertion, Conditional, NodeId};
use crate::validator::report::Report;
use crate::validator::run::Run;
use crate::validator::scalar::is_of;

impl Run<'_> {
    pub(crate) fn all_of(
        &mut self,
        schemas: &[NodeId],
        value: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        let mut verdict = true;
        for schema in schemas {
            verdict &= self.apply(*schema, value, report);
            if !verdict && report.is_done() {
                break;
            }
        }
        verdict
    }

    pub(crate) fn any_of(
        &mut self,
        schemas: &[NodeId],
        value: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        schemas.iter().any(|schema| self.accepts(*schema, value))
            || self.explain_union("anyOf", schemas, value, report)
    }

    pub(crate) fn one_of(
        &mut self,
        schemas: &[NodeId],
        value: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        let fitting = schemas
            .iter()
            .filter(|schema| self.accepts(**schema, value))
            .count();
        match fitting {
            1 => true,
            0 => self.explain_union("oneOf", schemas, value, report),
            _ => report.refuse("oneOf", || match self.alternatives(schemas) {
                Some(names) => format!("must have exactly one of {}", names.join(", ")),
                None => format!(
                    "must match exactly one of {} variants, but matches {fitting}",
                    schemas.len()
                ),
            }),
        }
    }

    pub(crate) fn not(&mut self, schema: NodeId, value: &Value, report: &mut Report<'_>) -> bool {
        !self.accepts(schema, value)
            || report.refuse("not", || "has a value that is not allowed".to_owned())
    }

    pub(crate) fn conditional(
        &mut self,
        rule: &Conditional,
        value: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        let holds = self.accepts(rule.condition, value);
        let branch = if holds { rule.then } else { rule.otherwise };
        branch.is_none_or(|schema| self.apply(schema, value, report))
    }

    fn explain_union(
        &mut self,
        keyword: &'static str,
        schemas: &[NodeId],
        value: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        if report.is_silent() {
            return false;
        }
        let types = self.types(schemas);
        let mut meant = schemas
            .iter()
            .filter(|schema| self.can_mean(**schema, value));
        match (meant.next().copied(), meant.next()) {
            (Some(schema), None) => {
                self.apply(schema, value, report);
                false
            }
            (None, _) if is_of_other_type(types, value) => {
                report.refuse("type", || format!("must be {}", types.phrase()))
            }
            _ => report.refuse(keyword, || match self.alternatives(schemas) {
                Some(names) if keyword == "oneOf" => {
                    format!("must have exactly one of {}", names.join(", "))
                }
                Some(names) => format!("must have at least one of {}", names.join(", ")),
                None => format!("must match at least one of {} variants", schemas.len()),
            }),
        }
    }

    /// The property that each branch requires, if no branch has another keyword.
    fn alternatives(&self, schemas: &[NodeId]) -> Option<Vec<&str>> {
        let required = |schema: &NodeId| match self.schemas.keywords(*schema) {
            [Assertion::Required(names)] => match names.as_slice() {
                [name] => Some(name.as_str()),
                _ => None,
            },
            _ => None,
        };
        schemas.iter().map(required).collect()
    }

    /// The types that some branch admits.
    fn types(&self, schemas: &[NodeId]) -> Types {
        let branches = schemas
            .iter()
            .map(|schema| JsonType::new(self.schemas, Some(*schema)));
        branches.fold(Types::NONE, |all, branch| all.union(branch.types()))
    }

    /// Whether the type of `value`, and the constants among its members,
    /// leave a branch possible.
    fn can_mean(&self, schema: NodeId, value: &Value) -> bool {
        let branch = JsonType::new(self.schemas, Some(schema));
        if !branch.admits_type_of(value) {
            return false;
        }
        value
            .as_object()
            .into_iter()
            .flatten()
            .all(|(name, member)| {
                branch
                    .property(name)
                    .literals()
                    .is_none_or(|mut all| all.any(|one| equal(one, member)))
            })
    }
}

/// Whether the types are some, and that of `value` is another.
fn is_of_other_type(types: Types, value: &Value) -> bool {
    types != Types::NONE && !is_of(types, value)
}

/// The values that a keyword allows, where it lists them.
pub(crate) fn listed(keyword: &Assertion) -> Option<&[Value]> {
    match keyword {
        Assertion::Const(value) => Some(std::slice::from_ref(value)),
        Assertion::Enum(values) => Some(values),
        _ => None,
    }
}
