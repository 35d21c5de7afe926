//! Merge keys of YAML 1.1 (`<<: *base`), which OpenAPI's YAML 1.2 no longer has and authors still
//! write: the tools that they use read them.

use crate::source::span;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::ops::Range;

/// The key, which is one only where it is written without quotes.
pub(super) const KEY: &str = "<<";

/// Puts the members that merge keys bring where those stand; what a mapping says itself, and what was
/// brought first, stays.
pub(super) fn apply(text: &str, value: &mut Value) {
    if text.contains(KEY) {
        merge(value, &mut Keys::of(text).plain.into_iter());
    }
}

/// A collection whose end has not come.
struct Open {
    anchor: usize,
    /// How many keys came before it.
    start: usize,
    /// Whether a key comes next; none does in a sequence.
    key_next: Option<bool>,
}

/// The members of that name in the order of the value, in which aliases are what they stand for.
#[derive(Default)]
struct Keys {
    /// Whether each is written without quotes.
    plain: Vec<bool>,
    /// Those inside of what has an anchor.
    anchored: HashMap<usize, Range<usize>>,
}

impl Keys {
    fn of(text: &str) -> Keys {
        let mut events = Parser::new_from_str(text);
        let mut keys = Keys::default();
        let mut open: Vec<Open> = Vec::new();
        while let Some((event, _)) = span::next(&mut events) {
            if let Event::MappingEnd | Event::SequenceEnd = event {
                let ended = open
                    .pop()
                    .map(|open| (open.anchor, open.start..keys.plain.len()));
                keys.anchored.extend(ended);
                continue;
            }
            let key_next = open.last_mut().and_then(|open| open.key_next.as_mut());
            let is_key = key_next.is_some_and(|next| std::mem::replace(next, !*next));
            let start = keys.plain.len();
            let mut begin = |anchor, key_next| {
                open.push(Open {
                    anchor,
                    start,
                    key_next,
                })
            };
            match event {
                Event::Scalar(name, style, ..) if is_key && name == KEY => {
                    keys.plain.push(style == ScalarStyle::Plain);
                }
                Event::Alias(anchor) => {
                    let inside = keys.anchored.get(&anchor).cloned().unwrap_or_default();
                    keys.plain.extend_from_within(inside);
                }
                Event::MappingStart(anchor, _) => begin(anchor, Some(true)),
                Event::SequenceStart(anchor, _) => begin(anchor, None),
                _ => {}
            }
        }
        keys
    }
}

/// Merges in a value and all that is in it; `plain` says of each key whether it is one.
fn merge(value: &mut Value, plain: &mut impl Iterator<Item = bool>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| merge(item, plain)),
        Value::Object(members) => {
            let mut is_plain = false;
            for (name, member) in members.iter_mut() {
                is_plain |= name == KEY && plain.next() == Some(true);
                merge(member, plain);
            }
            if is_plain && members.get(KEY).is_some_and(brings) {
                *members = merged(std::mem::take(members));
            }
        }
        _ => {}
    }
}

/// Whether a value is what a merge key may have: a mapping, or a list of them.
fn brings(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_object),
        other => other.is_object(),
    }
}

fn merged(members: Map<String, Value>) -> Map<String, Value> {
    let own: Vec<String> = members
        .keys()
        .filter(|name| *name != KEY)
        .cloned()
        .collect();
    let mut all = Map::new();
    for (name, value) in members {
        let brought = match value {
            Value::Object(brought) if name == KEY => vec![Value::Object(brought)],
            Value::Array(several) if name == KEY => several,
            value => {
                all.insert(name, value);
                continue;
            }
        };
        for (name, value) in brought.into_iter().filter_map(object).flatten() {
            if !own.contains(&name) {
                all.entry(name).or_insert(value);
            }
        }
    }
    all
}

fn object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(members) => Some(members),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut value = serde_yaml::from_str(text).unwrap();
        apply(text, &mut value);
        assert_eq!(value.to_string(), expected, "{text}");
    }

    #[test]
    fn what_is_said_itself_stays_and_the_order_is_that_of_the_text() {
        let base = "b: &b {x: 1, y: 2}\n";
        check(
            &format!("{base}a: {{<<: *b, y: 3, z: 4}}"),
            r#"{"b":{"x":1,"y":2},"a":{"x":1,"y":3,"z":4}}"#,
        );
        check(
            &format!("{base}a: {{z: 4, <<: [*b, {{x: 5, w: 6}}]}}"),
            r#"{"b":{"x":1,"y":2},"a":{"z":4,"x":1,"y":2,"w":6}}"#,
        );
    }

    #[test]
    fn what_is_merged_may_have_been_merged() {
        check(
            "- &a {x: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b}",
            r#"[{"x":1},{"x":1,"y":2},{"x":1,"y":2}]"#,
        );
    }

    #[test]
    fn each_key_is_judged_by_its_own_quotes() {
        check(
            "a: &a {'<<': {x: 1}}\nb: &b {<<: *a, y: 2}\nc: [<<, *b]\nd: {\"<<\": {<<: {z: 3}}}",
            r#"{"a":{"<<":{"x":1}},"b":{"<<":{"x":1},"y":2},"c":["<<",{"<<":{"x":1},"y":2}],"d":{"<<":{"z":3}}}"#,
        );
    }

    #[test]
    fn a_name_in_quotes_and_a_value_that_is_no_mapping_are_members() {
        check("'<<': {x: 1}", r#"{"<<":{"x":1}}"#);
        check("<<: 1", r#"{"<<":1}"#);
        let mut value = json!({ "<<": { "x": 1 } });
        apply(r#"{"<<": {"x": 1}}"#, &mut value);
        assert_eq!(value, json!({ "<<": { "x": 1 } }));
    }
}
