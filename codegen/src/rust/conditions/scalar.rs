//! Conditions on a value as a whole, and on numbers.

use super::within;
use crate::ir::Rules;
use crate::rust::check::joined;
use crate::rust::tokens::ident;
use crate::schema::JsonType;
use json_schema::number::decimal::Decimal;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use serde_json::{Number, Value};

pub(super) fn is(ty: JsonType) -> TokenStream {
    match ty {
        JsonType::Null => quote!(value.is_null()),
        JsonType::Boolean => quote!(value.is_boolean()),
        JsonType::Integer => quote!(rt::condition::is_integer(value)),
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
        Some(quote!(rt::condition::#test(number, #bound)))
    });
    let mut all: Vec<TokenStream> = bounds.collect();
    if let Some(format) = &rules.format {
        all.push(quote!(rt::condition::within_format(number, #format)));
    }
    within("number", joined(all))
}

/// A number with the type that holds it as it is, or as a text where none does.
fn literal(number: &Number) -> Spelled {
    let exact = |float: &f64| Decimal::of_f64(*float) == Decimal::of(number);
    Spelled::Exactly(match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(n), _, _) => Literal::i64_suffixed(n),
        (None, Some(n), _) => Literal::u64_suffixed(n),
        (None, None, n) => match n.filter(exact) {
            Some(n) => Literal::f64_suffixed(n),
            None => return Spelled::AsText(Literal::string(&number.to_string())),
        },
    })
}

/// How Rust spells a number of JSON.
enum Spelled {
    Exactly(Literal),
    AsText(Literal),
}

impl ToTokens for Spelled {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (Spelled::Exactly(literal) | Spelled::AsText(literal)) = self;
        literal.to_tokens(tokens);
    }
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
                quote!(rt::condition::is_number(value, #number))
            }
            Value::Array(_) | Value::Object(_) => {
                let value = json(value);
                quote!(rt::condition::equals(value, &serde_json::json!(#value)))
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
        Value::Number(number) => match literal(number) {
            Spelled::Exactly(number) => quote!(#number),
            Spelled::AsText(text) => quote!((rt::condition::written(#text))),
        },
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
