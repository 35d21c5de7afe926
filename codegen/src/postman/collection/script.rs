//! Scripts that people read: the test of a request, and the condition for sending it.

use super::super::chain::Stored;
use super::super::format::Event;
use super::super::{Context, describe};
use super::expectation::{self, Expectation, List};
use crate::ir::{Operation, Status};

/// The length at which names are written on several lines.
const WIDTH: usize = 90;

/// The scripts of a request. `listed` are the stored values that may be missing.
pub(super) fn events(context: &Context<'_>, operation: &Operation, listed: &[usize]) -> Vec<Event> {
    let needed = operation.path_params.iter().filter_map(|param| {
        let stored = context.chain.used_by(operation, &param.field.wire)?;
        listed.contains(&stored).then_some(stored)
    });
    // All values of a resource are in one item.
    let condition = needed
        .last()
        .map(|stored| Event::before(skip(context, stored)));
    let mut lines = Vec::new();
    if let Some(expectation) = expectation::of_operation(context.api, operation) {
        lines.extend(test(&expectation));
    }
    for stored in context.chain.stored_by(operation) {
        lines.push(store(stored));
    }
    let test = (!lines.is_empty()).then(|| Event::test(lines));
    condition.into_iter().chain(test).collect()
}

/// Skips a request whose resource is an item of an empty list.
fn skip(context: &Context<'_>, stored: usize) -> Vec<String> {
    let variable = quoted(context.chain.variable(stored));
    let source = context.chain.source(stored);
    let source = source.and_then(|index| context.api.operations.get(index));
    let words = source.map_or("", describe::title).split_whitespace();
    let title = words.collect::<Vec<_>>().join(" ");
    vec![
        format!("// Skips the request if \"{title}\" has found nothing."),
        format!("if (!pm.collectionVariables.get({variable})) pm.execution.skipRequest();"),
    ]
}

/// Stores a value, or an empty string if the response has none.
fn store(stored: &Stored) -> String {
    let variable = quoted(&stored.variable);
    let value = path(&stored.pointer);
    format!("pm.collectionVariables.set({variable}, pm.response.json(){value} ?? '');")
}

fn test(expectation: &Expectation) -> Vec<String> {
    let mut lines = status(&expectation.statuses);
    if let Some(media_type) = &expectation.media_type {
        lines.extend([
            format!(
                "pm.test({}, () => {{",
                quoted(&format!("Content-Type is {media_type}"))
            ),
            format!(
                "    pm.expect(pm.response.headers.get('Content-Type')).to.include({});",
                quoted(media_type)
            ),
            "});".to_owned(),
        ]);
    }
    if !expectation.properties.is_empty() {
        lines.push("pm.test('The body has its required properties', () => {".to_owned());
        let keys = keys(&expectation.properties);
        lines.extend(asserted("pm.expect(pm.response.json())", &keys, 1));
        lines.push("});".to_owned());
    }
    lines.extend(expectation.list.iter().flat_map(items));
    lines
}

fn status(statuses: &[Status]) -> Vec<String> {
    let codes: Vec<_> = statuses.iter().map(Status::to_string).collect();
    let (name, assertion) = match statuses {
        [Status::Code(code)] => (
            codes.concat(),
            format!("pm.response.to.have.status({code})"),
        ),
        _ if statuses.iter().all(|it| matches!(it, Status::Code(_))) && !statuses.is_empty() => (
            codes.join(" or "),
            format!(
                "pm.expect(pm.response.code).to.be.oneOf([{}])",
                codes.join(", ")
            ),
        ),
        _ => ("2XX".to_owned(), "pm.response.to.be.success".to_owned()),
    };
    vec![
        format!("pm.test('Status is {name}', () => {{"),
        format!("    {assertion};"),
        "});".to_owned(),
    ]
}

fn items(list: &List) -> Vec<String> {
    let list_path = list.property.as_deref().map(step).unwrap_or_default();
    let mut lines = vec![
        "pm.test('Each item has its required properties', () => {".to_owned(),
        format!("    for (const item of pm.response.json(){list_path}) {{"),
    ];
    lines.extend(asserted("pm.expect(item)", &keys(&list.item_properties), 2));
    lines.extend(["    }".to_owned(), "});".to_owned()]);
    lines
}

fn keys(names: &[String]) -> Vec<String> {
    names.iter().map(|name| quoted(name)).collect()
}

/// The assertion that an object has these keys.
fn asserted(subject: &str, keys: &[String], depth: usize) -> Vec<String> {
    let indent = "    ".repeat(depth);
    let line = format!(
        "{indent}{subject}.to.include.all.keys({});",
        keys.join(", ")
    );
    if line.len() <= WIDTH {
        return vec![line];
    }
    let mut lines = vec![format!("{indent}{subject}.to.include.all.keys(")];
    let mut row = String::new();
    for key in keys {
        if indent.len() + row.len() + key.len() > WIDTH {
            lines.push(format!("{indent}    {}", row.trim_end()));
            row.clear();
        }
        row.push_str(&format!("{key}, "));
    }
    lines.push(format!("{indent}    {}", row.trim_end()));
    lines.push(format!("{indent});"));
    lines
}

/// The value at a JSON Pointer, as JavaScript after the value that contains it.
fn path(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1);
    let steps = steps.map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps
        .map(|name| format!("?{}", optional(&step(&name))))
        .collect()
}

/// Optional chaining has a dot before brackets too.
fn optional(step: &str) -> String {
    if step.starts_with('[') {
        format!(".{step}")
    } else {
        step.to_owned()
    }
}

/// Access to a property or an item.
fn step(name: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let is_index = !name.is_empty() && name.chars().all(|c| c.is_ascii_digit());
    if is_index {
        format!("[{name}]")
    } else if !name.is_empty()
        && name.chars().all(is_name)
        && !name.starts_with(|c: char| c.is_ascii_digit())
    {
        format!(".{name}")
    } else {
        format!("[{}]", quoted(name))
    }
}

/// A string literal of JavaScript.
fn quoted(text: &str) -> String {
    // A string always serializes.
    let json = serde_json::to_string(text).unwrap_or_default();
    let inner = json.get(1..json.len() - 1).unwrap_or_default();
    let inner = inner.replace("\\\"", "\"").replace('\'', "\\'");
    format!("'{inner}'")
}
