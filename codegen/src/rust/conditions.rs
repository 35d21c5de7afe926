//! `conditions.rs`: schemas that no type stands for, as functions over a JSON value.
//!
//! Everything is an expression over a variable `value`; an expression that steps into a value names the part
//! `value` again.

mod part;
mod scalar;
mod unevaluated;

use super::check::{Access, joined, text};
use super::closure::{argument, closure, closure_over};
use super::doc_comment::doc;
use super::tokens::ident;
use crate::ir::{Api, Condition, NamedCondition};
use crate::rust::names;
use proc_macro2::TokenStream;
use quote::quote;
use scalar::{is, numbers, one_of};
use serde_json::Value;

/// Every condition.
pub(in crate::rust) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let each = api.conditions.iter();
    let functions = each.map(|named| {
        let within = named.cached.is_some();
        Printer { api, within }.function(named)
    });
    let items = functions.collect();
    (
        "The conditions of schemas without a type of their own, on JSON values.",
        items,
    )
}

struct Printer<'a> {
    api: &'a Api,
    /// Whether results are remembered in a variable `memo`.
    within: bool,
}

impl Printer<'_> {
    fn function(&self, named: &NamedCondition) -> TokenStream {
        let name = names::condition(&named.name);
        let doc = doc(&format!("`{}`.", named.schema));
        let body = self.expression(&named.condition);
        if let Some(cached) = &named.cached {
            let (cached, schema) = (names::condition(cached), &named.schema);
            return quote! {
                #doc
                pub fn #name(value: &serde_json::Value) -> bool {
                    #cached(value, &rt::condition::Memo::default())
                }

                fn #cached<'v>(value: &'v serde_json::Value, memo: &rt::condition::Memo<'v>) -> bool {
                    memo.once(#schema, value, || #body)
                }
            };
        }
        let value = argument("value", body.clone());
        quote! {
            #doc
            pub fn #name(#value: &serde_json::Value) -> bool { #body }
        }
    }

    fn expression(&self, condition: &Condition) -> TokenStream {
        match condition {
            Condition::Always => quote!(true),
            Condition::Never => quote!(false),
            Condition::All(all) => self.all(all),
            Condition::Any(any) => {
                let any = any.iter().map(|one| self.operand(one));
                quote!(#(#any)||*)
            }
            Condition::One(all) => {
                let all = all.iter().map(|one| self.expression(one));
                quote!(rt::condition::one([#(#all),*]))
            }
            Condition::Not(inner) => {
                let inner = self.expression(inner);
                quote!(rt::condition::not(#inner))
            }
            Condition::If {
                test,
                then,
                otherwise,
            } => {
                let test = self.expression(test);
                let (then, otherwise) = (self.expression(then), self.expression(otherwise));
                quote!(if #test { #then } else { #otherwise })
            }
            Condition::Named(id) => match self.api.conditions.get(id.0) {
                Some(named) => match &named.cached {
                    Some(cached) if self.within => {
                        let name = names::condition(cached);
                        quote!(#name(value, memo))
                    }
                    _ => {
                        let name = names::condition(&named.name);
                        quote!(#name(value))
                    }
                },
                None => quote!(true),
            },
            Condition::Types(types) => {
                let types = types.iter().map(|ty| is(*ty));
                quote!(#(#types)||*)
            }
            Condition::Values(values) => one_of(values),
            Condition::Number(rules) => numbers(rules),
            Condition::Text(rules) => {
                let mut all = Vec::new();
                text(self.api, rules, Access::Variable("text"), &mut all);
                within("text", joined(all))
            }
            Condition::UnevaluatedMembers { evaluated, member } => {
                self.unevaluated_members(evaluated, member)
            }
            Condition::UnevaluatedItems { evaluated, item } => {
                self.unevaluated_items(evaluated, item)
            }
            _ => match part(condition) {
                Some("items") => within("items", self.items(condition)),
                _ => within("members", self.members(condition)),
            },
        }
    }

    /// Several conditions; those on items, and those on members, step into the value once.
    fn all(&self, all: &[Condition]) -> TokenStream {
        let others = all.iter().filter(|one| part(one).is_none());
        let mut tests: Vec<_> = others
            .map(|one| (self.expression(one), is_loose(one)))
            .collect();
        let of_part = |name| all.iter().filter(move |one| part(one) == Some(name));
        let items = of_part("items").filter_map(|one| Some((self.items(one)?, false)));
        let members = of_part("members").filter_map(|one| {
            let loose = matches!(one, Condition::With(..));
            Some((self.members(one)?, loose))
        });
        for (part, of_part) in [("items", items.collect()), ("members", members.collect())] {
            if let Some(test) = conjunction(of_part) {
                tests.push((within(part, Some(test)), false));
            }
        }
        conjunction(tests).unwrap_or_else(|| quote!(true))
    }

    /// An expression that binds as tightly as a call.
    fn operand(&self, condition: &Condition) -> TokenStream {
        let expression = self.expression(condition);
        if is_loose(condition) {
            quote!((#expression))
        } else {
            expression
        }
    }

    /// A closure over a part of the value.
    fn closure(&self, condition: &Condition) -> TokenStream {
        closure(self.expression(condition))
    }
}

/// The part of a value that a condition steps into.
fn part(condition: &Condition) -> Option<&'static str> {
    match condition {
        Condition::Items { .. } | Condition::Contains { .. } | Condition::Count(_) => Some("items"),
        Condition::Size(_)
        | Condition::Required(_)
        | Condition::Member(..)
        | Condition::Matching(..)
        | Condition::Others { .. }
        | Condition::Names(_)
        | Condition::With(..) => Some("members"),
        _ => None,
    }
}

/// Whether an expression binds less tightly than `&&` and `||` bind their operands.
fn is_loose(condition: &Condition) -> bool {
    match condition {
        Condition::All(_) | Condition::Any(_) | Condition::If { .. } => true,
        Condition::Types(types) => types.len() > 1,
        // Strings are one pattern together.
        Condition::Values(values) => values.len() > 1 && !values.iter().all(Value::is_string),
        _ => false,
    }
}

/// Tests joined by `&&`, in parentheses where they need them.
fn conjunction(tests: Vec<(TokenStream, bool)>) -> Option<TokenStream> {
    let several = tests.len() > 1;
    let tests = tests
        .into_iter()
        .map(|(test, loose)| match several && loose {
            true => quote!((#test)),
            false => test,
        });
    joined(tests.collect())
}

/// A test of values of one type, if there is anything to test.
fn within(part: &str, test: Option<TokenStream>) -> TokenStream {
    match test {
        Some(test) => {
            let test = closure_over(part, test);
            let part = ident(part);
            quote!(rt::condition::#part(value, #test))
        }
        None => quote!(true),
    }
}
