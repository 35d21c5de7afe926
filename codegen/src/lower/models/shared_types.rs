//! Types shared by the variants of a schema: an inner schema that is the same in both has one type.

use crate::ir::Type;
use crate::openapi::{Bundle, Key};
use crate::schema::{JsonType, Schema};
use crate::source::Pointer;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A schema at a place, and its type.
struct Known<'a> {
    /// The component that it was lowered for.
    of: Key,
    raw: Cow<'a, Value>,
    types: Vec<JsonType>,
    ty: Type,
}

/// The types of inner schemas, by their places; kept only where there are variants.
#[derive(Default)]
pub(super) struct SharedTypes<'a> {
    is_wanted: bool,
    known: BTreeMap<Pointer, Vec<Known<'a>>>,
}

impl<'a> SharedTypes<'a> {
    pub(super) fn of(bundle: &Bundle) -> SharedTypes<'a> {
        SharedTypes {
            is_wanted: !bundle.read_write_variants().is_empty(),
            known: BTreeMap::new(),
        }
    }

    /// The type that a schema has in the other variant of a component.
    pub(super) fn get(&self, of: &str, schema: &Schema<'a>) -> Option<Type> {
        let Schema::Keywords(k) = schema else {
            return None;
        };
        let mut known = self.known.get(&k.at)?.iter();
        let same =
            |known: &&Known<'a>| known.of == of && known.types == k.types && known.raw == k.raw;
        known.find(same).map(|known| known.ty.clone())
    }

    pub(super) fn insert(&mut self, of: &str, schema: &Schema<'a>, ty: &Type) {
        if let Schema::Keywords(k) = schema
            && self.is_wanted
        {
            self.known.entry(k.at.clone()).or_default().push(Known {
                of: of.to_owned(),
                raw: k.raw.clone(),
                types: k.types.clone(),
                ty: ty.clone(),
            });
        }
    }
}
