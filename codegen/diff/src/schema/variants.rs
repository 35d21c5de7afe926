//! Matches the variants of a union before with those after: equal ones, changed ones, added and removed ones.

use super::edit::{Edit, Effect};
use super::pairs::{PairId, SchemaPairs, UnionPair};
use sample::normal::{Normalizer, Tag, Variant};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The indices of a variant before and of one after, and their pair.
pub(super) type Match = (usize, usize, PairId);

/// The traits that identify a variant although it has changed.
pub(super) struct Traits {
    name: Option<String>,
    /// The members that it names, if it has no name itself.
    members: BTreeSet<String>,
}

impl Traits {
    pub(super) fn of<'a>(forms: &Normalizer<'a>, variant: &Variant<'a>) -> Self {
        let name = distinctive_name(variant);
        let members = || {
            let form = forms.of(&variant.schemas);
            let members = form.properties.keys().chain(&form.required);
            members.cloned().collect()
        };
        let members = name.is_none().then(members).unwrap_or_default();
        Self { name, members }
    }

    /// Whether the two have the same name.
    pub(super) fn have_one_name(&self, other: &Self) -> bool {
        self.name.is_some() && self.name == other.name
    }

    /// The members that both have, in thousandths of those that either has; `None` below a half, since
    /// a member that every variant has does not identify it.
    fn similarity(&self, other: &Self) -> Option<usize> {
        let shared = self.members.intersection(&other.members).count();
        let all = self.members.len() + other.members.len() - shared;
        (shared > 0 && 2 * shared >= all).then(|| 1000 * shared / all)
    }
}

/// The pairs of variants that may be one that has changed, the most similar first.
pub(super) fn related(
    cells: &BTreeMap<(usize, usize), PairId>,
    before: &[Traits],
    after: &[Traits],
) -> Vec<Match> {
    let mut found: Vec<(Reverse<usize>, Match)> = Vec::new();
    for ((row, column), id) in cells {
        let (Some(old), Some(new)) = (before.get(*row), after.get(*column)) else {
            continue;
        };
        let by_name = old.have_one_name(new).then_some(usize::MAX);
        let similarity = by_name.or_else(|| old.similarity(new));
        found.extend(similarity.map(|similarity| (Reverse(similarity), (*row, *column, *id))));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, cell)| cell).collect()
}

/// The variants of two unions, matched.
pub(super) struct Matched {
    /// Variants that stayed, changed or not.
    pub(super) cells: Vec<Match>,
    /// The variants that only one version has, and tags that changed.
    pub(super) edits: Vec<Edit>,
}

/// Whether two unions have the same variants, in any order.
pub(super) fn are_same(pairs: &SchemaPairs<'_>, union: &UnionPair<'_>) -> bool {
    let equal = equals(pairs, union);
    equal.rows.is_empty()
        && equal.columns.is_empty()
        && tag_edits(union, &equal.cells).is_empty()
        && default_edit(union).is_none()
}

/// Matches variants: equal ones first, then related ones, then a single pair that is left.
pub(super) fn matched(pairs: &SchemaPairs<'_>, union: &UnionPair<'_>) -> Matched {
    let Equals {
        mut rows,
        mut columns,
        mut cells,
    } = equals(pairs, union);
    for (row, column, id) in &union.related {
        if rows.contains(row) && columns.remove(column) {
            rows.remove(row);
            cells.push((*row, *column, *id));
        }
    }
    if rows.len() == 1
        && columns.len() == 1
        && let (Some(row), Some(column)) = (rows.first(), columns.first())
        && let Some(id) = union.cells.get(&(*row, *column))
    {
        cells.push((*row, *column, *id));
        rows.clear();
        columns.clear();
    }
    let mut edits = tag_edits(union, &cells);
    edits.extend(discriminator_edit(union));
    edits.extend(default_edit(union));
    for row in rows {
        let name = shown_name(&union.before.variants, row);
        let message = format!("the variant {name} was removed");
        edits.push(Edit::new("variant", Effect::Narrows, message));
    }
    for column in columns {
        let name = shown_name(&union.after.variants, column);
        let message = format!("the variant {name} was added");
        edits.push(Edit::new("variant", Effect::Widens, message));
    }
    Matched { cells, edits }
}

/// Variants that are equal, and those without an equal in the other version.
struct Equals {
    cells: Vec<Match>,
    rows: BTreeSet<usize>,
    columns: BTreeSet<usize>,
}

fn equals(pairs: &SchemaPairs<'_>, union: &UnionPair<'_>) -> Equals {
    let mut found = Equals {
        cells: Vec::new(),
        rows: BTreeSet::new(),
        columns: (0..union.after.variants.len()).collect(),
    };
    for (row, old) in union.before.variants.iter().enumerate() {
        let cells = union.cells.range((row, 0)..(row + 1, 0));
        let mut equal = cells
            .map(|((_, column), id)| (*column, *id))
            .filter(|(column, id)| found.columns.contains(column) && !pairs.differs(*id));
        // Tags distinguish variants of one shape.
        let has_its_tags = |(column, _): &(usize, PairId)| {
            let new = union.after.variants.get(*column);
            new.is_some_and(|new| new.tags == old.tags)
        };
        // A variant whose tag both versions have has changed, whatever else looks like it.
        let shares = |one: &Variant<'_>, other: &Variant<'_>| !one.tags.is_disjoint(&other.tags);
        let stays = union.after.variants.iter().any(|new| shares(old, new));
        let is_renamed = |(column, _): &(usize, PairId)| {
            let new = union.after.variants.get(*column);
            let is_known = |new| union.before.variants.iter().any(|old| shares(old, new));
            !stays && !new.is_some_and(is_known)
        };
        match equal
            .clone()
            .find(has_its_tags)
            .or_else(|| equal.find(is_renamed))
        {
            Some((column, id)) => {
                found.columns.remove(&column);
                found.cells.push((row, column, id));
            }
            None => drop(found.rows.insert(row)),
        }
    }
    found
}

/// The differences of the tags of matched variants, where both versions have a discriminator.
fn tag_edits(union: &UnionPair<'_>, cells: &[Match]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (row, column, _) in cells {
        let tags = |variants: &[Variant<'_>], index: usize| -> BTreeSet<Tag> {
            let variant = variants.get(index);
            variant
                .map(|variant| variant.tags.clone())
                .unwrap_or_default()
        };
        let old = tags(&union.before.variants, *row);
        let new = tags(&union.after.variants, *column);
        if old.is_empty() || new.is_empty() {
            continue;
        }
        for (tags, effect, verb) in [
            (&old - &new, Effect::Narrows, "is no longer called"),
            (&new - &old, Effect::Widens, "is now called"),
        ] {
            let name = shown_name(&union.after.variants, *column);
            for (property, tag) in tags {
                let message = format!("the variant {name} {verb} `{tag}` in `{property}`");
                edits.push(Edit::new("discriminator", effect, message));
            }
        }
    }
    edits
}

/// A discriminator that only one version has.
fn discriminator_edit(union: &UnionPair<'_>) -> Option<Edit> {
    let property = |variants: &[Variant<'_>]| {
        let mut tags = variants.iter().flat_map(|variant| &variant.tags);
        tags.next().map(|(property, _)| property.clone())
    };
    let before = property(&union.before.variants);
    let message = match (before, property(&union.after.variants)) {
        (Some(property), None) => format!("the discriminator `{property}` was removed"),
        (None, Some(property)) => format!("the discriminator `{property}` was added"),
        _ => return None,
    };
    Some(Edit::new("discriminator", Effect::Hint, message))
}

/// A variant for values that the discriminator does not name, which is another or that only one version has.
fn default_edit(union: &UnionPair<'_>) -> Option<Edit> {
    let default = |variants: &[Variant<'_>]| {
        let index = variants.iter().position(|variant| variant.is_default);
        index.map(|index| shown_name(variants, index))
    };
    let (before, after) = (
        default(&union.before.variants),
        default(&union.after.variants),
    );
    let (effect, message) = match (before, after) {
        (Some(before), None) => (
            Effect::Narrows,
            format!("values of no other name are no longer {before}"),
        ),
        (None, Some(after)) => (
            Effect::Widens,
            format!("values of no other name are now {after}"),
        ),
        (Some(before), Some(after)) if before != after => {
            let message = format!("values of no other name were {before} and are now {after}");
            (Effect::Both, message)
        }
        _ => return None,
    };
    Some(Edit::new("discriminator", effect, message))
}

/// The name of a variant in reports: its tag, or else the constants of its members, its title or its type.
fn distinctive_name(variant: &Variant<'_>) -> Option<String> {
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
        let ty = schema.get("type").filter(|ty| **ty != "object");
        let title = schema.get("title").and_then(Value::as_str);
        title.map(str::to_owned).or(ty.map(Value::to_string))
    })
}

/// The name of a variant in reports: the component that it refers to, if there is one.
fn shown_name(variants: &[Variant<'_>], index: usize) -> String {
    let variant = variants.get(index);
    let component = variant.and_then(|variant| variant.name.as_ref());
    let name = component.map(|name| format!("`{name}`"));
    let name = name.or_else(|| distinctive_name(variant?));
    name.unwrap_or_else(|| format!("number {}", index + 1))
}

#[cfg(test)]
mod tests {
    use crate::schema::SchemaPairs;
    use sample::Bundle;
    use sample::normal::AllOf;
    use serde_json::{Map, Value, json};

    fn union(variants: usize, ty: &str) -> Bundle {
        let variant = |at: usize| {
            let [a, b] = ["a", "b"].map(|name| format!("{name}{at}"));
            json!({ "required": ["id", a, b], "properties": { a: { "type": ty } } })
        };
        let variants: Vec<Value> = (0..variants).map(variant).collect();
        let schema = json!({ "anyOf": variants });
        Bundle::new(Map::from_iter([("It".to_owned(), schema)]))
    }

    /// Each step of a comparison takes work in proportion to the cells.
    #[test]
    fn a_large_union_has_no_more_cells_than_variants() {
        let [before, after] = ["string", "integer"].map(|ty| union(400, ty));
        let mut pairs = SchemaPairs::new(&before, &after);
        let [old, new] =
            [&before, &after].map(|bundle| AllOf(bundle.schema("It").into_iter().collect()));
        assert_eq!(pairs.findings(old, new).len(), 400);
        let sizes = pairs
            .pairs
            .iter()
            .flat_map(|pair| &pair.unions)
            .map(|union| [union.cells.len(), union.related.len()]);
        assert_eq!(sizes.collect::<Vec<_>>(), [[400, 400]]);
    }
}
