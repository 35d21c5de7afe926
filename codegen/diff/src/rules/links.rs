//! Links of a response (OpenAPI 3.1.1 §4.8.20). No message shows them, so that none is ever a break.

use crate::comparison::Comparison;
use crate::report::{Scope, Severity};
use crate::version::Version;
use codegen::openapi::{LinkObject, Response, operation_at};
use codegen::source::Pointer;

/// Compares the links of two responses.
pub(super) fn compare(
    comparison: &mut Comparison<'_>,
    operation: &str,
    place: &str,
    (old, new): (&Response, &Response),
) {
    let (before, after) = (comparison.before, comparison.after);
    let mut note = |severity, kind: &str, link: &LinkObject, message: &str| {
        let scope = Scope::new(operation, format!("{place} link `{}`", link.name));
        let kind = format!("response-link-{kind}");
        comparison.changes.note(&scope, severity, &kind, message);
    };
    for link in &old.links {
        let Some(now) = new.links.iter().find(|one| one.name == link.name) else {
            note(Severity::Compatible, "removed", link, "was removed");
            continue;
        };
        if meaning(before, link) != meaning(after, now) {
            let message = "leads elsewhere, or with other values";
            note(Severity::Compatible, "changed", link, message);
        }
        if link.description != now.description {
            note(Severity::Docs, "docs", link, "description was changed");
        }
    }
    for link in &new.links {
        if !old.links.iter().any(|one| one.name == link.name) {
            note(Severity::Compatible, "added", link, "was added");
        }
    }
}

/// What a link says, with its operation by the route: no message shows ids.
fn meaning(version: &Version, link: &LinkObject) -> String {
    let operations = &version.operations;
    let by_id = |id: &String| operations.iter().find(|one| one.id.as_ref() == Some(id));
    let reference = link
        .operation_ref
        .as_deref()
        .and_then(Pointer::of_reference);
    let referred = reference.and_then(|pointer| operation_at(operations, &pointer));
    let referred = referred.and_then(|index| operations.get(index));
    let target = referred.or_else(|| by_id(link.operation_id.as_ref()?));
    let target = target.map(|target| version.route(target));
    let unknown = (&link.operation_id, &link.operation_ref);
    let unknown = target.is_none().then_some(unknown);
    let mut parameters = link.parameters.clone();
    parameters.sort_by(|one, other| one.0.cmp(&other.0));
    let given = (parameters, &link.request_body, link.has_server);
    format!("{target:?} {unknown:?} {given:?}")
}
