//! The path template that a request matches. Of several, the one with a literal segment further to the left
//! wins, as in generated servers (OpenAPI 3.1.1 §4.8.8.2 leaves that to them).

use std::cmp::Reverse;

/// Whether each segment of a template has parameters, and how much literal text there is.
type Rank = (Vec<bool>, Reverse<usize>);

/// The indices of the templates that a path is for.
pub(super) fn find(templates: &[String], path: &str) -> Vec<usize> {
    let matching = templates.iter().enumerate();
    let matching = matching.filter(|(_, template)| is_match(template, path));
    let ranked: Vec<(Rank, usize)> = matching.map(|(index, one)| (rank(one), index)).collect();
    let best = ranked.iter().map(|(rank, _)| rank).min();
    let found = ranked.iter().filter(|(rank, _)| Some(rank) == best);
    found.map(|(_, index)| *index).collect()
}

fn rank(template: &str) -> Rank {
    let segments = template.split('/');
    let shape = segments.map(|segment| segment.contains('{')).collect();
    (shape, Reverse(unnamed(template).len()))
}

/// Whether a path may be one of a template: no parameter is empty.
fn is_match(template: &str, path: &str) -> bool {
    let (mut own, mut sent) = (template.split('/'), path.split('/'));
    loop {
        match (own.next(), sent.next()) {
            (None, None) => return true,
            (Some(own), Some(sent)) if is_segment(own, sent) => {}
            _ => return false,
        }
    }
}

fn is_segment(own: &str, sent: &str) -> bool {
    let (Some((first, _)), Some((_, last))) = (own.split_once('{'), own.rsplit_once('}')) else {
        return own == sent;
    };
    let between = sent
        .strip_prefix(first)
        .and_then(|rest| rest.strip_suffix(last));
    between.is_some_and(|between| !between.is_empty())
}

/// A path without the names of its parameters.
pub(crate) fn unnamed(path: &str) -> String {
    let mut parts = path.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let literal = part.split_once('}').map_or(part, |(_, literal)| literal);
        plain + "{}" + literal
    })
}

/// The names of a path's parameters in their order.
pub(crate) fn parameter_names(path: &str) -> Vec<&str> {
    let parts = path.split('{').skip(1);
    let names = parts.filter_map(|part| Some(part.split_once('}')?.0));
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_literal_segment_wins_over_a_parameter() {
        let templates = ["/a/{id}", "/a/mine", "/{any}/{id}", "/a/{id}.csv"].map(str::to_owned);
        for (path, index) in [("/a/mine", 1), ("/a/b", 0), ("/b/mine", 2), ("/a/b.csv", 3)] {
            assert_eq!(find(&templates, path), [index], "{path}");
        }
        assert!(find(&templates, "/a").is_empty() && find(&templates, "/a/").is_empty());
    }
}
