//! Writes a value in one line; a long one is elided except around the place in question.

use serde_json::Value;

/// The longest value that is written in full, in characters of JSON.
const MAX_LENGTH: usize = 400;
/// How long the parts around the place may be.
const SHORT: usize = 24;
/// How much of a long text is written.
const HEAD: usize = 40;
/// How many members or items are written beside the place.
const MAX_MEMBERS: usize = 4;

/// A value in one line. `at` is a JSON pointer to the place that matters.
pub(crate) fn elided(value: &Value, at: &str) -> String {
    let text = value.to_string();
    if text.chars().count() <= MAX_LENGTH {
        return text;
    }
    let tokens = at.split('/').skip(1);
    let tokens: Vec<String> = tokens
        .map(|token| token.replace("~1", "/").replace("~0", "~"))
        .collect();
    write(value, &tokens)
}

fn write(value: &Value, path: &[String]) -> String {
    let (next, rest) = match path.split_first() {
        Some((next, rest)) => (Some(next), rest),
        None => (None, path),
    };
    match value {
        Value::Object(members) => {
            let mut kept = Vec::new();
            let mut left_out = false;
            for (name, member) in members {
                let shown = match next == Some(name) {
                    true => Some(write(member, rest)),
                    false => short(member).filter(|_| kept.len() < MAX_MEMBERS),
                };
                left_out |= shown.is_none();
                kept.extend(shown.map(|shown| format!("{}:{shown}", Value::from(name.as_str()))));
            }
            kept.extend(left_out.then(|| "…".to_owned()));
            format!("{{{}}}", kept.join(","))
        }
        Value::Array(items) => {
            let chosen = next.and_then(|next| next.parse::<usize>().ok());
            let chosen = chosen.and_then(|at| items.get(at)).or(items.first());
            let chosen = chosen.map(|item| write(item, rest)).unwrap_or_default();
            match items.len() {
                0 | 1 => format!("[{chosen}]"),
                count => format!("[{chosen},… ({count} items)]"),
            }
        }
        Value::String(text) => match text.chars().count() {
            count if count > 2 * HEAD => {
                let head: String = text.chars().take(HEAD).collect();
                let tail = text.chars().skip(count - SHORT).collect::<String>();
                format!("{}… {tail:?} ({count} characters)", Value::from(head))
            }
            _ => value.to_string(),
        },
        plain => plain.to_string(),
    }
}

fn short(value: &Value) -> Option<String> {
    let text = match value {
        Value::Array(items) if items.len() > MAX_MEMBERS => return None,
        Value::Object(members) if members.len() > MAX_MEMBERS => return None,
        Value::String(text) if text.len() > SHORT => return None,
        value => value.to_string(),
    };
    Some(text).filter(|text| text.len() <= SHORT)
}

#[cfg(test)]
mod tests {
    use super::elided;
    use serde_json::{Value, json};

    #[test]
    fn a_short_value_is_written_in_full() {
        assert_eq!(
            elided(&json!({ "a": [1, "x"] }), "/a/0"),
            r#"{"a":[1,"x"]}"#
        );
    }

    #[test]
    fn the_place_is_shown_however_long_the_rest_is() {
        let long: Vec<Value> = (0..300)
            .map(|at| json!({ "id": at, "name": "n" }))
            .collect();
        let mut value = json!({ "before": "b".repeat(500), "items": long, "next": null });
        value["items"][299]["name"] = json!("w".repeat(300));
        let text = elided(&value, "/items/299/name");
        let head = format!(r#""{}…"#, "w".repeat(40));
        assert!(
            text.starts_with(r#"{"items":[{"id":299,"name":""#),
            "{text}"
        );
        assert!(
            text.contains(&head[..41]) && text.contains("(300 characters)"),
            "{text}"
        );
        assert!(
            text.contains("(300 items)") && text.contains(r#""next":null"#),
            "{text}"
        );
        assert!(text.len() < 250, "{text}");
    }
}
