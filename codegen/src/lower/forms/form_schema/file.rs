//! Keywords on a file, which is represented by the number of its bytes, or on a list of files.

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
            "type" => match counted(operand) {
                types if types.is_empty() => copy.and(Value::Bool(false)),
                types => copy.put(keyword, types.into()),
            },
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
            // These keywords describe no file.
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

/// The types of a file: `string` becomes a number of bytes, and `number` is dropped.
fn counted(types: &Value) -> Vec<Value> {
    let names = match types {
        Value::Array(names) => names.as_slice(),
        name => std::slice::from_ref(name),
    };
    let counted = names.iter().filter_map(|name| match name.as_str() {
        Some("string") => Some("integer".into()),
        Some("integer" | "number" | "boolean") => None,
        _ => Some(name.clone()),
    });
    counted.collect()
}
