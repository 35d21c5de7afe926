//! The document says whom to ask.

use super::Findings;
use super::subject::Subject;
use crate::source::Pointer;

pub(super) fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.document.info.contact.is_none() {
        let at = Pointer::default().child("info");
        found.say(&at, "`info` has no `contact`");
    }
}
