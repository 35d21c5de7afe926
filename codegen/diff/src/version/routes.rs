//! Which path a request is for. Of several templates that match, the one with a literal segment further to
//! the left wins, as in generated servers (OpenAPI 3.1.1 §4.8.8.2 leaves that to them).

use std::collections::{BTreeMap, HashMap};

/// Whether each segment of a template has parameters.
type Shape = Vec<bool>;

/// The templates of operations, in their order.
#[derive(Default)]
pub(crate) struct Routes {
    templates: Vec<String>,
    /// The indices of templates by their shape, literal segments first, and by their literal segments.
    by_shape: BTreeMap<Shape, HashMap<String, Vec<usize>>>,
}

impl Routes {
    pub(super) fn of(templates: impl Iterator<Item = String>) -> Routes {
        let mut routes = Routes::default();
        for (index, template) in templates.enumerate() {
            let segments = template.split('/');
            let shape: Shape = segments.map(|segment| segment.contains('{')).collect();
            let literals = literals(&shape, &template);
            let known = routes.by_shape.entry(shape).or_default();
            known.entry(literals).or_default().push(index);
            routes.templates.push(template);
        }
        routes
    }

    /// The indices of the operations of the path that a request is for.
    pub(super) fn find(&self, path: &str) -> Vec<usize> {
        let length = path.split('/').count();
        let shapes = self.by_shape.iter();
        let shapes = shapes.filter(|(shape, _)| shape.len() == length);
        let mut matching = shapes.filter_map(|(shape, known)| {
            let found = known.get(&literals(shape, path))?;
            let matches = |index: &usize| {
                let template = self.templates.get(*index);
                template.is_some_and(|template| is_match(template, path))
            };
            let found: Vec<usize> = found.iter().copied().filter(matches).collect();
            (!found.is_empty()).then_some(found)
        });
        let found = matching.next().unwrap_or_default();
        // Of templates with the same literal segments, the one with more text in the others wins.
        let text = |index: &usize| self.templates.get(*index).map(|path| unnamed(path).len());
        let longest = found.iter().map(text).max().flatten();
        found
            .into_iter()
            .filter(|index| text(index) == longest)
            .collect()
    }
}

fn literals(shape: &[bool], path: &str) -> String {
    let segments = shape.iter().zip(path.split('/'));
    let literal = segments.filter(|(has_parameters, _)| !**has_parameters);
    literal.map(|(_, text)| text).collect::<Vec<_>>().join("/")
}

/// Whether a path may be one of a template: no parameter is empty, and each takes as little as it can.
fn is_match(template: &str, path: &str) -> bool {
    let mut segments = template.split('/').zip(path.split('/'));
    segments.all(|(own, sent)| {
        let Some((first, rest)) = own.split_once('{') else {
            return own == sent;
        };
        let Some(mut left) = sent.strip_prefix(first) else {
            return false;
        };
        let literals: Vec<&str> = rest
            .split('{')
            .map(|part| part.split_once('}').map_or("", |(_, literal)| literal))
            .collect();
        let last = literals.len() - 1;
        literals.into_iter().enumerate().all(|(at, literal)| {
            let end = match (at == last, literal) {
                (true, literal) => left.strip_suffix(literal).map(str::len),
                (false, "") => left.chars().next().map(char::len_utf8),
                (false, literal) => left.get(1..).and_then(|rest| Some(rest.find(literal)? + 1)),
            };
            let end = end.filter(|end| *end > 0);
            left = end
                .and_then(|end| left.get(end + literal.len()..))
                .unwrap_or_default();
            end.is_some()
        })
    })
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
    use super::Routes;

    #[test]
    fn a_literal_segment_wins_over_a_parameter() {
        let templates = ["/a/{id}", "/a/mine", "/{any}/{id}", "/a/{id}.csv"];
        let routes = Routes::of(templates.iter().map(|path| (*path).to_owned()));
        for (path, index) in [("/a/mine", 1), ("/a/b", 0), ("/b/mine", 2), ("/a/b.csv", 3)] {
            assert_eq!(routes.find(path), [index], "{path}");
        }
        assert!(routes.find("/a").is_empty() && routes.find("/a/").is_empty());
    }
}
