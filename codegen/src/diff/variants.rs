//! Which variant of a union has become which.

use super::compare::{Comparison, Grid, PairId};
use super::edit::{Edit, Effect};
use super::node::{Union, Variant};
use super::normal::Nodes;
use super::union::Tag;
use serde_json::Value;
use std::collections::BTreeSet;

/// The variants of two unions, brought together.
pub(super) struct Matched {
    /// Variants that stayed, changed or not: their indices before and after, and their pair.
    pub(super) pairs: Vec<(usize, usize, PairId)>,
    /// Variants that are there on one side only.
    pub(super) edits: Vec<Edit>,
}

/// Whether two unions have the same variants, in whatever order.
pub(super) fn same(comparison: &Comparison<'_>, grid: &Grid<'_>) -> bool {
    let left = equals(comparison, grid);
    left.rows.is_empty() && left.columns.is_empty() && tags(grid, &left.pairs).is_empty()
}

/// Brings variants together: the same ones first, then those of one name, then those without a name
/// that have members in common, then a lone pair.
pub(super) fn matched<'a>(comparison: &Comparison<'a>, grid: &Grid<'a>) -> Matched {
    let Equals {
        mut rows,
        mut columns,
        mut pairs,
    } = equals(comparison, grid);
    rows.retain(|row| {
        let name = grid.before.variants.get(*row).and_then(tag);
        let named = |column: &usize| {
            name.is_some() && grid.after.variants.get(*column).and_then(tag) == name
        };
        let Some(position) = columns.iter().position(named) else {
            return true;
        };
        let column = columns.remove(position);
        pairs.extend(
            grid.cells
                .get(&(*row, column))
                .map(|id| (*row, column, *id)),
        );
        false
    });
    for (row, column, cell) in likest(comparison, grid, &rows, &columns) {
        if rows.contains(&row) && columns.contains(&column) {
            pairs.push((row, column, cell));
            rows.retain(|known| *known != row);
            columns.retain(|known| *known != column);
        }
    }
    if let ([row], [column]) = (rows.as_slice(), columns.as_slice()) {
        pairs.extend(
            grid.cells
                .get(&(*row, *column))
                .map(|id| (*row, *column, *id)),
        );
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
    pairs: Vec<(usize, usize, PairId)>,
    rows: Vec<usize>,
    columns: Vec<usize>,
}

/// Being the same is transitive, so the first equal is as good as any other.
fn equals(comparison: &Comparison<'_>, grid: &Grid<'_>) -> Equals {
    let mut found = Equals {
        pairs: Vec::new(),
        rows: Vec::new(),
        columns: (0..grid.after.variants.len()).collect(),
    };
    for row in 0..grid.before.variants.len() {
        let cell = |column: &usize| {
            let id = *grid.cells.get(&(row, *column))?;
            (!comparison.differs(id)).then_some(id)
        };
        let columns = || found.columns.iter().enumerate();
        let equal = |(position, column): (usize, &usize)| Some((position, cell(column)?));
        // Variants of one shape are told apart by their names.
        let name = grid.before.variants.get(row).map(|variant| &variant.tags);
        let named = |(_, column): &(usize, &usize)| {
            grid.after
                .variants
                .get(**column)
                .map(|variant| &variant.tags)
                == name
        };
        let mut known = columns().filter(named).filter_map(equal);
        match known.next().or_else(|| columns().find_map(equal)) {
            Some((position, id)) => {
                let column = found.columns.remove(position);
                found.pairs.push((row, column, id));
            }
            None => found.rows.push(row),
        }
    }
    found
}

/// Whether two variants go by the same name.
pub(super) fn alike(one: &Variant<'_>, other: &Variant<'_>) -> bool {
    let name = tag(one);
    name.is_some() && name == tag(other)
}

/// Pairs of variants without a name that have members in common, those first that have most, as a
/// part of all that either has.
fn likest<'a>(
    comparison: &Comparison<'a>,
    grid: &Grid<'a>,
    rows: &[usize],
    columns: &[usize],
) -> Vec<(usize, usize, PairId)> {
    let old = shapes(&comparison.before, &grid.before, rows);
    let new = shapes(&comparison.after, &grid.after, columns);
    let mut found = Vec::new();
    for (row, old) in &old {
        for (column, new) in &new {
            let shared = 1000 * old.intersection(new).count();
            let likeness = shared / old.union(new).count().max(1);
            let cell = grid.cells.get(&(*row, *column));
            let pair = cell.map(|cell| (likeness, (*row, *column, *cell)));
            found.extend(pair.filter(|_| likeness > 0));
        }
    }
    found.sort_by_key(|(likeness, _)| std::cmp::Reverse(*likeness));
    found.into_iter().map(|(_, pair)| pair).collect()
}

/// The members that each variant without a name speaks of.
fn shapes<'a>(
    nodes: &Nodes<'a>,
    union: &Union<'a>,
    indices: &[usize],
) -> Vec<(usize, BTreeSet<String>)> {
    let shape = |index: &usize| {
        let variant = union.variants.get(*index)?;
        let node = nodes.of(&variant.schemas);
        let members = node.properties.keys().chain(&node.required).cloned();
        let members = tag(variant).is_none().then(|| members.collect())?;
        Some((*index, members))
    };
    indices.iter().filter_map(shape).collect()
}

/// How the tags of discriminators differ; one that is there on one side only is a hint.
fn tags(grid: &Grid<'_>, pairs: &[(usize, usize, PairId)]) -> Vec<Edit> {
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
