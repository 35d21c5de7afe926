//! A required member is described somewhere; if not, its name is probably misspelt.

use super::Findings;
use super::subject::{Members, Subject, in_place};
use crate::source::Pointer;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    // Only for the outermost schema of a value, because a union has many inside it.
    let mut known: HashMap<usize, Described<'_>> = HashMap::new();
    for (index, spot) in subject.spots.iter().enumerate() {
        let Some(Value::Array(required)) = spot.members.get("required") else {
            continue;
        };
        // The schemas around this one describe the same object.
        let (mut at, mut outermost) = (index, spot);
        while let Some(around) = outermost.same_value
            && let Some(spot) = subject.spots.get(around)
        {
            (at, outermost) = (around, spot);
        }
        let described = known.entry(at).or_insert_with(|| {
            let mut described = Described::default();
            described.read(subject, outermost.members, 0);
            described
        });
        if described.any {
            continue;
        }
        for (index, name) in required.iter().enumerate() {
            let Some(name) = name
                .as_str()
                .filter(|name| !described.names.contains(*name))
            else {
                continue;
            };
            let at = spot.at.child("required").child(index.to_string());
            let message =
                format!("`{name}` is required, but no property of that name is described");
            findings.report(&at, message);
        }
    }
}

/// The members described by a schema and by the schemas inside it for the same value.
#[derive(Default)]
struct Described<'a> {
    names: BTreeSet<&'a str>,
    /// Whether members of any name are described, by a pattern or a schema for all others.
    any: bool,
    seen: BTreeSet<String>,
}

impl<'a> Described<'a> {
    fn read(&mut self, subject: &Subject<'a>, members: &'a Members, depth: usize) {
        if let Some(Value::Object(properties)) = members.get("properties") {
            self.names.extend(properties.keys().map(String::as_str));
        }
        self.any |= members.contains_key("patternProperties")
            || members
                .get("additionalProperties")
                .is_some_and(Value::is_object)
            || depth > 64;
        if let Some((target, key)) = subject.referred(members)
            && self.seen.insert(key)
        {
            self.read(subject, target, depth + 1);
        }
        for (_, inner) in in_place(members, &Pointer::default()) {
            if let Some(inner) = inner.as_object() {
                self.read(subject, inner, depth + 1);
            }
        }
    }
}
