//! The fields of a form, collected over all parts and alternatives of its schema.

mod kinds;
mod literal;
mod undeclared;

use super::forms::is_particular;
use super::models::Models;
use crate::schema::{self, Keywords, Schema};
use crate::source::Pointer;
use json_schema::pattern::Pattern;
use json_schema::reference::reference_to;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Keywords that annotate a schema and do not constrain values (JSON Schema 2020-12 Validation §9).
const ANNOTATIONS: &[&str] = &[
    "title",
    "description",
    "example",
    "examples",
    "deprecated",
    "$comment",
];

/// Every field that any part or alternative declares. Which alternative a form meets is not part of
/// it.
pub(super) struct FormFields<'a> {
    /// The fields with a name.
    pub(super) named: Vec<(String, Schema<'a>)>,
    /// The names of fields that every form has.
    pub(super) required: BTreeSet<String>,
    /// The required fields that some alternative does not declare, so that they may hold anything.
    pub(super) undeclared: BTreeSet<String>,
    /// The fields whose names match a pattern.
    pub(super) matched: Vec<(Pattern, Schema<'a>)>,
    /// All other fields.
    pub(super) rest: Option<Schema<'a>>,
}

impl<'a> FormFields<'a> {
    /// Whether any field is declared.
    pub(super) fn is_any(&self) -> bool {
        !self.named.is_empty() || !self.matched.is_empty() || self.rest.is_some()
    }

    /// The schema of a field that `named` does not contain.
    pub(super) fn unnamed(&self, wire: &str) -> Option<&Schema<'a>> {
        let mut matched = self.matched.iter();
        let matched = matched.find(|(pattern, _)| pattern.is_match(wire));
        matched.map(|(_, schema)| schema).or(self.rest.as_ref())
    }
}

/// The fields that one object schema declares itself.
#[derive(Default)]
struct ObjectFields<'a> {
    named: Vec<(String, Schema<'a>)>,
    matched: Vec<(Pattern, Schema<'a>)>,
    rest: Option<Schema<'a>>,
}

impl<'a> ObjectFields<'a> {
    /// The schema of a field.
    fn of<'s>(&'s self, wire: &str) -> Option<&'s Schema<'a>> {
        let own = self.named.iter().find(|(name, _)| name == wire);
        own.map(|(_, schema)| schema).or_else(|| {
            let mut matched = self.matched.iter();
            let matched = matched.find(|(pattern, _)| pattern.is_match(wire));
            matched.map(|(_, schema)| schema).or(self.rest.as_ref())
        })
    }
}

/// Collects the fields of a form over all parts and alternatives of its schema.
///
/// # Errors
/// The fields that are files in some alternatives only, since no part tells which alternative it
/// belongs to.
pub(super) fn collect<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    at: &Pointer,
) -> Result<FormFields<'a>, String> {
    let mut collector = Collector {
        models,
        seen: BTreeSet::new(),
        objects: Vec::new(),
        required: BTreeSet::new(),
    };
    collector.take(schema, true);
    let (objects, required) = (collector.objects, collector.required);
    kinds::told_apart(models, &objects)?;
    let undeclared = undeclared::undeclared(models, schema, &required);
    let mut known = BTreeSet::new();
    let names = objects.iter().flat_map(|object| &object.named);
    let names = names.map(|(wire, _)| wire);
    let named = names.filter(|wire| known.insert(*wire)).map(|wire| {
        let all = objects.iter().filter_map(|object| object.of(wire));
        (wire.clone(), either(all, at.child(wire)))
    });
    let named = named.collect();
    let rest = objects.iter().filter_map(|object| object.rest.as_ref());
    let rest: Vec<_> = rest.collect();
    Ok(FormFields {
        named,
        required,
        undeclared,
        rest: (!rest.is_empty())
            .then(|| either(rest.into_iter(), at.child("additionalProperties"))),
        matched: objects
            .into_iter()
            .flat_map(|object| object.matched)
            .collect(),
    })
}

struct Collector<'m, 'a> {
    models: &'m mut Models<'a>,
    /// The visited schemas, each with whether it holds in every case.
    seen: BTreeSet<(Pointer, bool)>,
    objects: Vec<ObjectFields<'a>>,
    required: BTreeSet<String>,
}

impl<'a> Collector<'_, 'a> {
    fn take(&mut self, schema: &Schema<'a>, certain: bool) {
        let Some(k) = self.models.resolved(schema) else {
            return;
        };
        if !self.seen.insert((k.at.clone(), certain)) {
            return;
        }
        let object = object_fields(self.models, &k);
        self.objects.push(object);
        if let Some(key) = &k.reference {
            self.take(&referring(key, &k.at), certain);
        }
        k.all_of.iter().for_each(|part| self.take(part, certain));
        for branches in [&k.one_of, &k.any_of] {
            if certain {
                let common = self.required_by_each(branches);
                self.required.extend(common);
            }
            branches.iter().for_each(|branch| self.take(branch, false));
        }
        if certain {
            self.required.extend(k.required.iter().cloned());
        }
        for branch in conditional(self.models, &k) {
            self.take(&branch, false);
        }
    }

    fn required_by_each(&mut self, branches: &[Schema<'a>]) -> BTreeSet<String> {
        let required = |branch| match self.models.resolved(branch) {
            Some(k) => k.required.into_iter().collect(),
            None => BTreeSet::new(),
        };
        let each = branches.iter().map(required);
        each.reduce(|one, other| one.intersection(&other).cloned().collect())
            .unwrap_or_default()
    }
}

/// The fields that an object schema declares itself, without its parts and alternatives.
fn object_fields<'a>(models: &mut Models<'a>, k: &Keywords<'a>) -> ObjectFields<'a> {
    let mut object = ObjectFields {
        named: k.properties.clone(),
        matched: Vec::new(),
        rest: k.additional.clone().filter(is_particular),
    };
    for (source, schema) in listed(models, k, "patternProperties") {
        // A pattern that cannot be compiled has been reported, and matches nothing.
        if json_schema::pattern::compile(&source).is_ok() {
            object.matched.push((Pattern::owned(source), schema));
        }
    }
    object
}

/// The conditional schemas other than alternatives: `then`, `else` and `dependentSchemas`.
fn conditional<'a>(models: &mut Models<'a>, k: &Keywords<'a>) -> Vec<Schema<'a>> {
    let Cow::Borrowed(raw) = k.raw else {
        return Vec::new();
    };
    let branches = ["then", "else"].into_iter();
    let branches = branches.filter_map(|keyword| Some((keyword, raw.get(keyword)?)));
    let mut found: Vec<_> = branches
        .map(|(keyword, branch)| schema::parse(branch, &k.at.child(keyword), models.diagnostics))
        .collect();
    let dependent = listed(models, k, "dependentSchemas");
    found.extend(dependent.into_iter().map(|(_, schema)| schema));
    found
}

/// The schemas of a keyword that maps names to schemas.
fn listed<'a>(
    models: &mut Models<'a>,
    k: &Keywords<'a>,
    keyword: &str,
) -> Vec<(String, Schema<'a>)> {
    let Cow::Borrowed(raw) = k.raw else {
        return Vec::new();
    };
    let named = raw.get(keyword).and_then(Value::as_object);
    let at = k.at.child(keyword);
    let named = named.into_iter().flatten();
    named
        .map(|(name, schema)| {
            let schema = schema::parse(schema, &at.child(name), models.diagnostics);
            (name.clone(), schema)
        })
        .collect()
}

/// A schema that is only a reference.
pub(super) fn referring<'a>(key: &str, at: &Pointer) -> Schema<'a> {
    Schema::Keywords(Box::new(Keywords {
        reference: Some(key.to_owned()),
        raw: Cow::Owned(json!({ "$ref": reference_to(key) })),
        at: at.clone(),
        ..Keywords::default()
    }))
}

/// A schema for values that fit one of several schemas; equal schemas count once.
pub(super) fn either<'s, 'a: 's>(
    schemas: impl Iterator<Item = &'s Schema<'a>>,
    at: Pointer,
) -> Schema<'a> {
    let mut known = BTreeSet::new();
    let mut any_of: Vec<_> = schemas
        .filter(|schema| known.insert(meaning(schema).to_string()))
        .cloned()
        .collect();
    match any_of.pop() {
        None => Schema::Always,
        Some(only) if any_of.is_empty() => only,
        Some(last) => {
            any_of.push(last);
            let raw = any_of.iter().map(raw).collect::<Vec<_>>();
            Schema::Keywords(Box::new(Keywords {
                raw: Cow::Owned(json!({ "anyOf": raw })),
                any_of,
                at,
                ..Keywords::default()
            }))
        }
    }
}

fn raw(schema: &Schema<'_>) -> Value {
    match schema {
        Schema::Always => true.into(),
        Schema::Never => false.into(),
        Schema::Keywords(k) => k.raw.clone().into_owned(),
    }
}

/// A schema without its annotations.
fn meaning(schema: &Schema<'_>) -> Value {
    let mut meaning = raw(schema);
    if let Some(members) = meaning.as_object_mut() {
        members.retain(|keyword, _| !ANNOTATIONS.contains(&keyword.as_str()));
    }
    meaning
}
