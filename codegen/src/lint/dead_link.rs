//! A link names an operation, and parameters that this operation has (OpenAPI 3.1.1 §4.8.20).

use super::Findings;
use super::subject::Subject;
use crate::openapi::{LinkObject, Response};

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for operation in &subject.document.operations {
        for response in &operation.responses {
            for link in &response.links {
                one(subject, response, link, findings);
            }
        }
    }
}

fn one(subject: &Subject<'_>, response: &Response, link: &LinkObject, findings: &mut Findings<'_>) {
    let Some(id) = &link.operation_id else {
        return;
    };
    let at = response.at.child("links").child(&link.name);
    let operations = &subject.document.operations;
    let Some(target) = operations.iter().find(|o| o.id.as_ref() == Some(id)) else {
        // What is asked of others, and not of the API, is told with every generation.
        let mut all = subject.document.all_operations();
        if all.any(|operation| operation.id.as_ref() == Some(id)) {
            return;
        }
        findings.report(
            &at,
            format!("the link `{}` leads to no operation: `{id}`", link.name),
        );
        return;
    };
    for (wanted, _) in &link.parameters {
        let has = target.parameters.iter().any(|parameter| {
            let (place, wire) = (parameter.place, &parameter.name);
            place.is_named(wire, wanted) || place.is_qualified(wire, wanted)
        });
        if !has {
            let message = format!(
                "the link `{}`: `{id}` has no parameter `{wanted}`",
                link.name
            );
            findings.report(&at, message);
        }
    }
}
