//! The verdict: the severity of each difference between schemas, and its witness.
//!
//! A change is breaking only if a value proves it: one that the sending version accepts, that a real sender
//! might send, and that the receiving version refuses because of that change. Everything else that may
//! break a client is possible.

mod coerced;
mod context;
mod plausible;
mod witness;

pub(crate) use witness::Subject;

use crate::comparison::{Comparison, Direction};
use crate::report::{Change, Severity, Witness, elided};
use crate::schema::{Effect, Finding, PairId, Step, is_exclusive};
use crate::wire::WireFormat;
use codegen::openapi::Media;
use codegen::source::Pointer;
use sample::Satisfiability;
use sample::normal::AllOf;
use serde_json::Value;
use witness::{Proof, SchemaComparison, Search};

/// The number of operations in which a change is tried to be proven before it stays possible.
const ATTEMPTS: usize = 6;
/// The longest value, in bytes of JSON, that a report holds.
const MAX_LENGTH: usize = 200_000;

/// The use of schemas by an operation, in the words of a report.
#[derive(Clone, Copy)]
pub(crate) struct Usage<'u> {
    /// The method and path.
    pub(crate) operation: &'u str,
    /// The part of a change's kind, such as `request-body`.
    pub(crate) part: &'u str,
    pub(crate) place: &'u str,
    /// The message in one line, with the value in question where a line can show it.
    pub(crate) exchange: &'u dyn Fn(&Value) -> String,
}

/// The attempts to prove a change, in all operations together.
#[derive(Clone, Copy)]
pub(crate) struct Attempts {
    count: usize,
    worst: Severity,
}

impl<'a> Comparison<'a> {
    /// Compares two schemas, either of which may be missing, and adds their changes.
    pub(crate) fn schemas(&mut self, subject: &Subject<'_>, usage: &Usage<'_>) {
        if let WireFormat::Bytes = subject.format {
            return;
        }
        let (before, after) = (self.before, self.after);
        let schemas = |bundle: &'a sample::Bundle, key: Option<&str>| {
            let schema = key.and_then(|key| bundle.schema(key));
            schema.map(AllOf::one).unwrap_or_default()
        };
        let old = schemas(&before.schemas, subject.before);
        let new = schemas(&after.schemas, subject.after);
        let mut findings = self.pairs_mut(subject.direction).findings(old, new);
        findings.retain(|finding| !subject.is_about_file_content(finding));
        let mut search = None;
        for finding in findings {
            self.finding(subject, usage, &finding, &mut search);
        }
    }

    /// Compares the items of two sequences, if either version describes them.
    pub(crate) fn items(
        &mut self,
        direction: Direction,
        (old, new): (&Media, &Media),
        usage: &Usage<'_>,
    ) {
        let (before, after) = (old.item_schema.as_deref(), new.item_schema.as_deref());
        if before.is_none() && after.is_none() {
            return;
        }
        let subject = Subject::new(direction, before, after, WireFormat::Json);
        let place = &format!("{} item", usage.place);
        self.schemas(&subject, &Usage { place, ..*usage });
    }

    fn finding(
        &mut self,
        subject: &Subject<'_>,
        usage: &Usage<'_>,
        finding: &Finding,
        search: &mut Option<Search<'a>>,
    ) {
        let edit = &finding.edit;
        let comparison = SchemaComparison {
            pairs: self.pairs(subject.direction),
            subject,
        };
        if edit.effect == Effect::Hint && !is_ambiguous(comparison, finding.pair, None) {
            return;
        }
        let key = (subject.direction, finding.pair, edit.message.clone());
        let known = self.attempts.get(&key).copied().unwrap_or(Attempts {
            count: 0,
            worst: Severity::Docs,
        });
        let may_try = known.worst != Severity::Breaking && known.count < ATTEMPTS;
        let (severity, witness) = self.verdict(subject, finding, may_try, search);
        let witness = witness.map(|proof| shown(usage, proof));
        let attempts = Attempts {
            count: known.count + 1,
            worst: known.worst.max(severity),
        };
        self.attempts.insert(key, attempts);
        let pointer = pointer(finding);
        let change = Change {
            severity,
            kind: format!("{}-{}", usage.part, edit.plain_keyword()),
            operation: Some(usage.operation.to_owned()),
            at: Pointer::default(),
            place: match pointer.is_empty() {
                true => usage.place.to_owned(),
                false => format!("{} {pointer}", usage.place),
            },
            message: edit.message.clone(),
            other_operations: Vec::new(),
            witness,
            accepted: None,
        };
        let direction = subject.direction.word();
        let identity = format!("{direction}\n{}\n{}", finding.pair, edit.message);
        self.changes.add(identity, change);
    }

    fn verdict(
        &mut self,
        subject: &Subject<'_>,
        finding: &Finding,
        may_try: bool,
        search: &mut Option<Search<'a>>,
    ) -> (Severity, Option<Proof>) {
        let severity = without_proof(subject.direction, finding.edit.effect);
        let pairs = self.pairs(subject.direction);
        let comparison = SchemaComparison { pairs, subject };
        if !may_break(subject.direction, finding.edit.effect) {
            let severity = match may_fit_several(comparison, finding) {
                true => severity.max(Severity::Possible),
                false => severity,
            };
            return (severity, None);
        }
        if may_try {
            let is_known = search.as_ref().is_some_and(|known| known.is_at(finding));
            if !is_known {
                *search = Some(Search::new(finding));
            }
            if let Some(proof) = search
                .as_mut()
                .and_then(|one| one.proof(comparison, finding))
            {
                return (Severity::Breaking, Some(proof));
            }
        }
        let place = (subject.direction, finding.pair);
        if search.as_ref().is_some_and(|one| one.is_exhausted(finding)) {
            self.harmless.insert(place);
        }
        let pairs = self.pairs(subject.direction);
        let comparison = SchemaComparison { pairs, subject };
        let is_harmless = self.harmless.contains(&place)
            || has_no_values(comparison, finding.pair)
            || coerced::accepts_texts(comparison, finding);
        match is_harmless {
            true => (Severity::Compatible, None),
            false => (severity, None),
        }
    }
}

/// The severity of an effect without a witness.
fn without_proof(direction: Direction, effect: Effect) -> Severity {
    match (effect, direction) {
        (Effect::Docs, _) | (Effect::Default, Direction::Response) => Severity::Docs,
        // The request is still valid, and means something else.
        (Effect::Default, Direction::Request) => Severity::Possible,
        // The member is no longer read, or no longer sent.
        (Effect::Undeclares | Effect::UndeclaresRequired, _) => Severity::Possible,
        (effect, direction) => match may_break(direction, effect) {
            true => Severity::Possible,
            false => Severity::Compatible,
        },
    }
}

/// Whether the receiver may refuse a value that the sender may send.
fn may_break(direction: Direction, effect: Effect) -> bool {
    match direction {
        Direction::Request => {
            matches!(effect, Effect::Narrows | Effect::Both | Effect::Hint)
        }
        Direction::Response => matches!(
            effect,
            Effect::Widens | Effect::Both | Effect::Hint | Effect::UndeclaresRequired
        ),
    }
}

/// Whether a variant of a `oneOf` accepts more than before, and values may fit several variants now.
fn may_fit_several(comparison: SchemaComparison<'_, '_>, finding: &Finding) -> bool {
    let accepts_more = match comparison.subject.direction {
        Direction::Request => Effect::Widens,
        Direction::Response => Effect::Narrows,
    };
    if finding.edit.effect != accepts_more {
        return false;
    }
    let is_of_union =
        finding.edit.keyword == "variant" && is_ambiguous(comparison, finding.pair, None);
    let mut path = finding.path.iter();
    is_of_union
        || path.any(|(pair, step)| match step {
            Step::Variant(union, ..) => is_ambiguous(comparison, *pair, Some(*union)),
            _ => false,
        })
}

/// Whether values may fit several variants of the receiver's unions at a pair, or of one of them. Tags do
/// not count where only one version has them.
fn is_ambiguous(comparison: SchemaComparison<'_, '_>, pair: PairId, index: Option<usize>) -> bool {
    let (sending, receiving) = comparison.forms();
    let mut unions = comparison.pairs.unions(pair).enumerate();
    unions.any(|(at, (before, after))| {
        let [sent, received] = match comparison.subject.direction {
            Direction::Request => [before, after],
            Direction::Response => [after, before],
        };
        let (forms, union) = match (sent.is_tagged(), received.is_tagged()) {
            (false, true) => (sending, sent),
            _ => (receiving, received),
        };
        index.is_none_or(|index| index == at)
            && union.exactly_one
            && union.variants.len() > 1
            && !is_exclusive(forms, union)
    })
}

/// Whether the sender's schema at a pair accepts no value at all.
fn has_no_values(comparison: SchemaComparison<'_, '_>, pair: PairId) -> bool {
    let forms = comparison.forms().0;
    let schemas = comparison.schemas(pair);
    schemas.is_some_and(|(own, _)| Satisfiability::new(forms).is_unsatisfiable(&own))
}

/// A proof as a report shows it.
fn shown(usage: &Usage<'_>, proof: Proof) -> Witness {
    let is_long = proof.value.to_string().len() > MAX_LENGTH;
    let value = elided(&proof.value, &proof.at);
    let exchange = match is_long {
        true => (usage.exchange)(&Value::from("…")),
        false => (usage.exchange)(&proof.value),
    };
    Witness {
        exchange,
        shown: Some(value),
        value: Some(proof.value).filter(|_| !is_long),
        refusal: proof.refusal,
    }
}

/// The place of a finding in a value; `*` stands for any member or item.
fn pointer(finding: &Finding) -> String {
    let steps = finding.path.iter().filter_map(|(_, step)| match step {
        Step::Member(name) => Some(format!("/{name}")),
        Step::Matching(_) | Step::Other | Step::Item(_) => Some("/*".to_owned()),
        Step::Variant(..) => None,
    });
    steps.collect()
}
