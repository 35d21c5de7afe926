//! Finds values of path parameters for which a request matches its own path: a literal segment wins
//! over one with parameters (OpenAPI 3.1.1 §4.8.8.2), so that a value equal to another path's
//! literal segment leads there.

use serde_json::Value;
use std::collections::BTreeSet;

/// The literal segments of all paths, each with its position.
#[derive(Debug, Default)]
pub(super) struct Segments<'a> {
    literal: BTreeSet<(usize, &'a str)>,
}

impl<'a> Segments<'a> {
    /// The segments with parameters.
    pub(super) fn of(templates: impl Iterator<Item = &'a str>) -> Segments<'a> {
        let segments = templates.flat_map(|template| template.split('/').enumerate());
        let literal = segments.filter(|(_, segment)| !segment.contains('{'));
        Segments {
            literal: literal.collect(),
        }
    }

    /// Whether a value makes the segment of its parameter a literal one of some path.
    pub(super) fn has(&self, template: &str, parameter: &str, value: &Value) -> bool {
        let name = format!("{{{parameter}}}");
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let mut segments = template.split('/').enumerate();
        let of_it = segments.find(|(_, segment)| segment.contains(&name));
        of_it.is_some_and(|(place, segment)| {
            let text_of_segment = segment.replace(&name, &text);
            self.literal.contains(&(place, text_of_segment.as_str()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_the_literal_of_another_path_at_its_own_place_alone() {
        let templates = ["/users/me/posts", "/users/{id}/{kind}", "/v2/users"];
        let segments = Segments::of(templates.into_iter());
        let has = |name: &str, value: Value| segments.has("/users/{id}/{kind}", name, &value);
        assert!(has("id", json!("me")) && has("kind", json!("posts")));
        assert!(!has("id", json!("posts")) && !has("kind", json!("me")) && !has("id", json!(1)));
        assert!(segments.has("/v{n}/users", "n", &json!(2)));
    }
}
