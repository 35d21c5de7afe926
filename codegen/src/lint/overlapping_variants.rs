//! No value fits two variants of a union. A `oneOf` refuses such a value; an `anyOf` reads it as
//! the variant that keeps most of it, which its sender may not know.
//!
//! The rule tries values that the variants and the keywords around them suggest, so that each finding
//! is proved by a value that the whole schema may take. A union with a discriminator is not tried, nor is
//! an open enum: an `anyOf` of listed strings and any string.

use super::Findings;
use super::subject::{Members, Subject};
use crate::diagnostic::{Diagnostic, Severity};
use crate::openapi::Key;
use crate::schema::is_annotation;
use crate::source::Pointer;
use json_schema::reference::key_in;
use sample::Samples;
use serde_json::{Value, json};
use std::collections::HashMap;

/// How many pairs of variants are tried: all pairs of some six hundred variants.
const MAX_PAIRS: usize = 200_000;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    let mut bundle = subject.document.bundle.schemas().clone();
    let mut unions = Vec::new();
    for (spot, list) in subject
        .spots
        .iter()
        .flat_map(|spot| [(spot, "oneOf"), (spot, "anyOf")])
    {
        let Some(Value::Array(variants)) = spot.members.get(list) else {
            continue;
        };
        let resolved = |variant: &Value| {
            let component = key_in(variant).and_then(|key| bundle.get(&*key));
            component.unwrap_or(variant).clone()
        };
        let is_open_enum = || is_open_enum(&variants.iter().map(resolved).collect::<Vec<_>>());
        if spot.members.contains_key("discriminator")
            || (list == "anyOf" && (!variants.iter().all(is_type) || is_open_enum()))
        {
            continue;
        }
        let around = around(spot.members, list);
        let names = variants.iter().map(|variant| match lone(variant) {
            Some(component) if around.is_none() => component,
            _ => {
                let key = format!("lint/{}", bundle.len());
                bundle.insert(key.clone(), within(around.as_ref(), variant));
                key
            }
        });
        let names: Vec<Key> = names.collect();
        unions.push((names, spot.at.child(list), list));
    }
    let samples = Samples::new(bundle);
    let names = unions.iter().flat_map(|(names, ..)| names);
    let tried = samples.candidates(names.map(|name| &**name));
    let mut verdicts = Verdicts {
        samples: &samples,
        known: HashMap::new(),
    };
    let mut left = MAX_PAIRS;
    for (names, at, list) in &unions {
        let of = |name: &Key| tried.get(&**name).map_or(&[][..], Vec::as_slice);
        let named = || names.iter().map(|name| (name, of(name))).enumerate();
        for (second, (own_name, own)) in named() {
            let tried_with = second.min(left);
            left -= tried_with;
            for (first, (other_name, others)) in named().take(tried_with) {
                let both = |value: &Value| {
                    verdicts.accepts(other_name, value) && verdicts.accepts(own_name, value)
                };
                if let Some(witness) = candidates(own, others).find(both) {
                    let problem = problem(findings, list, &at.child(second.to_string()), &witness);
                    let first = at.child(first.to_string());
                    findings.add(problem.related(&first, "it fits this one too"));
                }
            }
        }
    }
}

/// The verdicts of schemas on values, cached: unions of unions suggest the same values many times.
struct Verdicts<'s> {
    samples: &'s Samples,
    known: HashMap<Value, HashMap<Key, bool>>,
}

impl Verdicts<'_> {
    fn accepts(&mut self, key: &str, value: &Value) -> bool {
        let of_value = self.known.get(value);
        if let Some(known) = of_value.and_then(|of_value| of_value.get(key)) {
            return *known;
        }
        let verdict = self.samples.accepts(key, value);
        let of_value = self.known.entry(value.clone()).or_default();
        of_value.insert(key.to_owned(), verdict);
        verdict
    }
}

/// The schema around a union, without the union, unless it says nothing about values.
fn around(members: &Members, list: &str) -> Option<Members> {
    let mut around = members.clone();
    around.retain(|keyword, _| keyword != list && !is_annotation(keyword));
    (!around.is_empty()).then_some(around)
}

/// A variant together with the schema around its union.
fn within(around: Option<&Members>, variant: &Value) -> Value {
    let Some(mut whole) = around.cloned() else {
        return variant.clone();
    };
    let all = whole.entry("allOf").or_insert_with(|| json!([]));
    if let Value::Array(all) = all {
        all.push(variant.clone());
    }
    Value::Object(whole)
}

/// The component that a variant refers to, if it is only a reference.
fn lone(variant: &Value) -> Option<Key> {
    let is_lone = variant
        .as_object()
        .is_some_and(|members| members.len() == 1);
    key_in(variant).filter(|_| is_lone)
}

/// Whether a variant is a type of its own, and not just a condition on the schema around it.
fn is_type(variant: &Value) -> bool {
    variant.get("$ref").is_some() || variant.get("type").is_some()
}

/// Whether the variants of an `anyOf` are listed strings, and any string.
fn is_open_enum(variants: &[Value]) -> bool {
    let is_any_string = |variant: &Value| {
        let mut keywords = variant.as_object().into_iter().flatten();
        variant["type"] == "string"
            && keywords.all(|(name, _)| name == "type" || is_annotation(name))
    };
    let lists_strings = |variant: &Value| match variant.get("enum").and_then(Value::as_array) {
        Some(values) => values.iter().all(Value::is_string),
        None => variant.get("const").is_some_and(Value::is_string),
    };
    variants.iter().any(is_any_string)
        && variants
            .iter()
            .all(|it| is_any_string(it) || lists_strings(it))
}

fn problem(findings: &Findings<'_>, list: &str, at: &Pointer, witness: &Value) -> Diagnostic {
    let message = format!("{} fits two variants of this `{list}`", brief(witness));
    let advice = "let a constant member or a discriminator tell them apart";
    if list == "oneOf" {
        return findings
            .problem(at, message)
            .help(format!("{advice}, or write `anyOf`"));
    }
    let message = format!("{message} and is read as the one that keeps most of it");
    Diagnostic::new(findings.code, at, message)
        .severity(Severity::Warning)
        .help(advice)
}

/// The candidates from two lists of values: each of them, and objects of one with the members of
/// another.
fn candidates<'v>(own: &'v [Value], others: &'v [Value]) -> impl Iterator<Item = Value> + 'v {
    let objects = |values: &'v [Value]| values.iter().filter(|value| value.is_object());
    let pairs = objects(own).flat_map(move |one| objects(others).map(move |other| (one, other)));
    let joined = pairs.flat_map(|(one, other)| [join(one, other), join(other, one)]);
    own.iter().chain(others).cloned().chain(joined)
}

/// An object with the members of two, of which the first wins.
fn join(one: &Value, other: &Value) -> Value {
    let members = [other, one].into_iter().filter_map(Value::as_object);
    Value::Object(
        members
            .flatten()
            .map(|(name, member)| (name.clone(), member.clone()))
            .collect(),
    )
}

fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}
