//! Lists of values (`enum`, JSON Schema 2020-12, Validation §6.1.2).

use super::{Lowered, Models};
use crate::ir::{EnumVariant, IntegerType, ModelShape, Name, Rules, Type, TypeKind};
use crate::names::Scope;
use crate::schema::{JsonType, Keywords};
use json_schema::Schemas;
use serde_json::{Map, Value, json};

impl<'a> Models<'a> {
    /// An enum for a list of strings, or of integers with names; with `null` among them, a nullable one.
    pub(super) fn enumeration(
        &mut self,
        k: &Keywords<'a>,
        values: &[Value],
        hint: &str,
    ) -> Lowered {
        let valid = k.valid_values(values);
        let has_null = valid.iter().any(|(_, value)| value.is_null());
        let listed: Vec<(usize, &Value)> = valid
            .iter()
            .copied()
            .filter(|(_, value)| !value.is_null())
            .collect();
        let typed = |ty: JsonType| k.types.is_empty() || k.types.iter().any(|own| own.includes(ty));
        let shape = if listed.is_empty() {
            None
        } else if listed.iter().all(|(_, value)| value.is_string()) && typed(JsonType::String) {
            let wire = |value: &Value| value.as_str().map(str::to_owned);
            Some(ModelShape::Enum(variants(k, &listed, wire, |_| None)))
        } else if listed.iter().all(|(_, value)| value.is_i64())
            && typed(JsonType::Integer)
            && k.raw.get(NAMES).is_some()
        {
            let unnamed = |wire: &i64| Some(format!("value {wire}"));
            Some(ModelShape::IntegerEnum(variants(
                k,
                &listed,
                Value::as_i64,
                unnamed,
            )))
        } else {
            None
        };
        let Some(shape) = shape else {
            let values: Vec<&Value> = valid.into_iter().map(|(_, value)| value).collect();
            let listed = self.listed(k, &values);
            return Lowered::Plain(listed.unwrap_or_else(|| self.checked(k)));
        };
        if has_null && typed(JsonType::Null) {
            let inner = self.model(k, hint, shape);
            return Lowered::Plain(Type::nullable(inner));
        }
        Lowered::Named(shape)
    }

    /// The type of a list of truth values or whole numbers, checked against the list.
    fn listed(&mut self, k: &Keywords<'a>, values: &[&Value]) -> Option<Type> {
        let nulls = values.iter().filter(|value| value.is_null()).count();
        let all = |ty: JsonType| {
            let of_type = |value: &&&Value| JsonType::of(value) == ty;
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
        let listed = values.iter().filter(|value| !value.is_null());
        let ty = Type {
            kind,
            rules: Box::new(Rules {
                values: listed.map(|value| (*value).clone()).collect(),
                ..Rules::default()
            }),
        };
        Some(match nulls > 0 && null {
            true => Type::nullable(ty),
            false => ty,
        })
    }
}

/// The names of listed values, in their order.
const NAMES: &str = "x-enum-varnames";

/// The descriptions of listed values, in their order.
const DESCRIPTIONS: &str = "x-enum-descriptions";

/// The variants of an enum, each value once; `unnamed` gives the name of a value without one.
fn variants<T: PartialEq + ToString>(
    k: &Keywords<'_>,
    listed: &[(usize, &Value)],
    wire: impl Fn(&Value) -> Option<T>,
    unnamed: impl Fn(&T) -> Option<String>,
) -> Vec<EnumVariant<T>> {
    let text = |keyword: &str, index: usize| {
        let text = k.raw.get(keyword)?.get(index)?.as_str()?;
        (!text.trim().is_empty()).then(|| text.to_owned())
    };
    let mut scope = Scope::default();
    let mut variants: Vec<EnumVariant<T>> = Vec::new();
    for (index, value) in listed {
        let Some(wire) = wire(value) else {
            continue;
        };
        if variants.iter().all(|variant| variant.wire != wire) {
            let name = text(NAMES, *index).or_else(|| unnamed(&wire));
            let name = Name::of(&name.unwrap_or_else(|| wire.to_string()));
            variants.push(EnumVariant {
                wire,
                name: scope.claim(name),
                doc: text(DESCRIPTIONS, *index).unwrap_or_default(),
            });
        }
    }
    variants
}

impl Keywords<'_> {
    /// The listed values that the other keywords allow, with their positions in the list.
    pub(super) fn valid_values<'v>(&self, values: &'v [Value]) -> Vec<(usize, &'v Value)> {
        let all: Vec<(usize, &Value)> = values.iter().enumerate().collect();
        if !self.bounds_values() {
            return all;
        }
        let schemas = Schemas::parse(&json!({ "It": self.scalar_bounds() }).to_string());
        let is_scalar = |value: &Value| !value.is_array() && !value.is_object();
        let is_valid = |value: &Value| is_scalar(value) && schemas.is_valid("It", value);
        all.into_iter()
            .filter(|(_, value)| is_valid(value))
            .collect()
    }

    /// The keywords that bound strings and numbers.
    fn scalar_bounds(&self) -> Map<String, Value> {
        let bounds = [
            ("minLength", self.min_length.map(Value::from)),
            ("maxLength", self.max_length.map(Value::from)),
            ("pattern", self.pattern.clone().map(Value::from)),
            ("format", self.format.clone().map(Value::from)),
            ("minimum", self.minimum.clone()),
            ("maximum", self.maximum.clone()),
            ("exclusiveMinimum", self.exclusive_minimum.clone()),
            ("exclusiveMaximum", self.exclusive_maximum.clone()),
            ("multipleOf", self.multiple_of.clone()),
        ];
        let bounds = bounds.into_iter();
        bounds
            .filter_map(|(name, bound)| Some((name.to_owned(), bound?)))
            .collect()
    }
}
