//! Values as pairs of names and texts, as in `application/x-www-form-urlencoded` and in queries.
//!
//! OpenAPI leaves lists and objects inside of `deepObject` open (3.1.1 §4.8.12.3). This is the one encoding
//! of them: generated servers read it, and generated clients and Postman collections write it.
//! Nothing is percent-encoded here.

use serde_json::Value;

/// The pairs of a `deepObject`: `name[a]=1` for a member, `name[a][b]=1` below it, `name[]=1` for a plain
/// item, `name[0][a]=1` for an item that is an object. Null has no pair.
#[must_use]
pub fn deep_object(name: &str, value: &Value) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    match value {
        Value::Array(items) => {
            let plain = is_plain(items);
            for (index, item) in items.iter().enumerate() {
                // More servers understand lists of texts without the indices.
                let index = if plain {
                    String::new()
                } else {
                    index.to_string()
                };
                nested(&format!("{name}[{index}]"), item, &mut pairs);
            }
        }
        value => nested(name, value, &mut pairs),
    }
    pairs
}

/// The pairs of a form's field that has no style of its own: `name=1&name=2` for a plain list,
/// brackets for an object.
#[must_use]
pub fn form_field(name: &str, value: &Value) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    match value {
        Value::Array(items) if is_plain(items) => {
            pairs.extend(items.iter().map(|item| (name.to_owned(), text(item))));
        }
        value => nested(name, value, &mut pairs),
    }
    pairs
}

/// The text of one value; null has none.
#[must_use]
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        _ => value.to_string(),
    }
}

fn is_plain(items: &[Value]) -> bool {
    !items.iter().any(|item| item.is_object() || item.is_array())
}

/// Adds the pairs of a member, or of a value that has some.
fn nested(name: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                nested(&format!("{name}[{key}]"), member, pairs);
            }
        }
        Value::Array(items) if is_plain(items) => {
            // The name alone tells a list of one item from a text.
            let name = format!("{name}[]");
            pairs.extend(items.iter().map(|item| (name.clone(), text(item))));
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                nested(&format!("{name}[{index}]"), item, pairs);
            }
        }
        Value::Null => {}
        _ => pairs.push((name.to_owned(), text(value))),
    }
}

#[cfg(test)]
mod tests {
    use super::{deep_object, form_field};
    use serde_json::json;

    fn joined(pairs: Vec<(String, String)>) -> String {
        let pairs = pairs.into_iter();
        let pairs: Vec<String> = pairs.map(|(name, text)| format!("{name}={text}")).collect();
        pairs.join("&")
    }

    #[test]
    fn parts_have_their_names_in_brackets() {
        let value =
            json!({ "a": 1, "b": [2, 3], "c": { "d": "x" }, "e": [{ "f": true }], "g": null });
        let nested = "f[a]=1&f[b][]=2&f[b][]=3&f[c][d]=x&f[e][0][f]=true";
        assert_eq!(joined(deep_object("f", &value)), nested);
        assert_eq!(joined(form_field("f", &value)), nested);
    }

    #[test]
    fn plain_lists_are_written_by_the_name_of_the_field() {
        assert_eq!(joined(deep_object("f", &json!([1, 2]))), "f[]=1&f[]=2");
        assert_eq!(joined(form_field("f", &json!([1, 2]))), "f=1&f=2");
    }
}
