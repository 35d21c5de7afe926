//! Checks that each value around the schemas has the type that the standard gives it.
//!
//! Here a value of a wrong type, or an object without a required field, is reported at its own place
//! and replaced by a likely value, so that the object around it can be read.

use super::bundle::is_of_schemas;
use super::object_fields::{self, FieldType, Object, referred, type_at};
use super::operation::IGNORED;
use super::references::{ANYTHING, dangling, misplaced, unreached};
use super::response::STATUS_ALONE;
use super::version::Version;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, in_yaml};
use crate::source::Pointer;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashSet;

/// The replacement for a wrong value; `None` takes it out.
type Fallback = Option<Value>;

/// Fields of a media type that its schema may have beside it (OpenAPI 3.1.1 §4.8.14).
const MEDIA: &[&str] = &["schema", "itemSchema", "encoding"];

/// The document with every value around its schemas of the right type.
pub(super) fn recovered<'v>(
    root: &'v Value,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> Cow<'v, Value> {
    let mut root = Cow::Borrowed(root);
    let mut done = HashSet::new();
    loop {
        let wrong = wrong(&root, &done, version, diagnostics);
        if wrong.is_empty() {
            return root;
        }
        for (at, fallback) in wrong {
            replace(root.to_mut(), &at, fallback);
            done.insert(at);
        }
    }
}

/// The outermost values of a wrong type, each with its replacement. A value that references use as
/// two types is replaced once.
fn wrong(
    root: &Value,
    done: &HashSet<Pointer>,
    version: Version,
    diagnostics: &mut Diagnostics,
) -> Vec<(Pointer, Fallback)> {
    let mut check = Check {
        root,
        version,
        diagnostics,
    };
    let mut wrong = Vec::new();
    object_fields::each(root, |at, value, kind| {
        if done.contains(at) {
            return true;
        }
        let fallback = check.value(at, value, kind);
        let is_right = fallback.is_none();
        wrong.extend(fallback.map(|fallback| (at.clone(), fallback)));
        is_right
    });
    wrong
}

fn replace(root: &mut Value, at: &Pointer, fallback: Fallback) {
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
        Some(Value::Array(_)) => replace(root, at, Some(Value::Null)),
        _ => {}
    }
}

struct Check<'c> {
    root: &'c Value,
    version: Version,
    diagnostics: &'c mut Diagnostics,
}

impl Check<'_> {
    /// Reports a value of a wrong type and gives its replacement; `None` for a right value, and for
    /// one that its own reader reports.
    fn value(&mut self, at: &Pointer, value: &Value, kind: FieldType) -> Option<Fallback> {
        // A blank value counts as absent.
        if value.is_null() {
            return None;
        }
        let is_reference = value.get("$ref").is_some_and(Value::is_string);
        match kind {
            _ if kind.is_container() && is_reference => Some(self.reference(at, value, kind)),
            FieldType::Object(Object::Media) => {
                let media = self.media(at, value);
                media.or_else(|| self.object(at, value, Object::Media))
            }
            FieldType::Object(object) => self.object(at, value, object),
            _ if kind.may_be(value) => None,
            FieldType::Text => Some(self.text(at, value)),
            FieldType::Flag => Some(self.flag(at, value)),
            FieldType::List(item) => Some(self.list(at, value, *item)),
            FieldType::Map(_) => Some(self.leave_out(no_object(at, value, None))),
            FieldType::Any | FieldType::Schema => None,
        }
    }

    /// The same for an object, or a reference to one.
    fn object(&mut self, at: &Pointer, value: &Value, object: Object) -> Option<Fallback> {
        match referred(self.root, value) {
            Some((_, target)) if !target.is_object() && !target.is_null() => {
                let at = &at.child("$ref");
                let reference = value.get("$ref")?.as_str()?;
                let original = self.diagnostics.as_written(reference, at);
                let is = if target.is_array() {
                    "a list"
                } else {
                    "a text"
                };
                let problem = misplaced(original, at, is, object.name());
                self.not_an_object(object, problem)
            }
            Some(_) => None,
            None => match value.as_object() {
                Some(members) if members.contains_key("$ref") => None,
                Some(members) => self.incomplete(at, members, object),
                None if is_extension(at) => None,
                None => self.not_an_object(object, no_object(at, value, Some(object))),
            },
        }
    }

    /// An object without a field that it needs; the fallback has the field, or is nothing.
    fn incomplete(
        &mut self,
        at: &Pointer,
        members: &Map<String, Value>,
        object: Object,
    ) -> Option<Fallback> {
        let is_missing = |name: &str| members.get(name).is_none_or(Value::is_null);
        let mut added = Map::new();
        for (name, fallback) in object.required(self.version) {
            if !is_missing(name) {
                continue;
            }
            let problem = problem(at, &format!("`{name}` is missing"));
            let Some(fallback) = fallback else {
                return Some(self.leave_out(problem));
            };
            self.diagnostics.recover(problem, fallback);
            let empty = match object.member(name) {
                FieldType::Text => json!(""),
                _ => json!({}),
            };
            added.insert((*name).to_owned(), empty);
        }
        (!added.is_empty()).then(|| {
            let mut complete = members.clone();
            complete.extend(added);
            Some(complete.into())
        })
    }

    /// A text; YAML reads `1.0` as a number, whose text was meant.
    fn text(&mut self, at: &Pointer, value: &Value) -> Fallback {
        let problem = problem(at, "expected a string");
        if value.is_object() || value.is_array() {
            return self.leave_out(problem);
        }
        let text = value.to_string();
        let taken = format!("`{text}` is taken");
        self.diagnostics
            .recover(problem.help("in quotes, it is one"), &taken);
        Some(text.into())
    }

    /// A truth value; a text counts that is one in quotes, or was one in YAML 1.1.
    fn flag(&mut self, at: &Pointer, value: &Value) -> Fallback {
        let problem = problem(at, "expected true or false");
        let text = value.as_str().unwrap_or_default().to_ascii_lowercase();
        let meant = match text.as_str() {
            "true" | "yes" | "on" => true,
            "false" | "no" | "off" => false,
            _ => return self.leave_out(problem),
        };
        let problem = problem.help(format!("write `{meant}`, without quotes"));
        self.diagnostics
            .recover(problem, &format!("`{meant}` is taken"));
        Some(meant.into())
    }

    /// A list; a single item counts as a list of one, and a map of parameters by their names as the
    /// list of them.
    fn list(&mut self, at: &Pointer, value: &Value, item: FieldType) -> Fallback {
        let problem = problem(at, "expected a list");
        if let (FieldType::Object(Object::Parameter), Some(named)) = (item, by_name(value)) {
            let help = "each parameter is an item, and its name a member of it: `- name: …`";
            self.diagnostics
                .recover(problem.help(help), "its members are taken for the items");
            return Some(named);
        }
        if !item.may_be(value) {
            return self.leave_out(problem);
        }
        let problem = problem.help("in brackets, it is a list of one");
        self.diagnostics
            .recover(problem, "it is taken for the only one");
        Some(json!([value]))
    }

    /// The replacement for a value that is no object.
    fn not_an_object(&mut self, object: Object, problem: Diagnostic) -> Option<Fallback> {
        use Object::{ApiKey, Http, OAuth2, OpenIdConnect, SecurityScheme};
        let fallback = match object {
            Object::Response => STATUS_ALONE,
            Object::Media => ANYTHING,
            // Their own readers report these.
            Object::Document | Object::Info | Object::Operation => return None,
            Object::Parameter | Object::Header => return None,
            SecurityScheme | ApiKey | Http | OAuth2 | OpenIdConnect => return None,
            _ => return Some(self.leave_out(problem)),
        };
        self.diagnostics.recover(problem, fallback);
        Some(Some(json!({})))
    }

    /// A media type; a schema in its place becomes its `schema`.
    fn media(&mut self, at: &Pointer, value: &Value) -> Option<Fallback> {
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
                let (place, target) = referred(self.root, value)?;
                if type_at(&place) != FieldType::Schema && !is_schema(target) {
                    return None;
                }
                let at = at.child("$ref");
                let reference = self.diagnostics.as_written(reference, &at);
                let help = format!("write `schema: {{ $ref: {reference:?} }}`");
                misplaced(reference, &at, "a schema", "a media type").help(help)
            }
            None if is_schema(value) => {
                let help = "a schema is a member of it: `schema: { … }`";
                problem(at, "this is a schema where a media type belongs").help(help)
            }
            None => return None,
        };
        self.diagnostics
            .recover(problem, "it is taken for the schema of the media type");
        let mut fallback = rest;
        fallback.insert("schema".into(), schema.into());
        Some(Some(fallback.into()))
    }

    /// A reference in the place of a map or a list; for a list, it may be its single item.
    fn reference(&mut self, at: &Pointer, value: &Value, kind: FieldType) -> Fallback {
        let reference = value.get("$ref").and_then(Value::as_str);
        let reference = reference.unwrap_or_default();
        let target = referred(self.root, value).map(|(_, target)| target);
        if let (FieldType::List(item), Some(Value::Object(_))) = (kind, target) {
            return self.list(at, value, *item);
        }
        let at = at.child("$ref");
        let problem = match Pointer::of_reference(reference) {
            Some(_) if target.is_some() => {
                let original = self.diagnostics.as_written(reference, &at);
                let message = format!("`{original}` names nothing whose members could stand here");
                Diagnostic::new(Code::MisplacedReference, &at, message)
            }
            Some(_) => dangling(reference, &at, self.diagnostics),
            None => unreached(reference, &at, self.diagnostics),
        };
        self.leave_out(problem)
    }

    fn leave_out(&mut self, problem: Diagnostic) -> Fallback {
        self.diagnostics.recover(problem, IGNORED);
        None
    }
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

/// Whether an object has keywords of a schema and no field of a media type.
fn is_schema(value: &Value) -> bool {
    let is_keyword = |name: &String| is_of_schemas(name);
    value.as_object().is_some_and(|members| {
        members.keys().any(is_keyword) && !MEDIA.iter().any(|field| members.contains_key(*field))
    })
}

/// Reports a value in the place of an object or a map. A text is likely the first field that the
/// object needs.
pub(super) fn no_object(at: &Pointer, value: &Value, object: Option<Object>) -> Diagnostic {
    let problem = problem(at, "expected an object");
    let first = object.and_then(|object| object.required(Version::V32).first());
    match (value, first) {
        (Value::Array(items), _) => match items.first().and_then(Value::as_str) {
            Some(name) => problem.help(format!(
                "each of these is a name of a member: `{}: …`",
                in_yaml(name)
            )),
            None => problem,
        },
        (Value::String(text), Some((name, None))) => {
            problem.help(format!("write `{name}: {text}`"))
        }
        _ => problem,
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
