//! Measures the cost of a check of the limiter: prints a JSON array with an object for each case.
//!
//! Arguments: `ROUNDS`

use std::error::Error;
use std::fs;
use std::time::Duration;

use edge::limits::{Capacity, Subject, Windows};
use serde_json::{Value, json};
use uuid::Uuid;

/// How many checks are one figure.
const CHECKS: u32 = 2_000_000;

/// How many keys there are where there are many.
const MANY: u64 = 100_000;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let rounds: u32 = arguments.first().ok_or("limiter ROUNDS")?.parse()?;
    // A thousand in any minute; a check each 60 ms lets one go and counts one.
    let (one, pace) = (1, Duration::from_millis(60));
    // Each key is asked about once a second, so that 60 count.
    let spread = Duration::from_micros(10);
    let cases = [
        case("1 key, admitted", one, 1000, pace, rounds),
        case("1 key, refused", one, 1000, Duration::ZERO, rounds),
        case("100 000 keys, admitted", MANY, 1000, spread, rounds),
        case("100 000 keys, refused", MANY, 50, Duration::ZERO, rounds),
    ];
    println!("{}", Value::from(cases.to_vec()));
    Ok(())
}

/// Checks keys in random order, `apart` from each other.
fn case(name: &str, keys: u64, limit: u32, apart: Duration, rounds: u32) -> Value {
    let before = resident();
    let windows = Windows::new(Capacity::default());
    let mut random = Random(1);
    let mut now = Duration::ZERO;
    let mut round = || {
        let mut admitted = 0_u32;
        let start = spent();
        for _ in 0..CHECKS {
            now += apart;
            let verdict = windows.check(subject(random.next() % keys), limit, now);
            admitted += u32::from(verdict.is_admitted());
        }
        let nanoseconds = spent().saturating_sub(start) as f64 / f64::from(CHECKS);
        (nanoseconds, f64::from(admitted) / f64::from(CHECKS))
    };
    // These fill the windows.
    for _ in 0..5 {
        round();
    }
    let (nanoseconds, admitted): (Vec<f64>, Vec<f64>) = (0..rounds).map(|_| round()).unzip();
    json!({
        "name": name,
        "nanoseconds": nanoseconds,
        "admitted": admitted.first(),
        "bytes": resident().saturating_sub(before) as f64 / keys as f64,
    })
}

/// A project by its number, as likely in one place as in another.
fn subject(number: u64) -> Subject {
    let spread = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Subject::Caller(Uuid::from_u64_pair(spread, number))
}

/// The processor time of this thread in nanoseconds; 0 if the system does not report it.
fn spent() -> u64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = statistics
        .split(' ')
        .next()
        .and_then(|text| text.parse().ok());
    nanoseconds.unwrap_or_default()
}

/// The resident memory of the process in bytes; 0 if the system does not report it.
fn resident() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split(' ')
        .nth(1)
        .and_then(|text| text.parse::<u64>().ok());
    pages.unwrap_or_default() * 4096
}

/// Numbers without a pattern that a processor could guess (Marsaglia's xorshift64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
