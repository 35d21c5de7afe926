//! Unions whose variant a member names (OpenAPI 3.1.1, section 4.8.25).
//!
//! The generated types take the variant that is named and no other, so the
//! interpreter does too; its violations are then those of that variant, not
//! that none of several fits.

use serde_json::{Map, Value};

use crate::reference::key_in;
use crate::validator::node::{NodeId, Tagged};
use crate::validator::report::Report;
use crate::validator::run::Run;

impl Tagged {
    /// The `discriminator` beside a list of branches, which were compiled to
    /// `ids`; `None` where it does not name each of them.
    pub(crate) fn of(
        schema: &Map<String, Value>,
        list: &Value,
        ids: &[NodeId],
        exactly_one: bool,
    ) -> Option<Self> {
        let discriminator = schema.get("discriminator")?;
        let property = discriminator.get("propertyName")?.as_str()?.to_owned();
        let mapping = discriminator.get("mapping").and_then(Value::as_object);
        let default_key = discriminator.get("defaultMapping").and_then(Value::as_str);
        let (mut tags, mut default) = (Vec::new(), None);
        for (branch, id) in list.as_array()?.iter().zip(ids) {
            if branch.get("type").is_some_and(|name| name == "null") {
                continue;
            }
            let known = tags.len();
            let key = key_in(branch)?;
            for (tag, target) in mapping.into_iter().flatten() {
                if target.as_str() == Some(&key) {
                    tags.push((tag.clone(), *id));
                }
            }
            let is_default = default_key == Some(&key);
            if is_default {
                default = Some(*id);
            }
            if tags.len() == known {
                // A component without a mapping is named by its own name.
                let name = Some(key).filter(|key| !key.contains(['/', '~']));
                match name {
                    Some(name) => tags.push((name, *id)),
                    None if is_default => {}
                    None => return None,
                }
            }
        }
        let branches = ids.to_vec();
        Some(Self {
            property,
            tags,
            default,
            branches,
            exactly_one,
        })
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.tags.iter().map(|(tag, _)| tag.as_str()).collect();
        names.join(", ")
    }
}

impl Run<'_> {
    /// The verdict of the branch that the value names. One that is no object
    /// names none, and is left to all of them.
    pub(crate) fn tagged(&mut self, rule: &Tagged, value: &Value, report: &mut Report<'_>) -> bool {
        if !value.is_object() {
            return match rule.exactly_one {
                true => self.one_of(&rule.branches, value, report),
                false => self.any_of(&rule.branches, value, report),
            };
        }
        let tag = value.get(&rule.property).and_then(Value::as_str);
        let named = rule
            .tags
            .iter()
            .find(|(name, _)| Some(name.as_str()) == tag);
        let named = named.map(|(_, schema)| *schema);
        match named.or(rule.default) {
            Some(schema) => self.apply(schema, value, report),
            None => report.in_member(&rule.property, |report| {
                report.refuse("discriminator", || {
                    format!("must be one of {}", rule.names())
                })
            }),
        }
    }
}
