//! Every regular expression can be matched, also those that no code is generated from: inside `not`
//! and the like, and in the names under `patternProperties`.

use super::Findings;
use super::subject::Subject;
use crate::schema::check_pattern;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let own = spot.members.get("pattern").and_then(Value::as_str);
        let own = own.map(|pattern| (pattern, spot.at.child("pattern")));
        let named = spot.members.get("patternProperties");
        let named = named.and_then(Value::as_object).into_iter().flatten();
        let at = spot.at.child("patternProperties");
        let named = named.map(|(pattern, _)| (pattern.as_str(), at.child(pattern)));
        for (pattern, at) in own.into_iter().chain(named) {
            if let Err((code, message)) = check_pattern(pattern) {
                let mut problem = findings.problem(&at, message);
                problem.code = code;
                findings.add(problem);
            }
        }
    }
}
