//! The document has a contact.

use super::Findings;
use super::subject::Subject;
use crate::source::Pointer;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    if subject.document.info.contact.is_none() {
        let at = Pointer::default().child("info");
        findings.report(&at, "`info` has no `contact`");
    }
}
