//! Combines conditions, and simplifies trivial ones.

use crate::ir::Condition;

/// A condition that is met if all of these are.
pub(super) fn all(conditions: Vec<Condition>) -> Condition {
    let flat = conditions
        .into_iter()
        .flat_map(|condition| match condition {
            Condition::All(inner) => inner,
            other => vec![other],
        });
    let mut conditions: Vec<Condition> = flat.collect();
    conditions.retain(|condition| !accepts_all(condition));
    if conditions.contains(&Condition::Never) {
        return Condition::Never;
    }
    match conditions.len() {
        0 | 1 => conditions.pop().unwrap_or(Condition::Always),
        _ => Condition::All(conditions),
    }
}

/// Whether every value meets a condition.
fn accepts_all(condition: &Condition) -> bool {
    let nothing = |inner: &Condition| *inner == Condition::Always;
    match condition {
        Condition::Always => true,
        Condition::Items { prefix, rest } => prefix.iter().all(nothing) && nothing(rest),
        Condition::Contains { min, max, .. } => *min == 0 && max.is_none(),
        Condition::Required(names) => names.is_empty(),
        Condition::Member(_, inner)
        | Condition::With(_, inner)
        | Condition::Matching(_, inner)
        | Condition::Names(inner)
        | Condition::UnevaluatedMembers { member: inner, .. }
        | Condition::UnevaluatedItems { item: inner, .. }
        | Condition::Others { member: inner, .. } => nothing(inner),
        _ => false,
    }
}

/// A condition that is met if any of these is.
pub(super) fn any(mut conditions: Vec<Condition>) -> Condition {
    conditions.retain(|condition| *condition != Condition::Never);
    if conditions.contains(&Condition::Always) {
        return Condition::Always;
    }
    match conditions.len() {
        0 | 1 => conditions.pop().unwrap_or(Condition::Never),
        _ => Condition::Any(conditions),
    }
}

/// The negation of a condition.
pub(super) fn not(condition: Condition) -> Condition {
    match condition {
        Condition::Always => Condition::Never,
        Condition::Never => Condition::Always,
        Condition::Not(inner) => *inner,
        other => Condition::Not(Box::new(other)),
    }
}

/// `then` for values that meet `test`, `otherwise` for the others.
pub(super) fn either(test: Condition, then: Condition, otherwise: Condition) -> Condition {
    use Condition::{Always, If, Never};
    match (then, otherwise) {
        (then, otherwise) if then == otherwise => then,
        (Always, otherwise) => any(vec![test, otherwise]),
        (then, Always) => any(vec![not(test), then]),
        (Never, otherwise) => all(vec![not(test), otherwise]),
        (then, Never) => all(vec![test, then]),
        (then, otherwise) => If {
            test: Box::new(test),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        },
    }
}
