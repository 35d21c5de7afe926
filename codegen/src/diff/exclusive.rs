//! Unions no value of which is of two variants, as far as that is easily seen: whether one or any of those
//! may hold makes no difference.

use super::hollow::Hollow;
use super::node::{All, Kind, Node, Union, Variant};
use super::normal::Nodes;
use super::union::finite;
use json_schema::equality::equal;
use serde_json::Value;
use std::cell::Cell;

/// How deeply members are looked into.
const DEEPEST: usize = 4;
/// How many pairs of schemas are looked at.
const BUDGET: usize = 5_000;

/// Whether each variant excludes each other one.
pub(super) fn is_exclusive<'a>(nodes: &Nodes<'a>, union: &Union<'a>) -> bool {
    let exclusion = Exclusion {
        nodes,
        left: Cell::new(BUDGET),
    };
    let variants = &union.variants;
    let mut each = variants.iter().enumerate();
    each.all(|(index, one)| {
        let mut before = variants.iter().take(index);
        before.all(|other| exclusion.of_variants(one, other))
    })
}

/// Whether schemas of one contract have values in common.
struct Exclusion<'s, 'a> {
    nodes: &'s Nodes<'a>,
    left: Cell<usize>,
}

impl<'a> Exclusion<'_, 'a> {
    /// What goes by a name is told apart by that.
    fn of_variants(&self, one: &Variant<'a>, other: &Variant<'a>) -> bool {
        let are_named = !one.tags.is_empty() && !other.tags.is_empty();
        are_named || self.of(&one.schemas, &other.schemas, DEEPEST) || self.is_hollow(one, other)
    }

    /// Whether there is no value of what both say.
    fn is_hollow(&self, one: &Variant<'a>, other: &Variant<'a>) -> bool {
        let mut both = one.schemas.clone();
        both.add(&other.schemas);
        Hollow::new(self.nodes).is_empty(&both)
    }

    fn of(&self, one: &All<'a>, other: &All<'a>, depth: usize) -> bool {
        let left = self.left.get().checked_sub(1);
        let (Some(depth), Some(left)) = (depth.checked_sub(1), left) else {
            return false;
        };
        self.left.set(left);
        if one.refuses_everything() || other.refuses_everything() {
            return true;
        }
        let (first, second) = (self.nodes.of(one), self.nodes.of(other));
        self.of_nodes(&first, &second, depth)
            || self.of_each(&first, other, depth)
            || self.of_each(&second, one, depth)
    }

    /// Whether all variants of one of a schema's unions exclude another schema.
    fn of_each(&self, node: &Node<'a>, other: &All<'a>, depth: usize) -> bool {
        node.unions.iter().any(|union| {
            let mut variants = union.variants.iter();
            variants.all(|variant| self.of(&variant.schemas, other, depth))
        })
    }

    fn of_nodes(&self, one: &Node<'a>, other: &Node<'a>, depth: usize) -> bool {
        let mut common = one.kinds.intersection(&other.kinds);
        refuses_all_of(one, other)
            || refuses_all_of(other, one)
            || common.all(|kind| *kind == Kind::Object && self.of_members(one, other, depth))
    }

    /// Whether a member that must be there cannot be right for both.
    fn of_members(&self, one: &Node<'a>, other: &Node<'a>, depth: usize) -> bool {
        let mut required = one.required.union(&other.required);
        required.any(|name| {
            let first = one.member(name).unwrap_or_default();
            let second = other.member(name).unwrap_or_default();
            self.of(&first, &second, depth)
        })
    }
}

/// Whether the values of one schema are few, and another is of none of them.
fn refuses_all_of(node: &Node<'_>, few: &Node<'_>) -> bool {
    let refuses = |value: &Value| {
        let unlisted = |listed: &Vec<Value>| !listed.iter().any(|own| equal(own, value));
        !node.kinds.contains(&Kind::of(value)) || node.listed.as_ref().is_some_and(unlisted)
    };
    let values = few.listed.clone().or_else(|| finite(&few.kinds));
    values.is_some_and(|values| values.iter().all(refuses))
}
