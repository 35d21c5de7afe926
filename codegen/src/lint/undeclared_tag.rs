//! The tags of operations are declared at the root, which gives them an order and a description.

use super::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for operation in subject.document.all_operations() {
        for (index, tag) in operation.tags.iter().enumerate() {
            let mut declared = subject.document.tags.iter();
            if !declared.any(|declared| declared.name == *tag) {
                let at = operation.at.child("tags").child(index.to_string());
                findings.report(
                    &at,
                    format!("`tags` of the document do not declare `{tag}`"),
                );
            }
        }
    }
}
