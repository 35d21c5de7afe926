//! The answers that the contract knows.

use super::answer::Answer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::{fs, io};

/// The members that an error of a code must have, by code.
type Errors = BTreeMap<String, Vec<String>>;

/// The errors of each status of each operation.
pub(super) struct Contract(BTreeMap<String, BTreeMap<u16, Errors>>);

impl Contract {
    /// Reads the document that the server serves.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read() -> io::Result<Contract> {
        let path = workspace::root().join("generated/openapi.json");
        Ok(Contract::of(&serde_json::from_slice(&fs::read(path)?)?))
    }

    fn of(document: &Value) -> Contract {
        let paths = document.get("paths").and_then(Value::as_object);
        let paths = paths.into_iter().flat_map(|paths| paths.values());
        let operations = paths
            .filter_map(Value::as_object)
            .flat_map(|path| path.values());
        let known = operations.filter_map(|operation| {
            let responses = operation.get("responses")?.as_object()?;
            let statuses = responses.iter().filter_map(|(status, response)| {
                let response = resolved(document, response);
                let mut errors = Errors::new();
                if let Some(schema) = response.pointer("/content/application~1json/schema") {
                    collect(document, schema, &mut errors);
                }
                Some((status.parse().ok()?, errors))
            });
            let id = operation.get("operationId")?.as_str()?.to_owned();
            Some((id, statuses.collect()))
        });
        Contract(known.collect())
    }

    /// The unknown part of an answer to an operation, if there is one. The contract knows 500, which says that the
    /// server has a defect: it counts as unknown.
    pub(super) fn unknown(&self, operation: &str, answer: &Answer) -> Option<String> {
        let status = answer.status;
        let text = String::from_utf8_lossy(&answer.body);
        let said = |what: &str| Some(format!("{operation}: {what} {status}: {text}"));
        let Some(errors) = self.0.get(operation).and_then(|known| known.get(&status)) else {
            return said("an unknown status");
        };
        if status < 400 {
            return None;
        }
        let error: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let members = error
            .get("code")
            .and_then(Value::as_str)
            .and_then(|code| errors.get(code));
        match members {
            None => said("an unknown code of"),
            Some(members) if !members.iter().all(|name| error.get(name).is_some()) => {
                said("a member is missing in")
            }
            Some(_) if status == 500 => said("a defect"),
            Some(_) => None,
        }
    }
}

/// The object that a reference points to, or the object itself.
fn resolved<'a>(document: &'a Value, object: &'a Value) -> &'a Value {
    let reference = object.get("$ref").and_then(Value::as_str);
    let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
    let target = pointer.and_then(|pointer| document.pointer(pointer));
    target.unwrap_or(object)
}

/// Collects the errors that a schema describes.
fn collect(document: &Value, schema: &Value, errors: &mut Errors) {
    let schema = resolved(document, schema);
    let list = |name| {
        schema
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    for variant in list("oneOf") {
        collect(document, variant, errors);
    }
    let code = schema.pointer("/properties/code/const");
    if let Some(code) = code.and_then(Value::as_str) {
        let required = list("required").filter_map(|name| Some(name.as_str()?.to_owned()));
        errors.insert(code.to_owned(), required.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn knows_statuses_codes_and_members_of_each_operation() {
        let contract = Contract::read().unwrap();
        let unknown = |status, body: Value| {
            let body = body.to_string().into_bytes();
            contract.unknown("configs.create", &Answer { status, body })
        };
        let error =
            |code: &str| json!({ "defined": true, "code": code, "status": 409, "message": "" });
        assert_eq!(unknown(201, json!({})), None);
        assert_eq!(unknown(409, error("CONFIG_QUOTA_EXCEEDED")), None);
        assert!(unknown(418, json!({})).is_some());
        assert!(unknown(409, error("NOT_FOUND")).is_some());
        assert!(unknown(409, json!({ "code": "CONFIG_QUOTA_EXCEEDED" })).is_some());
        assert!(unknown(500, error("INTERNAL_SERVER_ERROR")).is_some());
    }
}
