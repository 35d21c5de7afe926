//! The keywords of objects (2020-12 Applicator 10.3.2, Validation 6.5,
//! Unevaluated 11.3).

use serde_json::{Map, Value};

use crate::issue::{Issues, Place};
use crate::validator::node::{Assertion, Members, NodeId};
use crate::validator::report::Report;
use crate::validator::run::Run;
use crate::validator::scalar;

type Object = Map<String, Value>;

impl Members {
    /// Whether `properties` or `patternProperties` have a schema for `name`.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.properties.contains_key(name) || self.patterns.iter().any(|(p, _)| p.is_match(name))
    }

    /// The schemas for the member `name`.
    pub(crate) fn of(&self, name: &str) -> Vec<NodeId> {
        let own = self.properties.get(name);
        let patterns = self.patterns.iter().filter(|(p, _)| p.is_match(name));
        let named: Vec<_> = own
            .into_iter()
            .chain(patterns.map(|(_, id)| id))
            .copied()
            .collect();
        match self.additional {
            Some(additional) if named.is_empty() => vec![additional],
            _ => named,
        }
    }
}

impl Run<'_> {
    /// The verdict of one keyword of schema `id` on an object.
    pub(crate) fn object(
        &mut self,
        id: NodeId,
        keyword: &Assertion,
        value: &Value,
        object: &Object,
        report: &mut Report<'_>,
    ) -> bool {
        let count = u64::try_from(object.len()).unwrap_or(u64::MAX);
        match keyword {
            Assertion::Members(rule) => self.members(rule, object, report),
            Assertion::Required(names) => require(names, object, "required", report),
            Assertion::PropertyNames(schema) => self.property_names(*schema, object, report),
            Assertion::MinProperties(min) => {
                count >= *min
                    || report.refuse("minProperties", || {
                        format!("must have at least {min} {}", noun(*min))
                    })
            }
            Assertion::MaxProperties(max) => {
                count <= *max
                    || report.refuse("maxProperties", || {
                        format!("must have at most {max} {}", noun(*max))
                    })
            }
            Assertion::DependentRequired(rules) => {
                let present = rules.iter().filter(|(name, _)| object.contains_key(name));
                // Every rule is looked at, so that each can be reported.
                present.fold(true, |verdict, (_, names)| {
                    require(names, object, "dependentRequired", report) && verdict
                })
            }
            Assertion::DependentSchemas(rules) => {
                let present = rules.iter().filter(|(name, _)| object.contains_key(name));
                present.fold(true, |verdict, (_, schema)| {
                    self.apply(*schema, value, report) && verdict
                })
            }
            Assertion::UnevaluatedProperties(schema) => {
                let evaluated = self.evaluated(id, value);
                self.unevaluated_properties(*schema, &evaluated, object, report)
            }
            _ => scalar::check(keyword, value, report),
        }
    }

    fn members(&mut self, rule: &Members, object: &Object, report: &mut Report<'_>) -> bool {
        let mut verdict = true;
        for (name, member) in object {
            if !verdict && report.is_done() {
                break;
            }
            verdict &= report.in_member(name, |report| self.member(rule, name, member, report));
        }
        verdict
    }

    fn member(
        &mut self,
        rule: &Members,
        name: &str,
        member: &Value,
        report: &mut Report<'_>,
    ) -> bool {
        let mut verdict = true;
        if let Some(schema) = rule.properties.get(name) {
            verdict &= self.apply(*schema, member, report);
        }
        for (pattern, schema) in &rule.patterns {
            if pattern.is_match(name) {
                verdict &= self.apply(*schema, member, report);
            }
        }
        match rule.additional {
            Some(schema) if !rule.names(name) => {
                verdict & self.additional(schema, member, "additionalProperties", report)
            }
            _ => verdict,
        }
    }

    /// A member that no other keyword knows. Where none is allowed at all,
    /// the message says so rather than that `false` refused it.
    fn additional(
        &mut self,
        schema: NodeId,
        member: &Value,
        keyword: &'static str,
        report: &mut Report<'_>,
    ) -> bool {
        match self.schemas.keywords(schema) {
            [Assertion::Never] => report.refuse(keyword, || "is not a known property".to_owned()),
            _ => self.apply(schema, member, report),
        }
    }

    fn property_names(&mut self, schema: NodeId, object: &Object, report: &mut Report<'_>) -> bool {
        let mut verdict = true;
        for name in object.keys() {
            // The verdict is not remembered under the address of this
            // temporary: only references remember, and they see it as new.
            let accepted = Run::new(self.schemas).accepts(schema, &Value::String(name.clone()));
            if !accepted {
                verdict = report.in_member(name, |report| {
                    report.refuse("propertyNames", || {
                        let violation = self.violation_of_name(schema, name);
                        format!("has an invalid name: {violation}")
                    })
                });
            }
        }
        verdict
    }

    /// The first violation of a name, in words.
    fn violation_of_name(&self, schema: NodeId, name: &str) -> String {
        let mut issues = Issues::new();
        let mut report = Report::to(&mut issues, Place::Body, "");
        Run::new(self.schemas).apply(schema, &Value::String(name.to_owned()), &mut report);
        let first = issues.into_vec().into_iter().next();
        first.map_or_else(|| "is not allowed".to_owned(), |issue| issue.message)
    }

    fn unevaluated_properties(
        &mut self,
        schema: NodeId,
        evaluated: &[bool],
        object: &Object,
        report: &mut Report<'_>,
    ) -> bool {
        let mut verdict = true;
        for ((name, member), seen) in object.iter().zip(evaluated) {
            if !seen {
                verdict &= report.in_member(name, |report| {
                    self.additional(schema, member, "unevaluatedProperties", report)
                });
            }
        }
        verdict
    }
}

/// Reports each missing member where it should be.
fn require(
    names: &[String],
    object: &Object,
    keyword: &'static str,
    report: &mut Report<'_>,
) -> bool {
    let mut verdict = true;
    for name in names.iter().filter(|name| !object.contains_key(*name)) {
        verdict = report.in_member(name, |report| {
            report.refuse(keyword, || "is required".to_owned())
        });
        if report.is_done() {
            break;
        }
    }
    verdict
}

const fn noun(count: u64) -> &'static str {
    if count == 1 { "property" } else { "properties" }
}
