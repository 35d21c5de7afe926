//! Values that are too long to be written down: a report tells how they are made.

use serde_json::Value;

/// The longest value, in bytes of JSON, that a report holds.
const LONGEST: usize = 200_000;
/// Texts and lists above this that repeat one thing are told by it.
const RUN: usize = 64;

/// How a value is made that is too long to be written down, as JSON in which `"a" × 3` stands for
/// `"aaa"` and `[0] × 3` for `[0,0,0]`; `None` for any other.
pub(super) fn made(value: &Value) -> Option<String> {
    (value.to_string().len() > LONGEST).then(|| recipe(value))
}

fn recipe(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let first = text.chars().next();
            let count = text.chars().count();
            match first.filter(|first| count > RUN && text.chars().all(|c| c == *first)) {
                Some(first) => format!("{} × {count}", Value::String(first.into())),
                None => value.to_string(),
            }
        }
        Value::Array(items) => match items.split_first() {
            Some((first, rest)) if rest.len() > RUN && rest.iter().all(|item| item == first) => {
                format!("[{}] × {}", recipe(first), items.len())
            }
            _ => {
                let items: Vec<String> = items.iter().map(recipe).collect();
                format!("[{}]", items.join(","))
            }
        },
        Value::Object(members) => {
            let members = members.iter();
            let members: Vec<String> = members
                .map(|(name, value)| format!("{}:{}", Value::String(name.clone()), recipe(value)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        plain => plain.to_string(),
    }
}
