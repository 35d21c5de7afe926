//! The branch of a union that a text is read for.
//!
//! The value of `code=5` is a text or a number: the branch decides. In most
//! cases the names of the members and their constants select one branch;
//! otherwise every branch that they do not exclude is tried.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde_json::Value;

use crate::coerce::raw::Raw;
use crate::equality::equal;
use crate::types::Types;
use crate::validator::Schemas;
use crate::validator::combine::listed;
use crate::validator::json_type::JsonType;
use crate::validator::node::{Assertion, Conditional, NodeId, Tagged};

/// The schemas that constrain a value themselves, and the remaining branches
/// of every undecided union. Two states with the same choice read a text alike,
/// however their other unions were decided.
type Choice = BTreeSet<NodeId>;

type Members<'a> = BTreeMap<Cow<'a, str>, Raw<'a>>;

/// One text, and the results of its checks against branches. Each branch is
/// checked once, or nested unions would take exponential time.
pub(crate) struct Evidence<'r> {
    /// The members of the text, if it is an object.
    members: Option<&'r Members<'r>>,
    /// Whether the members exclude a branch; the `bool` of the key is `complete` in [`JsonType::has_no`].
    out: RefCell<HashMap<(NodeId, bool), bool>>,
    tried: RefCell<HashSet<Choice>>,
}

impl<'r> Evidence<'r> {
    pub(crate) fn new(raw: &'r Raw<'r>) -> Self {
        let members = match raw {
            Raw::Map(members) => Some(members),
            _ => None,
        };
        Self {
            members,
            out: RefCell::default(),
            tried: RefCell::default(),
        }
    }

    /// Whether this state was not reached before. Unions that share branches
    /// lead to a state in many ways, of which one is enough.
    pub(crate) fn are_new_to(&self, admitted: &JsonType<'_>) -> bool {
        self.tried.borrow_mut().insert(admitted.choice())
    }

    /// Whether the members cannot be those of a branch; see [`JsonType::has_no`].
    fn rule_out(&self, schemas: &Schemas, branch: NodeId, complete: bool) -> bool {
        let Some(members) = self.members else {
            return false;
        };
        // References to the same schema share one result.
        let branch = match schemas.keywords(branch) {
            [Assertion::Ref(target)] => *target,
            _ => branch,
        };
        let mut out = self.out.borrow_mut();
        let out = out.entry((branch, complete));
        *out.or_insert_with(|| JsonType::new(schemas, Some(branch)).has_no(members, complete))
    }

    /// Whether a member is there.
    fn have(&self, name: &str) -> bool {
        self.members
            .is_some_and(|members| members.contains_key(name))
    }

    /// Whether a member names a branch.
    fn name(&self, rule: &Tagged, branch: NodeId) -> bool {
        let tag = self
            .members
            .and_then(|members| members.get(rule.property.as_str()));
        let Some(Raw::Text(tag)) = tag else {
            return false;
        };
        rule.tags
            .iter()
            .any(|(name, id)| *id == branch && name == tag)
    }
}

impl<'s> JsonType<'s> {
    /// Whether the reading depends on no undecided union.
    pub(crate) fn is_certain(&self) -> bool {
        self.vague || !self.certain().any(|keyword| self.is_open_to(keyword))
    }

    /// The schemas for an object with these members: without the branches that
    /// their names and constants exclude, unless that would leave none.
    pub(crate) fn branches_for(&self, evidence: &Evidence<'_>) -> Self {
        let mut this = self.clone();
        if evidence.members.is_none() || !this.types().contains(Types::OBJECT) {
            return this;
        }
        // A branch that is decided may have unions of its own.
        loop {
            let mut known = Vec::new();
            for keyword in this.certain() {
                this.tell(keyword, evidence, &mut known);
            }
            if known.is_empty() {
                return this;
            }
            this = this.knowing(&known);
        }
    }

    /// The schemas with each branch of the first undecided union.
    pub(crate) fn alternatives(&self) -> impl Iterator<Item = Self> {
        let mut open = self.certain().filter(|keyword| self.is_open_to(keyword));
        let each = open.next().map(|keyword| self.each(keyword));
        let each = each.into_iter().flatten();
        each.map(|known| self.knowing(&known))
    }

    /// The part of these schemas that decides how a text is read.
    fn choice(&self) -> Choice {
        let mut choice = Choice::new();
        for (id, keyword) in self.certain_of() {
            match keyword {
                Assertion::Ref(_) | Assertion::AllOf(_) => {}
                _ if self.is_open_to(keyword) => {
                    choice.insert(id);
                    choice.extend(self.left(branches(keyword).unwrap_or_default()));
                }
                Assertion::If(_) => {}
                _ if branches(keyword).is_some() => {}
                _ => _ = choice.insert(id),
            }
        }
        choice
    }

    /// The branches that are not excluded.
    pub(crate) fn left(&self, branches: &[NodeId]) -> Vec<NodeId> {
        let out = |id: &NodeId| self.verdict(*id) == Some(false);
        branches.iter().copied().filter(|id| !out(id)).collect()
    }

    pub(crate) fn verdict(&self, branch: NodeId) -> Option<bool> {
        self.verdicts.get(&branch).copied()
    }

    fn is_open_to(&self, keyword: &Assertion) -> bool {
        match keyword {
            Assertion::If(rule) => self.verdict(rule.condition).is_none(),
            Assertion::DependentSchemas(rules) => {
                rules.iter().any(|(_, id)| self.verdict(*id).is_none())
            }
            _ => branches(keyword).is_some_and(|all| self.left(all).len() > 1),
        }
    }

    /// Adds the branches of a keyword that the members decide.
    fn tell(&self, keyword: &Assertion, evidence: &Evidence<'_>, known: &mut Vec<(NodeId, bool)>) {
        match keyword {
            Assertion::If(Conditional { condition, .. }) => {
                let known_of = self.verdict(*condition);
                if known_of.is_none() && evidence.rule_out(self.schemas, *condition, true) {
                    known.push((*condition, false));
                }
            }
            Assertion::DependentSchemas(rules) => {
                let unknown = rules.iter().filter(|(_, id)| self.verdict(*id).is_none());
                known.extend(unknown.map(|(name, id)| (*id, evidence.have(name))));
            }
            _ => {
                let left = self.left(branches(keyword).unwrap_or_default());
                let is_out = |id: &NodeId, complete| match keyword {
                    Assertion::Tagged(rule) => !evidence.name(rule, *id),
                    _ => evidence.rule_out(self.schemas, *id, complete),
                };
                // If all branches lack a member, the constants alone still exclude some.
                let mut out = [true, false].map(|complete| {
                    let out = left.iter().filter(|id| is_out(id, complete));
                    out.map(|id| (*id, false)).collect::<Vec<_>>()
                });
                let some = out.iter_mut().find(|out| out.len() < left.len());
                known.append(some.unwrap_or(&mut Vec::new()));
            }
        }
    }

    /// The ways to decide a keyword: one for each branch.
    fn each(&self, keyword: &Assertion) -> Vec<Vec<(NodeId, bool)>> {
        match keyword {
            Assertion::If(Conditional { condition, .. }) => {
                vec![vec![(*condition, true)], vec![(*condition, false)]]
            }
            _ => {
                let left = self.left(branches(keyword).unwrap_or_default());
                let others = |one: &NodeId| {
                    let others = left.iter().filter(|id| *id != one);
                    others.map(|id| (*id, false)).collect()
                };
                left.iter().map(others).collect()
            }
        }
    }

    /// Whether no valid object has these members, of any types that their texts may have. If `complete`, the
    /// object has no further members.
    fn has_no(&self, members: &Members<'_>, complete: bool) -> bool {
        if !self.types().contains(Types::OBJECT) {
            return !self.types().contains(Types::ARRAY);
        }
        self.certain().any(|keyword| match keyword {
            Assertion::Required(names) => {
                complete && !names.iter().all(|name| members.contains_key(name.as_str()))
            }
            Assertion::Members(rule) => {
                let mut members = members.iter();
                members.any(|(name, member)| self.refuses(&rule.of(name), member))
            }
            _ => false,
        })
    }

    /// Whether schemas that all hold leave no value for a member.
    fn refuses(&self, schemas: &[NodeId], member: &Raw<'_>) -> bool {
        schemas.iter().any(|id| {
            let schema = JsonType::new(self.schemas, Some(*id));
            let mut keywords = schema.certain();
            keywords.any(|keyword| matches!(keyword, Assertion::Never) || is_other(keyword, member))
        })
    }
}

/// The branches of a union.
fn branches(keyword: &Assertion) -> Option<&[NodeId]> {
    match keyword {
        Assertion::AnyOf(branches)
        | Assertion::OneOf(branches)
        | Assertion::Tagged(Tagged { branches, .. }) => Some(branches),
        _ => None,
    }
}

/// Whether a keyword lists values of which this text is none.
fn is_other(keyword: &Assertion, member: &Raw<'_>) -> bool {
    match (listed(keyword), member) {
        (Some(values), Raw::Text(text)) => !values.iter().any(|value| may_be(text, value)),
        _ => false,
    }
}

/// Whether a text may stand for a value.
fn may_be(text: &str, value: &Value) -> bool {
    match value {
        Value::String(own) => own == text,
        Value::Null => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => {
            serde_json::from_str(text).is_ok_and(|read| equal(&read, value))
        }
        Value::Array(_) | Value::Object(_) => true,
    }
}
