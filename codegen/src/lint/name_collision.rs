//! Names that differ in the document differ in Rust too, without an added number.
//!
//! The number depends on the order of the document: moving one of two equal names renames both.

use super::Findings;
use super::subject::Subject;
use crate::ir::Name;
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let document = subject.document;
    let ids = document.operations.iter().filter_map(|operation| {
        let at = operation.at.child("operationId");
        Some((operation.id.as_deref()?, at))
    });
    differ(ids, snake, findings);
    let components = document.bundle.components().iter();
    differ(
        components.map(|key| (key.as_str(), document.bundle.place(key))),
        pascal,
        findings,
    );
    let tags = document.tags.iter().enumerate();
    let folder = Pointer::default().child("tags");
    differ(
        tags.map(|(i, tag)| (tag.name.as_str(), folder.child(i.to_string()))),
        snake,
        findings,
    );
    for operation in &document.operations {
        let parameters = operation.parameters.iter();
        differ(
            parameters.map(|p| (p.name.as_str(), p.at.clone())),
            snake,
            findings,
        );
    }
    for spot in &subject.spots {
        let properties = spot.members.get("properties").and_then(Value::as_object);
        let at = spot.at.child("properties");
        let names = properties.into_iter().flatten();
        differ(
            names.map(|(name, _)| (name.as_str(), at.child(name))),
            snake,
            findings,
        );
        let values = spot.members.get("enum").and_then(Value::as_array);
        let at = spot.at.child("enum");
        let values = values.into_iter().flatten().enumerate();
        let texts = values.filter_map(|(i, v)| Some((v.as_str()?, at.child(i.to_string()))));
        differ(texts, pascal, findings);
    }
}

fn snake(name: &str) -> String {
    Name::of(name).snake().to_owned()
}

fn pascal(name: &str) -> String {
    Name::of(name).pascal()
}

fn differ<'n>(
    names: impl Iterator<Item = (&'n str, Pointer)>,
    case: fn(&str) -> String,
    findings: &mut Findings<'_>,
) {
    let mut seen: BTreeMap<String, (&str, Pointer)> = BTreeMap::new();
    for (name, at) in names {
        match seen.get(&case(name)) {
            // Names that are equal in the document are reported by other rules.
            Some((first, _)) if *first == name => {}
            Some((first, place)) => {
                let rust = case(name);
                let message = format!("`{name}` and `{first}` are both `{rust}` in Rust");
                let problem = findings.problem(&at, message);
                findings.add(problem.related(place, "the other one"));
            }
            None => drop(seen.insert(case(name), (name, at))),
        }
    }
}
