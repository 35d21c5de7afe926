//! `enum` lists each value once (JSON Schema Validation §6.1.2).

use super::Findings;
use super::subject::Subject;
use json_schema::equality::ValueSet;
use json_schema::equality::equal;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let Some(Value::Array(values)) = spot.members.get("enum") else {
            continue;
        };
        let at = spot.at.child("enum");
        let mut known = ValueSet::default();
        for (index, value) in values.iter().enumerate() {
            if known.insert(value) {
                continue;
            }
            if let Some(first) = values.iter().position(|first| equal(first, value)) {
                let message = format!("{value} is listed twice");
                let problem = findings.problem(&at.child(index.to_string()), message);
                findings.add(problem.related(&at.child(first.to_string()), "here first"));
            }
        }
    }
}
