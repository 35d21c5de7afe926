//! Tokens that many items have in common: identifiers, types and literals.

use crate::ir::{Api, Field, IntegerType, Model, ModelId, ModelShape, Type, TypeKind};
use crate::rust::names;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote;
use serde_json::Value;
use std::collections::BTreeSet;

/// An identifier that the generator itself chooses.
pub(super) fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// Whether any identifier has other letters than ASCII's.
pub(super) fn has_foreign_names(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => !name.to_string().is_ascii(),
        TokenTree::Group(group) => has_foreign_names(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// The methods that `http` has constants for.
const METHODS: &[&str] = &[
    "GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT",
];

/// Whether a method is a constant of `http`, so that a table with it is one too.
pub(super) fn has_constant(method: &str) -> bool {
    METHODS.contains(&method)
}

/// A method as an expression.
pub(super) fn method(name: &str) -> TokenStream {
    match has_constant(name) {
        true => {
            let constant = ident(name);
            quote!(http::Method::#constant)
        }
        false => quote!(rt::method(#name)),
    }
}

/// The type of a model, by its id.
pub(super) fn model(api: &Api, id: ModelId) -> Ident {
    let model = api.models.get(id.0);
    model.map_or_else(|| ident("Unknown"), names::model)
}

/// The pattern of some positions.
pub(super) fn positions(all: &[usize]) -> Option<TokenStream> {
    let all = all.iter().filter_map(|at| i64::try_from(*at).ok());
    one_of(&all.collect())
}

/// The pattern of some numbers: a range where they are one, as clippy wants it.
pub(super) fn one_of(numbers: &BTreeSet<i64>) -> Option<TokenStream> {
    let (first, last) = (*numbers.first()?, *numbers.last()?);
    let apart = last
        .checked_sub(first)
        .and_then(|apart| usize::try_from(apart).ok());
    if numbers.len() > 2 && apart == Some(numbers.len() - 1) {
        let (first, last) = (
            Literal::i64_unsuffixed(first),
            Literal::i64_unsuffixed(last),
        );
        return Some(quote!(#first..=#last));
    }
    let numbers = numbers.iter().copied().map(Literal::i64_unsuffixed);
    Some(quote!(#(#numbers)|*))
}

/// How a model is named: bare in its own file, by its path elsewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ModelPath {
    Bare,
    Qualified,
}

/// A type.
pub(super) fn ty(api: &Api, ty: &Type, path: ModelPath) -> TokenStream {
    match &ty.kind {
        TypeKind::Bool => quote!(bool),
        TypeKind::Integer(IntegerType::Short) => quote!(i32),
        TypeKind::Integer(IntegerType::Signed) => quote!(i64),
        TypeKind::Integer(IntegerType::Unsigned) => quote!(u64),
        TypeKind::Integer(IntegerType::Any) => quote!(runtime::Integer),
        TypeKind::Number => quote!(f64),
        TypeKind::String => quote!(String),
        TypeKind::Formatted { format, verbatim } => {
            let name = super::formats::name(api, *format);
            match verbatim {
                true => quote!(runtime::Verbatim<formats::#name>),
                false => quote!(formats::#name),
            }
        }
        TypeKind::Json => quote!(serde_json::Value),
        TypeKind::Null => quote!(()),
        TypeKind::Array(item) => {
            let item = self::ty(api, item, path);
            quote!(Vec<#item>)
        }
        // Members of any kind keep their order: such a map is a document more often than not.
        TypeKind::Map(value) if matches!(value.kind, TypeKind::Json) => {
            quote!(serde_json::Map<String, serde_json::Value>)
        }
        TypeKind::Map(value) => {
            let value = self::ty(api, value, path);
            quote!(std::collections::BTreeMap<String, #value>)
        }
        TypeKind::Nullable(inner) => {
            let inner = self::ty(api, inner, path);
            quote!(Option<#inner>)
        }
        TypeKind::Model(id) => {
            let name = model(api, *id);
            match path {
                ModelPath::Bare => quote!(#name),
                ModelPath::Qualified => quote!(models::#name),
            }
        }
    }
}

/// The type of a field: boxed and optional where the IR says so.
pub(super) fn field_ty(api: &Api, field: &Field, path: ModelPath) -> TokenStream {
    let mut tokens = ty(api, &field.ty, path);
    if field.boxed {
        tokens = match &field.ty.kind {
            TypeKind::Nullable(inner) => {
                let inner = ty(api, inner, path);
                quote!(Option<Box<#inner>>)
            }
            _ => quote!(Box<#tokens>),
        };
    }
    if field.required {
        tokens
    } else {
        quote!(Option<#tokens>)
    }
}

/// The one value that a type allows, looked at through aliases.
pub(super) fn constant<'a>(api: &'a Api, ty: &Type) -> Option<&'a Value> {
    constant_model(api, ty).map(|(_, value)| value)
}

/// The model of a type that allows one value only, and that value; an alias is no value in Rust.
pub(super) fn constant_model<'a>(api: &'a Api, ty: &Type) -> Option<(&'a Model, &'a Value)> {
    let TypeKind::Model(id) = &ty.kind else {
        return None;
    };
    let model = api.models.get(id.0)?;
    match &model.shape {
        ModelShape::Constant(value) => Some((model, value)),
        ModelShape::Alias(inner) => constant_model(api, inner),
        _ => None,
    }
}

/// Whether a type allows one value only.
pub(super) fn is_constant(api: &Api, ty: &Type) -> bool {
    constant(api, ty).is_some()
}

/// A number as a literal of `f64`.
pub(super) fn float(value: &Value) -> Option<Literal> {
    value.as_f64().map(Literal::f64_suffixed)
}

/// A length or a count.
pub(super) fn count(value: u64) -> Literal {
    Literal::u64_unsuffixed(value)
}
