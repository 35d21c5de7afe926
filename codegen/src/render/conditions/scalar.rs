//! What is asked of a value as a whole, and of numbers.

use super::within;
use crate::ir::Rules;
use crate::render::check::joined;
use crate::render::rust::ident;
use crate::schema::JsonType;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::{Number, Value};

pub(super) fn is(ty: JsonType) -> TokenStream {
    match ty {
        JsonType::Null => quote!(value.is_null()),
        JsonType::Boolean => quote!(value.is_boolean()),
        JsonType::Integer => quote!(condition::is_integer(value)),
        JsonType::Number => quote!(value.is_number()),
        JsonType::String => quote!(value.is_string()),
        JsonType::Array => quote!(value.is_array()),
        JsonType::Object => quote!(value.is_object()),
    }
}

pub(super) fn numbers(rules: &Rules) -> TokenStream {
    let bounds = [
        (&rules.minimum, "at_least"),
        (&rules.maximum, "at_most"),
        (&rules.exclusive_minimum, "above"),
        (&rules.exclusive_maximum, "below"),
        (&rules.multiple_of, "multiple_of"),
    ];
    let bounds = bounds.into_iter().filter_map(|(bound, test)| {
        let (test, bound) = (ident(test), literal(bound.as_ref()?.as_number()?));
        Some(quote!(condition::#test(number, #bound)))
    });
    let mut all: Vec<TokenStream> = bounds.collect();
    if let Some(format) = &rules.format {
        all.push(quote!(condition::within_format(number, #format)));
    }
    within("number", joined(all))
}

/// A number with the type that holds it as it is.
fn literal(number: &Number) -> TokenStream {
    let literal = match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(n), _, _) => Literal::i64_suffixed(n),
        (None, Some(n), _) => Literal::u64_suffixed(n),
        (None, None, n) => Literal::f64_suffixed(n.unwrap_or_default()),
    };
    quote!(#literal)
}

/// Whether the value is one of some.
pub(super) fn one_of(values: &[Value]) -> TokenStream {
    let texts: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    let mut all = Vec::new();
    if !texts.is_empty() {
        all.push(quote!(matches!(value.as_str(), Some(#(#texts)|*))));
    }
    for value in values {
        all.push(match value {
            Value::String(_) => continue,
            Value::Null => quote!(value.is_null()),
            Value::Bool(flag) => quote!(value.as_bool() == Some(#flag)),
            Value::Number(number) => {
                let number = literal(number);
                quote!(condition::is_number(value, #number))
            }
            Value::Array(_) | Value::Object(_) => {
                let value = json(value);
                quote!(condition::equals(value, &serde_json::json!(#value)))
            }
        });
    }
    if all.is_empty() {
        return quote!(false);
    }
    quote!(#(#all)||*)
}

/// A value as the macro `json!` reads it.
fn json(value: &Value) -> TokenStream {
    match value {
        Value::Null => quote!(null),
        Value::Bool(flag) => quote!(#flag),
        Value::Number(number) => literal(number),
        Value::String(text) => quote!(#text),
        Value::Array(items) => {
            let items = items.iter().map(json);
            quote!([#(#items),*])
        }
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let value = json(value);
                quote!(#name: #value)
            });
            quote!({ #(#members),* })
        }
    }
}
