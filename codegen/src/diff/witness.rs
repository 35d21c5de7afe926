//! The search for a value that one contract accepts and the other refuses.
//!
//! A candidate at the place of a difference is put into a whole body or parameter, and the
//! interpreter of each contract is asked about that. Only what both have judged is a witness.

use super::compare::{Comparison, Finding, PairId, Step};
use super::fields::Fields;
use super::node::All;
use super::normal::Nodes;
use super::probe::{Sides, probes};
use super::sample::{Sampler, count};
use super::text;
use super::view::{Direction, View};
use crate::checker::issue::Issue;
use crate::checker::raw::Raw;
use crate::checker::raw_value::{self, Objects};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What is compared as a whole: a body or a parameter.
pub(super) struct Subject<'k> {
    pub(super) direction: Direction,
    /// The keys of its schema before and after; `None` admits everything.
    pub(super) before: Option<&'k str>,
    pub(super) after: Option<&'k str>,
    /// How it travels.
    pub(super) travels: Travels<'k>,
}

/// How a value travels.
#[derive(Clone, Copy)]
pub(super) enum Travels<'k> {
    /// As JSON.
    Json,
    /// As a text that is read by its schema, as parameters do.
    Text,
    /// As a form: the fields as they are sent, and as they are expected.
    Form(&'k Fields, &'k Fields),
}

/// A value that was judged, and what the refusing contract says.
pub(super) struct Proof {
    pub(super) value: Value,
    pub(super) refusal: String,
}

struct Search<'s, 'a> {
    comparison: &'s Comparison<'a>,
    subject: &'s Subject<'s>,
    /// Makes candidates.
    sampler: Sampler<'s, 'a>,
    /// Makes what is around them, of a budget of its own: a long list as a candidate may have spent
    /// the other one.
    surroundings: Sampler<'s, 'a>,
}

/// Looks for a value that proves a difference; `None` where none was found.
pub(super) fn search(
    comparison: &Comparison<'_>,
    subject: &Subject<'_>,
    finding: &Finding,
) -> Option<Proof> {
    let mut second = None;
    for full in [false, true] {
        let search = Search {
            comparison,
            subject,
            sampler: Sampler::new(subject.nodes(comparison).0, full),
            surroundings: Sampler::new(subject.nodes(comparison).0, full),
        };
        for candidate in search.candidates(finding.pair) {
            let Some((value, at)) = search.embed(finding, candidate) else {
                continue;
            };
            let Some(issue) = search.judge(&value, &at, &finding.edit.facet) else {
                continue;
            };
            let proof = Proof {
                refusal: refusal(&issue.0),
                value,
            };
            if issue.1 {
                return Some(proof);
            }
            second = second.or(Some(proof));
        }
    }
    second
}

/// Whether a schema accepts a value as it arrives.
pub(super) fn accepts(view: &View, key: Option<&str>, travels: Travels<'_>, value: &Value) -> bool {
    key.is_none_or(|key| view.accepts(key, &arriving(view, key, travels, value)))
}

fn arriving<'v>(view: &View, key: &str, travels: Travels<'_>, value: &'v Value) -> Cow<'v, Value> {
    let raw = match travels {
        Travels::Json => return Cow::Borrowed(value),
        Travels::Text => written(value),
        Travels::Form(fields, _) => fields.written(value),
    };
    Cow::Owned(raw_value::value(
        &raw,
        &view.compiled().json_type(key),
        Objects::ByMember,
    ))
}

/// A value as texts; a list of one text is written like that text.
pub(super) fn written(value: &Value) -> Raw<'static> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [only] => written(only),
            items => Raw::List(items.iter().map(written).collect()),
        },
        Value::Object(members) => {
            let members = members.iter();
            Raw::Map(
                members
                    .map(|(name, member)| (Cow::Owned(name.clone()), written(member)))
                    .collect(),
            )
        }
        Value::String(text) => Raw::Text(Cow::Owned(text.clone())),
        Value::Null => Raw::Text(Cow::Borrowed("")),
        other => Raw::Text(Cow::Owned(other.to_string())),
    }
}

impl Subject<'_> {
    /// The contract that accepts a witness, and the one that refuses it.
    fn nodes<'c, 'a>(&self, comparison: &'c Comparison<'a>) -> (&'c Nodes<'a>, &'c Nodes<'a>) {
        match self.direction {
            Direction::Request => (&comparison.before, &comparison.after),
            Direction::Response => (&comparison.after, &comparison.before),
        }
    }

    fn keys(&self) -> (Option<&str>, Option<&str>) {
        match self.direction {
            Direction::Request => (self.before, self.after),
            Direction::Response => (self.after, self.before),
        }
    }
}

impl<'a> Search<'_, 'a> {
    /// The schemas of a pair: of the accepting contract, and of the refusing one.
    fn schemas(&self, pair: PairId) -> Option<(All<'a>, All<'a>)> {
        let pair = self.comparison.pairs.get(pair)?;
        let (before, after) = (pair.before.clone(), pair.after.clone());
        Some(match self.subject.direction {
            Direction::Request => (before, after),
            Direction::Response => (after, before),
        })
    }

    fn candidates(&self, pair: PairId) -> Vec<Value> {
        let Some((source, target)) = self.schemas(pair) else {
            return Vec::new();
        };
        let other = Sampler::new(self.subject.nodes(self.comparison).1, false);
        let (source, target) = (self.sampler.node(&source), other.node(&target));
        probes(&Sides {
            source: &source,
            target: &target,
            sampler: &self.sampler,
            other: &other,
        })
    }

    /// The whole that has a value at the place of a finding, and the pointer to it.
    fn embed(&self, finding: &Finding, value: Value) -> Option<(Value, String)> {
        let (mut value, mut pointer) = (value, String::new());
        for (pair, step) in finding.path.iter().rev() {
            let (source, _) = self.schemas(*pair)?;
            let (whole, token) = self.around(&source, step, value)?;
            value = whole;
            if let Some(token) = token {
                let token = token.replace('~', "~0").replace('/', "~1");
                pointer = format!("/{token}{pointer}");
            }
        }
        Some((value, pointer))
    }

    fn around(
        &self,
        source: &All<'a>,
        step: &Step,
        value: Value,
    ) -> Option<(Value, Option<String>)> {
        let node = self.surroundings.node(source);
        let object = |name: String, value: Value| {
            let members = Map::from_iter([(name.clone(), value)]);
            Some((self.surroundings.object(&node, 0, members)?, Some(name)))
        };
        match step {
            Step::Member(name) => object(name.clone(), value),
            Step::Matching(pattern) => {
                let name = text::matching(pattern).into_iter().next()?;
                object(name, value)
            }
            Step::Other => {
                let mut names = (0..16).map(|index| format!("extra{index}"));
                let name = names.find(|name| !node.properties.contains_key(name))?;
                object(name, value)
            }
            Step::Item(index) => {
                let least = u64::try_from(*index).ok()?.saturating_add(1);
                let length = count(&node, "minItems").max(least);
                let Value::Array(mut items) = self.surroundings.array(&node, 0, length)? else {
                    return None;
                };
                *items.get_mut(*index)? = value;
                Some((Value::Array(items), Some(index.to_string())))
            }
            Step::Variant(union, before, after) => {
                let index = match self.subject.direction {
                    Direction::Request => before,
                    Direction::Response => after,
                };
                let union = node.unions.get(*union);
                let variant = union.and_then(|union| union.variants.get(*index));
                let value = match variant {
                    Some(variant) => variant.tagged(value),
                    None => value,
                };
                Some(match value {
                    Value::Object(members) => (self.surroundings.object(&node, 0, members)?, None),
                    other => (other, None),
                })
            }
        }
    }

    /// What the refusing contract says of a value that the other one accepts, and whether it says
    /// so by the keyword in question.
    fn judge(&self, value: &Value, at: &str, facet: &str) -> Option<(Issue, bool)> {
        let (source, target) = self.subject.nodes(self.comparison);
        let (source, target) = (source.view, target.view);
        let (source_key, target_key) = self.subject.keys();
        let travels = self.subject.travels;
        let target_key = target_key?;
        if !accepts(source, source_key, travels, value) {
            return None;
        }
        let arriving = arriving(target, target_key, travels, value);
        let mut issues = target.issues(target_key, &arriving);
        issues.retain(|issue| issue.at.starts_with(at) || at.starts_with(&issue.at));
        if let Travels::Form(sent, expected) = travels {
            // Of a file only its absence is judged here.
            let file = |at: &str| sent.is_file(at) || expected.is_file(at);
            issues.retain(|issue| issue.keyword == "required" || !file(&issue.at));
        }
        let keyword = facet.split('/').next().unwrap_or(facet);
        let exact = issues.iter().position(|issue| speaks_of(issue, keyword));
        let issue = issues.into_iter().nth(exact.unwrap_or_default())?;
        Some((issue, exact.is_some()))
    }
}

fn speaks_of(issue: &Issue, keyword: &str) -> bool {
    let said = issue.keyword;
    match keyword {
        "enum" => matches!(said, "enum" | "const"),
        "properties" | "patternProperties" => {
            said == "additionalProperties" || said == "unevaluatedProperties"
        }
        "variant" => matches!(said, "oneOf" | "anyOf"),
        "exclusiveMinimum" | "minimum" => matches!(said, "exclusiveMinimum" | "minimum"),
        "exclusiveMaximum" | "maximum" => matches!(said, "exclusiveMaximum" | "maximum"),
        _ => said == keyword,
    }
}

fn refusal(issue: &Issue) -> String {
    if issue.at.is_empty() {
        format!("{} ({})", issue.message, issue.keyword)
    } else {
        format!("{} {} ({})", issue.at, issue.message, issue.keyword)
    }
}
