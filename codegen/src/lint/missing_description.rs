//! Operations, parameters, tags and named schemas are described.

use super::Findings;
use super::subject::Subject;
use crate::source::Pointer;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let document = subject.document;
    for operation in document.all_operations() {
        if is_blank(&operation.summary) && is_blank(&operation.description) {
            findings.report(
                &operation.at,
                "this operation has neither summary nor description",
            );
        }
        for parameter in &operation.parameters {
            if is_blank(&parameter.description) {
                let message = format!("the parameter `{}` is not described", parameter.name);
                findings.report(&parameter.at, message);
            }
        }
    }
    for (index, tag) in document.tags.iter().enumerate() {
        if is_blank(&tag.description) {
            let at = Pointer::default().child("tags").child(index.to_string());
            findings.report(&at, format!("the tag `{}` is not described", tag.name));
        }
    }
    for key in document.bundle.components() {
        let schema = document.bundle.get(key);
        let text = |name| schema?.get(name)?.as_str().map(str::to_owned);
        if ["description", "title", "$ref"]
            .into_iter()
            .all(|name| is_blank(&text(name)))
        {
            let message = format!("the schema `{key}` is not described");
            findings.report(&document.bundle.place(key), message);
        }
    }
}

fn is_blank(text: &Option<String>) -> bool {
    text.as_ref().is_none_or(|text| text.trim().is_empty())
}
