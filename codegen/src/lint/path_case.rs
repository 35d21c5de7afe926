//! Paths are written in lower case, their words joined by hyphens.

use super::Findings;
use super::subject::Subject;
use crate::source::Pointer;
use std::collections::BTreeSet;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let operations = subject.document.operations.iter();
    let paths: BTreeSet<&str> = operations
        .map(|operation| operation.path.as_str())
        .collect();
    for path in paths {
        if let Some(segment) = path.split('/').find(|segment| !reads_well(segment)) {
            let at = Pointer::default().child("paths").child(path);
            let message = format!("the segment `{segment}` is not in lower case with hyphens");
            findings.report(&at, message);
        }
    }
}

/// Whether a segment has only lower-case words, digits, hyphens and dots, its parameters left
/// aside.
fn reads_well(segment: &str) -> bool {
    let mut inside = false;
    segment.chars().all(|c| {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            _ => return inside || c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c),
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::reads_well;

    #[test]
    fn leaves_names_of_parameters_alone() {
        for good in ["", "books", "feed.atom", "{bookId}", "v2", "{a}-{bC}.json"] {
            assert!(reads_well(good), "{good}");
        }
        for bad in ["Books", "my_books", "{id}Books", "{id}X{y}"] {
            assert!(!reads_well(bad), "{bad}");
        }
    }
}
