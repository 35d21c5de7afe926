//! The examples of schemas inside others, such as those of properties, with the types of these schemas.

use crate::ir::{Api, Content, Field, ModelShape, Type, TypeKind};
use serde_json::{Map, Value};

/// An example of a schema that is not a component.
pub(super) struct InlineExample {
    /// The type of the schema.
    pub(super) ty: Type,
    /// The schema.
    pub(super) schema: Value,
    /// The example.
    pub(super) value: Value,
    /// Where it is: the name of the type or operation around it, and the path from there.
    pub(super) location: String,
}

/// Every such example; `schemas` are all schemas by key.
pub(super) fn inline_examples(api: &Api, schemas: &Map<String, Value>) -> Vec<InlineExample> {
    let mut found = Found {
        api,
        schemas,
        examples: Vec::new(),
    };
    for model in &api.models {
        if let Some(schema) = schemas.get(&model.schema) {
            found.within_shape(&model.shape, schema, &model.name.pascal());
        }
    }
    for operation in api.all_operations() {
        let bodies = operation.body.iter().flat_map(|body| &body.media);
        let responses = operation.responses.iter().flat_map(|one| &one.media);
        for media in bodies.chain(responses) {
            if let Content::Json(ty, key) = &media.content {
                found.part(ty, key, &operation.id);
            }
        }
    }
    found.examples
}

struct Found<'a> {
    api: &'a Api,
    schemas: &'a Map<String, Value>,
    examples: Vec<InlineExample>,
}

impl Found<'_> {
    /// Adds the examples of a schema that is not a component: its key is a place, and not a name.
    fn part(&mut self, ty: &Type, key: &str, location: &str) {
        let schemas = self.schemas;
        self.inner(ty, schemas.get(key).filter(|_| key.contains('/')), location);
    }

    /// Adds the examples of a schema itself.
    fn examples(&mut self, ty: &Type, schema: &Value, location: &str) {
        let examples = schema.get("examples").and_then(Value::as_array);
        for value in examples.into_iter().flatten() {
            self.examples.push(InlineExample {
                ty: ty.clone(),
                schema: schema.clone(),
                value: value.clone(),
                location: location.to_owned(),
            });
        }
    }

    /// Adds the examples of a schema inside another, and those inside it.
    fn inner(&mut self, ty: &Type, schema: Option<&Value>, location: &str) {
        if let Some(schema) = schema {
            self.examples(ty, schema, location);
            self.within(ty, schema, location);
        }
    }

    /// Adds the examples inside a schema. Components are no parts of those that refer to them.
    fn within(&mut self, ty: &Type, schema: &Value, location: &str) {
        if schema.get("$ref").is_some() {
            return;
        }
        match &ty.kind {
            TypeKind::Nullable(inner) => self.within(inner, schema, location),
            TypeKind::Array(item) => {
                self.inner(item, schema.get("items"), &format!("{location}/items"));
            }
            TypeKind::Map(value) => {
                let values = schema.get("additionalProperties");
                self.inner(value, values, &format!("{location}/*"));
            }
            TypeKind::Model(id) => {
                let api = self.api;
                if let Some(model) = api.models.get(id.0) {
                    self.within_shape(&model.shape, schema, location);
                }
            }
            _ => {}
        }
    }

    fn within_shape(&mut self, shape: &ModelShape, schema: &Value, location: &str) {
        match shape {
            ModelShape::Alias(inner) | ModelShape::Newtype(inner) => {
                self.within(inner, schema, location);
            }
            ModelShape::Struct { fields, .. } => {
                for field in fields {
                    let location = format!("{location}/{}", field.wire);
                    self.inner(&value_type(field), property(schema, &field.wire), &location);
                }
            }
            ModelShape::Union(union) => {
                for variant in &union.variants {
                    self.part(&variant.ty, &variant.schema, location);
                }
            }
            _ => {}
        }
    }
}

/// The type of a property's value: in a client, `null` stands for an absent property.
fn value_type(field: &Field) -> Type {
    match field.required {
        true => field.ty.clone(),
        false => Type {
            kind: TypeKind::Nullable(Box::new(field.ty.clone())),
            rules: Box::default(),
        },
    }
}

/// The schema of a property, which may be in a part of `allOf`.
fn property<'v>(schema: &'v Value, name: &str) -> Option<&'v Value> {
    let own = schema.get("properties").and_then(|all| all.get(name));
    own.or_else(|| {
        let parts = schema.get("allOf").and_then(Value::as_array);
        let mut parts = parts.into_iter().flatten();
        parts.find_map(|part| property(part, name))
    })
}
