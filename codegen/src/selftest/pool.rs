//! The values of a test program, each with its number.

use crate::ir::Example;
use sample::Samples;
use serde_json::{Map, Value};

/// Every value, and the source of valid ones.
pub(crate) struct Pool {
    pub(super) samples: Samples,
    values: Vec<Value>,
}

/// A restriction on values beside their schema, from the way they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    /// None: JSON writes every value.
    Json,
    /// One text of several types: no null, list or object.
    Scalar,
    /// A form: it may be empty, and its fields are texts.
    Form,
    /// A field of a form or a query: no null, and no list or object without members.
    Text,
    /// A header of one text: visible characters, with blanks between them.
    Line,
    /// One of several texts: no delimiters either.
    Header,
}

impl Pool {
    pub(crate) fn new(schemas: Map<String, Value>) -> Pool {
        Pool {
            samples: Samples::new(schemas),
            values: Vec::new(),
        }
    }

    /// All values, in the order of their numbers.
    pub(crate) fn values(&self) -> &[Value] {
        &self.values
    }

    /// How a value violates a schema; `None` where it is valid.
    pub(crate) fn violation(&self, key: &str, value: &Value) -> Option<String> {
        let is_valid = self.samples.accepts(key, value);
        (!is_valid).then(|| self.samples.complaint(key, value).unwrap_or_default())
    }

    /// Whether a value is an object without members.
    pub(super) fn is_empty_object(&self, at: usize) -> bool {
        let members = self.values.get(at).and_then(Value::as_object);
        members.is_some_and(Map::is_empty)
    }

    pub(super) fn add(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len() - 1
    }

    /// Replaces a list of one by its item if that is valid too: they are the same text.
    pub(super) fn take_item(&mut self, at: usize, key: &str) {
        if let Some(value) = self.values.get_mut(at)
            && let Value::Array(items) = value
            && let [item] = &items[..]
            && self.samples.accepts(key, item)
        {
            *value = item.clone();
        }
    }

    /// A value for a schema: the first documented example that is valid, else a generated one.
    pub(super) fn value(
        &mut self,
        key: &str,
        examples: &[Example],
        carrier: Carrier,
    ) -> Option<usize> {
        self.value_that(key, examples, carrier, |_| true)
    }

    /// The same, among values for which a further condition holds.
    pub(super) fn value_that(
        &mut self,
        key: &str,
        examples: &[Example],
        carrier: Carrier,
        holds: impl Fn(&Value) -> bool,
    ) -> Option<usize> {
        let fits = |value: &Value| carrier.carries(value) && holds(value);
        let good = |value: &Value| fits(value) && self.samples.accepts(key, value);
        let mut shown = examples.iter().map(|example| &example.value);
        let shown = shown.find(|value| good(value)).cloned();
        let made_up = || self.samples.find(key, fits, |value| carrier.part(value));
        let mut value = shown.or_else(made_up)?;
        if carrier != Carrier::Json {
            // A value read from texts has its members in the order of their names.
            value.sort_all_objects();
            value = self.as_read(value, key);
        }
        if carrier == Carrier::Form {
            self.take_items(&mut value, key);
        }
        Some(self.add(value))
    }

    /// Replaces each field that is a list of one by its item, as [`Pool::take_item`] does.
    fn take_items(&self, value: &mut Value, key: &str) {
        let members = value.as_object().into_iter().flatten();
        let alone: Vec<(String, Value)> = members
            .filter_map(|(name, member)| match member.as_array()?.as_slice() {
                [item] => Some((name.clone(), item.clone())),
                _ => None,
            })
            .collect();
        for (name, item) in alone {
            let mut other = value.clone();
            if let Some(member) = other.get_mut(&name) {
                *member = item;
            }
            if self.samples.accepts(key, &other) {
                *value = other;
            }
        }
    }

    /// The number that a text is read as, where numbers are accepted too.
    fn as_read(&self, value: Value, key: &str) -> Value {
        let read = value.as_str().map(|text| self.samples.read(key, text));
        let is_number = |read: &Value| read.is_number() || read.is_boolean();
        let read = read.filter(|read| is_number(read) && self.samples.accepts(key, read));
        read.unwrap_or(value)
    }
}

impl Carrier {
    /// The part of a value that can be written: without the members and items that cannot.
    fn part(self, value: Value) -> Value {
        let within = match self {
            Carrier::Form => Carrier::Text,
            other => other,
        };
        match value {
            Value::Array(items) => {
                let parts = items.into_iter().map(|item| within.part(item));
                parts.filter(|item| within.carries(item)).collect()
            }
            Value::Object(members) => {
                let parts = members.into_iter();
                let parts = parts.map(|(name, member)| (name, within.part(member)));
                let carried = parts.filter(|(_, member)| within.carries(member));
                Value::Object(carried.collect())
            }
            plain => plain,
        }
    }

    fn carries(self, value: &Value) -> bool {
        match (self, value) {
            (Carrier::Json, _) => true,
            (Carrier::Form, Value::Object(members)) => {
                members.values().all(|member| Carrier::Text.carries(member))
            }
            (Carrier::Form, value) => Carrier::Text.carries(value),
            (_, Value::Null)
            | (Carrier::Scalar | Carrier::Line, Value::Array(_) | Value::Object(_)) => false,
            (Carrier::Text | Carrier::Scalar, Value::String(text)) => {
                !matches!(text.as_str(), "" | "." | "..")
            }
            (Carrier::Line, Value::String(text)) => {
                let visible = text.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
                visible && !text.is_empty() && text.trim() == text
            }
            (Carrier::Header, Value::String(text)) => {
                let visible = text
                    .bytes()
                    .all(|b| b.is_ascii_graphic() && b != b',' && b != b'=');
                visible && !text.is_empty()
            }
            (_, Value::Array(items)) => {
                !items.is_empty() && items.iter().all(|item| self.carries(item))
            }
            (_, Value::Object(members)) => {
                !members.is_empty() && members.values().all(|member| self.carries(member))
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_header_of_one_text_may_have_blanks_and_commas_and_one_of_several_may_not() {
        let text = json!("public, max-age=60");
        assert!(Carrier::Line.carries(&text));
        assert!(!Carrier::Header.carries(&text));
        for text in ["", " ", " a", "a\n", "ä"] {
            assert!(!Carrier::Line.carries(&json!(text)), "{text:?}");
        }
        assert!(!Carrier::Line.carries(&json!(["a"])));
    }

    #[test]
    fn a_field_that_is_a_list_of_one_is_its_item_where_that_is_taken() {
        let schemas = json!({ "Form": { "type": "object", "properties": {
            "any": { "type": ["array", "string"], "minItems": 1 },
            "list": { "type": "array" },
        } } });
        let mut pool = Pool::new(schemas.as_object().unwrap().clone());
        let example = Example {
            name: "one".into(),
            summary: None,
            value: json!({ "any": ["a"], "list": ["b"] }),
        };
        let at = pool.value("Form", &[example], Carrier::Form).unwrap();
        assert_eq!(pool.values()[at], json!({ "any": "a", "list": ["b"] }));
    }

    #[test]
    fn members_that_are_read_from_texts_stand_in_the_order_of_their_names() {
        let schemas = json!({ "Any": { "type": "object" } });
        let mut pool = Pool::new(schemas.as_object().unwrap().clone());
        let example = Example {
            name: "one".into(),
            summary: None,
            value: json!({ "b": "1", "a": "2" }),
        };
        let mut sent = |carrier| {
            let at = pool.value("Any", std::slice::from_ref(&example), carrier);
            pool.values()[at.unwrap()].to_string()
        };
        assert_eq!(sent(Carrier::Text), r#"{"a":"2","b":"1"}"#);
        assert_eq!(sent(Carrier::Json), r#"{"b":"1","a":"2"}"#);
    }
}
