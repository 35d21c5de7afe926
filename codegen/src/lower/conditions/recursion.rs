//! Conditions that contain themselves: finds them, and those whose evaluation would never end.

use crate::ir::{Condition, ConditionId, NamedCondition};
use std::collections::BTreeSet;

/// The conditions that lead back to themselves.
pub(super) fn recursive(conditions: &[NamedCondition]) -> Vec<ConditionId> {
    let edges: Vec<_> = conditions.iter().map(|named| calls(named, true)).collect();
    let ids = (0..conditions.len()).map(ConditionId);
    ids.filter(|id| reaches_itself(&edges, *id)).collect()
}

/// Whether a condition leads to one that calls itself with the same value.
pub(super) fn is_endless(conditions: &[NamedCondition], start: ConditionId) -> bool {
    let every: Vec<_> = conditions.iter().map(|named| calls(named, true)).collect();
    let same: Vec<_> = conditions.iter().map(|named| calls(named, false)).collect();
    let mut all = reachable(&every, start);
    all.insert(start);
    all.into_iter().any(|id| reaches_itself(&same, id))
}

fn reaches_itself(edges: &[Vec<ConditionId>], id: ConditionId) -> bool {
    reachable(edges, id).contains(&id)
}

/// The conditions reached from one in at least one step.
fn reachable(edges: &[Vec<ConditionId>], start: ConditionId) -> BTreeSet<ConditionId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(next) = open.pop() {
        let next = edges.get(next.0).into_iter().flatten();
        open.extend(next.copied().filter(|id| seen.insert(*id)));
    }
    seen
}

/// The conditions that one calls for the value itself and, with `inside`, for its parts.
fn calls(named: &NamedCondition, inside: bool) -> Vec<ConditionId> {
    let mut found = Vec::new();
    let mut open = vec![&named.condition];
    while let Some(condition) = open.pop() {
        if let Condition::Same(id) = condition {
            found.push(*id);
        }
        open.extend(condition.of_the_value());
        if inside {
            open.extend(condition.of_its_parts());
        }
    }
    found
}
