//! From differences between schemas to changes with a severity and a witness.

use super::arriving::{Lists, Travels};
use super::changes::Changes;
use super::compare::{Comparison, Finding, PairId, Step};
use super::edit::Effect;
use super::exchange::{Exchange, text};
use super::fields::Holds;
use super::inclusion::{Reach, reach};
use super::long::made;
use super::node::{All, Kind, Node};
use super::normal::Nodes;
use super::overlap::may_overlap;
use super::plain::shortened;
use super::refused::Proof;
use super::report::{Change, Severity, Witness};
use super::side::Side;
use super::surroundings::Scene;
use super::view::Direction;
use super::witness::{Sought, Subject, Trials, search};
use crate::openapi::Media;
use serde_json::{Number, Value};
use std::collections::{HashMap, HashSet};

/// How often a suspicion is looked into, from different operations, before it stays one.
const ATTEMPTS: usize = 6;

/// The state of one comparison.
pub(super) struct Judge<'a> {
    pub(super) before: &'a Side,
    pub(super) after: &'a Side,
    pub(super) request: Comparison<'a>,
    pub(super) response: Comparison<'a>,
    pub(super) changes: Changes,
    /// Suspicions by direction, pair and message: how often each was looked into, and its outcome.
    pub(super) attempts: HashMap<(Direction, PairId, String), (usize, Severity)>,
    /// The pairs of few values, all of which were seen to be taken.
    pub(super) harmless: HashSet<(Direction, PairId)>,
}

/// What was tried for the differences of one comparison, at their place, and at the unions around it.
#[derive(Default)]
struct Tried<'a> {
    here: Trials<'a>,
    around: [Trials<'a>; 2],
}

/// Where schemas are used, in the words of a report.
#[derive(Clone, Copy)]
pub(super) struct Use<'u> {
    /// The method and path.
    pub(super) operation: &'u str,
    /// The part of the kind's name, such as `request-body`.
    pub(super) part: &'u str,
    pub(super) place: &'u str,
    pub(super) exchange: Exchange<'u>,
}

impl<'a> Judge<'a> {
    /// Compares two schemas, either of which may be missing, and adds what has changed.
    pub(super) fn schemas(&mut self, subject: &Subject<'_>, usage: &Use<'_>) {
        let direction = subject.direction;
        if let Travels::Bytes = subject.travels {
            return;
        }
        let schemas = |side: &'a Side, key: Option<&str>| {
            let schema = key.and_then(|key| side.view.schema(key));
            schema.map(All::one).unwrap_or_default()
        };
        let before = schemas(self.before, subject.before);
        let after = schemas(self.after, subject.after);
        let comparison = match direction {
            Direction::Request => &mut self.request,
            Direction::Response => &mut self.response,
        };
        let hidden = |finding: &Finding| match subject.travels {
            Travels::Form(sent, expected) => sent.hides(finding) || expected.hides(finding),
            _ => false,
        };
        let mut findings = comparison.findings(before, after);
        findings.retain(|finding| !hidden(finding));
        let mut trials = Tried::default();
        for finding in findings {
            self.finding(subject, usage, &finding, &mut trials);
        }
    }

    /// Compares the items of two sequences, where either side describes them.
    pub(super) fn items(
        &mut self,
        direction: Direction,
        old: &Media,
        new: &Media,
        usage: &Use<'_>,
    ) {
        let (before, after) = (old.item_schema.as_deref(), new.item_schema.as_deref());
        if before.is_none() && after.is_none() {
            return;
        }
        let subject = Subject {
            direction,
            before,
            after,
            travels: Travels::Json,
            arrives: &|_| true,
            unread: None,
        };
        let place = format!("{} item", usage.place);
        self.schemas(
            &subject,
            &Use {
                place: &place,
                ..*usage
            },
        );
    }

    fn finding(
        &mut self,
        subject: &Subject<'_>,
        usage: &Use<'_>,
        finding: &Finding,
        trials: &mut Tried<'a>,
    ) {
        let direction = subject.direction;
        let comparison = match direction {
            Direction::Request => &self.request,
            Direction::Response => &self.response,
        };
        let scene = Scene {
            comparison,
            subject,
        };
        let edit = &finding.edit;
        let key = (direction, finding.pair, edit.message.clone());
        let (tried, known) = self
            .attempts
            .get(&key)
            .copied()
            .unwrap_or((0, Severity::Docs));
        let (mut severity, mut witness) = (suspicion(direction, edit.effect), None);
        let suspected = match direction {
            Direction::Request => edit.may_narrow(),
            Direction::Response => edit.may_widen(),
        };
        let open = known != Severity::Breaking && tried < ATTEMPTS;
        let unions = comparison.exact_unions(finding);
        if open && let Some(proof) = proof(scene, finding, suspected, &unions, trials) {
            severity = Severity::Breaking;
            witness = Some(shown(usage, proof));
        } else if may_overlap(scene, finding, &unions) {
            severity = severity.max(Severity::Possible);
        }
        let mut pointer = pointer(finding);
        if severity == Severity::Possible && suspected {
            let place = (direction, finding.pair);
            if trials.here.all_taken(finding) {
                self.harmless.insert(place);
            }
            let is_harmless =
                self.harmless.contains(&place) || takes_texts(comparison, subject, finding);
            let proof = match is_harmless {
                true => Err(Severity::Compatible),
                false => otherwise(scene, finding),
            };
            match proof {
                Ok((proof, at)) => {
                    (severity, witness) = (Severity::Breaking, Some(shown(usage, proof)));
                    pointer = at;
                }
                Err(left) => severity = left,
            }
        }
        self.attempts.insert(key, (tried + 1, known.max(severity)));
        if edit.effect == Effect::Hint && known.max(severity) != Severity::Breaking {
            return;
        }
        let keyword = edit.facet.split('/').next().unwrap_or_default();
        let change = Change {
            severity,
            kind: format!("{}-{keyword}", usage.part),
            operation: Some(usage.operation.to_owned()),
            place: if pointer.is_empty() {
                usage.place.to_owned()
            } else {
                format!("{} {pointer}", usage.place)
            },
            message: edit.message.clone(),
            also: Vec::new(),
            witness,
        };
        let identity = format!("{}\n{}\n{}", direction.word(), finding.pair, edit.message);
        self.changes.add(identity, change);
    }
}

/// A value that proves a difference: that is refused, where it may be what refuses, or that several
/// variants take, at the place of the difference or at the unions around it.
fn proof<'a>(
    scene: Scene<'_, 'a>,
    finding: &Finding,
    suspected: bool,
    unions: &[Finding],
    tried: &mut Tried<'a>,
) -> Option<Proof> {
    let sought = match suspected {
        true => Some(Sought::Refusal),
        false if unions.is_empty() => scene.subject.undeclared(finding).map(Sought::Unread),
        false => Some(Sought::Ambiguity(finding)),
    };
    let here = sought.and_then(|sought| search(scene, finding, sought, &mut tried.here));
    here.or_else(|| {
        let around = unions.iter().filter(|union| union.pair != finding.pair);
        let mut around = around.zip(&mut tried.around);
        let sought = Sought::Ambiguity(finding);
        around.find_map(|(union, trials)| search(scene, union, sought, trials))
    })
}

/// What becomes of a difference that no value proves on the shortest way to it: a proof on another way,
/// with the place it leads to, or else how bad it may be.
fn otherwise(scene: Scene<'_, '_>, finding: &Finding) -> Result<(Proof, String), Severity> {
    match reach(scene, finding) {
        Reach::Harmless => Err(Severity::Compatible),
        Reach::Otherwise(other) => {
            let proof = search(scene, &other, Sought::Refusal, &mut Trials::default());
            let proof = proof.ok_or(Severity::Possible)?;
            Ok((proof, pointer(&other)))
        }
        Reach::Open => Err(Severity::Possible),
    }
}

/// A proof as a report shows it.
fn shown(usage: &Use<'_>, proof: Proof) -> Witness {
    let made = made(&proof.value);
    let exchange = usage.exchange.with(&proof.value);
    Witness {
        exchange: match &made {
            Some(_) => shortened(&exchange),
            None => exchange,
        },
        value: Some(proof.value).filter(|_| made.is_none()),
        made,
        refusal: proof.refusal,
    }
}

/// Whether what is sent as a text is none other than what is expected: any text is of a type, as
/// that of a number that became a string, or each that can be sent is listed.
fn takes_texts(comparison: &Comparison<'_>, subject: &Subject<'_>, finding: &Finding) -> bool {
    let is_text = match subject.travels {
        Travels::Json | Travels::Bytes => false,
        Travels::Text(_) => true,
        Travels::Form(sent, _) => sent.around(finding) == Some(Holds::Text),
    };
    let Some(pair) = comparison.pairs.get(finding.pair).filter(|_| is_text) else {
        return false;
    };
    let before = comparison.before.of(&pair.before);
    let after = comparison.after.of(&pair.after);
    let (sent, expected) = match subject.direction {
        Direction::Request => (before, after),
        Direction::Response => (after, before),
    };
    match finding.edit.facet.as_str() {
        "type" if expected.kinds.contains(&Kind::Array) => true,
        "type" => expected.kinds.contains(&Kind::String) && is_joined(subject, &sent, &expected),
        "enum" => lists_texts(&sent, &expected),
        "minLength" | "maxLength" | "pattern" | "format" => {
            let texts = |kind: &Kind| matches!(kind, Kind::String | Kind::Array);
            let (_, nodes) = subject.nodes(comparison);
            sent.kinds.iter().all(texts) && lists_any_text(nodes, &expected)
        }
        _ => false,
    }
}

/// Whether a list or an object that may be sent is one text as well, and any text will do.
fn is_joined(subject: &Subject<'_>, sent: &Node<'_>, expected: &Node<'_>) -> bool {
    let parts = |kind: &Kind| matches!(kind, Kind::Array | Kind::Object);
    let says = !(expected.marks.is_empty() && expected.bounds.is_empty());
    let says = says || expected.listed.is_some() || !expected.unions.is_empty();
    match subject.travels {
        Travels::Text(Lists::Joined(_)) => !says || !sent.kinds.iter().any(parts),
        _ => true,
    }
}

/// Whether any text may be a list of one: it is, where it cannot be the text alone.
fn lists_any_text<'a>(nodes: &Nodes<'a>, node: &Node<'a>) -> bool {
    let bound = |keyword: &str| node.bounds.get(keyword).and_then(Number::as_u64);
    let any = |all: All<'a>| {
        let item = nodes.of(&all);
        let says = !(item.marks.is_empty() && item.bounds.is_empty() && item.listed.is_none());
        let says = says || !(item.unions.is_empty() && item.opaque.is_empty());
        item.kinds.contains(&Kind::String) && !says
    };
    node.kinds.contains(&Kind::Array)
        && bound("minItems").is_none_or(|least| least <= 1)
        && bound("maxItems").is_none_or(|most| most > 0)
        && node.unions.is_empty()
        && node.opaque.is_empty()
        && node.item(0).is_none_or(any)
}

/// Whether the texts of all values of one normal form are among those that another lists.
fn lists_texts(sent: &Node<'_>, expected: &Node<'_>) -> bool {
    let booleans = || sent.kinds.iter().all(|kind| *kind == Kind::Boolean);
    let values = match &sent.listed {
        Some(listed) => listed.clone(),
        None if booleans() => vec![Value::Bool(true), Value::Bool(false)],
        None => return false,
    };
    let Some(listed) = &expected.listed else {
        return false;
    };
    let listed: Vec<String> = listed.iter().map(text).collect();
    values.iter().all(|value| listed.contains(&text(value)))
}

/// What an edit is worth without a witness.
fn suspicion(direction: Direction, effect: Effect) -> Severity {
    match (effect, direction) {
        (Effect::Docs, _) => Severity::Docs,
        (Effect::Both, _)
        | (Effect::Narrows, Direction::Request)
        | (Effect::Widens, Direction::Response) => Severity::Possible,
        // The request is still valid, and its member is no longer read.
        (Effect::Undeclares, Direction::Request) => Severity::Possible,
        // The request is still valid, and means something else.
        (Effect::Default, Direction::Request) => Severity::Possible,
        (Effect::Default, Direction::Response) => Severity::Docs,
        _ => Severity::Compatible,
    }
}

/// Where in a value a finding lies; `*` stands for any member or item.
fn pointer(finding: &Finding) -> String {
    let mut pointer = String::new();
    for (_, step) in &finding.path {
        match step {
            Step::Member(name) => pointer.push_str(&format!("/{name}")),
            Step::Matching(_) | Step::Other | Step::Item(_) => pointer.push_str("/*"),
            Step::Variant(..) => {}
        }
    }
    pointer
}
