//! No value fits two variants of a `oneOf`, for then it fits the `oneOf` no more.
//!
//! Values are tried that the variants themselves suggest, so what is found is proved by a value; a
//! discriminator decides without a trial.

use super::Findings;
use super::sample::{Sampler, join};
use super::subject::Subject;
use crate::checker::Schemas;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut bundle = subject.document.bundle.schemas().clone();
    let mut unions = Vec::new();
    for spot in &subject.spots {
        let Some(Value::Array(variants)) = spot.members.get("oneOf") else {
            continue;
        };
        if spot.members.contains_key("discriminator") {
            continue;
        }
        let key = format!("lint/{}", bundle.len());
        for (index, variant) in variants.iter().enumerate() {
            bundle.insert(format!("{key}/{index}"), variant.clone());
        }
        unions.push((key, spot, variants));
    }
    let mut sampler = Sampler::new(subject);
    let schemas = Schemas::parse(&Value::Object(bundle).to_string());
    for (key, spot, variants) in unions {
        let tried: Vec<Vec<Value>> = variants.iter().map(|v| sampler.samples(v)).collect();
        for (second, own) in tried.iter().enumerate() {
            for (first, others) in tried.iter().enumerate().take(second) {
                let accepts = |index: usize, value: &Value| {
                    schemas.is_valid(&format!("{key}/{index}"), value)
                };
                let both = |value: &Value| accepts(first, value) && accepts(second, value);
                if let Some(witness) = candidates(own, others).find(both) {
                    let at = spot.at.child("oneOf");
                    let message = format!("{} fits two variants of this `oneOf`", brief(&witness));
                    let help = "let a constant member or a discriminator tell them apart, \
                                or write `anyOf`";
                    let problem = found
                        .problem(&at.child(second.to_string()), message)
                        .help(help);
                    let first = at.child(first.to_string());
                    found.add(problem.related(&first, "it fits this one too"));
                }
            }
        }
    }
}

/// What two lists of values suggest: each of them, and those of one with the members of another.
fn candidates<'v>(own: &'v [Value], others: &'v [Value]) -> impl Iterator<Item = Value> + 'v {
    let pairs = own
        .iter()
        .flat_map(move |one| others.iter().map(move |other| (one, other)));
    let joined = pairs.flat_map(|(one, other)| [join(one, other), join(other, one)]);
    own.iter().chain(others).cloned().chain(joined)
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}
