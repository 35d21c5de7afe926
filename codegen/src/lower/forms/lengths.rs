//! The lengths of a field's files: the bounds that hold in every alternative, since the alternative
//! is not known while a file arrives.

use super::files;
use crate::ir::Bounds;
use crate::lower::form_fields::referring;
use crate::lower::models::Models;
use crate::schema::{JsonType, Keywords, Schema};
use crate::source::Pointer;
use std::collections::BTreeMap;

/// The length of a file, or of each of several, in bytes (OpenAPI 3.1.1, Working with Binary Data).
pub(super) fn octets<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    content_type: Option<&str>,
) -> Bounds {
    let mut lengths = Lengths {
        models,
        content_type,
        known: BTreeMap::new(),
    };
    lengths.of(schema)
}

struct Lengths<'m, 'a> {
    models: &'m mut Models<'a>,
    content_type: Option<&'m str>,
    /// The visited schemas; a schema that leads back to itself adds nothing.
    known: BTreeMap<Pointer, Bounds>,
}

impl<'a> Lengths<'_, 'a> {
    fn of(&mut self, schema: &Schema<'a>) -> Bounds {
        let Some(k) = self.models.resolved(schema) else {
            return Bounds::NONE;
        };
        if let Some(known) = self.known.get(&k.at) {
            return *known;
        }
        self.known.insert(k.at.clone(), Bounds::NONE);
        let octets = self.of_keywords(&k);
        self.known.insert(k.at, octets);
        octets
    }

    fn of_keywords(&mut self, k: &Keywords<'a>) -> Bounds {
        if k.types == [JsonType::Array] {
            return k.items.as_ref().map_or(Bounds::NONE, |item| self.of(item));
        }
        let own = Bounds {
            min: k.min_length.unwrap_or(0),
            max: k.max_length,
        };
        let referred = k.reference.as_ref().map(|key| referring(key, &k.at));
        let parts = k.all_of.iter().chain(&referred);
        let octets = parts.fold(own, |octets, part| octets.and(self.of(part)));
        let unions = [&k.one_of, &k.any_of].into_iter();
        unions
            .filter_map(|branches| self.widest(branches))
            .fold(octets, Bounds::and)
    }

    /// The bounds on which all branches agree. Branches that are no file give none, and `null` is
    /// ignored because no part is null.
    fn widest(&mut self, branches: &[Schema<'a>]) -> Option<Bounds> {
        let mut widest: Option<Bounds> = None;
        for branch in branches {
            let k = self.models.resolved(branch);
            if k.is_some_and(|k| k.types == [JsonType::Null]) {
                continue;
            }
            let octets = match files::holds(self.models, branch, self.content_type) {
                true => self.of(branch),
                false => Bounds::NONE,
            };
            widest = Some(widest.map_or(octets, |widest| widest.or(octets)));
        }
        widest
    }
}
