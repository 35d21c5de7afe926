//! Conditions on the items of an array and on the members of an object.

use super::Printer;
use crate::ir::{Condition, PatternId};
use crate::rust::check::{Access, between, counted, joined};
use crate::rust::closure::argument;
use crate::rust::names;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Printer<'_> {
    /// The condition on `items`.
    pub(super) fn items(&self, condition: &Condition) -> Option<TokenStream> {
        let mut all = Vec::new();
        match condition {
            Condition::Count(rules) => {
                counted(
                    rules.min_items,
                    rules.max_items,
                    Access::Variable("items"),
                    &mut all,
                );
                if rules.unique_items {
                    all.push(quote!(rt::condition::are_distinct(items)));
                }
            }
            Condition::Contains { item, min, max } => {
                if **item == Condition::Always {
                    counted(Some(*min), *max, Access::Variable("items"), &mut all);
                } else {
                    let item = self.closure(item);
                    let number = quote!(rt::condition::count(items, #item));
                    all.extend(between(&number, Some(*min), *max));
                }
            }
            Condition::Items { prefix, rest } => {
                for (index, item) in prefix.iter().enumerate() {
                    if *item != Condition::Always {
                        let place = Literal::usize_unsuffixed(index);
                        let place = match index {
                            0 => quote!(items.first()),
                            _ => quote!(items.get(#place)),
                        };
                        let item = self.closure(item);
                        all.push(quote!(#place.is_none_or(#item)));
                    }
                }
                all.extend(self.rest(prefix.len(), rest));
            }
            _ => {}
        }
        joined(all)
    }

    fn rest(&self, after: usize, rest: &Condition) -> Option<TokenStream> {
        let count = Literal::usize_unsuffixed(after);
        let items = match (rest, after) {
            (Condition::Always, _) => return None,
            (Condition::Never, 0) => return Some(quote!(items.is_empty())),
            (Condition::Never, _) => return Some(quote!(items.len() <= #count)),
            (_, 0) => quote!(items.iter()),
            _ => quote!(items.iter().skip(#count)),
        };
        let rest = self.closure(rest);
        Some(quote!(#items.all(#rest)))
    }

    /// The condition on `members`.
    pub(super) fn members(&self, condition: &Condition) -> Option<TokenStream> {
        match condition {
            Condition::Size(rules) => {
                let mut all = Vec::new();
                let members = Access::Variable("members");
                counted(
                    rules.min_properties,
                    rules.max_properties,
                    members,
                    &mut all,
                );
                joined(all)
            }
            Condition::Required(names) => joined(
                names
                    .iter()
                    .map(|name| quote!(members.contains_key(#name)))
                    .collect(),
            ),
            Condition::Member(name, inner) => match **inner {
                Condition::Always => None,
                Condition::Never => Some(quote!(!members.contains_key(#name))),
                _ => {
                    let inner = self.closure(inner);
                    Some(quote!(members.get(#name).is_none_or(#inner)))
                }
            },
            Condition::With(name, inner) => match **inner {
                Condition::Always => None,
                Condition::Never => Some(quote!(!members.contains_key(#name))),
                _ => {
                    let inner = match super::part(inner) {
                        Some("members") => self.members(inner)?,
                        _ => self.operand(inner),
                    };
                    Some(quote!(!members.contains_key(#name) || #inner))
                }
            },
            Condition::Matching(pattern, inner) => {
                let matched = self.matched(*pattern);
                self.each(inner, &quote!(!#matched))
            }
            Condition::Others {
                named,
                matched,
                member,
            } => {
                let mut exempt = Vec::new();
                if !named.is_empty() {
                    exempt.push(quote!(matches!(name.as_str(), #(#named)|*)));
                }
                exempt.extend(matched.iter().map(|pattern| self.matched(*pattern)));
                self.each(member, &quote!(#(#exempt)||*))
            }
            Condition::Names(inner) => match **inner {
                Condition::Always => None,
                Condition::Never => Some(quote!(members.is_empty())),
                _ => {
                    // A name is a value of its own, which nobody remembers.
                    let alone = Printer {
                        within: false,
                        ..*self
                    };
                    let inner = alone.closure(inner);
                    Some(quote!(rt::condition::names(members, #inner)))
                }
            },
            _ => None,
        }
    }

    /// Every member is exempt by its name, or meets a condition.
    fn each(&self, condition: &Condition, exempt: &TokenStream) -> Option<TokenStream> {
        match (condition, exempt.is_empty()) {
            (Condition::Always, _) => None,
            (Condition::Never, true) => Some(quote!(members.is_empty())),
            (Condition::Never, false) => Some(quote!(members.keys().all(|name| #exempt))),
            (_, true) => {
                let inner = self.closure(condition);
                Some(quote!(members.values().all(#inner)))
            }
            _ => {
                let inner = self.operand(condition);
                let value = argument("value", inner.clone());
                Some(quote!(members.iter().all(|(name, #value)| #exempt || #inner)))
            }
        }
    }

    pub(super) fn matched(&self, pattern: PatternId) -> TokenStream {
        match self.api.patterns.get(pattern.0) {
            Some(pattern) => {
                let constant = names::upper(&pattern.name);
                quote!(patterns::#constant.is_match(name))
            }
            None => quote!(false),
        }
    }
}
