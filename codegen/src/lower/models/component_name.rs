//! The name of a schema inside a component, independent of the operation that uses it first.

use crate::source::Pointer;

const SCHEMAS: &str = "/components/schemas/";

/// Whether a schema stands in a component other than a schema, which operations may share.
pub(super) fn is_shared(at: &Pointer) -> bool {
    at.as_str().starts_with("/components/")
        && !at.as_str().starts_with(SCHEMAS)
        && component_name(at).is_some()
}

/// The component and the members that lead to the schema; `None` where the path has other steps.
pub(super) fn component_name(at: &Pointer) -> Option<String> {
    let mut steps = at.tokens();
    if steps.next()? != "components" {
        return None;
    }
    let kind = steps.next()?;
    let mut hint = steps.next()?;
    if kind != "schemas" {
        let mut what = match kind.as_str() {
            "responses" => "body",
            "requestBodies" => "request",
            "mediaTypes" => "media",
            "headers" => "header",
            "parameters" => "",
            _ => return None,
        };
        loop {
            match steps.next()?.as_str() {
                "schema" | "itemSchema" => break,
                "content" => drop(steps.next()?),
                "headers" => {
                    hint = format!("{hint} {}", steps.next()?);
                    what = "header";
                }
                _ => return None,
            }
        }
        hint = format!("{hint} {what}");
    }
    while let Some(step) = steps.next() {
        let word = match step.as_str() {
            "properties" => steps.next()?,
            "items" => "item".into(),
            "additionalProperties" => "value".into(),
            "allOf" => {
                steps.next()?;
                continue;
            }
            _ => return None,
        };
        hint.push(' ');
        hint.push_str(&word);
    }
    Some(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_shared_schemas_after_their_component() {
        for (at, expected) in [
            (
                "/components/schemas/Book/properties/cover/items",
                Some("Book cover item"),
            ),
            ("/components/schemas/Book/oneOf/0", None),
            (
                "/components/responses/Gone/content/a~1b/schema",
                Some("Gone body"),
            ),
            (
                "/components/responses/Gone/headers/Left/schema",
                Some("Gone Left header"),
            ),
            ("/components/headers/Left/schema", Some("Left header")),
            ("/components/mediaTypes/Rows/itemSchema", Some("Rows media")),
            (
                "/components/parameters/Page/schema/properties/at",
                Some("Page  at"),
            ),
            ("/paths/~1a/get/responses/200/content/a~1b/schema", None),
        ] {
            let at = Pointer::parse(at).unwrap_or_default();
            assert_eq!(component_name(&at).as_deref(), expected, "{at}");
        }
    }
}
