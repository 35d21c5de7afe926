//! `enum` lists each value once (JSON Schema Validation §6.1.2).

use super::Findings;
use super::subject::Subject;
use crate::checker::equality::equal;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for spot in &subject.spots {
        let Some(Value::Array(values)) = spot.members.get("enum") else {
            continue;
        };
        let at = spot.at.child("enum");
        for (index, value) in values.iter().enumerate() {
            let first = values.iter().take(index).position(|v| equal(v, value));
            if let Some(first) = first {
                let message = format!("{value} is listed twice");
                let problem = found.problem(&at.child(index.to_string()), message);
                found.add(problem.related(&at.child(first.to_string()), "here first"));
            }
        }
    }
}
