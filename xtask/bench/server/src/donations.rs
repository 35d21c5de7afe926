//! Writes import lines: the demonstration's catalogue and customers into one file, so many tokens
//! more to its partner contract, and into another file many donations in the order of their times,
//! as an exporter would. They are in those tokens, through their active config, or without them in the
//! demonstration's.
//!
//! Arguments: `COUNT TOKENS CATALOGUE DONATIONS`

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use jiff::Timestamp;
use serde_json::Value;

/// Over how many milliseconds they are spread: a year.
const SPAN: i64 = 365 * 86_400_000;

pub(crate) fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let [count, tokens, catalogue, donations] = arguments else {
        return Err("donations COUNT TOKENS CATALOGUE DONATIONS".into());
    };
    let (count, tokens): (i64, i64) = (count.parse()?, tokens.parse()?);
    let now = Timestamp::now();
    let (given, mut others): (Vec<Value>, Vec<Value>) = server::demo::lines(now)?
        .into_iter()
        .partition(|line| is(line, "donation"));
    let config = others
        .iter()
        .find_map(|line| line.get("activeConfig")?.as_str())
        .unwrap_or_default()
        .to_owned();
    others.extend(partners(&others, tokens));
    write(catalogue, others.into_iter())?;
    let samples: Vec<&Value> = given.iter().filter(|line| is_sample(line)).collect();
    let start = now.as_millisecond() - SPAN;
    let line = |(number, sample): (i64, &&Value)| {
        let at = Timestamp::from_millisecond(start + SPAN / count * number).unwrap_or(now);
        let mut changes = vec![
            ("at", format!("{at:.3}")),
            ("transaction", format!("0x{}", digits(number, 64))),
        ];
        if tokens > 0 {
            // A prime that steps through the tokens in no order.
            changes.push((
                "token",
                address(number.wrapping_mul(7919).rem_euclid(tokens)),
            ));
            changes.push(("config", config.clone()));
        }
        let mut line = with(sample, changes);
        if let (true, Value::Object(members)) = (tokens > 0, &mut line) {
            members.insert("chainId".to_owned(), server::demo::CONTRACT_CHAIN.into());
        }
        line
    };
    write(donations, (0..count).zip(samples.iter().cycle()).map(line))
}

fn is(line: &Value, kind: &str) -> bool {
    line.get("kind").is_some_and(|own| own == kind)
}

/// Whether a donation is on an EVM chain, and the first revision.
fn is_sample(line: &Value) -> bool {
    let transaction = line.get("transaction").and_then(Value::as_str);
    transaction.is_some_and(|text| text.starts_with("0x")) && line.get("revision").is_none()
}

/// `count` tokens, each with its partner token, modelled after the first one in `lines`.
fn partners(lines: &[Value], count: i64) -> Vec<Value> {
    let Some(partner) = lines.iter().find(|line| is(line, "partner-token")) else {
        return Vec::new();
    };
    let is_its = |line: &&Value| is(line, "token") && line.get("address") == partner.get("token");
    let token = lines.iter().find(is_its);
    let copies = |number| {
        let address = address(number);
        let token = token.map(|token| with(token, [("address", address.clone())]));
        token
            .into_iter()
            .chain([with(partner, [("token", address)])])
    };
    (0..count).flat_map(copies).collect()
}

fn with(line: &Value, changes: impl IntoIterator<Item = (&'static str, String)>) -> Value {
    let mut line = line.clone();
    if let Value::Object(members) = &mut line {
        let changes = changes.into_iter();
        members.extend(changes.map(|(member, text)| (member.to_owned(), text.into())));
    }
    line
}

/// The address of a token of ours by its number.
fn address(number: i64) -> String {
    format!("0x{}", digits(number, 40))
}

/// So many hexadecimal digits, others for each number and in no order.
fn digits(number: i64, count: usize) -> String {
    let mut state = number.unsigned_abs();
    let words = std::iter::repeat_with(|| {
        // Steele, Lea and Flood's SplitMix64, which maps different numbers to different results.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        format!("{:016x}", word ^ (word >> 31))
    });
    words
        .take(count.div_ceil(16))
        .collect::<String>()
        .chars()
        .take(count)
        .collect()
}

fn write(path: &str, lines: impl Iterator<Item = Value>) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    for line in lines {
        writeln!(file, "{line}")?;
    }
    Ok(file.flush()?)
}
