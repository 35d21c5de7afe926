//! Profiles: the parts that many operations have in common, written once.
//!
//! `x-profiles` at the root of a document maps names to partial Operation Objects; `x-profile` on an
//! operation names one of them, or several. Each adds to the operation:
//!
//! - the parameters that the operation lacks;
//! - the responses that it lacks, by their statuses; a range such as `2XX` is not added, but gives its
//!   members to the operation's own responses of that range, as far as these lack them;
//! - any other field that it lacks, such as `security`.
//!
//! The fields of an operation always win over its profiles, and an earlier profile over a later one. The
//! expanded document is the one that later stages read and that is published.

use super::object_fields::{self, FieldType, Object};
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::{Map, Value};

/// The member of the document that holds the profiles.
const PROFILES: &str = "x-profiles";

/// The member of an operation that names its profiles.
const PROFILE: &str = "x-profile";

/// Expands the profiles of all operations. A document without `x-profiles` stays as it is: `x-profile`
/// may be another tool's there.
///
/// # Errors
/// A profile that is no object, or a name that no profile has.
pub(super) fn expand(root: &mut Value) -> Result<(), Diagnostics> {
    let Some(profiles) = root.get(PROFILES).cloned() else {
        return Ok(());
    };
    let mut problems = Diagnostics::default();
    let profiles = read_profiles(&profiles, &mut problems);
    for at in operations(root) {
        let operation = root.pointer_mut(at.as_str());
        let Some(operation) = operation.and_then(Value::as_object_mut) else {
            continue;
        };
        let named = operation.shift_remove(PROFILE);
        for (at, name) in names(named, &at.child(PROFILE), &mut problems) {
            match profiles.get(&name).and_then(Value::as_object) {
                Some(profile) => add_profile(operation, profile),
                None => problems.fatal(unknown_profile(&name, &at, &profiles)),
            }
        }
    }
    if let Some(members) = root.as_object_mut() {
        members.shift_remove(PROFILES);
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems),
    }
}

/// The profiles by their names.
fn read_profiles(profiles: &Value, problems: &mut Diagnostics) -> Map<String, Value> {
    let at = Pointer::default().child(PROFILES);
    let Some(profiles) = profiles.as_object() else {
        let message =
            format!("`{PROFILES}` must be an object of partial operations by their names");
        problems.fatal(Diagnostic::new(Code::Invalid, &at, message));
        return Map::new();
    };
    for (name, profile) in profiles {
        if !profile.is_object() {
            let message = format!("the profile `{name}` must be a partial operation, an object");
            problems.fatal(Diagnostic::new(Code::Invalid, &at.child(name), message));
        }
    }
    profiles.clone()
}

/// The places of all operations that name profiles.
fn operations(root: &Value) -> Vec<Pointer> {
    let mut places = Vec::new();
    object_fields::each(root, |at, value, kind| {
        let is_operation = matches!(kind, FieldType::Object(Object::Operation));
        if is_operation && value.get(PROFILE).is_some() {
            places.push(at.clone());
        }
        true
    });
    places
}

/// The profiles that an operation names, each with its place.
fn names(named: Option<Value>, at: &Pointer, problems: &mut Diagnostics) -> Vec<(Pointer, String)> {
    let each = match named {
        None => Vec::new(),
        Some(Value::Array(names)) => {
            let place = |(index, name): (usize, Value)| (at.child(index.to_string()), name);
            names.into_iter().enumerate().map(place).collect()
        }
        Some(name) => vec![(at.clone(), name)],
    };
    let mut names = Vec::new();
    for (at, name) in each {
        match name {
            Value::String(name) => names.push((at, name)),
            _ => {
                let message =
                    format!("`{PROFILE}` must be the name of a profile, or a list of names");
                problems.fatal(Diagnostic::new(Code::Invalid, &at, message));
            }
        }
    }
    names
}

fn unknown_profile(name: &str, at: &Pointer, profiles: &Map<String, Value>) -> Diagnostic {
    let message = format!("no profile is named `{name}`");
    let problem = Diagnostic::new(Code::DanglingReference, at, message);
    match closest(name, profiles.keys().map(String::as_str)) {
        Some(meant) => problem.did_you_mean(Some(meant)),
        None => problem.help(format!("profiles stand in `{PROFILES}` at the root")),
    }
}

/// Adds to an operation the fields of a profile that it lacks.
fn add_profile(operation: &mut Map<String, Value>, profile: &Map<String, Value>) {
    for (field, value) in profile {
        match (operation.get_mut(field), value) {
            (Some(Value::Array(own)), Value::Array(common)) if field == "parameters" => {
                add_parameters(own, common);
            }
            (Some(Value::Object(own)), Value::Object(common)) if field == "responses" => {
                add_responses(own, common);
            }
            (Some(_), _) => {}
            (None, _) => drop(operation.insert(field.clone(), value.clone())),
        }
    }
}

/// Adds the parameters that are not there by the same reference, or by the same name and place.
fn add_parameters(own: &mut Vec<Value>, common: &[Value]) {
    let identity = |parameter: &Value| {
        let field = |name| parameter.get(name).cloned();
        (field("$ref"), field("in"), field("name"))
    };
    for parameter in common {
        if !own.iter().any(|own| identity(own) == identity(parameter)) {
            own.push(parameter.clone());
        }
    }
}

/// Adds the responses of statuses that are not there, and the members of ranges to the responses that are;
/// afterwards, they stand in the order of their statuses.
fn add_responses(own: &mut Map<String, Value>, common: &Map<String, Value>) {
    let (ranges, single): (Vec<_>, Vec<_>) =
        common.iter().partition(|(status, _)| is_range(status));
    for (status, response) in own.iter_mut() {
        let in_range = ranges.iter().filter(|(range, _)| covers(range, status));
        for (_, members) in in_range {
            add_members(response, members);
        }
    }
    for (status, response) in single {
        if !own.contains_key(status) {
            own.insert(status.clone(), response.clone());
        }
    }
    own.sort_keys();
}

/// Adds to a response the members that it lacks, and to its maps, such as `headers`, the entries that these
/// lack. A reference is left as it is.
fn add_members(response: &mut Value, common: &Value) {
    let (Some(own), Some(common)) = (response.as_object_mut(), common.as_object()) else {
        return;
    };
    if own.contains_key("$ref") {
        return;
    }
    for (name, member) in common {
        match (own.get_mut(name), member) {
            (Some(Value::Object(own)), Value::Object(common)) => {
                for (name, entry) in common {
                    own.entry(name.as_str()).or_insert_with(|| entry.clone());
                }
            }
            (Some(_), _) => {}
            (None, _) => drop(own.insert(name.clone(), member.clone())),
        }
    }
}

/// Whether a key of responses stands for all statuses of a hundred, as `2XX` does.
fn is_range(status: &str) -> bool {
    status.len() == 3 && status.ends_with("XX")
}

fn covers(range: &str, status: &str) -> bool {
    status.len() == 3 && status.get(..1) == range.get(..1) && !is_range(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn document(operation: Value) -> Value {
        json!({
            "paths": { "/a": { "get": operation } },
            "x-profiles": {
                "read": {
                    "security": [],
                    "parameters": [{ "$ref": "#/p" }, { "name": "a", "in": "query" }],
                    "responses": {
                        "2XX": { "headers": { "ETag": { "$ref": "#/e" }, "Vary": { "$ref": "#/v" } } },
                        "400": { "$ref": "#/r" },
                        "404": { "$ref": "#/n" },
                    },
                },
                "slow": { "x-slow": true, "security": [{}] },
            },
        })
    }

    fn expanded(operation: Value) -> Value {
        let mut root = document(operation);
        expand(&mut root).expect("profiles that are there");
        assert_eq!(root.get(PROFILES), None);
        root.pointer("/paths/~1a/get").cloned().unwrap_or_default()
    }

    #[test]
    fn an_operation_has_the_fields_that_it_lacks_from_its_profiles() {
        let operation = expanded(json!({
            "x-profile": ["read", "slow"],
            "parameters": [{ "name": "a", "in": "query", "required": true }],
            "responses": {
                "404": { "description": "own" },
                "200": { "description": "own", "headers": { "Vary": {} } },
            },
        }));
        let expected = json!({
            "parameters": [{ "name": "a", "in": "query", "required": true }, { "$ref": "#/p" }],
            "responses": {
                "200": { "description": "own", "headers": { "Vary": {}, "ETag": { "$ref": "#/e" } } },
                "400": { "$ref": "#/r" },
                "404": { "description": "own" },
            },
            "security": [],
            "x-slow": true,
        });
        assert_eq!(operation, expected);
        let responses = operation.get("responses").and_then(Value::as_object);
        let statuses: Vec<&String> = responses.into_iter().flat_map(Map::keys).collect();
        assert_eq!(statuses, ["200", "400", "404"]);
    }

    #[test]
    fn a_response_that_is_a_reference_takes_no_members() {
        let operation = expanded(json!({
            "x-profile": "read",
            "responses": { "200": { "$ref": "#/own" } },
        }));
        let own = operation.pointer("/responses/200");
        assert_eq!(own, Some(&json!({ "$ref": "#/own" })));
    }

    #[test]
    fn an_operation_without_a_profile_stays_as_it_is() {
        let own = json!({ "responses": { "200": { "description": "own" } } });
        assert_eq!(expanded(own.clone()), own);
    }

    #[test]
    fn x_profile_is_ignored_in_a_document_without_profiles() {
        let mut root = json!({ "paths": { "/a": { "get": { "x-profile": "theirs" } } } });
        let before = root.clone();
        expand(&mut root).expect("nothing to expand");
        assert_eq!(root, before);
    }

    #[test]
    fn an_unknown_profile_is_reported_with_a_suggestion() {
        let mut root = document(json!({ "x-profile": "raed" }));
        let problems = expand(&mut root).expect_err("no such profile");
        let problem = problems.iter().next().expect("a problem");
        assert_eq!(problem.at.as_str(), "/paths/~1a/get/x-profile");
        assert_eq!(problem.help.as_deref(), Some("did you mean `read`?"));
    }
}
