//! Every component is reached from an operation.

use super::Findings;
use super::subject::Subject;
use crate::source::Pointer;
use serde_json::Value;
use std::collections::BTreeSet;

/// A component: its kind (`schemas`) and its name.
type Component = (String, String);

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let Some(Value::Object(components)) = subject.root.get("components") else {
        return;
    };
    // A document without operations is a collection of components for other documents.
    let has_operations = ["paths", "webhooks"].iter().any(|field| {
        let items = subject.root.get(*field).and_then(Value::as_object);
        items.is_some_and(|items| items.keys().any(|name| !name.starts_with("x-")))
    });
    if !has_operations {
        return;
    }
    let used = used(subject.root);
    for (kind, members) in components {
        let names = members.as_object().into_iter().flatten();
        for (name, _) in names.filter(|_| !kind.starts_with("x-")) {
            if !used.contains(&(kind.clone(), name.clone())) {
                let at = Pointer::default()
                    .child("components")
                    .child(kind)
                    .child(name);
                findings.report(&at, format!("no operation uses `{name}`"));
            }
        }
    }
}

/// The components that operations reach, directly or through others.
fn used(root: &Value) -> BTreeSet<Component> {
    let mut open = Vec::new();
    for (name, member) in root.as_object().into_iter().flatten() {
        if name != "components" {
            mentions(name, member, &mut open);
        }
    }
    let mut used = BTreeSet::new();
    while let Some(component) = open.pop() {
        let (kind, name) = &component;
        let value = root
            .get("components")
            .and_then(|all| all.get(kind)?.get(name));
        if let Some(value) = value
            && used.insert(component.clone())
        {
            mentions("", value, &mut open);
            if value.get("discriminator").is_some() {
                open.extend(heirs(root, name));
            }
        }
    }
    used
}

/// Adds the components that a member of that name refers to.
fn mentions(member: &str, value: &Value, open: &mut Vec<Component>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| mentions(member, item, open)),
        Value::Object(members) => {
            for (name, inner) in members {
                match (member, inner.as_str()) {
                    ("security", _) => open.push(("securitySchemes".into(), name.clone())),
                    ("mapping" | "x-framework-made", Some(schema)) if !schema.contains('/') => {
                        open.push(("schemas".into(), schema.to_owned()));
                    }
                    (_, Some(text)) => open.extend(component(text)),
                    _ => {}
                }
                mentions(name, inner, open);
            }
        }
        _ => {}
    }
}

/// The component that a reference leads to or into.
fn component(text: &str) -> Option<Component> {
    let pointer = Pointer::of_reference(text)?;
    let mut tokens = pointer.tokens();
    (tokens.next()? == "components").then_some(())?;
    Some((tokens.next()?, tokens.next()?))
}

/// The schemas that extend a schema by `allOf`: a discriminator names them without a reference.
fn heirs<'r>(root: &'r Value, name: &str) -> impl Iterator<Item = Component> + use<'r> {
    let parent = Some(("schemas".to_owned(), name.to_owned()));
    let schemas = root
        .pointer("/components/schemas")
        .and_then(Value::as_object);
    let extends = move |schema: &Value| {
        let parts = schema.get("allOf").and_then(Value::as_array);
        let mut references = parts
            .into_iter()
            .flatten()
            .filter_map(|part| part.get("$ref")?.as_str());
        references.any(|reference| component(reference) == parent)
    };
    let all = schemas.into_iter().flatten();
    all.filter(move |(_, schema)| extends(schema))
        .map(|(name, _)| ("schemas".to_owned(), name.clone()))
}
