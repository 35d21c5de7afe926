//! One evaluation of one value: dispatches keywords, and bounds the work.
//!
//! A schema that is referred to is evaluated at most once for each part of
//! the value: its verdict is remembered. Without that, nested unions would
//! take time exponential in the depth of the value.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::validator::Schemas;
use crate::validator::dynamic_scope::{Scope, Scopes};
use crate::validator::node::{Assertion, NodeId};
use crate::validator::report::Report;
use crate::validator::scalar;

/// How deeply schemas may be nested in an evaluation, which bounds its stack
/// to well below a megabyte. JSON texts nest at most 127 deep, so only values
/// near that limit can meet it, and only if each of their levels goes through
/// eight schemas; they are refused.
const MAX_DEPTH: usize = 1024;

/// A schema in a dynamic scope at a part of a value, which is known by its
/// address: values do not move during a run.
type Part = (NodeId, Scope, usize);

/// The memory of one evaluation.
pub(crate) struct Run<'s> {
    pub(crate) schemas: &'s Schemas,
    verdicts: HashMap<Part, bool>,
    explained: HashSet<Part>,
    pub(crate) scopes: Scopes<'s>,
    depth: usize,
}

impl<'s> Run<'s> {
    pub(crate) fn new(schemas: &'s Schemas) -> Self {
        Self {
            schemas,
            verdicts: HashMap::new(),
            explained: HashSet::new(),
            scopes: Scopes::new(),
            depth: 0,
        }
    }

    /// The verdict alone.
    pub(crate) fn accepts(&mut self, id: NodeId, value: &Value) -> bool {
        self.apply(id, value, &mut Report::silent())
    }

    /// The verdict of a schema; violations go to `report`.
    pub(crate) fn apply(&mut self, id: NodeId, value: &Value, report: &mut Report<'_>) -> bool {
        if self.depth >= MAX_DEPTH {
            return report.refuse("schema", || "is nested too deeply".to_owned());
        }
        self.depth += 1;
        let schemas = self.schemas;
        let outside = self.scopes.enter(schemas.keywords(id));
        let mut verdict = true;
        let keywords = schemas.keywords(id);
        // Of a value of another type nothing else is worth saying.
        let of_type = keywords.iter().find(|it| is_of_other_type(it, value));
        for keyword in of_type.map_or(keywords, std::slice::from_ref) {
            verdict &= self.keyword(id, keyword, value, report);
            if !verdict && report.is_done() {
                break;
            }
        }
        self.scopes.leave(outside);
        self.depth -= 1;
        verdict
    }

    /// The verdict of a schema that may be asked for again, found at most once for each value.
    pub(crate) fn holds(&mut self, id: NodeId, value: &Value) -> bool {
        let part = self.part(id, value);
        if let Some(verdict) = self.verdicts.get(&part) {
            return *verdict;
        }
        // A schema that refers to itself without a step into the value adds no constraint.
        self.verdicts.insert(part, true);
        let verdict = self.accepts(id, value);
        self.verdicts.insert(part, verdict);
        verdict
    }

    fn part(&self, id: NodeId, value: &Value) -> Part {
        (id, self.scopes.current(), std::ptr::from_ref(value).addr())
    }

    /// Follows a reference; its violations are reported once for each value.
    fn follow(&mut self, id: NodeId, value: &Value, report: &mut Report<'_>) -> bool {
        let verdict = self.holds(id, value);
        if !verdict && !report.is_silent() && self.explained.insert(self.part(id, value)) {
            self.apply(id, value, report);
        }
        verdict
    }

    fn keyword(
        &mut self,
        id: NodeId,
        keyword: &Assertion,
        value: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        match keyword {
            Assertion::Never => report.refuse("false", || "is not allowed".to_owned()),
            Assertion::Broken => report.refuse("schema", || "cannot be checked".to_owned()),
            Assertion::Ref(target) => self.follow(*target, value, report),
            Assertion::DynamicRef(anchor, target) => {
                let target = self.scopes.find(anchor).unwrap_or(*target);
                self.follow(target, value, report)
            }
            Assertion::Scope(_) => true,
            Assertion::AllOf(schemas) => self.all_of(schemas, value, report),
            Assertion::AnyOf(schemas) => self.any_of(schemas, value, report),
            Assertion::OneOf(schemas) => self.one_of(schemas, value, report),
            Assertion::Tagged(rule) => self.tagged(rule, value, report),
            Assertion::Not(schema) => self.not(*schema, value, report),
            Assertion::If(conditional) => self.conditional(conditional, value, report),
            _ => match value {
                Value::Array(items) => self.array(id, keyword, value, items, report),
                Value::Object(members) => self.object(id, keyword, value, members, report),
                _ => scalar::check(keyword, value, report),
            },
        }
    }
}

/// Whether a keyword is a `type` that a value is not of.
fn is_of_other_type(keyword: &Assertion, value: &Value) -> bool {
    matches!(keyword, Assertion::Type(types) if !scalar::is_of(*types, value))
}
