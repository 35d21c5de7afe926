//! `conditions.rs`: schemas that no type stands for, as functions over a JSON value.
//!
//! Everything is an expression over a variable `value`; what steps into a value names the part
//! `value` again.

use super::check::{Access, argument, between, closure, closure_over, counted, joined, text};
use super::rust::{doc, ident};
use super::uses::imports;
use crate::ir::{Api, Condition, NamedCondition, PatternId, Rules};
use crate::schema::JsonType;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::{Number, Value};

/// Every condition.
pub(super) fn file(api: &Api) -> (&'static str, Vec<TokenStream>) {
    let printer = Printer { api };
    let each = api.conditions.iter();
    let mut items: Vec<TokenStream> = each.map(|named| printer.function(named)).collect();
    items.insert(0, imports(&items));
    (
        "What schemas without a type of their own ask of a JSON value.",
        items,
    )
}

struct Printer<'a> {
    api: &'a Api,
}

impl Printer<'_> {
    fn function(&self, named: &NamedCondition) -> TokenStream {
        let name = ident(&named.rust);
        let doc = doc(&format!("`{}`.", named.schema));
        let body = self.expression(&named.condition);
        let value = argument("value", &body);
        quote! {
            #doc
            pub(crate) fn #name(#value: &serde_json::Value) -> bool { #body }
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
                quote!(condition::one([#(#all),*]))
            }
            Condition::Not(inner) => {
                let inner = self.expression(inner);
                quote!(condition::not(#inner))
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
            Condition::Same(id) => match self.api.conditions.get(id.0) {
                Some(named) => {
                    let name = ident(&named.rust);
                    quote!(#name(value))
                }
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
                text(self.api, rules, &Access::variable("text"), &mut all);
                within("text", joined(all))
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

    /// What is asked of `items`.
    fn items(&self, condition: &Condition) -> Option<TokenStream> {
        let mut all = Vec::new();
        match condition {
            Condition::Count(rules) => {
                counted(
                    rules.min_items,
                    rules.max_items,
                    &Access::variable("items"),
                    &mut all,
                );
                if rules.unique_items {
                    all.push(quote!(condition::are_distinct(items)));
                }
            }
            Condition::Contains { item, min, max } => {
                if **item == Condition::Always {
                    counted(Some(*min), *max, &Access::variable("items"), &mut all);
                } else {
                    let item = self.closure(item);
                    let number = quote!(condition::count(items, #item));
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

    /// What is asked of `members`.
    fn members(&self, condition: &Condition) -> Option<TokenStream> {
        match condition {
            Condition::Size(rules) => {
                let mut all = Vec::new();
                let members = Access::variable("members");
                counted(
                    rules.min_properties,
                    rules.max_properties,
                    &members,
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
                    let inner = match part(inner) {
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
                    let inner = self.closure(inner);
                    Some(quote!(condition::names(members, #inner)))
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
                let value = argument("value", &inner);
                Some(quote!(members.iter().all(|(name, #value)| #exempt || #inner)))
            }
        }
    }

    fn matched(&self, pattern: PatternId) -> TokenStream {
        match self.api.patterns.get(pattern.0) {
            Some(pattern) => {
                let constant = ident(&pattern.constant);
                quote!(patterns::#constant.is_match(name))
            }
            None => quote!(false),
        }
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
            quote!(condition::#part(value, #test))
        }
        None => quote!(true),
    }
}

fn is(ty: JsonType) -> TokenStream {
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

fn numbers(rules: &Rules) -> TokenStream {
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
fn one_of(values: &[Value]) -> TokenStream {
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
