//! Members that name a variant by a discriminator: constants, where the document has them as any text.
//!
//! `Commented`, which extends `Event` with its `type: string`, is only ever a variant `commented`: no other
//! value of the member can be made. A component that is also used elsewhere keeps its text, because a value
//! there may have any.

use super::models::Models;
use crate::ir::{Discrimination, ModelId, ModelShape, Type, TypeKind};
use crate::openapi::Document;
use crate::schema::Keywords;
use crate::source::Pointer;
use json_schema::reference::key_of_reference;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A member of a model, and its only value; `None` where unions disagree.
type Tags = BTreeMap<(usize, String), Option<String>>;

/// The types of constants. A component's read and write variants have the same.
type Constants = BTreeMap<(Pointer, String, String), Type>;

/// Makes constants of the members of structs that are variants alone.
pub(super) fn fix(models: &mut Models<'_>, document: &Document) {
    let elsewhere = used_elsewhere(models, document);
    let mut constants = Constants::new();
    for ((model, member), tag) in tags(models) {
        let is_variant_alone = models
            .models
            .get(model)
            .is_some_and(|it| !it.schema.is_empty() && !elsewhere.contains(&it.schema));
        if let Some(tag) = tag.filter(|_| is_variant_alone) {
            fix_member(models, model, (&member, tag), &mut constants);
        }
    }
}

/// What unions say of the members of their variants.
fn tags(models: &Models<'_>) -> Tags {
    let mut tags = Tags::new();
    let unions = models.models.iter().filter_map(|model| match &model.shape {
        ModelShape::Union(union) => Some(union),
        _ => None,
    });
    for union in unions {
        for variant in &union.variants {
            let TypeKind::Model(ModelId(model)) = variant.ty.kind else {
                continue;
            };
            let member = match &union.discrimination {
                Discrimination::Tag(member) => member.clone(),
                _ => String::new(),
            };
            let only = match variant.tags.as_slice() {
                [only] => Some(only.clone()),
                _ => None,
            };
            let known = tags.entry((model, member)).or_insert_with(|| only.clone());
            if *known != only {
                *known = None;
            }
        }
    }
    tags
}

fn fix_member(
    models: &mut Models<'_>,
    model: usize,
    (member, tag): (&str, String),
    constants: &mut Constants,
) {
    let Some(owner) = models.models.get(model) else {
        return;
    };
    let hint = format!("{} {member}", owner.name);
    let ModelShape::Struct { fields, .. } = &owner.shape else {
        return;
    };
    let is_text = |kind: &TypeKind| matches!(kind, TypeKind::String);
    let Some(at) = fields
        .iter()
        .position(|field| field.wire == member && field.required && is_text(&field.ty.kind))
    else {
        return;
    };
    let place = (
        models.bundle.place(&owner.schema),
        member.to_owned(),
        tag.clone(),
    );
    let ty = match constants.get(&place) {
        Some(known) => known.clone(),
        None => {
            let constant = ModelShape::Constant(Value::String(tag));
            models.model(&Keywords::default(), &hint, constant)
        }
    };
    constants.insert(place, ty.clone());
    if let Some(ModelShape::Struct { fields, .. }) =
        models.models.get_mut(model).map(|it| &mut it.shape)
        && let Some(field) = fields.get_mut(at)
    {
        field.ty = ty;
    }
}

/// The keys of schemas that are used other than as variants beside a discriminator.
fn used_elsewhere(models: &Models<'_>, document: &Document) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for operation in document.all_operations() {
        let answers = operation.responses.iter().map(|response| &response.content);
        let bodies = operation.body.iter().map(|body| &body.content);
        let media = answers.chain(bodies).flatten();
        used.extend(
            media
                .flat_map(|media| [&media.schema, &media.item_schema])
                .flatten()
                .cloned(),
        );
        used.extend(
            operation
                .parameters
                .iter()
                .map(|param| param.schema.clone()),
        );
    }
    for schema in models.bundle.schemas().values() {
        add_used(schema, &mut used);
    }
    used
}

fn add_used(schema: &Value, used: &mut BTreeSet<String>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| add_used(item, used)),
        Value::Object(members) => {
            let is_tagged = members.contains_key("discriminator");
            for (keyword, part) in members {
                match (keyword.as_str(), part) {
                    ("$ref", Value::String(to)) => used.extend(key_of_reference(to)),
                    ("discriminator", _) => {}
                    ("oneOf" | "anyOf", Value::Array(variants)) if is_tagged => {
                        let inline = variants.iter().filter(|it| it.get("$ref").is_none());
                        inline.for_each(|variant| add_used(variant, used));
                    }
                    _ => add_used(part, used),
                }
            }
        }
        _ => {}
    }
}
