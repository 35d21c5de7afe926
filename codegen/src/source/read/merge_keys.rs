//! Merge keys of YAML 1.1 (`<<: *base`), which OpenAPI's YAML 1.2 no longer has and authors still
//! write: the tools that they use read them.

use super::scalars::{Scalar, scalars};
use saphyr_parser::ScalarStyle;
use serde_json::{Map, Value};

/// The merge key; in quotes it is a key like any other.
pub(super) const KEY: &str = "<<";

/// Replaces merge keys by the members that they bring. A mapping's own members win over these, and
/// earlier ones over later ones.
pub(super) fn apply(text: &str, value: &mut Value) {
    if text.contains(KEY) {
        let is_plain = |scalar: &Scalar<'_>| {
            let is_it = scalar.is_key && scalar.text == KEY;
            is_it.then_some(scalar.style == ScalarStyle::Plain)
        };
        merge(value, &mut scalars(text, is_plain).into_iter());
    }
}

/// Merges in a value and in all values inside it; `plain` tells for each key whether it is written
/// without quotes.
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

/// Whether a merge key may have a value: a mapping, or a list of mappings.
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
    fn own_members_win_and_the_order_of_the_text_is_kept() {
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
    fn a_merged_mapping_may_have_merge_keys_itself() {
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
