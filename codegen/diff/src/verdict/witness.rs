//! The search for a value that one version accepts and the other refuses because of a difference.

use super::context::WitnessContext;
use super::{may_break, plausible};
use crate::comparison::Direction;
use crate::schema::{Finding, PairId, SchemaPairs};
use crate::wire::{WireFormat, accepts, read};
use json_schema::Issue;
use sample::normal::{AllOf, NormalForm, Normalizer, all_values};
use sample::{Boundary, Sampler, Style};
use serde_json::Value;
use std::collections::{HashSet, VecDeque};

/// The styles in which values are made, those of the plainest values last.
const STYLES: [(bool, bool); 3] = [(true, true), (true, false), (false, false)];

/// A body, a parameter or a header, in both versions.
pub(crate) struct Subject<'k> {
    pub(crate) direction: Direction,
    /// The keys of its schema before and after; without one, every value is valid.
    pub(crate) before: Option<&'k str>,
    pub(crate) after: Option<&'k str>,
    pub(crate) format: WireFormat<'k>,
    /// Whether a value reaches the receiver at all.
    pub(crate) arrives: &'k dyn Fn(&Value) -> bool,
}

/// A value that proves a difference.
pub(super) struct Proof {
    pub(super) value: Value,
    /// A JSON pointer to the refused value.
    pub(super) at: String,
    pub(super) refusal: String,
}

/// The comparison of a subject's schemas, as its sender and its receiver have them.
#[derive(Clone, Copy)]
pub(super) struct SchemaComparison<'s, 'a> {
    pub(super) pairs: &'s SchemaPairs<'a>,
    pub(super) subject: &'s Subject<'s>,
}

/// A body or parameter that may prove a difference.
pub(super) struct Candidate {
    pub(super) value: Value,
    /// A JSON pointer to the place of the difference.
    pub(super) at: String,
    /// A JSON pointer to the outermost union around the place.
    pub(super) union: Option<String>,
}

/// The values that may prove the differences at one place: each is validated once for all of them.
pub(super) struct Search<'a> {
    pair: PairId,
    styles: Vec<(bool, bool)>,
    context: Option<WitnessContext<'a>>,
    untried: VecDeque<Value>,
    tried: HashSet<Value>,
    refused: Vec<Refused>,
    /// The candidates that both versions accept, without their value at the place.
    accepted: HashSet<Value>,
    /// If few values are possible at the place, those that no accepted candidate has had.
    unaccepted: Option<Vec<Value>>,
}

/// A candidate that the sender accepts and the receiver refuses, for any cause.
struct Refused {
    candidate: Candidate,
    issues: Vec<Issue>,
}

fn always(_: &Value) -> bool {
    true
}

impl<'k> Subject<'k> {
    pub(crate) fn new(
        direction: Direction,
        before: Option<&'k str>,
        after: Option<&'k str>,
        format: WireFormat<'k>,
    ) -> Subject<'k> {
        Subject {
            direction,
            before,
            after,
            format,
            arrives: &always,
        }
    }

    /// The keys of the sender's schema and of the receiver's.
    fn keys(&self) -> (Option<&str>, Option<&str>) {
        match self.direction {
            Direction::Request => (self.before, self.after),
            Direction::Response => (self.after, self.before),
        }
    }

    /// Whether a difference is about the content of a file, which schemas do not describe.
    pub(super) fn is_about_file_content(&self, finding: &Finding) -> bool {
        let is_file = |fields: &crate::wire::FormFields| {
            fields.around(finding) == Some(crate::wire::Field::File)
        };
        match self.format {
            WireFormat::Form(sent, expected) => {
                let keyword = finding.edit.keyword.as_str();
                let is_content = matches!(keyword, "format" | "contentEncoding" | "pattern");
                is_content && (is_file(sent) || is_file(expected))
            }
            _ => false,
        }
    }
}

impl<'s, 'a> SchemaComparison<'s, 'a> {
    /// The normal forms of the sender's schemas, and of the receiver's.
    pub(super) fn forms(self) -> (&'s Normalizer<'a>, &'s Normalizer<'a>) {
        match self.subject.direction {
            Direction::Request => (&self.pairs.before, &self.pairs.after),
            Direction::Response => (&self.pairs.after, &self.pairs.before),
        }
    }

    /// The sender's schema of a pair, and the receiver's.
    pub(super) fn schemas(self, pair: PairId) -> Option<(AllOf<'a>, AllOf<'a>)> {
        let pair = self.pairs.get(pair)?;
        let (before, after) = (pair.before.clone(), pair.after.clone());
        Some(match self.subject.direction {
            Direction::Request => (before, after),
            Direction::Response => (after, before),
        })
    }

    /// The receiver's violations by a candidate; `None` if the sender does not accept it.
    fn receiver_issues(self, candidate: &Candidate) -> Option<Vec<Issue>> {
        let (sending, receiving) = self.forms();
        let (sender, receiver) = self.subject.keys();
        let format = self.subject.format;
        if !accepts(sending.bundle, sender, format, &candidate.value) {
            return None;
        }
        let Some(key) = receiver else {
            return Some(Vec::new());
        };
        let value = read(receiving.bundle, key, format, &candidate.value);
        let mut issues = receiving.bundle.issues(key, &value);
        if let WireFormat::Form(sent, expected) = format {
            // Schemas do not describe the content of a file, so that only its absence counts.
            let is_file = |at: &str| sent.is_file(at) || expected.is_file(at);
            issues.retain(|issue| issue.keyword == "required" || !is_file(&issue.at));
        }
        let is_lost = !issues.is_empty() && !(self.subject.arrives)(&candidate.value);
        (!is_lost).then_some(issues)
    }

    /// Whether a real sender might send a value, and it fits no two variants of the receiver.
    fn is_plausible(self, value: &Value) -> bool {
        let (sending, receiving) = self.forms();
        let (sender, receiver) = self.subject.keys();
        let schemas = |forms: &'s Normalizer<'a>, key: Option<&str>| -> AllOf<'a> {
            let schema = key.and_then(|key| forms.bundle.schema(key));
            schema.map(AllOf::one).unwrap_or_default()
        };
        plausible::is_sent(sending, &schemas(sending, sender), value)
            && plausible::is_unambiguous(receiving, &schemas(receiving, receiver), value)
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(finding: &Finding) -> Search<'a> {
        Search {
            pair: finding.pair,
            styles: STYLES.into(),
            context: None,
            untried: VecDeque::new(),
            tried: HashSet::new(),
            refused: Vec::new(),
            accepted: HashSet::new(),
            unaccepted: None,
        }
    }

    /// Whether it is about the place of a difference.
    pub(super) fn is_at(&self, finding: &Finding) -> bool {
        self.pair == finding.pair
    }

    /// Whether few values are possible at the place, and both versions accept all of them.
    pub(super) fn is_exhausted(&self, finding: &Finding) -> bool {
        let is_empty = |values: &Vec<Value>| values.is_empty();
        self.is_at(finding) && self.unaccepted.as_ref().is_some_and(is_empty)
    }

    /// A value that proves a difference; `None` if none was found.
    pub(super) fn proof(
        &mut self,
        comparison: SchemaComparison<'_, 'a>,
        finding: &Finding,
    ) -> Option<Proof> {
        let keyword = finding.edit.plain_keyword();
        let mut seen = 0;
        loop {
            let mut fresh = self.refused.iter().skip(seen);
            if let Some(proof) = fresh.find_map(|refused| refused.by(keyword)) {
                return Some(proof);
            }
            seen = self.refused.len();
            if let Some(value) = self.untried.pop_front() {
                self.try_value(comparison, value);
            } else if let Some(style) = self.styles.pop() {
                self.make_values(comparison, finding, style);
            } else {
                return self.other_proof(comparison, finding);
            }
        }
    }

    fn try_value(&mut self, comparison: SchemaComparison<'_, 'a>, value: Value) {
        let context = self.context.as_ref();
        let candidate = context.and_then(|context| context.candidate(value));
        let Some(candidate) =
            candidate.filter(|candidate| self.tried.insert(candidate.value.clone()))
        else {
            return;
        };
        let Some(mut issues) = comparison.receiver_issues(&candidate) else {
            return;
        };
        issues.retain(|issue| candidate.is_about_place(issue) || candidate.is_about_union(issue));
        if issues.is_empty() {
            let part = candidate.value.pointer(&candidate.at);
            if let Some(values) = &mut self.unaccepted {
                values.retain(|value| Some(value) != part);
            }
            if candidate.union.is_some() {
                self.accepted.insert(candidate.without_part());
            }
        } else if comparison.is_plausible(&candidate.value) {
            self.refused.push(Refused { candidate, issues });
        }
    }

    fn make_values(
        &mut self,
        comparison: SchemaComparison<'_, 'a>,
        finding: &Finding,
        (optional, distinct): (bool, bool),
    ) {
        let style = Style {
            optional,
            distinct,
            ..Style::default()
        };
        self.context = WitnessContext::new(comparison, style, &finding.path);
        let schemas = comparison.schemas(finding.pair);
        let Some((sender, receiver)) = schemas.filter(|_| self.context.is_some()) else {
            return;
        };
        let (sending, receiving) = comparison.forms();
        let (accepting, refusing) = (sending.of(&sender), receiving.of(&receiver));
        self.unaccepted = self.unaccepted.take().or_else(|| few_values(&accepting));
        let boundary = Boundary {
            accepting: &accepting,
            refusing: &refusing,
            sampler: &Sampler::new(sending, style),
            other: &Sampler::new(receiving, Style::default()),
        };
        self.untried.extend(boundary.values());
    }

    /// A proof whose violation names another keyword than the difference does: one inside the changed
    /// keyword, or one of another variant of the union around it. The value at the place is the cause if both
    /// versions accept the same candidate with another value there.
    fn other_proof(
        &self,
        comparison: SchemaComparison<'_, 'a>,
        finding: &Finding,
    ) -> Option<Proof> {
        let keyword = finding.edit.plain_keyword();
        let direction = comparison.subject.direction;
        let edits = comparison.pairs.edits(finding.pair).iter();
        let others = edits.filter(|edit| may_break(direction, edit.effect));
        let others = others.map(|edit| edit.plain_keyword());
        let others: Vec<&str> = others.filter(|other| *other != keyword).collect();
        let mut refused = self.refused.iter();
        let at_place = refused
            .clone()
            .find_map(|refused| refused.at_place(&others));
        at_place.or_else(|| refused.find_map(|refused| refused.as_cause(&self.accepted)))
    }
}

impl Candidate {
    /// The same with null at the place.
    fn without_part(&self) -> Value {
        let mut value = self.value.clone();
        if let Some(part) = value.pointer_mut(&self.at) {
            *part = Value::Null;
        }
        value
    }

    /// Whether an issue is about the place, around or within it.
    fn is_about_place(&self, issue: &Issue) -> bool {
        is_within(&issue.at, &self.at) || is_within(&self.at, &issue.at)
    }

    /// Whether an issue is about the union around the place; it may be worded for another variant than the
    /// changed one.
    fn is_about_union(&self, issue: &Issue) -> bool {
        let union = self.union.as_ref();
        union.is_some_and(|union| is_within(&issue.at, union))
    }
}

impl Refused {
    /// The proof if a keyword refuses it.
    fn by(&self, keyword: &str) -> Option<Proof> {
        let mut issues = self.issues.iter();
        let issue = issues.find(|one| self.candidate.is_about_place(one) && is_of(one, keyword));
        issue.map(|issue| self.proof(issue))
    }

    /// The proof if a violation at the place is of none of the other differences there.
    fn at_place(&self, others: &[&str]) -> Option<Proof> {
        let is_other = |issue: &Issue| others.iter().any(|keyword| is_of(issue, keyword));
        let mut issues = self.issues.iter();
        let issue = issues.find(|one| self.candidate.is_about_place(one) && !is_other(one));
        issue.map(|issue| self.proof(issue))
    }

    /// The proof if the value at the place is the cause.
    fn as_cause(&self, accepted: &HashSet<Value>) -> Option<Proof> {
        let issue = self.issues.first()?;
        let is_cause = accepted.contains(&self.candidate.without_part());
        is_cause.then(|| self.proof(issue))
    }

    fn proof(&self, issue: &Issue) -> Proof {
        let Issue {
            at,
            message,
            keyword,
            ..
        } = issue;
        let refusal = match at.is_empty() {
            true => format!("{message} ({keyword})"),
            false => format!("{at} {message} ({keyword})"),
        };
        Proof {
            value: self.candidate.value.clone(),
            at: self.candidate.at.clone(),
            refusal,
        }
    }
}

/// Whether an issue violates a keyword.
fn is_of(issue: &Issue, keyword: &str) -> bool {
    let violated = issue.keyword;
    match keyword {
        "enum" => matches!(violated, "enum" | "const"),
        "properties" => matches!(
            violated,
            "additionalProperties" | "unevaluatedProperties" | "required"
        ),
        "patternProperties" => {
            matches!(violated, "additionalProperties" | "unevaluatedProperties")
        }
        "variant" => matches!(violated, "oneOf" | "anyOf"),
        "exclusiveMinimum" | "minimum" => matches!(violated, "exclusiveMinimum" | "minimum"),
        "exclusiveMaximum" | "maximum" => matches!(violated, "exclusiveMaximum" | "maximum"),
        _ => violated == keyword,
    }
}

/// All values of a form, if they are few.
fn few_values(form: &NormalForm<'_>) -> Option<Vec<Value>> {
    let values = form.enumerated.clone();
    values.or_else(|| all_values(&form.types))
}

/// Whether a pointer leads to the same place as another, or into it.
fn is_within(pointer: &str, other: &str) -> bool {
    let below = pointer.strip_prefix(other);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}
