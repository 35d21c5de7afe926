//! What a schema says of a file, which is the number of its bytes, or of a list of files.

use super::{Copy, Copying, Subject};
use crate::source::Pointer;
use serde_json::{Map, Value};

impl Copying<'_, '_> {
    pub(super) fn of_file(
        &mut self,
        keyword: &str,
        operand: &Value,
        beside: &Map<String, Value>,
        at: &Pointer,
        copy: &mut Copy,
    ) {
        match keyword {
            "type" => copy.put(keyword, counted(operand)),
            "minLength" => copy.put("minimum", operand.clone()),
            "maxLength" => copy.put("maximum", operand.clone()),
            "format" => {
                let name = operand.as_str().unwrap_or_default();
                if self.models.bundle.formats().asserts(name) {
                    self.leave_out(keyword, at, copy);
                }
            }
            "uniqueItems" if *operand == Value::Bool(false) => {}
            "pattern" | "uniqueItems" | "$dynamicRef" => self.leave_out(keyword, at, copy),
            // They speak of what is no file.
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                copy.wider = true;
            }
            "items" | "unevaluatedItems" => _ = self.items(keyword, operand, at, copy),
            "prefixItems" => self.branches(keyword, operand, at, Subject::File, copy),
            "contains" => {
                let wider = self.items(keyword, operand, at, copy);
                if let (false, Some(most)) = (wider, beside.get("maxContains")) {
                    copy.put("maxContains", most.clone());
                }
            }
            "maxContains" => {}
            _ => copy.put(keyword, operand.clone()),
        }
    }

    fn items(&mut self, keyword: &str, operand: &Value, at: &Pointer, copy: &mut Copy) -> bool {
        let (schema, wider) = self.schema(operand, at, Subject::File);
        copy.put(keyword, schema);
        copy.wider |= wider;
        wider
    }
}

/// The types of a file: what may be a string is a number of bytes.
fn counted(types: &Value) -> Value {
    let counted = |name: &Value| match name.as_str() {
        Some("string") => "integer".into(),
        _ => name.clone(),
    };
    let Value::Array(all) = types else {
        return counted(types);
    };
    let mut names: Vec<Value> = Vec::new();
    for name in all.iter().map(counted) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    Value::Array(names)
}
