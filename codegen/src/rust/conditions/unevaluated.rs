//! Conditions on items and members that nothing evaluates.

use super::Printer;
use crate::ir::{Condition, Evaluated, Evaluates};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Printer<'_> {
    pub(super) fn unevaluated_members(
        &self,
        evaluated: &[Evaluated],
        member: &Condition,
    ) -> TokenStream {
        let sets = evaluated.iter().map(|evaluated| {
            let when = self.expression(&evaluated.when);
            let names = match &evaluated.parts {
                Evaluates::Members(named, matched) => {
                    let mut any = Vec::new();
                    if !named.is_empty() {
                        any.push(quote!(matches!(name, #(#named)|*)));
                    }
                    any.extend(matched.iter().map(|pattern| self.matched(*pattern)));
                    quote!(|name| #(#any)||*)
                }
                _ => quote!(|_| true),
            };
            quote!((#when, #names))
        });
        let member = self.closure(member);
        quote!(rt::condition::unevaluated_members(value, &[#(#sets),*], #member))
    }

    pub(super) fn unevaluated_items(
        &self,
        evaluated: &[Evaluated],
        item: &Condition,
    ) -> TokenStream {
        let mut first = Vec::new();
        let mut such = Vec::new();
        for Evaluated { when, parts } in evaluated {
            let when = self.expression(when);
            match parts {
                Evaluates::First(count) => {
                    let count = Literal::u64_unsuffixed(*count);
                    first.push(quote!((#when, #count)));
                }
                Evaluates::Items(item) => {
                    let item = self.closure(item);
                    such.push(quote!((#when, &#item)));
                }
                _ => first.push(quote!((#when, usize::MAX))),
            }
        }
        let item = self.closure(item);
        quote!(rt::condition::unevaluated_items(value, &[#(#first),*], &[#(#such),*], #item))
    }
}
