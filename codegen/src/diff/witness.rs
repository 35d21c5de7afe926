//! The search for a value that one contract accepts and the other refuses.
//!
//! A candidate at the place of a difference is put into a whole body or parameter, and the
//! interpreter of each contract is asked about that. Only what both have judged is a witness.

use super::apart::is_refused;
use super::arriving::{Travels, accepts, arriving};
use super::compare::{Comparison, Finding, PairId};
use super::node::{All, Node};
use super::normal::Nodes;
use super::overlap::{is_cause, is_of_several, may_cause, overlaps};
use super::probe::{Sides, probes};
use super::refused::{Frames, Proof, Refused, Whole};
use super::sample::Sampler;
use super::surroundings::{Manner, Scene, Surroundings};
use super::union::finite;
use super::view::Direction;
use json_schema::issue::Issue;
use serde_json::{Map, Value};
use std::collections::{HashSet, VecDeque};

/// How many values are brought together with each other variant.
const MOST_ACCOMPANIED: usize = 60;

/// Tells what is wrong with the parts of a value that nothing reads.
pub(super) type Unread<'k> = dyn Fn(&Value) -> Vec<Issue> + 'k;

/// What is compared as a whole: a body or a parameter.
pub(super) struct Subject<'k> {
    pub(super) direction: Direction,
    /// The keys of its schema before and after; `None` admits everything.
    pub(super) before: Option<&'k str>,
    pub(super) after: Option<&'k str>,
    /// How it travels.
    pub(super) travels: Travels<'k>,
    /// Whether a value comes to what is compared, where it is sent at all.
    pub(super) arrives: &'k dyn Fn(&Value) -> bool,
    /// What nothing of the other contract reads, whatever its schema says.
    pub(super) unread: Option<&'k Unread<'k>>,
}

/// The values that may prove the differences at one place: each is judged once for all of them.
#[derive(Default)]
pub(super) struct Trials<'a> {
    /// The pair that they are made for, and whether several variants are to take them.
    place: Option<(PairId, bool)>,
    /// The manners in which none were made yet, the next one last.
    manners: Vec<Manner>,
    /// What is around those that were not looked at yet.
    surroundings: Option<Surroundings<'a>>,
    untried: VecDeque<Candidate>,
    tried: HashSet<Value>,
    /// Those that one contract accepts and the other refuses.
    refused: Vec<Refused>,
    /// Those that both accept.
    taken: Frames,
    /// Where there are few values at the place, those of which no whole was found that both accept.
    untaken: Option<Vec<Value>>,
}

/// A value at the place, and which other variant around it the whole is to be of as well.
struct Candidate {
    value: Value,
    company: Option<usize>,
}

/// What the two contracts say of a whole.
enum Verdict {
    /// The one that should accept it does not.
    Unsent,
    /// Both accept it, as far as the place is concerned.
    Taken(Whole),
    Refused(Refused),
}

/// What makes a refusal the proof of a difference.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sought<'f> {
    /// That it may be what refuses.
    Refusal,
    /// That several variants take what may be of one only: it lets more pass, or less did of what another
    /// variant takes. The difference is at the place where a value is looked for, or within a variant there.
    Ambiguity(&'f Finding),
    /// That nothing reads a member, whatever the schema says of it.
    Unread(&'f str),
}

/// Looks for a value that proves a difference; `None` where none was found. The differences at one
/// place follow each other, and share its trials.
pub(super) fn search<'a>(
    scene: Scene<'_, 'a>,
    finding: &Finding,
    sought: Sought<'_>,
    trials: &mut Trials<'a>,
) -> Option<Proof> {
    let several = matches!(sought, Sought::Ambiguity(_));
    if trials.place != Some((finding.pair, several)) {
        *trials = Trials::at(scene, finding.pair, several);
    }
    let keyword = finding.edit.facet.split('/').next().unwrap_or_default();
    let mut seen = 0;
    loop {
        let mut fresh = trials.refused.iter().skip(seen);
        let proof = fresh.find_map(|refused| match sought {
            Sought::Refusal => refused.by(keyword),
            Sought::Unread(member) => refused.for_unread(member),
            Sought::Ambiguity(inner) => refused.as_several().filter(|proof| {
                inner.pair == finding.pair || may_cause(scene, inner, &proof.value)
            }),
        });
        if proof.is_some() {
            return proof;
        }
        seen = trials.refused.len();
        let Some(candidate) = trials.untried.pop_front() else {
            match trials.manners.pop() {
                Some(manner) => trials.make(manner, scene, finding, several),
                None => return trials.last(scene, sought),
            }
            continue;
        };
        let surroundings = trials.surroundings.as_ref();
        let whole =
            surroundings.and_then(|around| around.whole(scene, candidate.value, candidate.company));
        if let Some(whole) = whole.filter(|whole| trials.tried.insert(whole.value.clone())) {
            match judge(scene, whole) {
                Verdict::Refused(refused) => trials.refused.push(refused),
                Verdict::Taken(whole) => trials.take(&whole),
                Verdict::Unsent => {}
            }
        }
    }
}

impl<'a> Trials<'a> {
    fn at(scene: Scene<'_, 'a>, pair: PairId, several: bool) -> Trials<'a> {
        let schemas = scene.schemas(pair);
        let own = schemas.map(|(own, _)| scene.nodes().0.of(&own));
        Trials {
            place: Some((pair, several)),
            untaken: own.and_then(|node| few(&node)),
            manners: Manner::ALL.into_iter().rev().collect(),
            ..Trials::default()
        }
    }

    /// Makes values, and what is around them.
    fn make(&mut self, manner: Manner, scene: Scene<'_, 'a>, finding: &Finding, several: bool) {
        let (source, target) = scene.nodes();
        self.surroundings = Surroundings::new(scene, manner, &finding.path);
        let schemas = scene.schemas(finding.pair);
        if let Some((own, others)) = schemas.filter(|_| self.surroundings.is_some()) {
            let other = Sampler::new(target, false);
            let sides = Sides {
                source: &source.of(&own),
                target: &other.node(&others),
                refusing: &others,
                sampler: &manner.sampler(source),
                other: &other,
            };
            self.alone(probes(&sides));
            let unequal = scene.unequal(finding.pair);
            self.alone(overlaps(&sides, &own, &unequal));
            if several {
                let theirs = probes(&sides.swapped(&own));
                self.alone(theirs.clone());
                if !manner.wary {
                    self.accompanied(&theirs);
                    self.accompanied(&one_of_each());
                }
            }
        }
    }

    /// Whether there are few values at the place of a difference, all of which were seen to be taken.
    pub(super) fn all_taken(&self, finding: &Finding) -> bool {
        self.place == Some((finding.pair, false))
            && self.untaken.as_ref().is_some_and(Vec::is_empty)
    }

    fn take(&mut self, whole: &Whole) {
        let taken = whole.value.pointer(&whole.at);
        if let Some(untaken) = &mut self.untaken {
            untaken.retain(|value| Some(value) != taken);
        }
        self.taken.take(whole);
    }

    /// The proof where all values were tried, and what is said of none of them is one.
    fn last(&self, scene: Scene<'_, 'a>, sought: Sought<'_>) -> Option<Proof> {
        let mut refused = self.refused.iter();
        match sought {
            Sought::Refusal => {
                let here = refused.clone().find_map(Refused::at_all);
                here.or_else(|| refused.find_map(|refused| refused.among(&self.taken)))
            }
            Sought::Ambiguity(inner) => refused.find_map(|refused| {
                let proof = refused.among(&self.taken)?;
                let is_several = || {
                    let place = self.place.filter(|(pair, _)| *pair == inner.pair);
                    place.is_some_and(|(pair, _)| is_of_several(scene, pair, refused.part()))
                };
                (is_cause(scene, inner, &proof.value) || is_several()).then_some(proof)
            }),
            Sought::Unread(_) => None,
        }
    }

    fn alone(&mut self, values: Vec<Value>) {
        let candidate = |value| Candidate {
            value,
            company: None,
        };
        self.untried.extend(values.into_iter().map(candidate));
    }

    /// Values that another variant around them may take, had it them beside what it asks for.
    fn accompanied(&mut self, values: &[Value]) {
        let around = self.surroundings.as_ref();
        let companies = around.map_or(0, |around| around.companies().count());
        for company in 0..companies {
            let candidate = |value: &Value| Candidate {
                value: value.clone(),
                company: Some(company),
            };
            let values = values.iter().take(MOST_ACCOMPANIED);
            self.untried.extend(values.map(candidate));
        }
    }
}

/// A value of each kind. Beside what other variants ask for, those that neither contract has at the place tell
/// that it is its value that makes a whole one of two.
fn one_of_each() -> [Value; 6] {
    [
        Value::Null,
        true.into(),
        0.into(),
        "".into(),
        Value::Array(Vec::new()),
        Value::Object(Map::new()),
    ]
}

/// All values of a normal form that has few, but for those that it is easily seen to refuse itself.
fn few(node: &Node<'_>) -> Option<Vec<Value>> {
    let mut values = node.listed.clone().or_else(|| finite(&node.kinds))?;
    values.retain(|value| !is_refused(node, value));
    Some(values)
}

/// What the refusing contract says of a whole that the other one accepts.
fn judge(scene: Scene<'_, '_>, whole: Whole) -> Verdict {
    let (source, target) = scene.nodes();
    let subject = scene.subject;
    let (source_key, target_key) = subject.keys();
    if !accepts(source.view, source_key, subject.travels, &whole.value) {
        return Verdict::Unsent;
    }
    let Some(target_key) = target_key else {
        return Verdict::Taken(whole);
    };
    let arriving = arriving(target.view, target_key, subject.travels, &whole.value);
    let mut issues = target.view.issues(target_key, &arriving);
    if let Travels::Form(sent, expected) = subject.travels {
        // Of a file only its absence is judged here.
        let file = |at: &str| sent.is_file(at) || expected.is_file(at);
        issues.retain(|issue| issue.keyword == "required" || !file(&issue.at));
    }
    drop(arriving);
    let unread = subject.unread.map(|unread| unread(&whole.value));
    issues.extend(unread.into_iter().flatten());
    if !issues.is_empty() && !(subject.arrives)(&whole.value) {
        return Verdict::Unsent;
    }
    match Refused::new(whole, issues) {
        Ok(refused) => Verdict::Refused(refused),
        Err(whole) => Verdict::Taken(whole),
    }
}

impl Subject<'_> {
    /// The contract that accepts a witness, and the one that refuses it.
    pub(super) fn nodes<'c, 'a>(
        &self,
        comparison: &'c Comparison<'a>,
    ) -> (&'c Nodes<'a>, &'c Nodes<'a>) {
        match self.direction {
            Direction::Request => (&comparison.before, &comparison.after),
            Direction::Response => (&comparison.after, &comparison.before),
        }
    }

    /// The member that may be sent and is no longer declared, where what its schema lets pass may yet be read
    /// by nothing.
    pub(super) fn undeclared<'f>(&self, finding: &'f Finding) -> Option<&'f str> {
        self.unread?;
        finding.edit.undeclares(self.direction)
    }

    fn keys(&self) -> (Option<&str>, Option<&str>) {
        match self.direction {
            Direction::Request => (self.before, self.after),
            Direction::Response => (self.after, self.before),
        }
    }

    /// The schemas of a pair: of the accepting contract, and of the refusing one.
    pub(super) fn schemas<'a>(
        &self,
        comparison: &Comparison<'a>,
        pair: PairId,
    ) -> Option<(All<'a>, All<'a>)> {
        let pair = comparison.pairs.get(pair)?;
        let (before, after) = (pair.before.clone(), pair.after.clone());
        Some(match self.direction {
            Direction::Request => (before, after),
            Direction::Response => (after, before),
        })
    }
}
