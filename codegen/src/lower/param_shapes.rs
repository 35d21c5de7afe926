//! The shape of a parameter's value (OpenAPI 3.1.1 §4.8.12.3): one text, a list of texts, or an
//! object's members; for a union, the shapes of its variants.

use super::models::Models;
use super::variant_types;
use crate::ir::{Extra, ModelId, ModelShape, ParamShape, Type, TypeKind, Union};
use crate::schema::{self, JsonType};
use json_schema::reference::key_of_reference;
use serde_json::Value;
use std::collections::BTreeSet;

/// The shapes of a type's variants, and the models visited.
#[derive(Default)]
struct Found {
    scalar: bool,
    array: bool,
    object: Option<Vec<String>>,
    models: BTreeSet<ModelId>,
}

impl Found {
    fn types(&mut self, types: &[JsonType], names: impl FnOnce() -> Vec<String>) {
        let has = |ty| types.contains(&ty);
        self.array |= has(JsonType::Array);
        self.scalar |= types
            .iter()
            .any(|ty| !matches!(ty, JsonType::Array | JsonType::Object | JsonType::Null));
        if has(JsonType::Object) {
            self.object.get_or_insert_default().append(&mut names());
        }
    }

    /// The shape; one text where nothing is known.
    fn shape(self) -> ParamShape {
        let names = self.object.map(|mut names| {
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(name.clone()));
            ParamShape::Object(names)
        });
        let mut each: Vec<ParamShape> = [
            self.scalar.then_some(ParamShape::Scalar),
            self.array.then_some(ParamShape::Array),
            names,
        ]
        .into_iter()
        .flatten()
        .collect();
        match each.len() {
            0 | 1 => each.pop().unwrap_or(ParamShape::Scalar),
            _ => ParamShape::AnyOf(each),
        }
    }
}

impl Models<'_> {
    /// The shape of a type.
    pub(super) fn param_shape(&self, ty: &Type) -> ParamShape {
        let mut found = Found::default();
        self.look(ty, &mut found);
        found.shape()
    }

    /// The shape of a schema's type; the schema tells more about values that stay JSON.
    pub(super) fn param_shape_by(&mut self, ty: &Type, key: &str) -> ParamShape {
        if !self.is_json(ty) {
            return self.param_shape(ty);
        }
        let Some(schema) = self.bundle.get(key) else {
            return ParamShape::Scalar;
        };
        let schema = schema::parse(schema, &self.bundle.place(key), self.diagnostics);
        let types = variant_types::types_of(self, &schema);
        // A schema without types describes a text: no list was asked for.
        if JsonType::ALL.iter().all(|ty| types.contains(ty)) {
            return ParamShape::Scalar;
        }
        let mut found = Found::default();
        found.types(&types, || self.members_of(key));
        found.shape()
    }

    fn is_json(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Json => true,
            TypeKind::Nullable(inner) => self.is_json(inner),
            TypeKind::Model(id) => match self.shape_of(*id) {
                Some(ModelShape::Alias(inner)) => self.is_json(inner),
                _ => false,
            },
            _ => false,
        }
    }

    fn look(&self, ty: &Type, found: &mut Found) {
        match &ty.kind {
            TypeKind::Array(_) => found.array = true,
            TypeKind::Map(_) => _ = found.object.get_or_insert_default(),
            TypeKind::Nullable(inner) => self.look(inner, found),
            TypeKind::Null => {}
            TypeKind::Model(id) if found.models.insert(*id) => match self.shape_of(*id) {
                Some(ModelShape::Struct { fields, .. }) => {
                    let names = fields.iter().map(|field| field.wire.clone());
                    found.object.get_or_insert_default().extend(names);
                }
                Some(ModelShape::Alias(inner) | ModelShape::Newtype(inner)) => {
                    self.look(inner, found)
                }
                Some(ModelShape::Union(union)) => {
                    for variant in &union.variants {
                        match self.is_json(&variant.ty) {
                            true => {
                                found.types(&variant.types, || self.members_of(&variant.schema))
                            }
                            false => self.look(&variant.ty, found),
                        }
                    }
                }
                _ => found.scalar = true,
            },
            TypeKind::Model(_) => {}
            _ => found.scalar = true,
        }
    }

    /// The names of the members under `properties` of a schema and its parts.
    fn members_of(&self, key: &str) -> Vec<String> {
        let (mut names, mut seen) = (Vec::new(), BTreeSet::from([key.to_owned()]));
        let mut left: Vec<&Value> = self.schema_of(key).into_iter().collect();
        while let Some(schema) = left.pop() {
            let properties = schema.get("properties").and_then(Value::as_object);
            names.extend(
                properties
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.clone()),
            );
            let lists = ["allOf", "anyOf", "oneOf"].into_iter();
            let lists = lists.filter_map(|list| schema.get(list)?.as_array());
            left.extend(lists.flatten());
            left.extend(
                ["if", "then", "else"]
                    .into_iter()
                    .filter_map(|one| schema.get(one)),
            );
            let reference = schema.get("$ref").and_then(Value::as_str);
            if let Some(key) = reference.and_then(key_of_reference)
                && let Some(target) = self.schema_of(&key)
                && seen.insert(key)
            {
                left.push(target);
            }
        }
        names
    }

    /// Whether an item or a member of a value may be a list or an object, which is then one text.
    pub(super) fn nests(&self, ty: &Type) -> bool {
        let mut found = Vec::new();
        self.held(ty, &mut BTreeSet::new(), &mut found);
        found
            .iter()
            .any(|held| self.param_shape(held) != ParamShape::Scalar)
    }

    /// The types of the items and members of a value.
    fn held<'t>(&'t self, ty: &'t Type, seen: &mut BTreeSet<ModelId>, found: &mut Vec<&'t Type>) {
        match &ty.kind {
            TypeKind::Array(item) | TypeKind::Map(item) => found.push(item),
            TypeKind::Nullable(inner) => self.held(inner, seen, found),
            TypeKind::Model(id) if seen.insert(*id) => match self.shape_of(*id) {
                Some(ModelShape::Alias(inner) | ModelShape::Newtype(inner)) => {
                    self.held(inner, seen, found)
                }
                Some(ModelShape::Struct { fields, extra, .. }) => {
                    found.extend(fields.iter().map(|field| &field.ty));
                    if let Extra::Kept { ty, .. } = extra {
                        found.push(ty);
                    }
                }
                Some(ModelShape::Union(union)) => {
                    for variant in &union.variants {
                        self.held(&variant.ty, seen, found);
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Whether a value, or an item or member of it, may be null, or anything, or both a string and
    /// another value with the same text.
    pub(super) fn needs_schema(&self, ty: &Type) -> bool {
        self.is_ambiguous_within(ty, &mut BTreeSet::new())
    }

    fn is_ambiguous_within(&self, ty: &Type, seen: &mut BTreeSet<ModelId>) -> bool {
        match &ty.kind {
            TypeKind::Null | TypeKind::Nullable(_) | TypeKind::Json => true,
            TypeKind::Array(inner) | TypeKind::Map(inner) => self.is_ambiguous_within(inner, seen),
            TypeKind::Model(id) if seen.insert(*id) => match self.shape_of(*id) {
                Some(ModelShape::Alias(inner) | ModelShape::Newtype(inner)) => {
                    self.is_ambiguous_within(inner, seen)
                }
                Some(ModelShape::Struct { fields, extra, .. }) => {
                    let kept = match extra {
                        Extra::Kept { ty, .. } => Some(ty),
                        _ => None,
                    };
                    let mut types = fields.iter().map(|field| &field.ty).chain(kept);
                    types.any(|ty| self.is_ambiguous_within(ty, seen))
                }
                Some(ModelShape::Union(union)) => {
                    let mut variants = union.variants.iter();
                    is_mixed(union)
                        || variants.any(|variant| self.is_ambiguous_within(&variant.ty, seen))
                }
                Some(ModelShape::Constant(value)) => value.is_null(),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a union has strings beside numbers or booleans.
fn is_mixed(union: &Union) -> bool {
    let has = |wanted: &[JsonType]| {
        let mut types = union.variants.iter().flat_map(|variant| &variant.types);
        types.any(|ty| wanted.contains(ty))
    };
    has(&[JsonType::String]) && has(&[JsonType::Integer, JsonType::Number, JsonType::Boolean])
}
