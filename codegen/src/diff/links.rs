//! Links of a response (OpenAPI 3.1.1 §4.8.20). They stand in the document alone and no message shows
//! them, so that none is a break, whatever becomes of it.

use super::judge::Judge;
use super::report::Severity;
use super::side::Side;
use crate::openapi::{LinkObject, Response, operation_at};
use crate::source::Pointer;

/// Compares the links of two responses.
pub(super) fn compare(
    judge: &mut Judge<'_>,
    operation: &str,
    place: &str,
    (old, new): (&Response, &Response),
) {
    let named = |response: &'_ Response, name: &str| -> Option<LinkObject> {
        let mut links = response.links.iter();
        links.find(|link| link.name == name).cloned()
    };
    let mut note = |severity, kind: &str, link: &LinkObject, message: &str| {
        let place = format!("{place} link `{}`", link.name);
        let name = Some(operation.to_owned());
        judge.changes.note(severity, kind, name, &place, message);
    };
    for link in &old.links {
        let Some(now) = named(new, &link.name) else {
            note(
                Severity::Compatible,
                "response-link-removed",
                link,
                "was removed",
            );
            continue;
        };
        if told(judge.before, link) != told(judge.after, &now) {
            let message = "leads elsewhere, or with other values";
            note(Severity::Compatible, "response-link-changed", link, message);
        }
        if link.description != now.description {
            note(
                Severity::Docs,
                "response-link-docs",
                link,
                "description was changed",
            );
        }
    }
    for link in &new.links {
        if named(old, &link.name).is_none() {
            note(
                Severity::Compatible,
                "response-link-added",
                link,
                "was added",
            );
        }
    }
}

/// What a link says, with the operation by its route: ids are names that no message shows.
fn told(side: &Side, link: &LinkObject) -> String {
    let of_id = |id| {
        let mut operations = side.operations.iter();
        operations.find(|operation| operation.id.as_ref() == Some(id))
    };
    let referred = link.operation_ref.as_deref();
    let referred = referred.and_then(Pointer::of_reference);
    let referred = referred.and_then(|pointer| operation_at(&side.operations, &pointer));
    let referred = referred.and_then(|place| side.operations.get(place));
    let target = referred.or_else(|| of_id(link.operation_id.as_ref()?));
    let target = target.map(|target| side.route(target));
    let unknown = (&link.operation_id, &link.operation_ref);
    let unknown = target.is_none().then_some(unknown);
    let mut parameters = link.parameters.clone();
    parameters.sort_by(|one, other| one.0.cmp(&other.0));
    let given = (parameters, &link.request_body, link.has_server);
    format!("{target:?} {unknown:?} {given:?}")
}
