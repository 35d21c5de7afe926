//! The shapes of schemas whose types are known: scalars, arrays, objects and their members.

use super::{Lowered, Models, doc_of};
use crate::ir::{Extra, Field, ModelShape, Name, Rules, Type, TypeKind};
use crate::lower::unions;
use crate::names::Scope;
use crate::schema::{JsonType, Keywords, Schema};
use serde_json::Value;

impl<'a> Models<'a> {
    pub(super) fn typed(&mut self, k: &Keywords<'a>, hint: &str) -> Lowered {
        let nullable = k.types.contains(&JsonType::Null);
        let mut types: Vec<JsonType> = k
            .types
            .iter()
            .copied()
            .filter(|t| *t != JsonType::Null)
            .collect();
        if types.contains(&JsonType::Number) {
            types.retain(|t| *t != JsonType::Integer);
        }
        let lowered = match types.as_slice() {
            [] if nullable => return Lowered::Plain(Type::of(TypeKind::Null)),
            [] => return self.untyped(k, hint),
            [one] => self.one_type(k, *one, hint),
            _ => return unions::of_types(self, k, &types, nullable, hint),
        };
        match lowered {
            _ if !nullable => lowered,
            Lowered::Named(shape) => {
                let inner = self.model(k, hint, shape);
                Lowered::Plain(Type::nullable(inner))
            }
            Lowered::Plain(ty) => Lowered::Plain(Type::nullable(ty)),
        }
    }

    /// A schema without `type` whose keywords constrain only objects, or only arrays, is a union of
    /// these and of all other values.
    fn untyped(&mut self, k: &Keywords<'a>, hint: &str) -> Lowered {
        let about = k.constrained_types();
        if about.is_empty() {
            return Lowered::Plain(Type::of(TypeKind::Json));
        }
        let ty = match about.as_slice() {
            [JsonType::Object] if !k.properties.is_empty() || k.additional.is_some() => {
                JsonType::Object
            }
            [JsonType::Array] if k.items.is_some() => JsonType::Array,
            _ => return Lowered::Plain(self.checked(k)),
        };
        unions::open(self, k, ty, hint)
    }

    pub(in crate::lower) fn one_type(
        &mut self,
        k: &Keywords<'a>,
        ty: JsonType,
        hint: &str,
    ) -> Lowered {
        let mut rules = self.rules(k, hint);
        Lowered::Plain(Type {
            kind: match ty {
                JsonType::Null => TypeKind::Null,
                JsonType::Boolean => TypeKind::Bool,
                JsonType::Integer => TypeKind::Integer(rules.integer_type()),
                JsonType::Number if rules.is_beyond_doubles() => {
                    return Lowered::Plain(self.checked(k));
                }
                JsonType::Number => TypeKind::Number,
                JsonType::String => self.text(&mut rules),
                JsonType::Array => {
                    let item = match &k.items {
                        Some(items) => self.lower(items, &format!("{hint} item")),
                        None => Type::of(TypeKind::Json),
                    };
                    TypeKind::Array(Box::new(item))
                }
                JsonType::Object => return self.object(k, rules, hint),
            },
            rules: Box::new(rules),
        })
    }

    /// An object that is also checked as a whole by a schema.
    pub(super) fn object_with_rules(
        &mut self,
        k: &Keywords<'a>,
        schema: &Value,
        hint: &str,
    ) -> Lowered {
        let key = self.register(&format!("{} rules", self.key_for(k)), schema);
        let rules = Rules {
            schema: Some(key),
            ..self.rules(k, hint)
        };
        self.object(k, rules, hint)
    }

    fn object(&mut self, k: &Keywords<'a>, rules: Rules, hint: &str) -> Lowered {
        let has_patterns = k.raw.get("patternProperties").is_some();
        let closed = matches!(k.additional, Some(Schema::Never)) && !has_patterns;
        if k.properties.is_empty() && k.required.is_empty() && !closed {
            let value = match &k.additional {
                Some(additional) if !has_patterns => {
                    self.lower(additional, &format!("{hint} value"))
                }
                _ => Type::of(TypeKind::Json),
            };
            return Lowered::Plain(Type {
                kind: TypeKind::Map(Box::new(value)),
                rules: Box::new(rules),
            });
        }
        let mut scope = Scope::default();
        let mut fields = Vec::new();
        for (wire, schema) in &k.properties {
            let required = k.required.contains(wire);
            fields.push(self.field(wire, schema, required, hint, &mut scope));
        }
        for wire in &k.required {
            if k.properties.iter().all(|(name, _)| name != wire) {
                let others = k.additional.clone().filter(|_| !has_patterns);
                let schema = others.unwrap_or(Schema::Always);
                fields.push(self.field(wire, &schema, true, hint, &mut scope));
            }
        }
        // What is dropped cannot be counted or checked.
        let is_whole = rules.min_properties.is_some()
            || rules.max_properties.is_some()
            || rules.schema.is_some();
        let kept = match &k.additional {
            Some(Schema::Never) if closed => None,
            Some(Schema::Keywords(additional)) if !has_patterns => {
                let schema = Schema::Keywords(additional.clone());
                Some(self.lower(&schema, &format!("{hint} value")))
            }
            Some(Schema::Always) if !has_patterns => Some(Type::of(TypeKind::Json)),
            _ => is_whole.then(|| Type::of(TypeKind::Json)),
        };
        let extra = match kept {
            Some(ty) => Extra::Kept {
                name: scope.claim(Name::of("other members")),
                ty,
            },
            None if closed => Extra::Refused,
            None => Extra::Ignored,
        };
        // The only ones of an object that are not checked elsewhere.
        let rules = Box::new(Rules {
            min_properties: rules.min_properties,
            max_properties: rules.max_properties,
            schema: rules.schema,
            ..Rules::default()
        });
        Lowered::Named(ModelShape::Struct {
            fields,
            extra,
            rules,
        })
    }

    fn field(
        &mut self,
        wire: &str,
        schema: &Schema<'a>,
        required: bool,
        owner: &str,
        scope: &mut Scope,
    ) -> Field {
        let deprecated = matches!(schema, Schema::Keywords(k) if k.deprecated);
        Field {
            wire: wire.to_owned(),
            name: scope.claim(Name::of(wire)),
            doc: doc_of(schema),
            ty: self.lower(schema, &format!("{owner} {wire}")),
            required,
            boxed: false,
            deprecated,
        }
    }
}
