//! No request matches two paths of which neither is more specific.
//!
//! `/books/{id}` and `/books/new` are fine: a literal segment wins over a parameter. `/{shelf}/new`
//! beside `/books/{id}` is not: `/books/new` matches both, and each has one literal segment.

use super::Findings;
use super::subject::Subject;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let operations = &subject.document.operations;
    for (index, operation) in operations.iter().enumerate() {
        for earlier in operations.iter().take(index) {
            if earlier.method != operation.method {
                continue;
            }
            if let Some(both) = conflict(&earlier.path, &operation.path) {
                let message = format!("`{both}` matches this path and `{}`", earlier.path);
                let help = "write out a segment of one where the other has it written out";
                let problem = findings.problem(&operation.at, message).help(help);
                findings.add(problem.related(&earlier.at, "the other one"));
            }
        }
    }
}

/// A path that matches both templates, where neither is more specific in every segment.
fn conflict(one: &str, other: &str) -> Option<String> {
    let (ones, others): (Vec<&str>, Vec<&str>) =
        (one.split('/').collect(), other.split('/').collect());
    if ones.len() != others.len() {
        return None;
    }
    let (mut one_wins, mut other_wins) = (false, false);
    let mut both = Vec::new();
    for (one, other) in ones.into_iter().zip(others) {
        match (one.contains('{'), other.contains('{')) {
            (false, false) if one != other => return None,
            (false, true) if fits(one, other) => one_wins = true,
            (true, false) if fits(other, one) => other_wins = true,
            (false, true) | (true, false) => return None,
            _ => {}
        }
        both.push(if one.contains('{') { other } else { one });
    }
    (one_wins && other_wins).then(|| both.join("/"))
}

/// Whether a segment fits the text before and after the parameters of a template.
fn fits(segment: &str, template: &str) -> bool {
    let before = template.split('{').next().unwrap_or_default();
    let after = template.rsplit('}').next().unwrap_or_default();
    segment.len() > before.len() + after.len()
        && segment.starts_with(before)
        && segment.ends_with(after)
}

#[cfg(test)]
mod tests {
    use super::conflict;

    #[test]
    fn finds_paths_of_which_neither_is_more_specific() {
        let both = conflict("/{shelf}/new", "/books/{id}");
        assert_eq!(both.as_deref(), Some("/books/new"));
        assert_eq!(conflict("/a/{x}.json/{y}", "/a/b.json/c"), None);
        for (one, other) in [
            ("/books/new", "/books/{id}"),
            ("/{a}/x", "/{b}/y"),
            ("/{a}/new", "/books/{id}/new"),
            ("/v{a}/new", "/books/{id}"),
        ] {
            assert_eq!(conflict(one, other), None, "{one} {other}");
        }
    }
}
