//! Rewrites references of the document as references of the bundle.
//!
//! A `$ref` becomes a bundle key, from any form of URI. A `$dynamicRef` stays one if its
//! target depends on the path of evaluation (Core §8.2.3.2): it names its first target and the
//! anchor, and every schema through which a resource can be entered lists the resource's dynamic
//! anchors as `$dynamicScope`.

use super::resources::Target;
use super::{Bundle, COMPONENTS, Key};
use crate::diagnostic::spelling::closest;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::openapi::Reader;
use crate::openapi::object_fields::{FieldType, type_at};
use crate::openapi::references::{ANYTHING, dangling, misplaced, unreached};
use crate::source::Pointer;
use crate::source::files::is_mounted;
use json_schema::reference::{key_of_reference, reference_to};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The fallback for a value of a discriminator's mapping that leads to no schema.
pub(super) const NOT_MAPPED: &str = "it is not in the mapping";

/// A reference that was followed.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    pub(super) at: Pointer,
    /// Its text.
    pub(super) text: String,
    /// The key of its target.
    pub(super) key: Key,
    /// Whether its literal target does not exist and the only possible one was taken; see
    /// [`super::resources`].
    pub(super) outside: bool,
    /// Whether it is a value of a discriminator's mapping.
    pub(super) mapped: bool,
}

impl Reader<'_> {
    /// The bundle key that a `$ref` of the document names.
    pub(super) fn key_of(&mut self, text: &str, at: &Pointer) -> Option<Key> {
        self.find_key(text, at, false)
    }

    /// The bundle key that a value of a discriminator's mapping names. Tools that join a document
    /// from files often leave the files' names there; the variants are then told apart without the
    /// mapping.
    pub(super) fn key_of_mapping(&mut self, text: &str, at: &Pointer) -> Option<Key> {
        self.find_key(text, at, true)
    }

    /// The key of a reference's target, which is lifted later.
    fn find_key(&mut self, text: &str, at: &Pointer, mapped: bool) -> Option<Key> {
        let fallback = match mapped {
            true => NOT_MAPPED,
            false => ANYTHING,
        };
        let Some(target) = self.bundle.target(text, at) else {
            let problem = self
                .bundle
                .meant(text, unreached(text, at, self.diagnostics));
            self.diagnostics.recover(problem, fallback);
            return None;
        };
        let is = type_at(&target.at);
        if let Some(is) = is.name().filter(|_| is != FieldType::Schema) {
            let problem = misplaced(self.diagnostics.as_written(text, at), at, is, "a schema");
            self.diagnostics.recover(problem, fallback);
            return None;
        }
        let key = self.bundle.key_at_place(&target.at);
        self.bundle.references.push(Reference {
            at: at.clone(),
            text: text.to_owned(),
            key: key.clone(),
            // References to other files have become pointers into the document, and are right.
            outside: target.outside && !is_mounted(&target.at),
            mapped,
        });
        Some(key)
    }

    /// Reports references that lead to nothing, and gives the keys of schemas that cannot be found.
    /// A schema that only a mapping names is not among them: it is no variant.
    pub(super) fn missing(&mut self) -> BTreeSet<Key> {
        let all = self.bundle.references.iter();
        let missing = all.filter(|one| !one.mapped && !self.bundle.schemas.contains_key(&one.key));
        let missing: BTreeSet<Key> = missing.map(|one| one.key.clone()).collect();
        for reference in &self.bundle.references {
            let Reference { text, at, key, .. } = reference;
            if !self.bundle.schemas.contains_key(key) {
                let problem = self
                    .bundle
                    .meant(text, dangling(text, at, self.diagnostics));
                let fallback = match missing.contains(key) {
                    true => ANYTHING,
                    false => {
                        "it names no variant: a value that says it is refused where there are others"
                    }
                };
                self.diagnostics.recover(problem, fallback);
            } else if reference.outside {
                let taken = "what the document has there is taken";
                self.diagnostics
                    .recover(outside_resource(reference, self.diagnostics), taken);
            }
        }
        missing
    }

    /// Rewrites a `$dynamicRef`: as a `$ref`, unless it names a dynamic anchor.
    pub(super) fn dynamic_reference(
        &mut self,
        reference: &Value,
        at: &Pointer,
        out: &mut Map<String, Value>,
    ) {
        let text = reference.as_str().unwrap_or_default();
        let Some(key) = self.key_of(text, at) else {
            return;
        };
        let target = self.bundle.resources.resolve(text, at);
        let anchor = target.and_then(|target| target.dynamic);
        let to = reference_to(&key);
        if anchor.is_none() && !out.contains_key("$ref") {
            out.insert("$ref".into(), to.into());
        } else {
            let anchor = anchor.unwrap_or_default();
            out.insert("$dynamicRef".into(), json!({ "anchor": anchor, "to": to }));
        }
    }
}

impl Bundle {
    /// Accepts a bare name of a component in a discriminator's mapping: it is the key.
    pub(super) fn accept_name(&mut self, name: &str, at: &Pointer) {
        self.references.push(Reference {
            at: at.clone(),
            text: name.to_owned(),
            key: name.to_owned(),
            outside: false,
            mapped: true,
        });
    }

    /// Adds the component that is likely meant to a problem with a reference.
    pub(super) fn meant(&self, reference: &str, problem: Diagnostic) -> Diagnostic {
        let name = reference.rsplit(['/', '#']).next().unwrap_or_default();
        let components = self.components();
        let same = components.iter().find(|known| *known == name);
        let meant = same.map(String::as_str);
        let meant = meant.or_else(|| closest(name, components.iter().map(String::as_str)));
        problem.did_you_mean(meant.map(|name| format!("#{COMPONENTS}{name}")))
    }

    /// The target of a reference, if it is known.
    pub(in crate::openapi) fn target(&mut self, text: &str, at: &Pointer) -> Option<Target> {
        let plain = Pointer::of_reference(text).filter(|_| self.resources.are_plain());
        plain
            .map(Target::of)
            .or_else(|| self.resources.resolve(text, at))
    }

    /// The key of the schema at a place, which is lifted unless it has been.
    fn key_at_place(&mut self, at: &Pointer) -> Key {
        if let Some(name) = at.as_str().strip_prefix(COMPONENTS)
            && !name.contains('/')
        {
            return at.tokens().last().unwrap_or_default();
        }
        if let Some(name) = self.names_by_place.get(at) {
            return name.clone();
        }
        let key = at.as_str().to_owned();
        self.wanted.insert(key.clone());
        key
    }

    /// Adds to a schema the dynamic anchors of its resource.
    pub(super) fn enter_scope(&mut self, schema: &mut Value, at: &Pointer) {
        if !self.resources.are_dynamic() {
            return;
        }
        let anchors = self.resources.dynamic_anchors(at);
        if let Some(members) = schema.as_object_mut()
            && !anchors.is_empty()
        {
            let named = anchors.into_iter().map(|(name, at)| {
                let key = self.key_at_place(&at);
                (name, Value::from(reference_to(&key)))
            });
            members.insert("$dynamicScope".into(), named.collect::<Map<_, _>>().into());
        }
    }

    /// Finds the schemas from which a dynamic reference can be reached: their meaning depends on
    /// where they are used.
    pub(super) fn find_dynamic(&mut self) {
        if !self.resources.are_dynamic() {
            return;
        }
        let reached: Vec<(Key, BTreeSet<Key>, bool)> = self
            .schemas
            .iter()
            .map(|(key, schema)| {
                let mut refers = BTreeSet::new();
                let dynamic = collect(schema, &mut refers);
                (key.clone(), refers, dynamic)
            })
            .collect();
        loop {
            let before = self.dynamic.len();
            for (key, refers, dynamic) in &reached {
                if *dynamic || !refers.is_disjoint(&self.dynamic) {
                    self.dynamic.insert(key.clone());
                }
            }
            if self.dynamic.len() == before {
                return;
            }
        }
    }
}

/// The keys that a rewritten schema refers to, and whether it has a dynamic reference itself.
fn collect(value: &Value, refers: &mut BTreeSet<Key>) -> bool {
    match value {
        Value::Object(members) => {
            let mut dynamic = false;
            for (name, member) in members {
                match (name.as_str(), member) {
                    ("$ref", Value::String(text)) => refers.extend(key_of_reference(text)),
                    ("$dynamicRef", Value::Object(_)) => dynamic = true,
                    _ => dynamic |= collect(member, refers),
                }
            }
            dynamic
        }
        Value::Array(items) => items
            .iter()
            .fold(false, |dynamic, item| collect(item, refers) | dynamic),
        _ => false,
    }
}

/// Reports a reference that leads to nothing within its resource, but to a schema of the document.
fn outside_resource(reference: &Reference, diagnostics: &Diagnostics) -> Diagnostic {
    let help = "an `$id` makes a schema a document of its own: leave it out, or refer to the other by its `$id`";
    dangling(&reference.text, &reference.at, diagnostics).help(help)
}
