//! Rivals: operations whose paths match some requests of another one with the method. The more specific
//! template gets these (OpenAPI 3.1.1 §4.8.8.2), so that the client must not send them for the other.

use crate::ir::{Operation, Server};
use std::collections::BTreeMap;

/// Tells each operation its rivals.
pub(super) fn attach(operations: &mut [Operation], base_path: &str) {
    let mut by_length: BTreeMap<(String, usize), Vec<(String, String)>> = BTreeMap::new();
    for operation in operations.iter().filter(|operation| operation.served) {
        let known = by_length.entry(place(operation, base_path)).or_default();
        known.push((operation.method.clone(), operation.path.clone()));
    }
    for operation in operations.iter_mut().filter(|one| one.path.contains('{')) {
        let others = by_length.get(&place(operation, base_path));
        let mut rivals: Vec<String> = others
            .into_iter()
            .flatten()
            .filter(|(method, path)| {
                let is_asked =
                    *method == operation.method || (operation.method == "HEAD" && method == "GET");
                is_asked && may_go_before(path, &operation.path)
            })
            .map(|(_, path)| path.clone())
            .collect();
        rivals.sort();
        rivals.dedup();
        operation.rivals = rivals;
    }
}

/// The paths that compete: those with a base path and a number of segments.
fn place(operation: &Operation, base_path: &str) -> (String, usize) {
    let own = operation.server.as_ref().map(Server::path);
    let base = own.unwrap_or_else(|| base_path.to_owned());
    (base, operation.path.split('/').count())
}

/// Whether some path matches both templates of as many segments, and may be the rival's.
fn may_go_before(rival: &str, own: &str) -> bool {
    let mut differing = None;
    for (rival, own) in rival.split('/').zip(own.split('/')) {
        if !overlap(rival, own) {
            return false;
        }
        let (is_pattern, own_is_pattern) = (rival.contains('{'), own.contains('{'));
        if differing.is_none() && literals(rival) != literals(own) {
            differing = Some(!is_pattern || own_is_pattern);
        }
    }
    differing == Some(true)
}

/// Whether some text may match both segments.
fn overlap(one: &str, other: &str) -> bool {
    let ends = |segment: &str| {
        let literals = literals(segment);
        let first = literals.first().cloned().unwrap_or_default();
        (first, literals.last().cloned().unwrap_or_default())
    };
    if !one.contains('{') && !other.contains('{') {
        return one == other;
    }
    let ((before, after), (other_before, other_after)) = (ends(one), ends(other));
    let is_begun = before.starts_with(&other_before) || other_before.starts_with(&before);
    is_begun && (after.ends_with(&other_after) || other_after.ends_with(&after))
}

/// The literal texts of a segment around its parameters.
fn literals(segment: &str) -> Vec<String> {
    let mut parts = segment.split('{');
    let first = parts.next().map(str::to_owned);
    let others = parts.map(|part| {
        part.split_once('}')
            .map_or(part, |(_, text)| text)
            .to_owned()
    });
    first.into_iter().chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::may_go_before;

    #[test]
    fn a_rival_matches_a_path_of_the_other_and_is_not_less_specific() {
        for (rival, own) in [
            ("/pets/mine", "/pets/{id}"),
            ("/jobs/{id}:cancel", "/jobs/{id}"),
            ("/{shelf}/new", "/{shelf}/{book}"),
            ("/a/{x}.json", "/a/{name}.{ext}"),
            ("/repos/{a}/x", "/{b}/{c}/x"),
        ] {
            assert!(may_go_before(rival, own), "{rival} {own}");
        }
        for (rival, own) in [
            ("/pets/{id}", "/pets/mine"),
            ("/pets/{id}", "/pets/{name}"),
            ("/cats/mine", "/pets/{id}"),
            ("/v{n}/x", "/w{n}/x"),
            ("/{a}.csv", "/{b}.json"),
            ("/{a}/new", "/books/{id}"),
        ] {
            assert!(!may_go_before(rival, own), "{rival} {own}");
        }
    }
}
