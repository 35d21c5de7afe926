//! Which variant of a union has become which.

use super::compare::{Comparison, Grid, PairId};
use super::edit::{Edit, Effect};
use super::node::Variant;
use super::normal::Nodes;
use super::union::Tag;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The indices of a variant before and of one after, and their pair.
pub(super) type Match = (usize, usize, PairId);

/// What a variant is recognised by though it has changed.
pub(super) struct Traits {
    name: Option<String>,
    /// The members that it speaks of, if it has no name.
    members: BTreeSet<String>,
}

impl Traits {
    pub(super) fn of<'a>(nodes: &Nodes<'a>, variant: &Variant<'a>) -> Self {
        let name = tag(variant);
        let members = || {
            let node = nodes.of(&variant.schemas);
            let members = node.properties.keys().chain(&node.required);
            members.cloned().collect()
        };
        let members = name.is_none().then(members).unwrap_or_default();
        Self { name, members }
    }

    /// Whether the two go by the same name.
    pub(super) fn is_namesake(&self, other: &Self) -> bool {
        self.name.is_some() && self.name == other.name
    }

    /// The members that both have, in thousandths of those that either has; `None` where they are
    /// fewer than half, as one that every variant has makes nothing of them.
    fn likeness(&self, other: &Self) -> Option<usize> {
        let shared = self.members.intersection(&other.members).count();
        let all = self.members.len() + other.members.len() - shared;
        (shared > 0 && 2 * shared >= all).then(|| 1000 * shared / all)
    }
}

/// The pairs of variants that are worth bringing together though they differ, the best first: those
/// of one name, then those without a name that have members in common, by how many.
pub(super) fn kin(
    cells: &BTreeMap<(usize, usize), PairId>,
    before: &[Traits],
    after: &[Traits],
) -> Vec<Match> {
    let mut found: Vec<(Reverse<usize>, Match)> = Vec::new();
    for ((row, column), id) in cells {
        let (Some(old), Some(new)) = (before.get(*row), after.get(*column)) else {
            continue;
        };
        let namesakes = old.is_namesake(new).then_some(usize::MAX);
        let likeness = namesakes.or_else(|| old.likeness(new));
        found.extend(likeness.map(|likeness| (Reverse(likeness), (*row, *column, *id))));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, pair)| pair).collect()
}

/// The variants of two unions, brought together.
pub(super) struct Matched {
    /// Variants that stayed, changed or not: their indices before and after, and their pair.
    pub(super) pairs: Vec<Match>,
    /// Variants that are there on one side only.
    pub(super) edits: Vec<Edit>,
}

/// Whether two unions have the same variants, in whatever order.
pub(super) fn same(comparison: &Comparison<'_>, grid: &Grid<'_>) -> bool {
    let left = equals(comparison, grid);
    left.rows.is_empty() && left.columns.is_empty() && tags(grid, &left.pairs).is_empty()
}

/// The indices of variants before, and of variants after, that have no equal on the other side.
pub(super) fn unequal(
    comparison: &Comparison<'_>,
    grid: &Grid<'_>,
) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let left = equals(comparison, grid);
    (left.rows, left.columns)
}

/// Brings variants together: the same ones first, then those that are kin, then a lone pair.
pub(super) fn matched(comparison: &Comparison<'_>, grid: &Grid<'_>) -> Matched {
    let Equals {
        mut rows,
        mut columns,
        mut pairs,
    } = equals(comparison, grid);
    for (row, column, id) in &grid.kin {
        if rows.contains(row) && columns.remove(column) {
            rows.remove(row);
            pairs.push((*row, *column, *id));
        }
    }
    if rows.len() == 1
        && columns.len() == 1
        && let (Some(row), Some(column)) = (rows.first(), columns.first())
        && let Some(id) = grid.cells.get(&(*row, *column))
    {
        pairs.push((*row, *column, *id));
        rows.clear();
        columns.clear();
    }
    let mut edits = tags(grid, &pairs);
    edits.extend(hint(grid));
    for row in rows {
        let message = format!(
            "a variant was removed: {}",
            label(&grid.before.variants, row)
        );
        edits.push(Edit::new("variant", Effect::Narrows, message));
    }
    for column in columns {
        let message = format!(
            "a variant was added: {}",
            label(&grid.after.variants, column)
        );
        edits.push(Edit::new("variant", Effect::Widens, message));
    }
    Matched { pairs, edits }
}

/// Variants that are equal, and those that have no equal on the other side.
struct Equals {
    pairs: Vec<Match>,
    rows: BTreeSet<usize>,
    columns: BTreeSet<usize>,
}

/// Being the same is transitive, so the first equal is as good as any other.
fn equals(comparison: &Comparison<'_>, grid: &Grid<'_>) -> Equals {
    let mut found = Equals {
        pairs: Vec::new(),
        rows: BTreeSet::new(),
        columns: (0..grid.after.variants.len()).collect(),
    };
    for (row, old) in grid.before.variants.iter().enumerate() {
        let cells = grid.cells.range((row, 0)..(row + 1, 0));
        let mut equal = cells
            .map(|((_, column), id)| (*column, *id))
            .filter(|(column, id)| found.columns.contains(column) && !comparison.differs(*id));
        // Variants of one shape are told apart by their names.
        let named = |(column, _): &(usize, PairId)| {
            let new = grid.after.variants.get(*column);
            new.is_some_and(|new| new.tags == old.tags)
        };
        // What goes by a name that is there before and after has changed, whatever else looks like it.
        let shares = |one: &Variant<'_>, other: &Variant<'_>| !one.tags.is_disjoint(&other.tags);
        let stays = grid.after.variants.iter().any(|new| shares(old, new));
        let renamed = |(column, _): &(usize, PairId)| {
            let new = grid.after.variants.get(*column);
            let known = |new| grid.before.variants.iter().any(|old| shares(old, new));
            !stays && !new.is_some_and(known)
        };
        match equal.clone().find(named).or_else(|| equal.find(renamed)) {
            Some((column, id)) => {
                found.columns.remove(&column);
                found.pairs.push((row, column, id));
            }
            None => drop(found.rows.insert(row)),
        }
    }
    found
}

/// How the tags of discriminators differ; one that is there on one side only is a hint.
fn tags(grid: &Grid<'_>, pairs: &[Match]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (row, column, _) in pairs {
        let of = |variants: &[Variant<'_>], index: usize| -> BTreeSet<Tag> {
            let variant = variants.get(index);
            variant
                .map(|variant| variant.tags.clone())
                .unwrap_or_default()
        };
        let old = of(&grid.before.variants, *row);
        let new = of(&grid.after.variants, *column);
        if old.is_empty() || new.is_empty() {
            continue;
        }
        for (tags, effect, verb) in [
            (&old - &new, Effect::Narrows, "is no longer called"),
            (&new - &old, Effect::Widens, "is now called"),
        ] {
            for (property, tag) in tags {
                let message = format!("a variant {verb} `{tag}` in `{property}`");
                edits.push(Edit::new("discriminator", effect, message));
            }
        }
    }
    edits
}

/// A discriminator that is there on one side only.
fn hint(grid: &Grid<'_>) -> Option<Edit> {
    let of = |variants: &[Variant<'_>]| {
        let mut tags = variants.iter().flat_map(|variant| &variant.tags);
        tags.next().map(|(property, _)| property.clone())
    };
    let message = match (of(&grid.before.variants), of(&grid.after.variants)) {
        (Some(property), None) => format!("the discriminator `{property}` was removed"),
        (None, Some(property)) => format!("the discriminator `{property}` was added"),
        _ => return None,
    };
    Some(Edit::new("discriminator", Effect::Hint, message))
}

/// What tells a variant from its neighbours: the constants of its members, or its title.
fn tag(variant: &Variant<'_>) -> Option<String> {
    if let Some((_, tag)) = variant.tags.first() {
        return Some(tag.clone());
    }
    variant.schemas.0.iter().find_map(|schema| {
        let members = schema.get("properties").and_then(Value::as_object);
        let constants = members.into_iter().flatten().filter_map(|(name, schema)| {
            let constant = schema.get("const").or_else(|| {
                let values = schema.get("enum")?.as_array()?;
                values.first().filter(|_| values.len() == 1)
            });
            Some(format!("{name} = {}", constant?))
        });
        let constants: Vec<_> = constants.collect();
        if !constants.is_empty() {
            return Some(constants.join(", "));
        }
        let kind = schema.get("type").filter(|kind| **kind != "object");
        let title = schema.get("title").and_then(Value::as_str);
        title.map(str::to_owned).or(kind.map(Value::to_string))
    })
}

fn label(variants: &[Variant<'_>], index: usize) -> String {
    let variant = variants.get(index).and_then(tag);
    variant.unwrap_or_else(|| format!("number {}", index + 1))
}

#[cfg(test)]
mod tests {
    use crate::diff::compare::Comparison;
    use crate::diff::node::All;
    use crate::diff::view::View;
    use serde_json::{Map, Value, json};

    fn union(variants: usize, kind: &str) -> View {
        let variant = |at: usize| {
            let [a, b] = ["a", "b"].map(|name| format!("{name}{at}"));
            json!({ "required": ["id", a, b], "properties": { a: { "type": kind } } })
        };
        let variants: Vec<Value> = (0..variants).map(variant).collect();
        View::new(Map::from_iter([(
            "It".to_owned(),
            json!({ "anyOf": variants }),
        )]))
    }

    /// The work of each step of a comparison is in proportion to the cells and the kin of a grid.
    #[test]
    fn a_large_union_has_no_more_cells_nor_kin_than_variants() {
        let [before, after] = ["string", "integer"].map(|kind| union(400, kind));
        let mut comparison = Comparison::new(&before, &after);
        let [old, new] = [&before, &after].map(|view| All(view.schema("It").into_iter().collect()));
        assert_eq!(comparison.findings(old, new).len(), 400);
        let grid = &comparison.pairs[0].unions[0];
        assert_eq!([grid.cells.len(), grid.kin.len()], [400, 400]);
    }
}
