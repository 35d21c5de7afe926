//! Schemas with a discriminator that others extend with `allOf`: each becomes a union of its
//! descendants and of its own keywords, which get a key of their own.

use super::constants::declared;
use super::{Bundle, DEFAULT_MAPPING, Key, each_object};
use crate::idioms::ONLY_LISTED;
use json_schema::reference::{key_in, reference_to};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Keywords that may stand beside an `allOf` whose only purpose is to annotate a reference.
const ATTACHED: &[&str] = &[
    "allOf",
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "xml",
    "externalDocs",
];

impl Bundle {
    /// Makes a union of every schema that has a discriminator and descendants.
    pub(in crate::openapi::bundle) fn split_parents(&mut self) {
        if !self.has_discriminators {
            return;
        }
        let descendants = self.descendants();
        let mut bases: BTreeMap<Key, Key> = BTreeMap::new();
        for parent in self.components() {
            let members = self.schemas.get(parent).and_then(Value::as_object);
            let names = members.is_some_and(stands_for_descendants);
            if names
                && descendants
                    .get(parent)
                    .is_some_and(|below| !below.is_empty())
            {
                let mut base = format!("/components/schemas/{parent}Base");
                while self.schemas.contains_key(&base) {
                    base.push('\'');
                }
                bases.insert(parent.clone(), base);
            }
        }
        if bases.is_empty() {
            return;
        }
        for (parent, base) in &bases {
            let below = descendants.get(parent).cloned().unwrap_or_default();
            self.split(parent, base, &below);
        }
        let members: BTreeSet<&Key> = descendants.values().flatten().collect();
        for (key, schema) in &mut self.schemas {
            let descends = members.contains(key) || bases.values().any(|base| base == key);
            build_on_bases(schema, descends, &bases);
            each_object(schema, &mut |members| {
                for schema in members.values_mut() {
                    build_on_bases(schema, false, &bases);
                }
            });
        }
    }

    /// The components that extend each component, directly or not, in the order of the document.
    fn descendants(&self) -> BTreeMap<Key, Vec<Key>> {
        let mut descendants: BTreeMap<Key, Vec<Key>> = BTreeMap::new();
        for key in self.components() {
            let mut seen = BTreeSet::new();
            let mut open = vec![key.clone()];
            while let Some(next) = open.pop() {
                let parts = self
                    .schemas
                    .get(&next)
                    .and_then(|schema| schema.get("allOf"));
                let parts = parts.and_then(Value::as_array).into_iter().flatten();
                let above = parts.filter_map(key_in);
                open.extend(above.filter(|above| seen.insert(above.clone())));
            }
            for above in seen.into_iter().filter(|above| above != key) {
                descendants.entry(above).or_default().push(key.clone());
            }
        }
        descendants
    }

    /// Makes a schema the union of its descendants and of its own keywords, which move to `base`.
    fn split(&mut self, parent: &Key, base: &Key, below: &[Key]) {
        let Some(own) = self.schemas.get(parent).and_then(Value::as_object).cloned() else {
            return;
        };
        let mut plain = own.clone();
        let discriminator = plain.shift_remove("discriminator").unwrap_or_default();
        let mut naming = Naming::of(&discriminator, |key| if key == parent { base } else { key });
        let mut candidates = below.to_vec();
        if discriminator.get(ONLY_LISTED).is_none() {
            candidates.push(base.clone());
        }
        for target in naming.targets() {
            if self.schemas.contains_key(target) && !candidates.iter().any(|key| key == target) {
                candidates.push(target.to_owned());
            }
        }
        for key in &candidates {
            let name = if key == base { parent } else { key };
            if !naming.maps(key) && !naming.mapping.contains_key(name) {
                for tag in self.tags(key, name, naming.property.as_ref()) {
                    let tag = naming.mapping.entry(tag);
                    tag.or_insert_with(|| key.as_str().into());
                }
            }
        }
        let variants = candidates.iter().filter(|key| naming.names(key));
        let variants = variants.map(|key| json!({ "$ref": reference_to(key) }));
        let mut union = Map::new();
        for keyword in ["title", "description", "deprecated", "$dynamicScope"] {
            union.extend(
                own.get(keyword)
                    .map(|value| (keyword.to_owned(), value.clone())),
            );
        }
        union.insert("oneOf".into(), variants.collect());
        union.insert("discriminator".into(), naming.into_discriminator());
        self.schemas.insert(parent.clone(), union.into());
        self.schemas.insert(base.clone(), plain.into());
        let place = self.place(parent);
        self.set_place(base.clone(), place);
    }

    /// The tags of a component that no mapping names.
    fn tags(&self, key: &Key, name: &str, property: Option<&Value>) -> Vec<String> {
        let own = self.schemas.get(key).and_then(Value::as_object);
        let property = property.and_then(Value::as_str).unwrap_or_default();
        // A descendant's tags are those that it declares itself; an inherited declaration holds for
        // all of them, and so may a list elsewhere.
        let own = own.and_then(|members| {
            let only = declared(&self.schemas, members, property).filter(|tags| tags.len() == 1);
            only.or_else(|| declared(&Map::new(), members, property))
        });
        own.unwrap_or_else(|| vec![name.to_owned()])
    }
}

/// A discriminator in parts, while its variants are looked for.
struct Naming {
    property: Option<Value>,
    mapping: Map<String, Value>,
    default: Option<Key>,
}

impl Naming {
    /// The parts of a discriminator, with other keys of schemas.
    fn of<'a>(discriminator: &'a Value, renamed: impl Fn(&'a str) -> &'a str) -> Self {
        let mapping = discriminator.get("mapping").and_then(Value::as_object);
        let mapping = mapping.into_iter().flatten().map(|(tag, target)| {
            let target = renamed(target.as_str().unwrap_or_default());
            (tag.clone(), target.into())
        });
        let default = discriminator.get(DEFAULT_MAPPING).and_then(Value::as_str);
        Self {
            property: discriminator.get("propertyName").cloned(),
            mapping: mapping.collect(),
            default: default.map(|key| renamed(key).to_owned()),
        }
    }

    /// The schemas that it names.
    fn targets(&self) -> impl Iterator<Item = &str> {
        let mapped = self.mapping.values().filter_map(Value::as_str);
        mapped.chain(self.default.as_deref())
    }

    /// Whether its mapping names a schema.
    fn maps(&self, key: &str) -> bool {
        self.mapping.values().any(|target| target == key)
    }

    /// Whether it names a schema, by its mapping or for all other values.
    fn names(&self, key: &str) -> bool {
        self.targets().any(|target| target == key)
    }

    fn into_discriminator(self) -> Value {
        let mut members = Map::new();
        members.insert("propertyName".into(), self.property.into());
        members.insert("mapping".into(), self.mapping.into());
        let default = self.default.into_iter();
        members.extend(default.map(|key| (DEFAULT_MAPPING.to_owned(), key.into())));
        members.into()
    }
}

/// Whether a schema has a discriminator and no variants.
fn stands_for_descendants(members: &Map<String, Value>) -> bool {
    let named = members
        .get("discriminator")
        .and_then(|it| it.get("propertyName"));
    named.is_some_and(Value::is_string)
        && !members.contains_key("oneOf")
        && !members.contains_key("anyOf")
}

/// Lets the parts of a schema's `allOf` refer to the parents' own keywords instead of their unions.
fn build_on_bases(schema: &mut Value, descends: bool, bases: &BTreeMap<Key, Key>) {
    let Some(members) = schema.as_object_mut() else {
        return;
    };
    let attaches = members
        .keys()
        .all(|keyword| ATTACHED.contains(&keyword.as_str()) || keyword.starts_with("x-"));
    let Some(parts) = members.get_mut("allOf").and_then(Value::as_array_mut) else {
        return;
    };
    if parts.len() == 1 && attaches && !descends {
        return;
    }
    for part in parts {
        if let Some(base) = key_in(part).and_then(|key| bases.get(&key)) {
            *part = json!({ "$ref": reference_to(base) });
        }
    }
}
