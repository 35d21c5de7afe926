//! Which variant of a union has become which.

use super::compare::{Comparison, Grid, PairId};
use super::edit::{Edit, Effect};
use super::node::All;
use serde_json::Value;

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
    left.rows.is_empty() && left.columns.is_empty()
}

/// Brings variants together: the same ones first, then those of one name, then a lone pair.
pub(super) fn matched(comparison: &Comparison<'_>, grid: &Grid<'_>) -> Matched {
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
    if let ([row], [column]) = (rows.as_slice(), columns.as_slice()) {
        pairs.extend(
            grid.cells
                .get(&(*row, *column))
                .map(|id| (*row, *column, *id)),
        );
        rows.clear();
        columns.clear();
    }
    let mut edits = Vec::new();
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
        let mut columns = found.columns.iter().enumerate();
        match columns.find_map(|(position, column)| Some((position, cell(column)?))) {
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
pub(super) fn alike(one: &All<'_>, other: &All<'_>) -> bool {
    let name = tag(one);
    name.is_some() && name == tag(other)
}

/// What tells a variant from its neighbours: the constants of its members, or its title.
fn tag(variant: &All<'_>) -> Option<String> {
    variant.0.iter().find_map(|schema| {
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

fn label(variants: &[All<'_>], index: usize) -> String {
    let variant = variants.get(index).and_then(tag);
    variant.unwrap_or_else(|| format!("number {}", index + 1))
}
