//! Lists of values (`enum`, JSON Schema 2020-12, Validation §6.1.2).

use super::{Lowered, Models};
use crate::ir::{EnumVariant, IntegerType, ModelShape, Name, Rules, Type, TypeKind};
use crate::names::Scope;
use crate::schema::{JsonType, Keywords};
use serde_json::Value;

impl<'a> Models<'a> {
    /// An enum for a list of strings; with `null` among them, a nullable one.
    pub(super) fn enumeration(
        &mut self,
        k: &Keywords<'a>,
        values: &[Value],
        hint: &str,
    ) -> Lowered {
        let strings: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        let has_null = values.contains(&Value::Null);
        let others = values.len() - strings.len() - usize::from(has_null);
        let typed = k.types.is_empty() || k.types.contains(&JsonType::String);
        if strings.is_empty() || others > 0 || !typed || k.bounds_values() {
            let listed = self.listed(k, values);
            return Lowered::Plain(listed.unwrap_or_else(|| self.checked(k)));
        }
        let mut scope = Scope::default();
        let mut variants: Vec<EnumVariant> = Vec::new();
        for wire in strings {
            if variants.iter().all(|variant| variant.wire != wire) {
                variants.push(EnumVariant {
                    wire: wire.to_owned(),
                    name: scope.claim(Name::of(wire)),
                });
            }
        }
        let shape = ModelShape::Enum(variants);
        let null_allowed = k.types.is_empty() || k.types.contains(&JsonType::Null);
        if has_null && null_allowed {
            let inner = self.model(k, hint, shape);
            return Lowered::Plain(Type::nullable(inner));
        }
        Lowered::Named(shape)
    }

    /// The type of a list of truth values or whole numbers, checked against the list.
    fn listed(&mut self, k: &Keywords<'a>, values: &[Value]) -> Option<Type> {
        let nulls = values.iter().filter(|value| value.is_null()).count();
        let all = |ty: JsonType| {
            let of_type = |value: &&Value| JsonType::of(value) == ty;
            let typed = k.types.is_empty() || k.types.iter().any(|own| own.includes(ty));
            let count = values.iter().filter(of_type).count();
            (typed && count > 0 && count + nulls == values.len()).then_some(ty)
        };
        let kind = match all(JsonType::Boolean).or_else(|| all(JsonType::Integer))? {
            JsonType::Boolean => TypeKind::Bool,
            _ if values.iter().all(|value| value.is_null() || value.is_i64()) => {
                TypeKind::Integer(IntegerType::Signed)
            }
            _ => return None,
        };
        let null = k.types.is_empty() || k.types.contains(&JsonType::Null);
        if k.bounds_values() {
            return None;
        }
        let listed = values.iter().filter(|value| !value.is_null()).cloned();
        let ty = Type {
            kind,
            rules: Box::new(Rules {
                values: listed.collect(),
                ..Rules::default()
            }),
        };
        Some(match nulls > 0 && null {
            true => Type::nullable(ty),
            false => ty,
        })
    }
}
