//! Checks defaults against their type and their schema. A default that is not of the type could not
//! be applied, and one that the schema refuses could not be sent.

use super::models::Models;
use crate::ir::{IntegerType, ModelShape, Type, TypeKind};
use crate::openapi::Key;
use crate::schema::JsonType;
use json_schema::Schemas;
use json_schema::format::is_valid;
use json_schema::reference::key_of_reference;
use serde_json::{Map, Value};

impl Models<'_> {
    /// Whether the schema of a key accepts a value. The checker is built once for each schema,
    /// because many parameters may share it.
    pub(super) fn takes(&mut self, key: &str, value: &Value) -> bool {
        let schema = self.bundle.get(key).map(Value::to_string);
        let question = (schema.unwrap_or_default(), value.to_string());
        if let Some(answer) = self.taken.get(&question) {
            return *answer;
        }
        let schemas = Schemas::parse(&Value::Object(self.reached_by(key)).to_string());
        let answer = schemas.is_valid(key, value);
        self.taken.insert(question, answer);
        answer
    }

    /// The schema of a key, with all schemas that it refers to.
    fn reached_by(&self, key: &str) -> Map<String, Value> {
        let mut reached = Map::new();
        let mut open = vec![key.to_owned()];
        while let Some(key) = open.pop() {
            let known = self.bundle.get(&key);
            if let Some(schema) = known.filter(|_| !reached.contains_key(&key)) {
                add_referred(schema, &mut open);
                reached.insert(key, schema.clone());
            }
        }
        reached
    }

    /// Whether a value fits a type, constraints left aside.
    pub(super) fn fits(&self, ty: &Type, value: &Value) -> bool {
        match &ty.kind {
            TypeKind::Json => true,
            TypeKind::Null => value.is_null(),
            TypeKind::Bool => value.is_boolean(),
            TypeKind::Integer(IntegerType::Short) => {
                value.as_i64().is_some_and(|n| i32::try_from(n).is_ok())
            }
            TypeKind::Integer(IntegerType::Signed) => value.is_i64(),
            TypeKind::Integer(IntegerType::Unsigned) => value.is_u64(),
            TypeKind::Integer(IntegerType::Any) => JsonType::Integer.takes(value),
            TypeKind::Number => value.as_f64().is_some_and(f64::is_finite),
            TypeKind::String => value.is_string(),
            TypeKind::Formatted { format, .. } => {
                let format = self.formats.get(format.0);
                let valid = |text| format.is_some_and(|f| is_valid(&f.wire, text));
                value.as_str().is_some_and(valid)
            }
            TypeKind::Nullable(inner) => value.is_null() || self.fits(inner, value),
            TypeKind::Array(item) => value
                .as_array()
                .is_some_and(|items| items.iter().all(|value| self.fits(item, value))),
            TypeKind::Map(each) => value
                .as_object()
                .is_some_and(|members| members.values().all(|value| self.fits(each, value))),
            TypeKind::Model(id) => self
                .shape_of(*id)
                .is_some_and(|shape| self.fits_shape(shape, value)),
        }
    }

    fn fits_shape(&self, shape: &ModelShape, value: &Value) -> bool {
        match shape {
            ModelShape::Alias(inner) | ModelShape::Newtype(inner) => self.fits(inner, value),
            ModelShape::Own { .. } => true,
            ModelShape::Constant(only) => only == value,
            ModelShape::Enum(variants) => variants
                .iter()
                .any(|variant| value.as_str() == Some(&variant.wire)),
            ModelShape::IntegerEnum(variants) => variants
                .iter()
                .any(|variant| value.as_i64() == Some(variant.wire)),
            ModelShape::Union(union) => union
                .variants
                .iter()
                .any(|variant| self.fits(&variant.ty, value)),
            ModelShape::Struct { fields, .. } => value.as_object().is_some_and(|members| {
                fields.iter().all(|field| match members.get(&field.wire) {
                    Some(value) => self.fits(&field.ty, value),
                    None => !field.required,
                })
            }),
        }
    }
}

/// Adds the keys of all schemas that a schema may refer to: any text that looks like a reference.
fn add_referred(schema: &Value, keys: &mut Vec<Key>) {
    match schema {
        Value::String(text) => keys.extend(key_of_reference(text)),
        Value::Array(items) => items.iter().for_each(|item| add_referred(item, keys)),
        Value::Object(members) => members.values().for_each(|it| add_referred(it, keys)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
