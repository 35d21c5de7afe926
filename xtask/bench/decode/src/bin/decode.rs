//! Measures the processor time of decoding bodies with the generated layer and with plain serde, in
//! turns; or, with `hostile CASE LENGTH`, of one hostile body.

#[path = "../bodies.rs"]
mod bodies;
#[path = "../hostile.rs"]
mod hostile;
#[path = "../plain.rs"]
mod plain;

use api::models;
use api::runtime::__private::{Captures, Reader};
use api::runtime::{Check as _, Rejection};
use serde_json::{Value, json};
use std::hint::black_box;

/// The name of no schema: validity is decided without one.
const NAMELESS: &str = "";

/// One kind of body and the two ways to read it.
struct Body {
    name: &'static str,
    text: String,
    plain: fn(&[u8]) -> Option<Value>,
    generated: fn(&mut Reader<'_>, &[u8]) -> Option<Value>,
    /// The same functions, which drop the decoded value.
    timed: [fn(&mut Reader<'_>, &[u8]) -> bool; 2],
}

macro_rules! body {
    ($name:literal, $type:ident, $text:expr) => {
        Body {
            name: $name,
            text: $text,
            plain: |text| {
                serde_json::to_value(serde_json::from_slice::<plain::$type>(text).ok()?).ok()
            },
            generated: |reader, text| {
                let value = reader.json::<models::$type>(text, NAMELESS, |value| value.is_valid());
                serde_json::to_value(value.ok()??).ok()
            },
            timed: [
                |_, text| black_box(serde_json::from_slice::<plain::$type>(text)).is_ok(),
                |reader, text| {
                    let read = reader.json::<models::$type>(text, NAMELESS, |value| value.is_valid());
                    matches!(black_box(read), Ok(Some(_)))
                },
            ],
        }
    };
}

fn all() -> Vec<Body> {
    vec![
        body!("flat object", Flat, bodies::flat()),
        body!("nested list of 50", Order, bodies::order()),
        body!("union, tag first", Shapes, bodies::shapes(true)),
        body!("union, tag last", Shapes, bodies::shapes(false)),
        body!("union by properties", Payments, bodies::payments()),
        body!("union by type", Mixed, bodies::mixed()),
        body!("map", Prices, bodies::prices()),
        body!("strings with patterns", Texts, bodies::texts()),
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["valid", rounds] => valid(rounds.parse().expect("a number")),
        ["cases"] => println!("{}", json!(hostile::CASES)),
        ["hostile", case, length] => hostile(case, length.parse().expect("a number")),
        _ => panic!("decode valid ROUNDS | cases | hostile CASE LENGTH"),
    }
}

fn valid(rounds: usize) {
    let parts = http::Request::new(()).into_parts().0;
    let captures = Captures::default();
    let mut reader = Reader::new(&parts, &captures, &api::SCHEMAS, &[]);
    let mut all_turns = Vec::new();
    for body in all() {
        let text = body.text.as_bytes();
        let (plain, mut generated) = ((body.plain)(text), (body.generated)(&mut reader, text));
        if let Some(Value::Object(members)) = &mut generated {
            // To plain serde, an optional member that is null is absent.
            members.retain(|_, member| !member.is_null());
        }
        assert!(plain.is_some() && plain == generated, "{}", body.name);
        // A batch takes some milliseconds, so that other load on the machine affects both.
        let batch = 1 + 1_000_000 / text.len();
        let mut turns = Vec::new();
        for round in 0..rounds {
            let mut spent = [0.0, 0.0];
            for way in [round % 2, 1 - round % 2] {
                let before = cpu();
                for _ in 0..batch {
                    assert!(body.timed[way](&mut reader, black_box(text)));
                }
                spent[way] = (cpu() - before) as f64 / batch as f64;
            }
            turns.push(spent);
        }
        all_turns.push(json!({ "name": body.name, "bytes": text.len(), "turns": turns }));
    }
    println!("{}", Value::from(all_turns));
}

fn hostile(case: &str, length: usize) {
    let (name, text) = hostile::body(case, length).expect("a case");
    // Compiles the schemas before the measurement.
    let _ = api::SCHEMAS.is_valid(name, &Value::Null);
    let (cpu_before, memory_before) = (cpu(), peak());
    let parts = http::Request::new(()).into_parts().0;
    let captures = Captures::default();
    let mut reader = Reader::new(&parts, &captures, &api::SCHEMAS, &[]);
    let bytes = text.as_bytes();
    let read = match name {
        "Shapes" => reader
            .json::<models::Shapes>(bytes, name, |v| v.is_valid())
            .map(|v| v.is_some()),
        "Payments" => reader
            .json::<models::Payments>(bytes, name, |v| v.is_valid())
            .map(|v| v.is_some()),
        "Sets" => reader
            .json::<models::Sets>(bytes, name, |v| v.is_valid())
            .map(|v| v.is_some()),
        _ => reader
            .json::<models::Closed>(bytes, name, |v| v.is_valid())
            .map(|v| v.is_some()),
    };
    let outcome = match read {
        Ok(true) => "accepted".to_owned(),
        Ok(false) => match reader.refuse() {
            Rejection::Invalid(issues) if issues.len() == 1 => "1 issue".to_owned(),
            Rejection::Invalid(issues) => format!("{} issues", issues.len()),
            _ => "refused".to_owned(),
        },
        Err(Rejection::Json { reason, .. }) => reason.to_owned(),
        Err(_) => "refused".to_owned(),
    };
    println!(
        "{}",
        json!({ "outcome": outcome, "bytes": bytes.len(), "cpu": cpu() - cpu_before, "memory": peak() - memory_before })
    );
}

/// The processor time of this thread so far, in nanoseconds.
fn cpu() -> u64 {
    // The scheduler counts when it is entered, or else with its ticks.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    text.split_whitespace()
        .next()
        .expect("a figure")
        .parse()
        .expect("a figure")
}

/// The most memory that this process has had so far, in bytes.
fn peak() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a figure");
    let kilobytes: u64 = line
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .expect("a figure");
    kilobytes * 1024
}
