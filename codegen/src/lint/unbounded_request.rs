//! Strings and arrays of requests have an upper bound: of their length, or of their items.

use super::Findings;
use super::subject::{Members, Subject, in_place, inner, types};
use crate::source::Pointer;
use json_schema::format::{Format, Length};
use json_schema::pattern::length::longest;
use serde_json::Value;
use std::collections::BTreeSet;

/// How many references are followed for the bounds of one schema.
const MAX_REFERENCES: usize = 1 << 10;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut walk = Walk {
        subject,
        findings,
        seen: BTreeSet::new(),
    };
    for operation in &subject.document.operations {
        for parameter in &operation.parameters {
            walk.key(&parameter.schema, Bounds::default());
        }
        for media in operation.body.iter().flat_map(|body| &body.content) {
            let structured = media.media_type.contains("json") || media.media_type.contains("form");
            if let Some(key) = media.schema.as_ref().filter(|_| structured) {
                walk.key(key, Bounds::default());
            }
        }
    }
}

/// The bounds that a schema has already from schemas around it for the same value.
#[derive(Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Bounds {
    length: bool,
    items: bool,
}

struct Walk<'s, 'a, 'f, 'd> {
    subject: &'s Subject<'a>,
    findings: &'f mut Findings<'d>,
    seen: BTreeSet<(String, Bounds)>,
}

impl Walk<'_, '_, '_, '_> {
    fn key(&mut self, key: &str, around: Bounds) {
        let bundle = &self.subject.document.bundle;
        let schema = bundle.get(key).and_then(Value::as_object);
        if let Some(members) = schema
            && self.seen.insert((key.to_owned(), around))
        {
            self.schema(members, &bundle.place(key), around);
        }
    }

    fn schema(&mut self, members: &Members, at: &Pointer, around: Bounds) {
        let bounds = self.bounds(members, around, &mut BTreeSet::new());
        let types = types(members);
        if types.contains(&"string") && !bounds.length {
            let help = "add `maxLength`, or a `pattern` that bounds the length";
            self.findings
                .advise(at, "a request may hold a string of any length here", help);
        }
        if types.contains(&"array") && !bounds.items {
            let message = "a request may hold any number of items here";
            self.findings.advise(at, message, "add `maxItems`");
        }
        if let Some((_, key)) = self.subject.referred(members) {
            self.key(&key, bounds);
        }
        let same: BTreeSet<Pointer> = in_place(members, at)
            .into_iter()
            .map(|(at, _)| at)
            .collect();
        for (at, schema) in inner(members, at) {
            let around = if same.contains(&at) {
                bounds
            } else {
                Bounds::default()
            };
            // Excluded values need no bound, and definitions are no values.
            let is_value = !at.as_str().ends_with("/not") && !at.as_str().contains("/$defs/");
            if let Some(schema) = schema.as_object().filter(|_| is_value) {
                self.schema(schema, &at, around);
            }
        }
    }

    /// The bounds of a schema itself, of its `allOf` and of references, each followed once.
    fn bounds(&self, members: &Members, around: Bounds, followed: &mut BTreeSet<String>) -> Bounds {
        let has = |name: &str| members.contains_key(name);
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let listed = has("enum") || has("const");
        let mut bounds = Bounds {
            length: around.length
                || listed
                || has("maxLength")
                || text("format").is_some_and(is_short)
                || text("pattern").and_then(longest).is_some(),
            items: around.items || listed || has("maxItems"),
        };
        let referred = self.subject.referred(members);
        let referred = referred
            .filter(|(_, key)| followed.len() < MAX_REFERENCES && followed.insert(key.clone()));
        let all_of = members.get("allOf").and_then(Value::as_array);
        let parts = all_of.into_iter().flatten().filter_map(Value::as_object);
        for part in parts.chain(referred.map(|(target, _)| target)) {
            bounds = self.bounds(part, bounds, followed);
        }
        bounds
    }
}

/// Whether the texts of a format have a length that is bounded, or nearly so.
fn is_short(format: &str) -> bool {
    Format::named(format).is_some_and(|format| format.length != Length::Any)
}
