//! A list of parameters declares each of them once (OpenAPI 3.1.1 §4.8.10).

use super::Findings;
use super::subject::Subject;
use crate::openapi::ParamLocation;
use crate::source::Pointer;
use serde_json::Value;

/// The field of a path item with the operations of further methods.
const ADDITIONAL: &str = "additionalOperations";

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let folder = Pointer::default().child("paths");
    let paths = subject.root.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        let reference = item.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(Pointer::of_reference);
        let at = target.unwrap_or_else(|| folder.child(path));
        let item = resolved(subject.root, item);
        list(subject, item, &at, findings);
        for (field, operation) in item.as_object().into_iter().flatten() {
            let at = at.child(field);
            list(subject, operation, &at, findings);
            let additional = operation.as_object().filter(|_| field == ADDITIONAL);
            for (method, operation) in additional.into_iter().flatten() {
                list(subject, operation, &at.child(method), findings);
            }
        }
    }
}

/// Checks the parameters of a path item or an operation.
fn list(subject: &Subject<'_>, holder: &Value, at: &Pointer, findings: &mut Findings<'_>) {
    let parameters = holder.get("parameters").and_then(Value::as_array);
    let mut seen: Vec<(&str, &str, Pointer)> = Vec::new();
    for (index, parameter) in parameters.into_iter().flatten().enumerate() {
        let at = at.child("parameters").child(index.to_string());
        let text = |name: &str| resolved(subject.root, parameter).get(name)?.as_str();
        let (Some(name), Some(place)) = (text("name"), text("in")) else {
            continue;
        };
        let same = |(n, p, _): &&(&str, &str, Pointer)| {
            *p == place && ParamLocation::named(place).is_some_and(|place| place.is_named(n, name))
        };
        if let Some((.., first)) = seen.iter().find(same) {
            let message = format!("the {place} parameter `{name}` is declared twice");
            let problem = findings.problem(&at, message);
            findings.add(problem.related(first, "it is declared here first"));
        } else {
            seen.push((name, place, at));
        }
    }
}

fn resolved<'a>(root: &'a Value, parameter: &'a Value) -> &'a Value {
    let reference = parameter.get("$ref").and_then(Value::as_str);
    let target = reference.and_then(Pointer::of_reference);
    target
        .and_then(|pointer| root.pointer(pointer.as_str()))
        .unwrap_or(parameter)
}
