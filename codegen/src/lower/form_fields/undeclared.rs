//! Required fields that some alternative does not declare: in it, they may hold anything.

use super::{Schema, object_fields, referring};
use crate::lower::models::Models;
use crate::schema::Keywords;
use crate::source::Pointer;
use std::collections::{BTreeMap, BTreeSet};

/// The names in `required` that some choice of alternatives does not declare.
pub(super) fn undeclared<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    required: &BTreeSet<String>,
) -> BTreeSet<String> {
    let known = BTreeMap::new();
    Search {
        models,
        required,
        known,
    }
    .of(schema)
}

struct Search<'m, 'a> {
    models: &'m mut Models<'a>,
    required: &'m BTreeSet<String>,
    /// The results so far, so that each schema is visited once; a schema that leads back to itself
    /// adds nothing.
    known: BTreeMap<Pointer, BTreeSet<String>>,
}

impl<'a> Search<'_, 'a> {
    fn of(&mut self, schema: &Schema<'a>) -> BTreeSet<String> {
        let Some(k) = self.models.resolved(schema) else {
            return self.required.clone();
        };
        if let Some(known) = self.known.get(&k.at) {
            return known.clone();
        }
        self.known.insert(k.at.clone(), BTreeSet::new());
        let mut undeclared = self.by_itself(&k);
        let reference = k.reference.as_ref().map(|key| referring(key, &k.at));
        for part in reference.iter().chain(&k.all_of) {
            let part = self.of(part);
            undeclared.retain(|wire| part.contains(wire));
        }
        for branches in [&k.one_of, &k.any_of] {
            let any: BTreeSet<_> = branches.iter().flat_map(|branch| self.of(branch)).collect();
            undeclared.retain(|wire| branches.is_empty() || any.contains(wire));
        }
        self.known.insert(k.at, undeclared.clone());
        undeclared
    }

    /// The fields that an object itself does not declare.
    fn by_itself(&mut self, k: &Keywords<'a>) -> BTreeSet<String> {
        let declared = object_fields(self.models, k);
        let closed = matches!(k.additional, Some(Schema::Never));
        let required = self.required.iter();
        let undeclared = required.filter(|wire| !closed && declared.of(wire).is_none());
        undeclared.cloned().collect()
    }
}
