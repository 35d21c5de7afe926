//! Exceptions from the rules, as data with a reason.
//!
//! `x-lint-allow: { rule: why }` on an object excuses that rule's findings in it.

use super::RULES;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use serde_json::Value;

const KEY: &str = "x-lint-allow";

/// An exception from one rule.
struct Waiver {
    /// The object that it stands on.
    holder: Pointer,
    code: Code,
    used: bool,
}

/// Takes out what is waived; adds what is wrong with the waivers.
pub(super) fn apply(root: &Value, diagnostics: Diagnostics) -> Diagnostics {
    let mut kept = Diagnostics::default();
    let mut waivers = Vec::new();
    collect(root, &Pointer::default(), &mut waivers, &mut kept);
    for problem in diagnostics.iter() {
        let mut excused = false;
        for waiver in waivers.iter_mut().filter(|waiver| waiver.covers(problem)) {
            waiver.used = true;
            excused = true;
        }
        if !excused {
            kept.add(problem.clone());
        }
    }
    for waiver in waivers.iter().filter(|waiver| !waiver.used) {
        let message = format!(
            "there is nothing to allow here: no `{}` is found",
            waiver.code.name()
        );
        let at = waiver.holder.child(KEY).child(waiver.code.name());
        kept.add(wrong(&at, message).help("take the waiver out"));
    }
    kept
}

impl Waiver {
    /// Whether a problem is of the rule and in the object.
    fn covers(&self, problem: &Diagnostic) -> bool {
        let rest = problem.at.as_str().strip_prefix(self.holder.as_str());
        problem.code == self.code && rest.is_some_and(|r| r.is_empty() || r.starts_with('/'))
    }
}

fn collect(value: &Value, at: &Pointer, waivers: &mut Vec<Waiver>, kept: &mut Diagnostics) {
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &at.child(index.to_string()), waivers, kept);
            }
        }
        Value::Object(members) => {
            for (name, inner) in members {
                if name == KEY {
                    waivers.extend(read(inner, at, kept));
                } else {
                    collect(inner, &at.child(name), waivers, kept);
                }
            }
        }
        _ => {}
    }
}

/// Reads the waivers on one object.
fn read(value: &Value, holder: &Pointer, kept: &mut Diagnostics) -> Vec<Waiver> {
    let at = holder.child(KEY);
    let Value::Object(members) = value else {
        kept.add(wrong(
            &at,
            "expected an object from rules to reasons".into(),
        ));
        return Vec::new();
    };
    let mut waivers = Vec::new();
    for (name, reason) in members {
        let at = at.child(name);
        let rule = RULES.iter().find(|rule| rule.code.name() == name);
        let Some(rule) = rule else {
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
        waivers.push(Waiver {
            holder: holder.clone(),
            code: rule.code,
            used: false,
        });
    }
    waivers
}

fn wrong(at: &Pointer, message: String) -> Diagnostic {
    Diagnostic::new(Code::Waiver, at, message)
}
