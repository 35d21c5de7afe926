//! Takes every example through its type, calls every operation through the client and the service of the crate
//! `subject`, in memory, and prints the failures as one object of JSON; it fails where there are any.

#![allow(unused, deprecated)]

mod calls;
mod cases;

pub use calls::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::ops::Range;
use std::sync::LazyLock;
// The cases name what a crate of the contract would: `crate::models`, `crate::runtime`.
pub use subject::*;

#[derive(Deserialize)]
struct Data {
    values: Vec<Box<RawValue>>,
    /// The text that is read, the text that must be written again, and the place of both.
    examples: Vec<(usize, usize, String)>,
    calls: usize,
}

static DATA: LazyLock<Data> =
    LazyLock::new(|| serde_json::from_str(include_str!("data.json")).expect("data"));

fn main() {
    let mut examples = Vec::new();
    cases::examples(&mut examples);
    let operations = calls::all();
    let failed = !examples.is_empty() || !operations.is_empty();
    let report = serde_json::json!({ "examples": examples, "operations": operations });
    println!("{report}");
    std::process::exit(i32::from(failed));
}

/// Reads and writes examples, each of which must stay the same.
pub fn round<T: DeserializeOwned + Serialize>(failed: &mut Vec<String>, range: Range<usize>) {
    for (value, expected, at) in &DATA.examples[range] {
        let expected: Value = literal(DATA.values[*expected].get());
        let text = DATA.values[*value].get();
        match serde_json::from_str::<T>(text).map(|value| serde_json::to_value(&value)) {
            Ok(Ok(written)) if same(&written, &expected, false) => {}
            // A text of a format may have been written in another of its spellings.
            Ok(Ok(written)) if same(&written, &expected, true) && is_final::<T>(&written) => {}
            Ok(Ok(written)) => failed.push(format!("{at}: {expected} is written as {written}")),
            Ok(Err(error)) | Err(error) => failed.push(format!("{at}: {error}: {text}")),
        }
    }
}

/// Whether a value that was written stays as it is from then on.
fn is_final<T: DeserializeOwned + Serialize>(written: &Value) -> bool {
    let again = T::deserialize(written).map(|value| serde_json::to_value(&value));
    matches!(again, Ok(Ok(again)) if same(&again, written, false))
}

/// Whether two values are the same value of JSON: 1 is 1.0, and order is nothing; `loosely`, any
/// text is any other.
fn same(one: &Value, other: &Value, loosely: bool) -> bool {
    let alike = |one: &Value, other: &Value| same(one, other, loosely);
    match (one, other) {
        (Value::String(_), Value::String(_)) if loosely => true,
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let equal = |(name, value)| other.get(name).is_some_and(|known| alike(value, known));
            one.len() == other.len() && one.iter().all(equal)
        }
        _ => one == other,
    }
}

pub fn value<T: DeserializeOwned>(number: usize) -> T {
    literal(DATA.values[number].get())
}

pub fn literal<T: DeserializeOwned>(text: &str) -> T {
    match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => panic!("{error}: {text}"),
    }
}
