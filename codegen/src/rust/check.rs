//! Constraints as Rust expressions over a typed value: the fast half of checking. The violations of a value that
//! fails are found by the generated crate's schema checker.

mod access;
mod integer;

use super::closure::closure;
use super::tokens::{count, float, ident, one_of};
use crate::ir::{Api, Extra, Field, ModelId, ModelShape, Rules, Type, TypeKind};
use crate::rust::names;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) use access::Access;

/// Whether each model has anything to check.
pub(super) struct Checked(Vec<bool>);

impl Checked {
    /// A model is checked when it says something of its values, or holds a model that is.
    pub(super) fn of(api: &Api) -> Checked {
        let mut checked = Checked(vec![false; api.models.len()]);
        let mut holders = vec![Vec::new(); api.models.len()];
        for (index, model) in api.models.iter().enumerate() {
            for ModelId(held) in held(&model.shape) {
                if let Some(holders) = holders.get_mut(held) {
                    holders.push(index);
                }
            }
        }
        let all = 0..api.models.len();
        let mut open: Vec<usize> = all.filter(|id| checked.model(api, ModelId(*id))).collect();
        while let Some(id) = open.pop() {
            if let Some(flag) = checked.0.get_mut(id).filter(|flag| !**flag) {
                *flag = true;
                open.extend(holders.get(id).into_iter().flatten());
            }
        }
        checked
    }

    pub(super) fn has(&self, id: ModelId) -> bool {
        self.0.get(id.0).copied().unwrap_or_default()
    }

    fn model(&self, api: &Api, id: ModelId) -> bool {
        let any = |ty: &Type| self.expression(api, ty, Access::Closure).is_some();
        match api.models.get(id.0).map(|model| &model.shape) {
            Some(ModelShape::Struct {
                fields,
                extra,
                rules,
            }) => {
                **rules != Rules::default()
                    || fields.iter().any(|field| any(&field.ty))
                    || matches!(extra, Extra::Kept { ty, .. } if any(ty))
            }
            Some(ModelShape::Union(union)) => union.variants.iter().any(|variant| any(&variant.ty)),
            Some(ModelShape::Alias(ty) | ModelShape::Newtype(ty)) => any(ty),
            _ => false,
        }
    }

    /// An expression that is true when every constraint of the value holds; nothing where there is
    /// none.
    pub(super) fn expression(&self, api: &Api, ty: &Type, at: Access<'_>) -> Option<TokenStream> {
        let mut all = Vec::new();
        let (receiver, reference) = (at.receiver(), at.reference());
        let inside = Access::Closure;
        match &ty.kind {
            TypeKind::String => text(api, &ty.rules, at, &mut all),
            TypeKind::Formatted { .. } => {
                // The type itself is proof of the format.
                let rules = Rules {
                    format: None,
                    ..ty.rules.as_ref().clone()
                };
                text(api, &rules, Access::Text(&at), &mut all);
            }
            TypeKind::Integer(width) => integer::check(*width, &ty.rules, at, &mut all),
            TypeKind::Number => number(&ty.rules, at, &mut all),
            TypeKind::Array(item) => {
                counted(ty.rules.min_items, ty.rules.max_items, at, &mut all);
                if ty.rules.unique_items {
                    let unique = ident(if is_hashable(api, item) {
                        "distinct"
                    } else {
                        "unique"
                    });
                    all.push(quote!(rt::check::#unique(#reference)));
                }
                if let Some(item) = self.expression(api, item, inside).map(closure) {
                    all.push(quote!(#receiver.iter().all(#item)));
                }
            }
            TypeKind::Map(inner) => {
                counted(
                    ty.rules.min_properties,
                    ty.rules.max_properties,
                    at,
                    &mut all,
                );
                if let Some(inner) = self.expression(api, inner, inside).map(closure) {
                    all.push(quote!(#receiver.values().all(#inner)));
                }
            }
            TypeKind::Nullable(inner) => {
                if let Some(inner) = self.expression(api, inner, inside).map(closure) {
                    all.push(quote!(#receiver.as_ref().is_none_or(#inner)));
                }
            }
            TypeKind::Model(id) => match api.models.get(id.0).map(|model| &model.shape) {
                Some(ModelShape::Alias(inner)) => all.extend(self.expression(api, inner, at)),
                Some(ModelShape::Own { rules, .. }) => {
                    all.extend(whole(api, rules, (&reference, false)))
                }
                _ if self.has(*id) => all.push(quote!(#receiver.is_valid())),
                _ => {}
            },
            TypeKind::Bool | TypeKind::Json | TypeKind::Null => {}
        }
        listed(&ty.rules, at, &mut all);
        let is_json = matches!(ty.kind, TypeKind::Json);
        all.extend(whole(api, &ty.rules, (&reference, is_json)));
        joined(all)
    }

    /// The same over a field of `self`.
    pub(super) fn field(&self, api: &Api, field: &Field) -> Option<TokenStream> {
        let name = names::snake(&field.name);
        if field.required {
            return self.expression(api, &field.ty, Access::Field(&name));
        }
        let inner = closure(self.expression(api, &field.ty, Access::Closure)?);
        Some(quote!(self.#name.as_ref().is_none_or(#inner)))
    }

    /// A function literal `fn(&T) -> bool`.
    pub(super) fn function(&self, api: &Api, ty: &Type) -> TokenStream {
        match self.expression(api, ty, Access::Closure) {
            Some(expression) => closure(expression),
            None => quote!(|_| true),
        }
    }
}

/// The check of a value by its whole schema; one that is no JSON value is written as one for it.
pub(super) fn whole(
    api: &Api,
    rules: &Rules,
    (value, is_json): (&TokenStream, bool),
) -> Option<TokenStream> {
    if let Some(key) = &rules.schema {
        return Some(match is_json {
            true => quote!(crate::SCHEMAS.is_valid(#key, #value)),
            false => quote!(rt::check::whole(#value, |value| crate::SCHEMAS.is_valid(#key, value))),
        });
    }
    let condition = rules.condition.and_then(|id| api.conditions.get(id.0))?;
    let name = names::condition(&condition.name);
    Some(match is_json {
        true => quote!(conditions::#name(#value)),
        false => quote!(rt::check::whole(#value, conditions::#name)),
    })
}

/// The models that a value of the shape holds.
pub(super) fn held(shape: &ModelShape) -> Vec<ModelId> {
    match shape {
        ModelShape::Struct { fields, extra, .. } => {
            let fields = fields.iter().map(|field| &field.ty);
            let others = match extra {
                Extra::Kept { ty, .. } => Some(ty),
                _ => None,
            };
            fields.chain(others).filter_map(innermost).collect()
        }
        ModelShape::Union(union) => {
            let types = union.variants.iter().map(|variant| &variant.ty);
            types.filter_map(innermost).collect()
        }
        ModelShape::Alias(ty) | ModelShape::Newtype(ty) => innermost(ty).into_iter().collect(),
        ModelShape::Own { .. }
        | ModelShape::Enum(_)
        | ModelShape::IntegerEnum(_)
        | ModelShape::Constant(_) => Vec::new(),
    }
}

/// The model at the end of lists, maps and nullable types.
pub(super) fn innermost(ty: &Type) -> Option<ModelId> {
    match &ty.kind {
        TypeKind::Model(id) => Some(*id),
        TypeKind::Array(inner) | TypeKind::Map(inner) | TypeKind::Nullable(inner) => {
            innermost(inner)
        }
        _ => None,
    }
}

/// Whether values of a type are equal in Rust exactly where they are in JSON, and hash alike.
fn is_hashable(api: &Api, ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::String | TypeKind::Integer(_) | TypeKind::Bool => true,
        TypeKind::Model(id) => match api.models.get(id.0).map(|model| &model.shape) {
            Some(ModelShape::Enum(_) | ModelShape::IntegerEnum(_)) => true,
            Some(ModelShape::Alias(inner)) => is_hashable(api, inner),
            _ => false,
        },
        _ => false,
    }
}

/// Conditions joined by `&&`; where one never holds, that alone.
pub(super) fn joined(all: Vec<TokenStream>) -> Option<TokenStream> {
    if all.iter().any(never_holds) {
        return Some(quote!(false));
    }
    let mut all = all.into_iter();
    let mut joined = all.next()?;
    for condition in all {
        joined.extend(quote!(&&));
        joined.extend(condition);
    }
    Some(joined)
}

/// Whether a condition is the word `false`.
fn never_holds(condition: &TokenStream) -> bool {
    let mut trees = condition.clone().into_iter();
    matches!((trees.next(), trees.next()), (Some(TokenTree::Ident(word)), None) if word == "false")
}

/// `enum` of truth values or whole numbers.
fn listed(rules: &Rules, at: Access<'_>, all: &mut Vec<TokenStream>) {
    let place = at.place();
    let flags: Vec<bool> = rules.values.iter().filter_map(Value::as_bool).collect();
    match flags.as_slice() {
        [] => {}
        [flag, others @ ..] if others.iter().all(|other| other == flag) => all.push(match flag {
            true => at.place(),
            false => quote!(!#place),
        }),
        _ => {}
    }
    let numbers = rules.values.iter().filter_map(Value::as_i64);
    let numbers: BTreeSet<i64> = numbers.collect();
    if let Some(pattern) = one_of(&numbers) {
        all.push(quote!(matches!(#place, #pattern)));
    }
}

pub(super) fn text(api: &Api, rules: &Rules, at: Access<'_>, all: &mut Vec<TokenStream>) {
    let value = at.reference();
    if rules.min_length.is_some() || rules.max_length.is_some() {
        let min = count(rules.min_length.unwrap_or(0));
        let max = match rules.max_length {
            Some(max) => {
                let max = count(max);
                quote!(#max)
            }
            None => quote!(usize::MAX),
        };
        all.push(quote!(rt::check::length_between(#value, #min, #max)));
    }
    if let Some(pattern) = rules.pattern.and_then(|id| api.patterns.get(id.0)) {
        let constant = names::upper(&pattern.name);
        all.push(quote!(patterns::#constant.is_match(#value)));
    }
    if let Some(format) = &rules.format {
        let mut typed = api.formats.iter().filter(|typed| typed.wire == *format);
        all.push(match typed.next() {
            Some(typed) => {
                let name = names::format(typed);
                quote!(rt::formatted::is::<formats::#name>(#value))
            }
            None => quote!(rt::format::is_valid(#format, #value)),
        });
    }
}

/// More things than this cannot be held in memory; the bound is that of `Vec`.
const MAX_LENGTH: u64 = i64::MAX as u64;

pub(super) fn counted(
    min: Option<u64>,
    max: Option<u64>,
    at: Access<'_>,
    all: &mut Vec<TokenStream>,
) {
    let value = at.receiver();
    let max = max.filter(|max| *max < MAX_LENGTH);
    all.extend(match (min, max) {
        (Some(min), None) if min <= 1 => (min == 1).then(|| quote!(!#value.is_empty())),
        (None | Some(0), Some(0)) => Some(quote!(#value.is_empty())),
        _ => between(&quote!(#value.len()), min, max),
    });
}

/// A condition on a number of things; nothing where any number will do.
pub(super) fn between(
    number: &impl ToTokens,
    min: Option<u64>,
    max: Option<u64>,
) -> Option<TokenStream> {
    let max = max.filter(|max| *max < MAX_LENGTH);
    let (low, high) = (min.filter(|min| *min > 0), max.map(count));
    Some(match (low.map(count), high) {
        _ if low > Some(MAX_LENGTH) => quote!(false),
        _ if max.is_some_and(|max| low > Some(max)) => quote!(false),
        (None, Some(_)) if max == Some(0) => quote!(#number == 0),
        (Some(low), Some(high)) => quote!((#low..=#high).contains(&#number)),
        (Some(low), None) => quote!(#number >= #low),
        (None, Some(high)) => quote!(#number <= #high),
        (None, None) => return None,
    })
}

fn number(rules: &Rules, at: Access<'_>, all: &mut Vec<TokenStream>) {
    let (reference, place) = (at.reference(), at.place());
    let bound = |value: &Option<Value>| value.as_ref().and_then(float);
    match (bound(&rules.minimum), bound(&rules.maximum)) {
        (Some(low), Some(high)) => all.push(quote!((#low..=#high).contains(#reference))),
        (Some(low), None) => all.push(quote!(#place >= #low)),
        (None, Some(high)) => all.push(quote!(#place <= #high)),
        (None, None) => {}
    }
    if let Some(low) = bound(&rules.exclusive_minimum) {
        all.push(quote!(#place > #low));
    }
    if let Some(high) = bound(&rules.exclusive_maximum) {
        all.push(quote!(#place < #high));
    }
    if let Some(of) = bound(&rules.multiple_of) {
        all.push(quote!(rt::check::multiple_of(#place, #of)));
    }
}
