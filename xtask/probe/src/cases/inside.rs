//! Cases of values inside a value, and those that the contract lists as examples.

use super::{Breach, Case, Cases, all};
use serde_json::{Value, json};

impl Cases<'_> {
    /// The cases that the contract writes down itself.
    pub(super) fn written(&mut self) {
        for value in self
            .schema
            .get("x-valid")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.fits(value.clone());
        }
        for case in self
            .schema
            .get("x-probe")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let text = |name: &str| case.get(name).and_then(Value::as_str).unwrap_or_default();
            let value = case["value"].clone();
            self.breaks(value, text("at"), text("keyword"), case.get("bound"));
        }
    }

    /// The cases of each member, and the object without it.
    pub(super) fn members(&mut self) {
        let valid = self.valid.as_object().cloned().unwrap_or_default();
        let required = self.schema.get("required").cloned().unwrap_or_default();
        for (name, member) in &valid {
            let own = self.schema.pointer(&format!("/properties/{name}"));
            // The cases of the contract say which pattern applies to a name.
            let patterned = self.schema.get("patternProperties").is_some();
            let others = self.schema.get("additionalProperties");
            let others = others.filter(|_| own.is_none() && !patterned);
            let Some(schema) = own.or(others) else {
                continue;
            };
            let is_required = required
                .as_array()
                .is_some_and(|names| names.contains(&json!(name)));
            if own.is_some() && !is_required {
                let without = self.with(name, None);
                self.fits(without);
            }
            for case in all(schema, member, self.is_json) {
                let value = self.with(name, Some(case.value.clone()));
                self.below(name, case, value);
            }
        }
    }

    /// The cases of the first item.
    pub(super) fn items(&mut self) {
        let (Some(schema), Some(valid)) = (self.schema.get("items"), self.valid.get(0)) else {
            return;
        };
        for case in all(schema, valid, self.is_json) {
            let mut items = self.valid.as_array().cloned().unwrap_or_default();
            let distinct = !items.iter().skip(1).any(|item| *item == case.value);
            if let Some(first) = items.first_mut().filter(|_| distinct) {
                *first = case.value.clone();
                self.below("0", case, items.into());
            }
        }
    }

    fn below(&mut self, token: &str, case: Case, value: Value) {
        let breaks = case.breaks.map(|breach| Breach {
            at: format!("/{token}{}", breach.at),
            ..breach
        });
        self.all.push(Case { value, breaks });
    }

    /// The valid object with another value for a member, or without it.
    pub(super) fn with(&self, name: &str, member: Option<Value>) -> Value {
        let mut members = self.valid.as_object().cloned().unwrap_or_default();
        match member {
            Some(member) => _ = members.insert(name.to_owned(), member),
            None => _ = members.remove(name),
        }
        members.into()
    }
}
