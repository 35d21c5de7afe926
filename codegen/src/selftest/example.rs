//! The examples of a document, with their types.

use super::Pool;
use crate::InvalidExample;
use crate::ir::{
    Api, Content, Discrimination, Example, Extra, Media, ModelId, ModelShape, Operation, Type,
    TypeKind, Union, UnionVariant,
};
use crate::schema::JsonType;
use serde_json::{Map, Value};

/// How many nested types an example is followed through; this ends cycles.
const MAX_DEPTH: usize = 128;

/// An example that is valid for its schema.
pub(crate) struct ExampleCheck {
    /// Its type.
    pub(crate) ty: Type,
    /// The text to read.
    pub(crate) value: usize,
    /// The text that is written again: the same, without unnamed members of an open schema.
    pub(crate) expected: usize,
    /// Its place, in words.
    pub(crate) at: String,
}

/// The examples that violate their schemas, with their types. Those that are no JSON, such as of parameters, are
/// not among them.
pub(crate) fn invalid_examples(api: &Api, pool: &mut Pool) -> Vec<(Type, InvalidExample)> {
    let (_, invalid) = collect(api, pool);
    let of_json = invalid.into_iter();
    let of_json = of_json.filter_map(|(ty, example)| Some((ty?, example)));
    of_json.collect()
}

/// The valid examples, and the problems of the others.
pub(super) fn all(api: &Api, pool: &mut Pool) -> (Vec<ExampleCheck>, Vec<String>) {
    let (shown, invalid) = collect(api, pool);
    let told = invalid.into_iter();
    let told = told.map(|(_, it)| format!("{}: {}", it.location, it.violation));
    (shown, told.collect())
}

/// The valid examples and the others; the latter with their types if they are JSON.
fn collect(api: &Api, pool: &mut Pool) -> (Vec<ExampleCheck>, Vec<(Option<Type>, InvalidExample)>) {
    let mut found = Found {
        api,
        pool,
        shown: Vec::new(),
        invalid: Vec::new(),
    };
    for operation in api.all_operations() {
        found.operation(operation);
    }
    for (index, model) in api.models.iter().enumerate() {
        let schema = api.schemas.get(&model.schema);
        let examples = schema.and_then(|schema| schema.get("examples")?.as_array());
        let ty = Type {
            kind: TypeKind::Model(ModelId(index)),
            rules: Box::default(),
        };
        for value in examples.into_iter().flatten() {
            found.one(&model.schema, &ty, value, &model.name.pascal(), true);
        }
    }
    (found.shown, found.invalid)
}

struct Found<'a, 'p> {
    api: &'a Api,
    pool: &'p mut Pool,
    shown: Vec<ExampleCheck>,
    invalid: Vec<(Option<Type>, InvalidExample)>,
}

impl Found<'_, '_> {
    fn operation(&mut self, operation: &Operation) {
        let id = &operation.id;
        for param in operation.all_params() {
            let at = format!("{id}, parameter {}", param.field.wire);
            self.each(&param.schema, &param.field.ty, &param.examples, &at, false);
        }
        for media in operation.body.iter().flat_map(|body| &body.media) {
            self.media(media, &format!("{id}, request"));
        }
        let own = operation.responses.iter();
        for response in own.chain(&operation.framework_responses) {
            let at = format!("{id}, response {}", response.status);
            for media in &response.media {
                self.media(media, &at);
            }
            for set in &response.headers {
                let same = |seen: &&crate::ir::SeenHeader| seen.wire == set.field.wire;
                if let Some(seen) = response.seen_headers.iter().find(same) {
                    let at = format!("{at}, header {}", seen.wire);
                    self.each(&seen.schema, &set.field.ty, &seen.examples, &at, false);
                }
            }
        }
    }

    fn media(&mut self, media: &Media, at: &str) {
        if let Content::Json(ty, key) | Content::Form(ty, key, _) | Content::Scalar(ty, key) =
            &media.content
        {
            let at = format!("{at} {}", media.media_type);
            let is_json = matches!(media.content, Content::Json(..));
            self.each(key, ty, &media.examples, &at, is_json);
        }
    }

    fn each(&mut self, key: &str, ty: &Type, examples: &[Example], at: &str, is_json: bool) {
        for example in examples {
            let at = format!("{at}, {}", example.name);
            self.one(key, ty, &example.value, &at, is_json);
        }
    }

    fn one(&mut self, key: &str, ty: &Type, value: &Value, at: &str, is_json: bool) {
        if let Some(violation) = self.pool.violation(key, value) {
            let example = InvalidExample {
                location: at.to_owned(),
                violation,
                value: value.clone(),
            };
            self.invalid.push((is_json.then(|| ty.clone()), example));
            return;
        }
        let kept = self.kept(ty, value, MAX_DEPTH);
        let expected = self.pool.add(kept);
        let value = self.pool.add(value.clone());
        self.shown.push(ExampleCheck {
            ty: ty.clone(),
            value,
            expected,
            at: at.to_owned(),
        });
    }

    /// A value without the members that its type does not keep.
    fn kept(&self, ty: &Type, value: &Value, depth: usize) -> Value {
        let Some(depth) = depth.checked_sub(1) else {
            return value.clone();
        };
        match (&ty.kind, value) {
            (TypeKind::Array(item), Value::Array(items)) => {
                let kept = items.iter().map(|value| self.kept(item, value, depth));
                kept.collect()
            }
            (TypeKind::Map(each), Value::Object(members)) => {
                let kept = members.iter();
                let kept = kept.map(|(name, value)| (name.clone(), self.kept(each, value, depth)));
                Value::Object(kept.collect())
            }
            (TypeKind::Nullable(inner), value) if !value.is_null() => {
                self.kept(inner, value, depth)
            }
            (TypeKind::Model(id), value) => {
                match self.api.models.get(id.0).map(|model| &model.shape) {
                    Some(shape) => self.shaped(shape, value, depth),
                    None => value.clone(),
                }
            }
            _ => value.clone(),
        }
    }

    fn shaped(&self, shape: &ModelShape, value: &Value, depth: usize) -> Value {
        match (shape, value) {
            (ModelShape::Alias(inner) | ModelShape::Newtype(inner), _) => {
                self.kept(inner, value, depth)
            }
            (ModelShape::Union(union), _) => match self.variant(union, value) {
                Some(variant) => self.kept(&variant.ty, value, depth),
                None => value.clone(),
            },
            (ModelShape::Struct { fields, extra, .. }, Value::Object(members)) => {
                let mut kept = Map::new();
                for (name, value) in members {
                    let field = fields.iter().find(|field| field.wire == *name);
                    let ty = match (field, extra) {
                        (Some(field), _) => &field.ty,
                        (None, Extra::Kept { ty, .. }) => ty,
                        (None, _) => continue,
                    };
                    kept.insert(name.clone(), self.kept(ty, value, depth));
                }
                Value::Object(kept)
            }
            _ => value.clone(),
        }
    }

    fn variant<'u>(&self, union: &'u Union, value: &Value) -> Option<&'u UnionVariant> {
        let of = JsonType::of(value);
        let is_in = |types: &[JsonType]| types.iter().any(|ty| ty.meets(of));
        let mut variants = union.variants.iter();
        match &union.discrimination {
            Discrimination::Tag(_) if of != JsonType::Object => {
                variants.find(|variant| is_in(&union.own_types(variant)))
            }
            Discrimination::Tag(member) => {
                let tag = value.get(member).and_then(Value::as_str);
                let is_named = |variant: &&UnionVariant| {
                    variant.tags.iter().any(|known| Some(known.as_str()) == tag)
                };
                let default = union.variants.iter().find(|variant| variant.is_default);
                variants.find(is_named).or(default)
            }
            Discrimination::Type => variants.find(|variant| is_in(&variant.types)),
            // Of several, the first of those that keep most members.
            Discrimination::Each { .. } => variants
                .filter(|variant| self.pool.samples.accepts(&variant.schema, value))
                .rev()
                .max_by_key(|variant| self.kept_members(&variant.ty, value)),
        }
    }

    /// How many members of a value a type keeps.
    fn kept_members(&self, ty: &Type, value: &Value) -> usize {
        let kept = self.api.kept_members(ty);
        let names = value.as_object().into_iter().flat_map(Map::keys);
        let names = names.filter(|name| {
            let mut kept = kept.iter().flatten();
            kept.any(|own| own == name)
        });
        match kept {
            Some(_) => names.count(),
            None => value.as_object().map_or(0, Map::len),
        }
    }
}
