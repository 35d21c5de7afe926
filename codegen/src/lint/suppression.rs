//! Suppressions: `x-lint-allow: { rule: reason }` on an object suppresses that rule's findings in
//! it.

use super::rules;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::Value;

const KEY: &str = "x-lint-allow";

/// A suppression of one rule.
struct Suppression {
    /// The object that has it.
    holder: Pointer,
    code: Code,
    used: bool,
}

/// Removes suppressed findings; reports wrong and unused suppressions.
pub(super) fn apply(root: &Value, diagnostics: Diagnostics) -> Diagnostics {
    let mut kept = Diagnostics::default();
    let mut suppressions = Vec::new();
    collect(root, &Pointer::default(), &mut suppressions, &mut kept);
    for problem in diagnostics.iter() {
        let mut excused = false;
        for suppression in suppressions
            .iter_mut()
            .filter(|suppression| suppression.covers(problem))
        {
            suppression.used = true;
            excused = true;
        }
        if !excused {
            kept.add(problem.clone());
        }
    }
    for suppression in suppressions.iter().filter(|suppression| !suppression.used) {
        let message = format!(
            "there is nothing to allow here: no `{}` is found",
            suppression.code.name()
        );
        let at = suppression.holder.child(KEY).child(suppression.code.name());
        kept.add(wrong(&at, message).help("take the suppression out"));
    }
    kept
}

impl Suppression {
    /// Whether a finding is of the rule and in the object.
    fn covers(&self, problem: &Diagnostic) -> bool {
        let rest = problem.at.as_str().strip_prefix(self.holder.as_str());
        problem.code == self.code && rest.is_some_and(|r| r.is_empty() || r.starts_with('/'))
    }
}

fn collect(
    value: &Value,
    at: &Pointer,
    suppressions: &mut Vec<Suppression>,
    kept: &mut Diagnostics,
) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &at.child(index.to_string()), suppressions, kept);
            }
        }
        Value::Object(members) => {
            for (name, inner) in members {
                if name == KEY {
                    suppressions.extend(read(inner, at, kept));
                } else {
                    collect(inner, &at.child(name), suppressions, kept);
                }
            }
        }
        _ => {}
    }
}

/// Reads the suppressions of one object.
fn read(value: &Value, holder: &Pointer, kept: &mut Diagnostics) -> Vec<Suppression> {
    let at = holder.child(KEY);
    let Value::Object(members) = value else {
        kept.add(wrong(
            &at,
            "expected an object from rules to reasons".into(),
        ));
        return Vec::new();
    };
    let mut suppressions = Vec::new();
    for (name, reason) in members {
        let at = at.child(name);
        let Some(code) = rules().find(|code| code.name() == name) else {
            kept.add(wrong(&at, format!("there is no rule `{name}`")));
            continue;
        };
        if reason
            .as_str()
            .is_none_or(|reason| reason.trim().is_empty())
        {
            kept.add(wrong(
                &at,
                format!("why is `{name}` allowed here? A reason is missing"),
            ));
        }
        suppressions.push(Suppression {
            holder: holder.clone(),
            code,
            used: false,
        });
    }
    suppressions
}

fn wrong(at: &Pointer, message: String) -> Diagnostic {
    Diagnostic::new(Code::Suppression, at, message)
}
