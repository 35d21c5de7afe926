//! The responses that the contract documents for each operation: their statuses, and the codes of errors.

use super::answer::Answer;
use serde_json::Value;
use std::collections::BTreeMap;
use std::{fs, io};

/// The required members of an error, by its code.
type RequiredMembers = BTreeMap<String, Vec<String>>;

/// The errors of each status of each operation.
pub(super) struct Contract(BTreeMap<String, BTreeMap<u16, RequiredMembers>>);

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
        let documented = operations.filter_map(|operation| {
            let responses = operation.get("responses")?.as_object()?;
            let statuses = responses.iter().filter_map(|(status, response)| {
                let response = resolved(document, response);
                let mut errors = RequiredMembers::new();
                if let Some(schema) = response.pointer("/content/application~1json/schema") {
                    collect_errors(document, schema, &mut errors);
                }
                Some((status.parse().ok()?, errors))
            });
            let id = operation.get("operationId")?.as_str()?.to_owned();
            Some((id, statuses.collect()))
        });
        Contract(documented.collect())
    }

    /// How an answer deviates from the contract; `None` if it is documented. A 500 is documented, and is told all the
    /// same: the server has a defect.
    pub(super) fn deviation(&self, operation: &str, answer: &Answer) -> Option<String> {
        let status = answer.status;
        let text = String::from_utf8_lossy(&answer.body);
        let told = |what: &str| Some(format!("{operation}: {what} {status}: {text}"));
        let Some(errors) = self
            .0
            .get(operation)
            .and_then(|statuses| statuses.get(&status))
        else {
            return told("an undocumented status");
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
            None => told("an undocumented error code with status"),
            Some(members) if !members.iter().all(|name| error.get(name).is_some()) => {
                told("a required member is missing with status")
            }
            Some(_) if status == 500 => told("a defect, status"),
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

/// Collects the codes of the errors that a schema describes, and their required members.
fn collect_errors(document: &Value, schema: &Value, errors: &mut RequiredMembers) {
    let schema = resolved(document, schema);
    let list = |name| {
        schema
            .get(name)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    for variant in list("oneOf") {
        collect_errors(document, variant, errors);
    }
    let parts: Vec<_> = std::iter::once(schema)
        .chain(list("allOf").map(|part| resolved(document, part)))
        .collect();
    let codes = parts
        .iter()
        .filter_map(|part| part.pointer("/properties/code/const"));
    if let Some(code) = codes.filter_map(Value::as_str).next() {
        let required = parts
            .iter()
            .filter_map(|part| part.get("required")?.as_array());
        let required = required
            .flatten()
            .filter_map(|name| Some(name.as_str()?.to_owned()));
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
        let deviation = |status, body: Value| {
            let body = body.to_string().into_bytes();
            contract.deviation("configs.create", &Answer { status, body })
        };
        let error =
            |code: &str| json!({ "defined": true, "code": code, "status": 409, "message": "" });
        assert_eq!(deviation(201, json!({})), None);
        assert_eq!(deviation(409, error("CONFIG_QUOTA_EXCEEDED")), None);
        assert!(deviation(418, json!({})).is_some());
        assert!(deviation(409, error("NOT_FOUND")).is_some());
        assert!(deviation(409, json!({ "code": "CONFIG_QUOTA_EXCEEDED" })).is_some());
        assert!(deviation(500, error("INTERNAL_SERVER_ERROR")).is_some());
    }
}
