//! The keywords of arrays (2020-12 Applicator 10.3.1, Validation 6.4,
//! Unevaluated 11.2).

use serde_json::Value;

use crate::equality::all_distinct;
use crate::validator::node::{Assertion, Contains, Items, NodeId};
use crate::validator::report::Report;
use crate::validator::run::Run;
use crate::validator::scalar;

impl Run<'_> {
    /// The verdict of one keyword of schema `id` on an array.
    pub(crate) fn array(
        &mut self,
        id: NodeId,
        keyword: &Assertion,
        value: &Value,
        items: &[Value],
        report: &mut Report<'_>,
    ) -> bool {
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        match keyword {
            Assertion::Items(rule) => self.items(rule, items, report),
            Assertion::Contains(rule) => self.contains(rule, items, report),
            Assertion::MinItems(min) => {
                count >= *min
                    || report.refuse("minItems", || {
                        format!("must have at least {min} {}", noun(*min))
                    })
            }
            Assertion::MaxItems(max) => {
                count <= *max
                    || report.refuse("maxItems", || {
                        format!("must have at most {max} {}", noun(*max))
                    })
            }
            Assertion::UniqueItems => {
                all_distinct(items)
                    || report.refuse("uniqueItems", || {
                        "must not contain duplicate items".to_owned()
                    })
            }
            Assertion::UnevaluatedItems(schema) => {
                let evaluated = self.evaluated(id, value);
                self.unevaluated_items(*schema, &evaluated, items, report)
            }
            _ => scalar::check(keyword, value, report),
        }
    }

    fn items(&mut self, rule: &Items, items: &[Value], report: &mut Report<'_>) -> bool {
        let mut verdict = true;
        for (index, item) in items.iter().enumerate() {
            let Some(schema) = rule.prefix.get(index).copied().or(rule.rest) else {
                break;
            };
            verdict &= report.in_item(index, |report| self.apply(schema, item, report));
            if !verdict && report.is_done() {
                break;
            }
        }
        verdict
    }

    fn contains(&mut self, rule: &Contains, items: &[Value], report: &mut Report<'_>) -> bool {
        let mut found = 0;
        for item in items {
            found += u64::from(self.accepts(rule.schema, item));
        }
        if found < rule.min {
            let (min, noun) = (rule.min, noun(rule.min));
            let keyword = if min == 1 { "contains" } else { "minContains" };
            return report.refuse(keyword, || {
                format!("must contain at least {min} matching {noun}")
            });
        }
        match rule.max {
            Some(max) if found > max => report.refuse("maxContains", || {
                format!("must contain at most {max} matching {}", noun(max))
            }),
            _ => true,
        }
    }

    fn unevaluated_items(
        &mut self,
        schema: NodeId,
        evaluated: &[bool],
        items: &[Value],
        report: &mut Report<'_>,
    ) -> bool {
        let mut verdict = true;
        for ((index, item), seen) in items.iter().enumerate().zip(evaluated) {
            if !seen && !self.accepts(schema, item) {
                verdict = report.in_item(index, |report| {
                    report.refuse("unevaluatedItems", || "is not allowed".to_owned())
                });
            }
        }
        verdict
    }
}

const fn noun(count: u64) -> &'static str {
    if count == 1 { "item" } else { "items" }
}
