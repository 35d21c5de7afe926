//! Every operation has an id, and one that reads well as a name.
//!
//! Without one the generated method is named after the method and path, and is renamed when the
//! path is.

use super::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for operation in &subject.document.operations {
        match &operation.id {
            None => findings.advise(
                &operation.at,
                "this operation has no `operationId`",
                "name it after what it does, as in `operationId: books.list`",
            ),
            Some(id) if !reads_well(id) => findings.advise(
                &operation.at.child("operationId"),
                format!("`{id}` is awkward as the name of a method"),
                "use words of letters and digits, joined by `.`, `-` or `_`",
            ),
            Some(_) => {}
        }
    }
}

/// Words of ASCII letters and digits with single separators, the first beginning with a letter.
fn reads_well(id: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric());
    id.starts_with(|c: char| c.is_ascii_alphabetic()) && id.split(['.', '-', '_']).all(word)
}

#[cfg(test)]
mod tests {
    use super::reads_well;

    #[test]
    fn knows_awkward_names() {
        for good in ["list", "books.list", "get-book_2", "feedAtom"] {
            assert!(reads_well(good), "{good}");
        }
        for bad in ["", "2fa", "get book", "a..b", "_x", "é", "GET /books"] {
            assert!(!reads_well(bad), "{bad}");
        }
    }
}
