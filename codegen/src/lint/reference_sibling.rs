//! In OpenAPI 3.0, members beside a `$ref` are ignored (3.0.4 §4.7.23.1).

use super::Findings;
use super::subject::Subject;
use crate::source::Pointer;
use crate::source::files::{MOUNT, place};
use serde_json::Value;

/// Members whose values are data: `$ref` inside them is no reference.
const DATA: &[&str] = &["example", "examples", "default", "enum", "const", "value"];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    if subject.is_30() {
        walk(subject.root, &Pointer::default(), findings);
        let files = subject.root.get(MOUNT).and_then(Value::as_object);
        for (path, file) in files.into_iter().flatten() {
            walk(file, &place(path, &Pointer::default()), findings);
        }
    }
}

fn walk(value: &Value, at: &Pointer, findings: &mut Findings<'_>) {
    if let Value::Array(items) = value {
        for (index, item) in items.iter().enumerate() {
            walk(item, &at.child(index.to_string()), findings);
        }
    }
    let Value::Object(members) = value else {
        return;
    };
    let is_reference = members.get("$ref").is_some_and(Value::is_string);
    for (name, inner) in members {
        if name.starts_with("x-") || DATA.contains(&name.as_str()) {
            continue;
        }
        let here = at.child(name);
        // The idiom `idle-nullable` reads it.
        let is_read = name == "nullable" && *inner == true;
        if is_reference && name != "$ref" && !is_read {
            let help = "put the reference into `allOf`, and this beside it";
            findings.advise(
                &here,
                "this means nothing beside a `$ref` of OpenAPI 3.0",
                help,
            );
        }
        walk(inner, &here, findings);
    }
}
