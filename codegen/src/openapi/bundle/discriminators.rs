//! Rewrites discriminators so that they list and map all their variants (OpenAPI 3.1.1 §4.8.25).
//!
//! Beside a list of variants, a discriminator names each by its mapping, else by the constants of
//! the member or by `x-ms-discriminator-value`, else by the component's name. In a schema without
//! variants that others extend with `allOf`, it stands for these: wherever the schema is a type, it
//! becomes a union of its descendants and itself. The schema's own keywords get a key of their own,
//! which the descendants extend.
//!
//! Afterwards, all variants are listed, and mapped wherever their own names differ. A discriminator
//! that one of the variants can never contain is dropped: the variants are then told apart by their
//! shapes.

mod constants;
mod descendants;
mod impossible;
mod renamed;

pub(crate) use renamed::renamed;

use super::{Bundle, Key};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use constants::constants;
use json_schema::reference::key_in;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The member of a discriminator that names the variant of all other values.
pub(crate) const DEFAULT_MAPPING: &str = "defaultMapping";

impl Bundle {
    pub(in crate::openapi) fn complete_discriminators(&mut self, diagnostics: &mut Diagnostics) {
        if !self.has_discriminators {
            return;
        }
        self.report_lone(diagnostics);
        let mut schemas = std::mem::take(&mut self.schemas);
        let known = schemas.clone();
        for schema in schemas.values_mut() {
            each_object(
                schema,
                &mut |members| match impossible::find(&known, members) {
                    Some((closed, property)) => {
                        let at = self.place(&closed);
                        let message = format!(
                            "a discriminator names this by `{property}`, which no value of it may have"
                        );
                        let help = format!(
                            "declare `{property}` among its properties; until then, variants are told \
                         apart by what they hold"
                        );
                        diagnostics
                            .warn(Diagnostic::new(Code::Discriminator, &at, message).help(help));
                        members.shift_remove("discriminator");
                    }
                    None => {
                        if let Some(shared) = name_variants(&known, members) {
                            diagnostics.warn(shared.problem(&self.place(&shared.key)));
                            members.shift_remove("discriminator");
                        }
                    }
                },
            );
        }
        self.schemas = schemas;
    }

    /// Reports discriminators beside no list of schemas, in schemas that no `allOf` has (OpenAPI 3.1.1 §4.8.25).
    fn report_lone(&self, diagnostics: &mut Diagnostics) {
        let extended = self.references.iter();
        let extended = extended.filter(|reference| is_part_of_all(&reference.at));
        let extended: BTreeSet<&Key> = extended.map(|reference| &reference.key).collect();
        for at in &self.lone_discriminators {
            let key = self.keys.get(at);
            if key.is_none_or(|key| !extended.contains(key)) {
                let message = "a discriminator must stand beside `oneOf`, `anyOf` or `allOf`, or in a \
                               schema that is in the `allOf` of others";
                let problem =
                    Diagnostic::new(Code::Discriminator, &at.child("discriminator"), message);
                diagnostics.recover(problem, "it is ignored");
            }
        }
    }
}

/// A value of a discriminator that two variants have.
struct SharedTag {
    property: String,
    tag: String,
    /// One of the variants.
    key: Key,
}

impl SharedTag {
    /// The problem, at the place of the variant.
    fn problem(&self, at: &Pointer) -> Diagnostic {
        let Self { property, tag, .. } = self;
        let message = format!("the discriminator `{property}` is `{tag}` in another variant, too");
        let help = "map the variants by values of their own; until then, they are told apart by what they hold";
        Diagnostic::new(Code::Discriminator, at, message).help(help)
    }
}

/// Whether a schema has a discriminator, and no list of schemas beside it.
pub(super) fn is_lone(members: &Map<String, Value>) -> bool {
    let lists = ["oneOf", "anyOf", "allOf"];
    members.contains_key("discriminator") && !lists.iter().any(|list| members.contains_key(*list))
}

/// Whether a `$ref` is that of a schema in an `allOf`.
fn is_part_of_all(at: &Pointer) -> bool {
    let tokens: Vec<String> = at.tokens().collect();
    matches!(tokens.as_slice(), [.., list, _, _] if list == "allOf")
}

/// Maps the constants of the member to the variants that declare them, unless the mapping names
/// these variants. Without a mapping, a constant that two variants declare is returned: no value can
/// have their names instead.
fn name_variants(
    known: &Map<String, Value>,
    members: &mut Map<String, Value>,
) -> Option<SharedTag> {
    let list = members.get("oneOf").or_else(|| members.get("anyOf"));
    let keys: Vec<Key> = list?.as_array()?.iter().filter_map(key_in).collect();
    let discriminator = members.get_mut("discriminator")?.as_object_mut()?;
    let property = discriminator.get("propertyName")?.as_str()?.to_owned();
    let declared = discriminator.get("mapping").and_then(Value::as_object);
    let mut mapping = declared.cloned().unwrap_or_default();
    let mapped: BTreeSet<&str> = mapping.values().filter_map(Value::as_str).collect();
    let mut named: Vec<(String, &Key)> = Vec::new();
    for key in keys.iter().filter(|key| !mapped.contains(key.as_str())) {
        let tags = constants(known, key, &property).unwrap_or_default();
        // A list that contains the component's own name may be shared by all variants.
        if !tags.contains(key) {
            named.extend(tags.into_iter().map(|tag| (tag, key)));
        }
    }
    let is_union = |key: &Key| {
        let lists = ["oneOf", "anyOf"];
        let schema = known.get(key);
        schema.is_some_and(|schema| lists.iter().any(|list| schema.get(list).is_some()))
    };
    // A constant that a variant declares itself leads to no union that has the variant, too.
    let (own, shared): (Vec<_>, Vec<_>) = named.iter().partition(|(tag, key)| {
        let is_union_itself = is_union(key);
        let mut others = named.iter().filter(|(other, _)| other == tag);
        let is_shared =
            others.any(|(_, other)| *other != *key && (is_union_itself || !is_union(other)));
        !mapping.contains_key(tag) && !is_shared
    });
    let mut shared = shared.into_iter().filter(|(_, key)| !is_union(key));
    if let Some((tag, key)) = shared.next().filter(|_| mapping.is_empty()) {
        return Some(SharedTag {
            property,
            tag: tag.clone(),
            key: (*key).clone(),
        });
    }
    mapping.extend(
        own.into_iter()
            .map(|(tag, key)| (tag.clone(), key.as_str().into())),
    );
    if !mapping.is_empty() {
        discriminator.insert("mapping".into(), mapping.into());
    }
    None
}

/// Visits every object inside a value, itself included.
fn each_object(value: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            visit(members);
            for member in members.values_mut() {
                each_object(member, visit);
            }
        }
        Value::Array(items) => {
            for item in items {
                each_object(item, visit);
            }
        }
        _ => {}
    }
}
