//! Listed values of `type: string` that are no strings.
//!
//! YAML reads `1.0`, `2` and `true` without quotes as numbers and booleans, and `NULL` and `~` as null. By the letter,
//! no string is one of them, so that the list has values that are never valid. The author means their text. Seen:
//! hand-written documents, with versions, sizes and codes.

use super::{Idiom, Known, Members, Report};
use crate::diagnostic::Code;
use serde_json::{Value, json};

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: Some(Report {
        code: Code::UnquotedText,
        message: "a value listed for `type: string` is no string",
        help: "write it in quotes: `enum: [\"1.0\", \"2\"]`; null is valid beside `type: [string, \"null\"]`",
        meaning: "its text is meant; null, which has none, is left out",
    }),
};

fn rewrite(members: &mut Members, _: &Known<'_>) -> bool {
    let is_nullable = match members.get("type") {
        Some(Value::String(ty)) if ty == "string" => false,
        Some(ty) if *ty == json!(["string", "null"]) || *ty == json!(["null", "string"]) => true,
        _ => return false,
    };
    let mut changed = false;
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        let count = values.len();
        // A list of nothing else is a contradiction, and reported as one.
        if !is_nullable && values.iter().any(|value| !value.is_null()) {
            values.retain(|value| !value.is_null());
        }
        changed |= values.len() < count;
        for value in values.iter_mut() {
            changed |= quote(value);
        }
        let mut known: Vec<Value> = Vec::new();
        values.retain(|value| {
            let is_new = !known.contains(value);
            known.push(value.clone());
            is_new || !changed
        });
    }
    changed |= members.get_mut("const").is_some_and(quote);
    if changed && let Some(default) = members.get_mut("default") {
        quote(default);
    }
    changed
}

/// Makes a number or a boolean its text.
fn quote(value: &mut Value) -> bool {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => return false,
    };
    *value = text.into();
    true
}

#[cfg(test)]
mod tests {
    use super::super::Known;
    use super::rewrite;
    use serde_json::{Map, Value, json};

    #[test]
    fn values_listed_for_strings_are_their_texts() {
        for (old, expected) in [
            (
                json!({ "type": "string", "enum": [1, "2", true], "default": 1 }),
                Some(json!({ "type": "string", "enum": ["1", "2", "true"], "default": "1" })),
            ),
            (
                json!({ "type": ["string", "null"], "enum": [1, null] }),
                Some(json!({ "type": ["string", "null"], "enum": ["1", null] })),
            ),
            (
                json!({ "type": "string", "enum": [null, "LEFT"] }),
                Some(json!({ "type": "string", "enum": ["LEFT"] })),
            ),
            (
                json!({ "type": "string", "enum": [1, "1"] }),
                Some(json!({ "type": "string", "enum": ["1"] })),
            ),
            (
                json!({ "type": "string", "const": 2 }),
                Some(json!({ "type": "string", "const": "2" })),
            ),
            (json!({ "type": "string", "enum": ["a"] }), None),
            (json!({ "type": "string", "enum": [null] }), None),
            (json!({ "type": "integer", "enum": [1, "2"] }), None),
            (
                json!({ "type": ["string", "integer"], "enum": [1, "2"] }),
                None,
            ),
            (json!({ "enum": [1, "2"] }), None),
        ] {
            let Value::Object(mut members) = old.clone() else {
                continue;
            };
            let departs = rewrite(&mut members, &Known::new(&Map::new()));
            assert_eq!(departs, expected.is_some(), "{old}");
            assert_eq!(Value::Object(members), expected.unwrap_or(old));
        }
    }
}
