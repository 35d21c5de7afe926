//! Conditions that contain themselves: finds them, and those whose evaluation would never end.

use crate::ir::{Condition, ConditionId, NamedCondition};
use std::collections::BTreeSet;

/// The conditions that lead back to themselves.
pub(super) fn recursive(conditions: &[NamedCondition]) -> Vec<ConditionId> {
    let edges: Vec<_> = conditions.iter().map(calls).collect();
    let ids = (0..conditions.len()).map(ConditionId);
    ids.filter(|id| reaches_itself(&edges, *id)).collect()
}

/// Whether a condition leads to one that calls itself with the same value.
pub(super) fn is_endless(conditions: &[NamedCondition], start: ConditionId) -> bool {
    let edges: Vec<_> = conditions.iter().map(calls).collect();
    let same: Vec<_> = conditions.iter().map(calls_with_the_same_value).collect();
    let mut all = reachable(&edges, start);
    all.insert(start);
    all.into_iter().any(|id| reaches_itself(&same, id))
}

fn reaches_itself(edges: &[Vec<ConditionId>], id: ConditionId) -> bool {
    reachable(edges, id).contains(&id)
}

/// The conditions reached from one in at least one step.
fn reachable(edges: &[Vec<ConditionId>], start: ConditionId) -> BTreeSet<ConditionId> {
    let mut seen = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(next) = pending.pop() {
        let next = edges.get(next.0).into_iter().flatten();
        pending.extend(next.copied().filter(|id| seen.insert(*id)));
    }
    seen
}

/// The conditions that one calls, for the value itself and for its parts.
fn calls(named: &NamedCondition) -> Vec<ConditionId> {
    called(named, |condition| {
        let mut operands = condition.of_the_value();
        operands.extend(condition.of_its_parts());
        operands
    })
}

/// The conditions that one calls with the same value.
fn calls_with_the_same_value(named: &NamedCondition) -> Vec<ConditionId> {
    called(named, Condition::of_the_value)
}

fn called(
    named: &NamedCondition,
    operands: impl Fn(&Condition) -> Vec<&Condition>,
) -> Vec<ConditionId> {
    let mut found = Vec::new();
    let mut pending = vec![&named.condition];
    while let Some(condition) = pending.pop() {
        if let Condition::Named(id) = condition {
            found.push(*id);
        }
        pending.extend(operands(condition));
    }
    found
}
