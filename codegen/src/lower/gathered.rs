//! The fields that a form may have, over all parts and alternatives of its schema.

use super::forms::is_file;
use super::models::Models;
use super::sequences::key_of;
use crate::document::{Key, escape};
use crate::schema::{self, Keywords, Schema};
use crate::source::Pointer;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The form as one object that names every field which any alternative names; that a value is one
/// of the alternatives is not said by it.
///
/// # Errors
/// The field that is a file in one alternative only: no part tells which it is.
pub(super) fn gather<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    at: &Pointer,
) -> Result<Keywords<'a>, String> {
    let mut gathering = Gathering {
        models,
        seen: BTreeSet::new(),
        fields: Vec::new(),
        required: BTreeSet::new(),
        others: Vec::new(),
        open: true,
    };
    gathering.take(schema, true);
    let Gathering {
        models,
        fields,
        required,
        others,
        open,
        ..
    } = gathering;
    for (wire, schemas) in &fields {
        let mut files = schemas.iter().map(|(_, schema)| is_file(models, schema));
        let first = files.next();
        if files.any(|file| Some(file) != first) {
            return Err(wire.clone());
        }
    }
    let additional = match others.is_empty() {
        true => None,
        // Nothing is known of fields that no pattern matches.
        false if open => Some(Schema::Always),
        false => Some(either(others, at.child("additionalProperties"))),
    };
    let fields = fields.into_iter();
    Ok(Keywords {
        at: at.clone(),
        properties: fields
            .map(|(wire, schemas)| {
                let schema = either(schemas, at.child(&wire));
                (wire, schema)
            })
            .collect(),
        required: required.into_iter().collect(),
        additional,
        ..Keywords::default()
    })
}

struct Gathering<'m, 'a> {
    models: &'m mut Models<'a>,
    /// What has been looked into, and whether as something that holds in any case.
    seen: BTreeSet<(Pointer, bool)>,
    fields: Vec<(String, Vec<(Key, Schema<'a>)>)>,
    required: BTreeSet<String>,
    others: Vec<(Key, Schema<'a>)>,
    /// Whether nothing says in any case what fields without a name are.
    open: bool,
}

impl<'a> Gathering<'_, 'a> {
    fn take(&mut self, schema: &Schema<'a>, certain: bool) {
        let Some(k) = self.models.resolved(schema) else {
            return;
        };
        if !self.seen.insert((k.at.clone(), certain)) {
            return;
        }
        for (wire, schema) in &k.properties {
            self.field(wire, schema);
        }
        self.open &= !certain || k.additional.is_none();
        if let Some(others @ Schema::Keywords(_)) = &k.additional {
            self.other(others);
        }
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
        self.take_named_apart(&k);
    }

    /// What conditions and patterns name.
    fn take_named_apart(&mut self, k: &Keywords<'a>) {
        let Cow::Borrowed(raw) = &k.raw else { return };
        for (keyword, schema) in ["then", "else"]
            .iter()
            .filter_map(|name| Some((name, raw.get(name)?)))
        {
            let branch = schema::parse(schema, &k.at.child(keyword), self.models.found);
            self.take(&branch, false);
        }
        for keyword in ["dependentSchemas", "patternProperties"] {
            for (name, schema) in raw
                .get(keyword)
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
            {
                let at = k.at.child(keyword).child(name);
                let schema = schema::parse(schema, &at, self.models.found);
                match keyword {
                    "dependentSchemas" => self.take(&schema, false),
                    _ => self.other(&schema),
                }
            }
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

    /// Adds what a field is, unless that has been said of it.
    fn field(&mut self, wire: &str, schema: &Schema<'a>) {
        let key = key_of(self.models, schema);
        match self.fields.iter_mut().find(|(name, _)| name == wire) {
            Some((_, said)) if said.iter().any(|(known, _)| *known == key) => {}
            Some((_, said)) => said.push((key, schema.clone())),
            None => self
                .fields
                .push((wire.to_owned(), vec![(key, schema.clone())])),
        }
    }

    fn other(&mut self, schema: &Schema<'a>) {
        self.others
            .push((key_of(self.models, schema), schema.clone()));
    }
}

/// Nothing but a reference.
fn referring<'a>(key: &str, at: &Pointer) -> Schema<'a> {
    Schema::Keywords(Box::new(Keywords {
        reference: Some(key.to_owned()),
        raw: Cow::Owned(json!({ "$ref": format!("#/{}", escape(key)) })),
        at: at.clone(),
        ..Keywords::default()
    }))
}

/// One of several schemas.
fn either<'a>(schemas: Vec<(Key, Schema<'a>)>, at: Pointer) -> Schema<'a> {
    let references = schemas
        .iter()
        .map(|(key, _)| json!({ "$ref": format!("#/{}", escape(key)) }));
    let raw = Cow::Owned(json!({ "anyOf": references.collect::<Vec<_>>() }));
    let mut any_of: Vec<_> = schemas.into_iter().map(|(_, schema)| schema).collect();
    match any_of.pop() {
        Some(only) if any_of.is_empty() => only,
        last => {
            any_of.extend(last);
            Schema::Keywords(Box::new(Keywords {
                raw,
                any_of,
                at,
                ..Keywords::default()
            }))
        }
    }
}
