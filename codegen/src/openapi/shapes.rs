//! Checks that each value around the schemas has the type that the standard gives it.
//!
//! The readers of these values skip values of a wrong type. Here such a value is reported, and
//! replaced by the value that is likely meant.

use super::keywords;
use super::kinds::{self, misplaced};
use super::operation::IGNORED;
use super::references::{ANYTHING, dangling, unreached};
use super::response::UNKNOWN;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, in_yaml};
use crate::openapi::object_fields::{self, FieldType, Object, referred};
use crate::source::Pointer;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashSet;

/// The replacement for a wrong value; `None` takes it out.
type Fallback = Option<Value>;

/// Fields of a media type that its schema may have beside it (OpenAPI 3.1.1 §4.8.14).
const MEDIA: &[&str] = &["schema", "itemSchema", "encoding"];

/// The document with every value around its schemas of the right type.
pub(super) fn recovered<'v>(root: &'v Value, diagnostics: &mut Diagnostics) -> Cow<'v, Value> {
    let mut root = Cow::Borrowed(root);
    let mut done = HashSet::new();
    loop {
        let wrong = wrong(&root, &done, diagnostics);
        if wrong.is_empty() {
            return root;
        }
        for (at, fallback) in wrong {
            put(root.to_mut(), &at, fallback);
            done.insert(at);
        }
    }
}

/// The outermost values of a wrong type, each with its replacement. A value that references use as
/// two types is replaced once.
fn wrong(
    root: &Value,
    done: &HashSet<Pointer>,
    diagnostics: &mut Diagnostics,
) -> Vec<(Pointer, Fallback)> {
    let mut wrong = Vec::new();
    object_fields::each(root, |at, value, kind| {
        if done.contains(at) {
            return true;
        }
        let fallback = fallback(root, at, value, kind, diagnostics);
        let is_right = fallback.is_none();
        wrong.extend(fallback.map(|fallback| (at.clone(), fallback)));
        is_right
    });
    wrong
}

fn put(root: &mut Value, at: &Pointer, fallback: Fallback) {
    if let Some(fallback) = fallback {
        if let Some(place) = root.pointer_mut(at.as_str()) {
            *place = fallback;
        }
        return;
    }
    let (around, _) = at.as_str().rsplit_once('/').unwrap_or_default();
    let name = at.tokens().last().unwrap_or_default();
    match root.pointer_mut(around) {
        Some(Value::Object(members)) => _ = members.shift_remove(&name),
        // The items after it keep their indices.
        Some(Value::Array(_)) => put(root, at, Some(Value::Null)),
        _ => {}
    }
}

/// Reports a value of a wrong type and gives its replacement; `None` for a right value, and for one
/// that its own reader reports.
fn fallback(
    root: &Value,
    at: &Pointer,
    value: &Value,
    kind: FieldType,
    diagnostics: &mut Diagnostics,
) -> Option<Fallback> {
    // A blank value counts as absent.
    if value.is_null() {
        return None;
    }
    match kind {
        FieldType::Any => None,
        FieldType::Text => (!value.is_string()).then(|| text(at, value, diagnostics)),
        FieldType::Flag => (!value.is_boolean()).then(|| flag(at, value, diagnostics)),
        _ if kind.is_container() && value.get("$ref").is_some_and(Value::is_string) => {
            Some(lost(root, at, value, kind, diagnostics))
        }
        FieldType::List(item) => (!value.is_array()).then(|| list(at, value, *item, diagnostics)),
        FieldType::Map(_) => {
            (!value.is_object()).then(|| nothing(no_object(at, value), diagnostics))
        }
        FieldType::Object(object) => {
            let schema = (object == Object::Media).then(|| media(root, at, value, diagnostics));
            schema
                .flatten()
                .or_else(|| of_object(root, at, value, object, diagnostics))
        }
    }
}

/// The same for an object, or a reference to one.
fn of_object(
    root: &Value,
    at: &Pointer,
    value: &Value,
    object: Object,
    diagnostics: &mut Diagnostics,
) -> Option<Fallback> {
    match referred(root, value) {
        Some((_, target)) if !target.is_object() && !target.is_null() => {
            let at = &at.child("$ref");
            let reference = value.get("$ref")?.as_str()?;
            let original = diagnostics.as_written(reference, at).to_owned();
            let is = if target.is_array() {
                "a list"
            } else {
                "a text"
            };
            no_such(
                object,
                || misplaced(&original, at, is, object.name()),
                diagnostics,
            )
        }
        _ if value.is_object() || is_extension(at) => None,
        _ => no_such(object, || no_object(at, value), diagnostics),
    }
}

/// A text; YAML reads `1.0` as a number, whose text was meant.
fn text(at: &Pointer, value: &Value, diagnostics: &mut Diagnostics) -> Fallback {
    let problem = problem(at, "expected a string");
    if value.is_object() || value.is_array() {
        return nothing(problem, diagnostics);
    }
    let text = value.to_string();
    let taken = format!("`{text}` is taken");
    diagnostics.recover(problem.help("in quotes, it is one"), &taken);
    Some(text.into())
}

/// A truth value; a text counts that is one in quotes, or was one in YAML 1.1.
fn flag(at: &Pointer, value: &Value, diagnostics: &mut Diagnostics) -> Fallback {
    let problem = problem(at, "expected true or false");
    let text = value.as_str().unwrap_or_default().to_ascii_lowercase();
    let meant = match text.as_str() {
        "true" | "yes" | "on" => true,
        "false" | "no" | "off" => false,
        _ => return nothing(problem, diagnostics),
    };
    let help = format!("write `{meant}`, without quotes");
    diagnostics.recover(problem.help(help), &format!("`{meant}` is taken"));
    Some(meant.into())
}

/// A list; a single item counts as a list of one, and a map of parameters by their names as the
/// list of them.
fn list(at: &Pointer, value: &Value, item: FieldType, diagnostics: &mut Diagnostics) -> Fallback {
    let problem = problem(at, "expected a list");
    if let (FieldType::Object(Object::Parameter), Some(named)) = (item, by_name(value)) {
        let help = "each parameter is an item, and its name a member of it: `- name: …`";
        diagnostics.recover(problem.help(help), "its members are taken for the items");
        return Some(named);
    }
    let is_item = match item {
        FieldType::Text => value.is_string(),
        _ => value.is_object(),
    };
    if !is_item {
        return nothing(problem, diagnostics);
    }
    let problem = problem.help("in brackets, it is a list of one");
    diagnostics.recover(problem, "it is taken for the only one");
    Some(json!([value]))
}

/// The list of the parameters in a map by their names.
fn by_name(value: &Value) -> Option<Value> {
    let members = value.as_object()?;
    let named = members.iter().map(|(name, parameter)| {
        let mut parameter = parameter.as_object()?.clone();
        parameter.get("in")?;
        let name = || name.as_str().into();
        parameter.entry("name").or_insert_with(name);
        Some(Value::Object(parameter))
    });
    named.collect::<Option<Vec<_>>>().map(Value::Array)
}

/// The replacement for a value that is no object.
fn no_such(
    object: Object,
    problem: impl FnOnce() -> Diagnostic,
    diagnostics: &mut Diagnostics,
) -> Option<Fallback> {
    let fallback = match object {
        Object::Response => UNKNOWN,
        Object::Media => ANYTHING,
        // Their own readers report these.
        Object::Document
        | Object::Operation
        | Object::Parameter
        | Object::Header
        | Object::Link => {
            return None;
        }
        _ => return Some(nothing(problem(), diagnostics)),
    };
    diagnostics.recover(problem(), fallback);
    Some(Some(json!({})))
}

/// A media type; a schema in its place becomes its `schema`.
fn media(
    root: &Value,
    at: &Pointer,
    value: &Value,
    diagnostics: &mut Diagnostics,
) -> Option<Fallback> {
    let members = value.as_object()?;
    if MEDIA.iter().any(|field| members.contains_key(*field)) {
        return None;
    }
    let (schema, rest): (Map<_, _>, Map<_, _>) = members
        .iter()
        .map(|(name, member)| (name.clone(), member.clone()))
        .partition(|(name, _)| !matches!(name.as_str(), "example" | "examples"));
    let problem = match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => {
            let (place, target) = referred(root, value)?;
            if !kinds::is_schema(&place) && !is_schema(target) {
                return None;
            }
            let at = at.child("$ref");
            let reference = diagnostics.as_written(reference, &at);
            let help = format!("write `schema: {{ $ref: {reference:?} }}`");
            misplaced(reference, &at, "a schema", "a media type").help(help)
        }
        None if is_schema(value) => {
            let help = "a schema is a member of it: `schema: { … }`";
            problem(at, "this is a schema where a media type belongs").help(help)
        }
        None => return None,
    };
    diagnostics.recover(problem, "it is taken for the schema of the media type");
    let mut fallback = rest;
    fallback.insert("schema".into(), schema.into());
    Some(Some(fallback.into()))
}

/// Whether an object has keywords of a schema and no field of a media type.
fn is_schema(value: &Value) -> bool {
    let is_keyword = |name: &String| keywords::is_of_schemas(name);
    let members = value.as_object();
    members.is_some_and(|members| {
        members.keys().any(is_keyword) && !MEDIA.iter().any(|field| members.contains_key(*field))
    })
}

/// A reference in the place of a map or a list; for a list, it may be its single item.
fn lost(
    root: &Value,
    at: &Pointer,
    value: &Value,
    kind: FieldType,
    diagnostics: &mut Diagnostics,
) -> Fallback {
    let reference = value.get("$ref").and_then(Value::as_str);
    let reference = reference.unwrap_or_default();
    let target = referred(root, value).map(|(_, target)| target);
    if let (FieldType::List(item), Some(Value::Object(_))) = (kind, target) {
        return list(at, value, *item, diagnostics);
    }
    let at = at.child("$ref");
    let lost = match Pointer::of_reference(reference) {
        Some(_) if target.is_some() => {
            let original = diagnostics.as_written(reference, &at);
            let message = format!("`{original}` names nothing whose members could stand here");
            Diagnostic::new(Code::MisplacedReference, &at, message)
        }
        Some(_) => dangling(reference, &at, diagnostics),
        None => unreached(reference, &at, diagnostics),
    };
    nothing(lost, diagnostics)
}

fn nothing(problem: Diagnostic, diagnostics: &mut Diagnostics) -> Fallback {
    diagnostics.recover(problem, IGNORED);
    None
}

fn no_object(at: &Pointer, value: &Value) -> Diagnostic {
    let problem = problem(at, "expected an object");
    let names = value.as_array().and_then(|items| items.first()?.as_str());
    match names {
        Some(name) => {
            let help = format!(
                "each of these is a name of a member: `{}: …`",
                in_yaml(name)
            );
            problem.help(help)
        }
        None => problem,
    }
}

/// Whether a place is inside an extension, which may hold any value.
fn is_extension(at: &Pointer) -> bool {
    at.tokens()
        .last()
        .is_some_and(|name| name.starts_with("x-"))
}

fn problem(at: &Pointer, message: &str) -> Diagnostic {
    Diagnostic::new(Code::Invalid, at, message)
}
