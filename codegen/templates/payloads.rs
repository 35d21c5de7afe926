//! Reads each value of a file of JSON by its type, as a client of the crate `subject` does, and prints a line of JSON
//! for it: the value as it is written again, or why it could not be read.

#![allow(unused, deprecated)]

mod types;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
// The types are named as a crate of the contract would: `models::Pet`, `runtime::Integer`.
pub use subject::*;

fn main() {
    let path = std::env::args().nth(1).expect("the path of the values");
    let text = std::fs::read_to_string(path).expect("the values");
    let values: Vec<(usize, Box<RawValue>)> = serde_json::from_str(&text).expect("pairs");
    for (number, value) in values {
        println!("{}", match types::read(number, value.get().as_bytes()) {
            Ok(written) => json!({ "written": written }),
            Err(reason) => json!({ "error": reason }),
        });
    }
}

/// Reads a value, and writes it again.
pub fn round<T: DeserializeOwned + Serialize>(bytes: &[u8]) -> Result<Value, String> {
    let value: T = runtime::read_json(bytes).map_err(|error| error.to_string())?;
    serde_json::to_value(&value).map_err(|error| format!("it is not written: {error}"))
}
