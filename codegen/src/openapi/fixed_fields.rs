//! The fixed fields of objects that are read as types of `openapiv3`.
//!
//! `openapiv3` reads such a type whole or not at all. Here each field is checked against the
//! standard and reported at its own place, so that a contact without an address, or a port that is
//! a number, does not cost the rest of the object.

use super::extensions::{self, Holder};
use super::node::Node;
use super::operation::IGNORED;
use super::unknown_fields;
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use serde_json::{Map, Value};

/// A fixed field of an object.
#[derive(Debug)]
pub(super) struct Field {
    name: &'static str,
    holds: Holds,
    without: Without,
}

/// The value of a field.
#[derive(Debug, Clone, Copy)]
enum Holds {
    Text,
    OneOf(&'static [&'static str]),
    Texts,
    TextsByName,
    Object(&'static [Field]),
    ObjectsByName(&'static [Field]),
}

/// The consequence of a missing field.
#[derive(Debug, Clone, Copy)]
enum Without {
    /// None: it may be absent.
    Fine,
    /// The whole object is left out.
    Lost,
    /// The field is empty, as this message tells.
    Empty(&'static str),
}

const fn may(name: &'static str, holds: Holds) -> Field {
    Field {
        name,
        holds,
        without: Without::Fine,
    }
}

const fn must(name: &'static str, holds: Holds) -> Field {
    Field {
        name,
        holds,
        without: Without::Lost,
    }
}

const fn should(name: &'static str, holds: Holds, fallback: &'static str) -> Field {
    Field {
        name,
        holds,
        without: Without::Empty(fallback),
    }
}

/// The fields of the info object (OpenAPI 3.1.1 §4.8.2).
pub(super) const INFO: &[Field] = &[
    should("title", Holds::Text, "it has no name"),
    should("version", Holds::Text, "it has no version"),
    may("description", Holds::Text),
    may("summary", Holds::Text),
    may("termsOfService", Holds::Text),
    may("contact", Holds::Object(CONTACT)),
    may("license", Holds::Object(LICENSE)),
];

const CONTACT: &[Field] = &[
    may("name", Holds::Text),
    may("url", Holds::Text),
    may("email", Holds::Text),
];

const LICENSE: &[Field] = &[
    must("name", Holds::Text),
    may("identifier", Holds::Text),
    may("url", Holds::Text),
];

/// The fields of a tag (§4.8.22).
pub(super) const TAG: &[Field] = &[
    must("name", Holds::Text),
    may("description", Holds::Text),
    may("externalDocs", Holds::Object(EXTERNAL_DOCS)),
];

const EXTERNAL_DOCS: &[Field] = &[must("url", Holds::Text), may("description", Holds::Text)];

/// The fields of a server (§4.8.5).
pub(super) const SERVER: &[Field] = &[
    must("url", Holds::Text),
    may("description", Holds::Text),
    may("variables", Holds::ObjectsByName(VARIABLE)),
];

const VARIABLE: &[Field] = &[
    must("default", Holds::Text),
    may("enum", Holds::Texts),
    may("description", Holds::Text),
];

/// The fields of a security scheme (§4.8.27), by its type. `mutualTLS` has none that matter.
pub(super) fn of_scheme(scheme: &Node<'_>) -> Result<&'static [Field], Box<Diagnostic>> {
    const TYPES: [&str; 5] = ["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"];
    let Some(ty) = scheme.member("type") else {
        return Err(match scheme.value.is_object() {
            true => problem(scheme, "`type` is missing"),
            false => problem(scheme, "expected an object"),
        });
    };
    match ty.value.as_str() {
        Some("apiKey") => Ok(API_KEY),
        Some("http") => Ok(HTTP),
        Some("oauth2") => Ok(OAUTH2),
        Some("openIdConnect") => Ok(OPEN_ID_CONNECT),
        Some("basic") => {
            let help = "since OpenAPI 3.0, it is `type: http` and `scheme: basic`";
            Err(Box::new(problem(&ty, expected(&TYPES)).help(help)))
        }
        _ => Err(problem(&ty, expected(&TYPES))),
    }
}

const TYPE: Field = must("type", Holds::Text);

const API_KEY: &[Field] = &[
    TYPE,
    must("in", Holds::OneOf(&["query", "header", "cookie"])),
    must("name", Holds::Text),
    may("description", Holds::Text),
];

const HTTP: &[Field] = &[
    TYPE,
    must("scheme", Holds::Text),
    may("bearerFormat", Holds::Text),
    may("description", Holds::Text),
];

/// The URLs where tokens come from do not matter to a server.
const BEARER: &str = "its tokens are taken all the same";

const OAUTH2: &[Field] = &[
    TYPE,
    should("flows", Holds::Object(FLOWS), BEARER),
    may("description", Holds::Text),
];

const FLOWS: &[Field] = &[
    may("implicit", Holds::Object(IMPLICIT)),
    may("password", Holds::Object(BY_TOKEN_URL)),
    may("clientCredentials", Holds::Object(BY_TOKEN_URL)),
    may("authorizationCode", Holds::Object(AUTHORIZATION_CODE)),
];

const IMPLICIT: &[Field] = &[AUTHORIZATION_URL, REFRESH_URL, SCOPES];
const BY_TOKEN_URL: &[Field] = &[TOKEN_URL, REFRESH_URL, SCOPES];
const AUTHORIZATION_CODE: &[Field] = &[AUTHORIZATION_URL, TOKEN_URL, REFRESH_URL, SCOPES];

const AUTHORIZATION_URL: Field = should("authorizationUrl", Holds::Text, BEARER);
const TOKEN_URL: Field = should("tokenUrl", Holds::Text, BEARER);
const REFRESH_URL: Field = may("refreshUrl", Holds::Text);
const SCOPES: Field = should("scopes", Holds::TextsByName, "it has none");

const OPEN_ID_CONNECT: &[Field] = &[
    TYPE,
    should("openIdConnectUrl", Holds::Text, BEARER),
    may("description", Holds::Text),
];

/// An object whose fixed fields have been checked, with all its other members; an error, if nothing
/// of it is left, is reported by the caller.
pub(super) fn fit(
    node: &Node<'_>,
    fields: &[Field],
    diagnostics: &mut Diagnostics,
) -> Result<Value, Box<Diagnostic>> {
    let Some(members) = node.value.as_object() else {
        return Err(not_an_object(node, fields));
    };
    unknown(node, fields, diagnostics);
    extensions::check(Holder::Other, members, &node.at, diagnostics);
    let mut fitted = members.clone();
    for field in fields {
        let value = match node.member(field.name) {
            Some(member) if !member.value.is_null() => field.holds.fit(&member, diagnostics),
            _ if matches!(field.without, Without::Fine) => {
                fitted.remove(field.name);
                continue;
            }
            _ => Err(problem(node, format!("`{}` is missing", field.name))),
        };
        let value = match (value, field.without) {
            (Ok(value), _) => Some(value),
            (Err(problem), Without::Lost) => return Err(problem),
            (Err(problem), Without::Fine) => {
                diagnostics.recover(*problem, IGNORED);
                None
            }
            (Err(problem), Without::Empty(fallback)) => {
                diagnostics.recover(*problem, fallback);
                Some(field.holds.empty())
            }
        };
        match value {
            Some(value) => _ = fitted.insert(field.name.to_owned(), value),
            None => _ = fitted.remove(field.name),
        }
    }
    Ok(Value::Object(fitted))
}

/// Reports members that the standard does not know, with the field that is likely meant.
fn unknown(node: &Node<'_>, fields: &[Field], diagnostics: &mut Diagnostics) {
    let known = || fields.iter().map(|field| field.name);
    let members = node.members().into_iter();
    for (name, member) in members.filter(|(name, _)| known().all(|known| known != *name)) {
        let message = format!("`{name}` is not a field of this object");
        unknown_fields::report_one(&member.at, message, closest(name, known()), diagnostics);
    }
}

impl Holds {
    fn fit(self, node: &Node<'_>, diagnostics: &mut Diagnostics) -> Result<Value, Box<Diagnostic>> {
        match self {
            Holds::Text => text(node, diagnostics),
            Holds::OneOf(choices) => match node.value.as_str() {
                Some(text) if choices.contains(&text) => Ok(node.value.clone()),
                _ => Err(problem(node, expected(choices))),
            },
            Holds::Texts => {
                let items = node.value.as_array();
                items.ok_or_else(|| problem(node, "expected a list of strings"))?;
                let texts = node.items().into_iter();
                Ok(texts
                    .filter_map(|item| kept(text(&item, diagnostics), diagnostics))
                    .collect())
            }
            Holds::TextsByName => by_name(node, diagnostics, |member, diagnostics| {
                match member.value {
                    Value::Null => Ok("".into()),
                    _ => text(member, diagnostics),
                }
            }),
            Holds::Object(fields) => fit(node, fields, diagnostics),
            Holds::ObjectsByName(fields) => by_name(node, diagnostics, |member, diagnostics| {
                fit(member, fields, diagnostics)
            }),
        }
    }

    /// An empty value.
    fn empty(self) -> Value {
        match self {
            Holds::Text | Holds::OneOf(_) => "".into(),
            Holds::Texts => Value::Array(Vec::new()),
            Holds::TextsByName | Holds::Object(_) | Holds::ObjectsByName(_) => {
                Value::Object(Map::new())
            }
        }
    }
}

/// A text; YAML reads `version: 1.0` as a number, whose text was meant.
fn text(node: &Node<'_>, diagnostics: &mut Diagnostics) -> Result<Value, Box<Diagnostic>> {
    let wrong = problem(node, "expected a string");
    match node.value {
        Value::String(_) => Ok(node.value.clone()),
        Value::Number(_) | Value::Bool(_) => {
            let text = node.value.to_string();
            let wrong = wrong.help("in quotes, it is one");
            diagnostics.recover(wrong, &format!("`{text}` is taken"));
            Ok(text.into())
        }
        _ => Err(wrong),
    }
}

/// A map without the members that cannot be used.
fn by_name(
    node: &Node<'_>,
    diagnostics: &mut Diagnostics,
    fit: impl Fn(&Node<'_>, &mut Diagnostics) -> Result<Value, Box<Diagnostic>>,
) -> Result<Value, Box<Diagnostic>> {
    if !node.value.is_object() {
        return Err(problem(node, "expected an object"));
    }
    let entries = node.entries().into_iter();
    let fitted = entries.filter_map(|(name, member)| {
        let value = fit(&member, diagnostics);
        Some((name.to_owned(), kept(value, diagnostics)?))
    });
    Ok(Value::Object(fitted.collect()))
}

/// A part that may be left out; its problem is reported.
fn kept(part: Result<Value, Box<Diagnostic>>, diagnostics: &mut Diagnostics) -> Option<Value> {
    part.map_err(|problem| diagnostics.recover(*problem, IGNORED))
        .ok()
}

/// Reports a text in the place of an object whose first field is that text.
fn not_an_object(node: &Node<'_>, fields: &[Field]) -> Box<Diagnostic> {
    let problem = problem(node, "expected an object");
    match (fields.first(), node.value.as_str()) {
        (Some(first), Some(text)) if matches!(first.without, Without::Lost) => {
            Box::new(problem.help(format!("write `{}: {text}`", first.name)))
        }
        _ => problem,
    }
}

fn expected(choices: &[&str]) -> String {
    let mut choices: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
    match choices.pop() {
        Some(last) if !choices.is_empty() => format!("expected {} or {last}", choices.join(", ")),
        last => format!("expected {}", last.unwrap_or_default()),
    }
}

fn problem(node: &Node<'_>, message: impl Into<String>) -> Box<Diagnostic> {
    let problem = Diagnostic::new(Code::Invalid, &node.at, message);
    Box::new(problem)
}
