//! Default values as expressions.

use crate::ir::{Api, IntegerType, ModelShape, Type, TypeKind};
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// An expression of `Option<T>` for a default value: a literal where there is one.
pub(in crate::rust) fn literal(api: &Api, ty: &Type, value: &Value) -> TokenStream {
    match (&ty.kind, value) {
        (TypeKind::Bool, Value::Bool(flag)) => quote!(Some(#flag)),
        (TypeKind::Integer(width), Value::Number(number)) if number.is_i64() => {
            let number = Literal::i64_unsuffixed(number.as_i64().unwrap_or_default());
            match width {
                IntegerType::Any => quote!(Some(runtime::Integer::from(#number))),
                _ => quote!(Some(#number)),
            }
        }
        (TypeKind::String, Value::String(text)) => quote!(Some(#text.to_owned())),
        (TypeKind::Model(id), _) => {
            let Some(model) = api.models.get(id.0) else {
                return quote!(None);
            };
            match (&model.shape, value) {
                (ModelShape::Alias(inner), _) => literal(api, inner, value),
                (ModelShape::Enum(variants), Value::String(text)) => {
                    match variants.iter().find(|variant| variant.wire == *text) {
                        Some(variant) => {
                            let (name, rust) = (names::model(model), names::pascal(&variant.name));
                            quote!(Some(models::#name::#rust))
                        }
                        None => quote!(None),
                    }
                }
                (ModelShape::IntegerEnum(variants), Value::Number(number)) => {
                    let is_meant = |wire: i64| number.as_i64() == Some(wire);
                    match variants.iter().find(|variant| is_meant(variant.wire)) {
                        Some(variant) => {
                            let (name, rust) = (names::model(model), names::pascal(&variant.name));
                            quote!(Some(models::#name::#rust))
                        }
                        None => quote!(None),
                    }
                }
                _ => parsed(value),
            }
        }
        _ => parsed(value),
    }
}

fn parsed(value: &Value) -> TokenStream {
    let text = value.to_string();
    quote!(serde_json::from_str(#text).ok())
}
