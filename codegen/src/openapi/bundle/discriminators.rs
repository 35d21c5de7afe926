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

mod impossible;
mod renamed;

pub(crate) use renamed::renamed;

use super::{Bundle, Key};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Pointer;
use json_schema::reference::{key_in, reference_to};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How far references and `allOf` are followed to find a member's constants.
const MAX_DEPTH: usize = 8;

/// The member of a discriminator that names the variant of all other values.
pub(crate) const DEFAULT_MAPPING: &str = "defaultMapping";

/// The extension by which a descendant names its value of the discriminator.
const TAG: &str = "x-ms-discriminator-value";

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
    pub(in crate::openapi) fn complete_discriminators(&mut self, diagnostics: &mut Diagnostics) {
        if !self.has_discriminators {
            return;
        }
        self.report_lone(diagnostics);
        self.split_parents();
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

    /// Makes a union of every schema that has a discriminator and descendants.
    fn split_parents(&mut self) {
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

    fn split(&mut self, parent: &Key, base: &Key, below: &[Key]) {
        let Some(own) = self.schemas.get(parent).and_then(Value::as_object).cloned() else {
            return;
        };
        let mut plain = own.clone();
        let discriminator = plain.shift_remove("discriminator").unwrap_or_default();
        let property = discriminator.get("propertyName").cloned();
        let declared = discriminator.get("mapping").and_then(Value::as_object);
        let mut mapping = Map::new();
        for (tag, target) in declared.into_iter().flatten() {
            let target = target.as_str().unwrap_or_default();
            let target = if target == parent { base } else { target };
            mapping.insert(tag.clone(), target.into());
        }
        let default = discriminator.get(DEFAULT_MAPPING).and_then(Value::as_str);
        let default = default.map(|key| if key == parent { base } else { key });
        let mut candidates = below.to_vec();
        candidates.push(base.clone());
        for target in mapping.values().filter_map(Value::as_str).chain(default) {
            if self.schemas.contains_key(target) && !candidates.iter().any(|key| key == target) {
                candidates.push(target.to_owned());
            }
        }
        let mut variants: Vec<&Key> = Vec::new();
        for key in &candidates {
            let mapped = mapping.values().any(|target| target.as_str() == Some(key));
            let name = if key == base { parent } else { key };
            if !mapped && !mapping.contains_key(name) {
                for tag in self.tags(key, name, property.as_ref()) {
                    mapping.entry(tag).or_insert_with(|| key.as_str().into());
                }
            }
            let mapped = mapping.values().any(|target| target.as_str() == Some(key));
            if mapped || default == Some(key) {
                variants.push(key);
            }
        }
        let variants = variants.into_iter();
        let variants: Vec<Value> = variants
            .map(|key| json!({ "$ref": reference_to(key) }))
            .collect();
        let mut union = Map::new();
        for keyword in ["title", "description", "deprecated", "$dynamicScope"] {
            union.extend(
                own.get(keyword)
                    .map(|value| (keyword.to_owned(), value.clone())),
            );
        }
        union.insert("oneOf".into(), variants.into());
        let mut named = Map::new();
        named.insert("propertyName".into(), property.into());
        named.insert("mapping".into(), mapping.into());
        named.extend(default.map(|default| (DEFAULT_MAPPING.to_owned(), default.into())));
        union.insert("discriminator".into(), named.into());
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
        let tags = constants(known, key, &property, MAX_DEPTH).unwrap_or_default();
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

/// The only strings that a member of a component may be.
fn constants(
    known: &Map<String, Value>,
    key: &str,
    property: &str,
    depth: usize,
) -> Option<Vec<String>> {
    listed(known, known.get(key)?, property, depth)
}

/// The only strings of a member of any schema: its own list, or else the shortest list among the
/// schemas that it extends, or those of all that it chooses from.
fn listed(
    known: &Map<String, Value>,
    schema: &Value,
    property: &str,
    depth: usize,
) -> Option<Vec<String>> {
    let depth = depth.checked_sub(1)?;
    let members = schema.as_object()?;
    if let Some(tags) = declared(known, members, property) {
        return Some(tags);
    }
    let parts = members.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten();
    let referred = key_in(schema).and_then(|key| known.get(&key));
    let all = parts.chain(referred);
    all.filter_map(|schema| listed(known, schema, property, depth))
        .chain(listed_by_variants(known, members, property, depth))
        .min_by_key(Vec::len)
}

/// The strings of a member in all variants of a union, if every one of them says so.
fn listed_by_variants(
    known: &Map<String, Value>,
    members: &Map<String, Value>,
    property: &str,
    depth: usize,
) -> Option<Vec<String>> {
    let variants = members.get("oneOf").or_else(|| members.get("anyOf"));
    let variants = variants?
        .as_array()
        .filter(|variants| !variants.is_empty())?;
    let discriminator = members.get("discriminator");
    let discriminator = discriminator.filter(|it| it.get("propertyName") == Some(&property.into()));
    let mapping = discriminator.and_then(|it| it.get("mapping")?.as_object());
    let mut all: Vec<String> = Vec::new();
    for variant in variants {
        let key = key_in(variant);
        let mapped = mapping.into_iter().flatten();
        let mapped =
            mapped.filter(|(_, target)| key.is_some() && target.as_str() == key.as_deref());
        let mapped: Vec<String> = mapped.map(|(tag, _)| tag.clone()).collect();
        let tags = match mapped.is_empty() {
            true => listed(known, variant, property, depth),
            false => Some(mapped),
        };
        let name = || Some(vec![key.filter(|_| discriminator.is_some())?]);
        for tag in tags.or_else(name)? {
            if !all.contains(&tag) {
                all.push(tag);
            }
        }
    }
    Some(all)
}

/// The strings that a schema itself lists for its discriminating member, or gives by the common
/// extension for it.
fn declared(
    known: &Map<String, Value>,
    members: &Map<String, Value>,
    property: &str,
) -> Option<Vec<String>> {
    if let Some(value) = members.get(TAG).and_then(Value::as_str) {
        return Some(vec![value.to_owned()]);
    }
    let of = |members: &Map<String, Value>| {
        let member = members.get("properties")?.get(property)?;
        texts(known, member, MAX_DEPTH)
    };
    let inline = members
        .get("allOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let inline = inline.filter_map(Value::as_object);
    of(members).or_else(|| inline.filter_map(of).next())
}

/// The only strings that a schema takes: its constant or list, or the shortest of the schemas that it
/// extends.
fn texts(known: &Map<String, Value>, schema: &Value, depth: usize) -> Option<Vec<String>> {
    let depth = depth.checked_sub(1)?;
    if let Some(constant) = schema.get("const") {
        return Some(vec![constant.as_str()?.to_owned()]);
    }
    if let Some(listed) = schema.get("enum").and_then(Value::as_array) {
        let texts = listed.iter().map(|value| value.as_str().map(str::to_owned));
        return texts.collect();
    }
    let parts = schema.get("allOf").and_then(Value::as_array);
    let referred = key_in(schema).and_then(|key| known.get(&key));
    let all = parts.into_iter().flatten().chain(referred);
    all.filter_map(|part| texts(known, part, depth))
        .min_by_key(Vec::len)
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
