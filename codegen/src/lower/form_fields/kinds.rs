//! Checks that the name of a part tells whether it is a file, which is read as it arrives.

use super::literal::may_match_both;
use super::{ObjectFields, Schema};
use crate::lower::forms::is_file;
use crate::lower::models::Models;
use json_schema::pattern::Pattern;
use std::collections::BTreeSet;

/// Checks that each field is a file in all alternatives or in none.
///
/// # Errors
/// The fields that are files in some alternatives only.
pub(super) fn told_apart<'a>(
    models: &mut Models<'a>,
    objects: &[ObjectFields<'a>],
) -> Result<(), String> {
    let mut known = BTreeSet::new();
    let names = objects.iter().flat_map(|object| &object.named);
    for (wire, _) in names.filter(|(wire, _)| known.insert(wire)) {
        let mut kinds = objects
            .iter()
            .flat_map(|object| object.all(wire))
            .map(|schema| is_file(models, schema));
        let first = kinds.next();
        if kinds.any(|kind| Some(kind) != first) {
            return Err(format!(
                "`{wire}` is a file in some alternatives of a form and none in others"
            ));
        }
    }
    let mut unnamed = Vec::new();
    for one in objects {
        let matched = one.matched.iter();
        let matched = matched.map(|(pattern, schema)| (Some(pattern), schema));
        for (pattern, schema) in matched.chain(one.rest.iter().map(|rest| (None, rest))) {
            unnamed.push(Unnamed {
                one,
                pattern,
                is_file: is_file(models, schema),
            });
        }
    }
    let (files, others): (Vec<_>, Vec<_>) = unnamed.iter().partition(|one| one.is_file);
    for file in files {
        if let Some(other) = others.iter().find(|other| file.may_be(other)) {
            return Err(format!(
                "{} are files in a form, and {} are none, though a name may be both",
                file.name(),
                other.name()
            ));
        }
    }
    Ok(())
}

impl<'a> ObjectFields<'a> {
    /// All schemas of a field that is named anywhere.
    fn all<'s>(&'s self, wire: &'s str) -> impl Iterator<Item = &'s Schema<'a>> {
        let named = self.named.iter().filter(move |(name, _)| name == wire);
        let matched = self.matched.iter();
        let matched = matched.filter(move |(pattern, _)| pattern.is_match(wire));
        let spoken = named
            .map(|(_, schema)| schema)
            .chain(matched.map(|(_, schema)| schema));
        let first = self.of(wire).into_iter();
        spoken.chain(first)
    }
}

/// The fields that one object describes without naming them.
struct Unnamed<'s, 'a> {
    one: &'s ObjectFields<'a>,
    /// The pattern of their names; `None` for names that match no pattern of the object.
    pattern: Option<&'s Pattern>,
    is_file: bool,
}

impl Unnamed<'_, '_> {
    /// Whether one field may belong to both.
    fn may_be(&self, other: &Unnamed<'_, '_>) -> bool {
        let leaves = |rest: &Unnamed<'_, '_>, pattern: &Pattern| {
            let mut own = rest.one.matched.iter();
            own.any(|(own, _)| own.source() == pattern.source())
        };
        match (self.pattern, other.pattern) {
            (Some(one), Some(other)) => may_match_both(one, other),
            (None, Some(pattern)) => !leaves(self, pattern),
            (Some(pattern), None) => !leaves(other, pattern),
            (None, None) => true,
        }
    }

    fn name(&self) -> String {
        match self.pattern {
            Some(pattern) => format!("fields that match `{}`", pattern.source()),
            None => "fields that are not named".to_owned(),
        }
    }
}
