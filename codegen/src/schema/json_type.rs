//! The types of JSON Schema.

use json_schema::number::decimal::Decimal;
use serde_json::Value;

/// The seven type names of JSON Schema (Core §4.2.1 and `integer`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JsonType {
    /// `null`
    Null,
    /// `boolean`
    Boolean,
    /// `integer`: a number without a fractional part, `1.0` among them.
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// `array`
    Array,
    /// `object`
    Object,
}

impl JsonType {
    /// Every type; `integer` is a part of `number`.
    pub const ALL: [JsonType; 6] = [
        JsonType::Null,
        JsonType::Boolean,
        JsonType::Number,
        JsonType::String,
        JsonType::Array,
        JsonType::Object,
    ];

    /// The type of a value.
    pub fn of(value: &Value) -> JsonType {
        match value {
            Value::Null => JsonType::Null,
            Value::Bool(_) => JsonType::Boolean,
            Value::Number(number) if number.is_f64() => JsonType::Number,
            Value::Number(_) => JsonType::Integer,
            Value::String(_) => JsonType::String,
            Value::Array(_) => JsonType::Array,
            Value::Object(_) => JsonType::Object,
        }
    }

    /// Whether a value is of the type. A whole number is an integer however it is written.
    pub fn takes(self, value: &Value) -> bool {
        match (self, value) {
            (JsonType::Integer, Value::Number(number)) => {
                Decimal::of(number).is_some_and(|decimal| decimal.is_integer())
            }
            _ => JsonType::of(value).meets(self),
        }
    }

    /// Whether every value of the other type is of this one.
    pub fn includes(self, other: JsonType) -> bool {
        self == other || (self == JsonType::Number && other == JsonType::Integer)
    }

    /// Whether some value is of both types.
    pub fn meets(self, other: JsonType) -> bool {
        let whole = |ty| match ty {
            JsonType::Integer => JsonType::Number,
            other => other,
        };
        whole(self) == whole(other)
    }

    /// The type of that name.
    pub fn named(name: &str) -> Option<JsonType> {
        Some(match name {
            "null" => JsonType::Null,
            "boolean" => JsonType::Boolean,
            "integer" => JsonType::Integer,
            "number" => JsonType::Number,
            "string" => JsonType::String,
            "array" => JsonType::Array,
            "object" => JsonType::Object,
            _ => return None,
        })
    }
}
