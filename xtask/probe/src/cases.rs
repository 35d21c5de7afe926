//! Values that are just within each bound of a schema, and values just beyond it.

mod inside;

use serde_json::{Map, Value, json};

/// A value in the place of a valid one.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) value: Value,
    /// Nothing for a value that is valid.
    pub(super) breaks: Option<Breach>,
}

/// The constraint that a value breaks.
#[derive(Debug, Clone)]
pub(super) struct Breach {
    /// The pointer below the value.
    pub(super) at: String,
    pub(super) keyword: String,
    /// The bound that the message must name.
    pub(super) bound: Option<String>,
    /// The part that must not come back.
    pub(super) sent: Value,
}

/// The character that fills up a text: it counts as one character and has four bytes.
const FILLER: &str = "😀";

/// All cases of a schema with a valid value. For values in text form, only those that
/// text can express.
pub(super) fn all(schema: &Value, valid: &Value, is_json: bool) -> Vec<Case> {
    let mut cases = Cases {
        schema,
        valid,
        is_json,
        all: Vec::new(),
    };
    let Some(keywords) = schema.as_object() else {
        return Vec::new();
    };
    for (keyword, bound) in keywords {
        cases.keyword(keyword, bound);
    }
    cases.written();
    cases.members();
    cases.items();
    cases.all
}

struct Cases<'a> {
    schema: &'a Value,
    valid: &'a Value,
    is_json: bool,
    all: Vec<Case>,
}

impl Cases<'_> {
    fn fits(&mut self, value: Value) {
        self.all.push(Case {
            value,
            breaks: None,
        });
    }

    fn breaks(&mut self, value: Value, at: &str, keyword: &str, bound: Option<&Value>) {
        let named = bound.map(|bound| match bound {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        self.all.push(Case {
            breaks: Some(Breach {
                at: at.to_owned(),
                keyword: keyword.to_owned(),
                bound: named,
                sent: value.clone(),
            }),
            value,
        });
    }

    fn keyword(&mut self, keyword: &str, bound: &Value) {
        let step = self
            .schema
            .get("multipleOf")
            .and_then(Value::as_f64)
            .unwrap_or(1.0);
        let beyond = |by: f64| number(bound.as_f64().unwrap_or_default() + by);
        let count = bound
            .as_u64()
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or(0);
        let types = self.schema.get("type");
        match keyword {
            "type" => self.types(bound),
            "minimum" => {
                self.breaks(beyond(-step), "", keyword, Some(bound));
                self.within(bound.clone());
            }
            "maximum" => {
                self.breaks(beyond(step), "", keyword, Some(bound));
                self.within(bound.clone());
            }
            "exclusiveMinimum" | "exclusiveMaximum" => {
                self.breaks(bound.clone(), "", keyword, Some(bound));
                let inward = if keyword.ends_with("Minimum") {
                    1.0
                } else {
                    -1.0
                };
                let by = if types == Some(&json!("integer")) {
                    1.0
                } else {
                    step.min(0.25)
                };
                let by = if self.schema.get("multipleOf").is_some() {
                    step
                } else {
                    by
                };
                self.within(beyond(inward * by));
            }
            "multipleOf" => {
                let between = bound.as_f64().unwrap_or_default() / 2.0;
                let valid = self.valid.as_f64().unwrap_or_default();
                // For integers, whose half is none, the next integer.
                let by = if types == Some(&json!("integer")) {
                    1.0
                } else {
                    between
                };
                self.breaks(number(valid + by), "", keyword, Some(bound));
            }
            "minLength" if count > 0 => {
                self.text(count - 1, keyword, Some(bound));
                self.text(count, keyword, None);
            }
            "maxLength" => {
                self.text(count + 1, keyword, Some(bound));
                self.text(count, keyword, None);
            }
            "pattern" => self.breaks(json!("!"), "", keyword, Some(bound)),
            "format" if bound != "binary" => {
                self.breaks(json!("2026-13-32"), "", keyword, None);
            }
            "enum" => self.values(bound),
            "const" => {
                self.fits(bound.clone());
                self.breaks(json!("another"), "", keyword, None);
            }
            "minItems" if count > 0 => {
                self.list(count - 1, keyword, Some(bound));
                self.list(count, keyword, None);
            }
            "maxItems" => {
                self.list(count + 1, keyword, Some(bound));
                self.list(count, keyword, None);
            }
            "uniqueItems" => {
                let first = self.valid.get(0).cloned().unwrap_or_default();
                self.breaks(json!([first.clone(), first]), "", keyword, None);
            }
            "required" => self.required(bound),
            "additionalProperties" if bound == &Value::Bool(false) => {
                let value = self.with("stray", Some(json!("stray")));
                self.breaks(value, "/stray", keyword, None);
            }
            "minProperties" if count == 1 && self.schema.get("required").is_none() => {
                self.breaks(json!({}), "", keyword, Some(bound));
            }
            "maxProperties" => {
                let first = self
                    .valid
                    .as_object()
                    .and_then(|members| members.values().next());
                let first = first.cloned().unwrap_or_default();
                let known = self.valid.as_object().cloned().unwrap_or_default();
                let grown = |count: usize| {
                    let mut members: Map<String, Value> = known.clone();
                    for n in members.len()..count {
                        members.insert(format!("more{n}"), first.clone());
                    }
                    Value::from(members)
                };
                self.fits(grown(count));
                self.breaks(grown(count + 1), "", keyword, Some(bound));
            }
            _ => {}
        }
    }

    /// Adds a value within one bound as valid, if the other bounds of its kind allow it too.
    fn within(&mut self, value: Value) {
        let Some(number) = value.as_f64() else { return };
        let bound = |name: &str| self.schema.get(name).and_then(Value::as_f64);
        let multiple = bound("multipleOf").is_none_or(|of| {
            let times = number / of;
            (times - times.round()).abs() < 1e-9
        });
        if multiple
            && bound("minimum").is_none_or(|min| number >= min)
            && bound("maximum").is_none_or(|max| number <= max)
        {
            self.fits(value);
        }
    }

    fn types(&mut self, types: &Value) {
        let name = types.as_str().unwrap_or_default();
        if types
            .as_array()
            .is_some_and(|types| types.contains(&json!("null")))
            && self.is_json
        {
            self.fits(Value::Null);
            self.breaks(json!(17), "", "type", None);
        }
        match name {
            "integer" | "number" | "boolean" => {
                self.breaks(json!("zzzz"), "", "type", None);
                if name == "integer" {
                    self.breaks(json!(1.5), "", "type", None);
                }
                if self.is_json && name == "integer" {
                    let valid = self.valid.as_i64().unwrap_or_default();
                    self.fits(json!(valid as f64));
                }
            }
            "string" if self.is_json => self.breaks(json!(1234), "", "type", None),
            "array" | "object" if self.is_json => self.breaks(json!("zzzz"), "", "type", None),
            _ => {}
        }
        if self.is_json && !name.is_empty() {
            self.breaks(Value::Null, "", "type", None);
        }
    }

    /// A text of a length; where a pattern or a format says more, it may break that too.
    fn text(&mut self, length: usize, keyword: &str, bound: Option<&Value>) {
        let digits = self.schema.get("pattern") == Some(&json!("^[0-9]+$"));
        let filler = if digits { "7" } else { FILLER };
        let value = json!(filler.repeat(length));
        let patterned = self.schema.get("pattern").is_some() && !digits;
        match bound {
            Some(_) => self.breaks(value, "", keyword, bound),
            None if !patterned => self.fits(value),
            None => {}
        }
    }

    fn values(&mut self, values: &Value) {
        for value in values.as_array().into_iter().flatten() {
            self.fits(value.clone());
        }
        let first = values.get(0).cloned();
        self.breaks(json!("zzzz"), "", "enum", first.as_ref());
    }

    fn list(&mut self, count: usize, keyword: &str, bound: Option<&Value>) {
        let mut items: Vec<Value> = self.valid.as_array().cloned().unwrap_or_default();
        items.truncate(count);
        while items.len() < count {
            let next = match items.last() {
                Some(Value::Number(last)) => number(last.as_f64().unwrap_or_default() + 1.0),
                Some(Value::String(last)) if self.item_is_listed() => json!(last),
                Some(Value::String(_)) => json!(["cc", "dd", "ee", "ff"].get(items.len() % 4)),
                other => other.cloned().unwrap_or_default(),
            };
            items.push(next);
        }
        match bound {
            Some(_) => self.breaks(items.into(), "", keyword, bound),
            None => self.fits(items.into()),
        }
    }

    fn item_is_listed(&self) -> bool {
        self.schema.pointer("/items/enum").is_some()
    }

    fn required(&mut self, names: &Value) {
        for name in names
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            let value = self.with(name, None);
            self.breaks(value, &format!("/{name}"), "required", None);
        }
    }
}

/// A JSON number, as an integer if possible.
fn number(value: f64) -> Value {
    let rounded = (value * 1e6).round() / 1e6;
    if rounded.fract() == 0.0 {
        json!(rounded as i64)
    } else {
        json!(rounded)
    }
}

#[cfg(test)]
mod tests;
