//! The body of a creation.

use super::issue::{Issue, Issues};
use super::params::{bounded, text};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewPet {
    pub name: String,
    pub tag: Option<String>,
    pub age: i64,
}

/// Reads a body; `Err` where it is no JSON.
pub fn new_pet(bytes: &[u8], issues: &mut Issues) -> Result<Option<NewPet>, serde_json::Error> {
    if let Ok(new) = serde_json::from_slice::<NewPet>(bytes)
        && text(&new.name, 1, 60).is_ok()
        && new.tag.as_deref().is_none_or(is_tag)
        && (0..=50).contains(&new.age)
    {
        return Ok(Some(new));
    }
    let value: Value = serde_json::from_slice(bytes)?;
    explain(&value, issues);
    Ok(None)
}

fn is_tag(tag: &str) -> bool {
    let tail = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    match tag.as_bytes() {
        [first, rest @ ..] => {
            first.is_ascii_lowercase() && rest.len() < 20 && rest.iter().all(tail)
        }
        [] => false,
    }
}

fn explain(value: &Value, issues: &mut Issues) {
    let Some(members) = value.as_object() else {
        return issues
            .push(Issue::new("type", "must be an object").at("body", ""))
            .unwrap_or(());
    };
    for name in ["name", "age"] {
        if !members.contains_key(name) {
            let issue = Issue::new("required", "is required");
            issues.push::<()>(issue.at("body", format!("/{name}")));
        }
    }
    for (name, member) in members {
        let found = match name.as_str() {
            "name" => text_member(member, |name| text(name, 1, 60)),
            "tag" => text_member(member, |tag| match is_tag(tag) {
                true => Ok(()),
                false => {
                    let message = "must match the pattern ^[a-z][a-z0-9-]{0,19}$";
                    Err(Issue::new("pattern", message))
                }
            }),
            "age" => match member.as_i64() {
                Some(age) => bounded(age, 0, 50).map(|_| ()),
                None => Err(Issue::new("type", "must be an integer")),
            },
            _ => Err(Issue::new(
                "additionalProperties",
                "is not a known property",
            )),
        };
        if let Err(issue) = found {
            issues.push::<()>(issue.at("body", format!("/{name}")));
        }
    }
}

fn text_member(member: &Value, check: impl FnOnce(&str) -> Result<(), Issue>) -> Result<(), Issue> {
    match member.as_str() {
        Some(text) => check(text),
        None => Err(Issue::new("type", "must be a string")),
    }
}
