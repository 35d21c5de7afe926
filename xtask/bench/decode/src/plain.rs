//! The same shapes as serde derives them, without any check.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;

/// A number inside a union: serde keeps it until the variant is known, and under the feature
/// `arbitrary_precision` of `serde_json` it is not an `f64` that it has kept.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Float(f64);

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        number
            .as_f64()
            .map(Self)
            .ok_or_else(|| D::Error::custom("a double is expected"))
    }
}

#[derive(Serialize, Deserialize)]
pub struct Flat {
    id: i64,
    name: String,
    email: String,
    age: i64,
    score: f64,
    active: bool,
    role: Role,
    #[serde(skip_serializing_if = "Option::is_none")]
    nickname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bio: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Admin,
    Editor,
    Reader,
}

#[derive(Serialize, Deserialize)]
pub struct Order {
    number: i64,
    lines: Vec<Line>,
}

#[derive(Serialize, Deserialize)]
pub struct Line {
    sku: String,
    quantity: i64,
    price: f64,
    address: Address,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
pub struct Address {
    street: String,
    city: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    zip: Option<String>,
}

#[derive(Serialize, Deserialize)]
pub struct Shapes {
    shapes: Vec<Shape>,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    Circle {
        x: Float,
        y: Float,
        radius: Float,
    },
    Box {
        x: Float,
        y: Float,
        width: Float,
        height: Float,
    },
    Label {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        size: Option<i64>,
    },
    Group {
        shapes: Vec<Shape>,
    },
}

#[derive(Serialize, Deserialize)]
pub struct Payments {
    payments: Vec<Payment>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub enum Payment {
    Card {
        number: String,
        expires: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        amount: Option<Float>,
    },
    Transfer {
        iban: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        bic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        amount: Option<Float>,
    },
    Voucher {
        code: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        amount: Option<Float>,
    },
}

#[derive(Serialize, Deserialize)]
pub struct Mixed {
    values: Vec<MixedValue>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub enum MixedValue {
    Text(String),
    Integer(i64),
    Flag(bool),
}

#[derive(Serialize, Deserialize)]
pub struct Prices {
    prices: BTreeMap<String, f64>,
}

#[derive(Serialize, Deserialize)]
pub struct Texts {
    rows: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
pub struct Row {
    address: String,
    slug: String,
    currency: String,
    amount: String,
    code: String,
    title: String,
}
