//! How two normal forms differ at one place, keyword by keyword.

use super::limits::{bounds, marks};
use super::node::{All, Kind, Node};
use super::union::finite;
use super::view::Direction;
use crate::schema::values::Values;
use serde_json::Value;

/// A difference at one place of a value.
#[derive(Debug, Clone)]
pub(super) struct Edit {
    /// The keyword, or what stands for it.
    pub(super) facet: String,
    /// The difference in a sentence without a subject.
    pub(super) message: String,
    pub(super) effect: Effect,
}

/// What a difference may do to the set of valid values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Fewer values are valid.
    Narrows,
    /// More values are valid.
    Widens,
    /// Some of each.
    Both,
    /// A member is declared that was not, or the reverse, and undeclared members are let pass: of
    /// those, neither contract promises anything.
    Declares,
    Undeclares,
    /// A discriminator is there on one side only: where the variants are told apart by other means
    /// that changes nothing, and only a witness makes it a change.
    Hint,
    /// What an absent value stands for.
    Default,
    /// Only what people read.
    Docs,
}

impl Edit {
    pub(super) fn new(facet: &str, effect: Effect, message: String) -> Edit {
        Edit {
            facet: facet.to_owned(),
            message,
            effect,
        }
    }

    /// An edit of what may be there on one side only; to lose a constraint widens.
    pub(super) fn presence(
        facet: &str,
        before: Option<String>,
        after: Option<String>,
    ) -> Option<Edit> {
        let (effect, message) = match (before, after) {
            (None, Some(after)) => (Effect::Narrows, format!("{facet} {after} was added")),
            (Some(before), None) => (Effect::Widens, format!("{facet} {before} was removed")),
            (Some(before), Some(after)) => (
                Effect::Both,
                format!("{facet} was {before} and is now {after}"),
            ),
            (None, None) => return None,
        };
        Some(Edit::new(facet, effect, message))
    }

    pub(super) fn may_narrow(&self) -> bool {
        matches!(self.effect, Effect::Narrows | Effect::Both | Effect::Hint)
    }

    /// The member that what is sent may have, and what is expected does not declare.
    pub(super) fn undeclares(&self, direction: Direction) -> Option<&str> {
        let effect = match direction {
            Direction::Request => Effect::Undeclares,
            Direction::Response => Effect::Declares,
        };
        let member = self.facet.strip_prefix("properties/");
        member.filter(|_| self.effect == effect)
    }

    pub(super) fn may_widen(&self) -> bool {
        matches!(self.effect, Effect::Widens | Effect::Both | Effect::Hint)
    }
}

/// The differences that lie at the place itself, not in members, items or variants.
pub(super) fn edits(before: &Node<'_>, after: &Node<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    if before.kinds.is_empty() && after.kinds.is_empty() {
        return edits;
    }
    if before.listed.is_none() || after.listed.is_none() {
        edits.extend(kinds(before, after));
    }
    edits.extend(listed(before, after));
    bounds(before, after, &mut edits);
    marks(before, after, &mut edits);
    required(before, after, &mut edits);
    edits.extend(notes(before, after));
    edits
}

fn kinds(before: &Node<'_>, after: &Node<'_>) -> Option<Edit> {
    let loses = before.kinds.difference(&after.kinds).next().is_some()
        || (after.integer && !before.integer && before.kinds.contains(&Kind::Number));
    let gains = after.kinds.difference(&before.kinds).next().is_some()
        || (before.integer && !after.integer && after.kinds.contains(&Kind::Number));
    let effect = effect(loses, gains)?;
    let message = format!("type was {} and is now {}", names(before), names(after));
    Some(Edit::new("type", effect, message))
}

fn effect(loses: bool, gains: bool) -> Option<Effect> {
    match (loses, gains) {
        (true, true) => Some(Effect::Both),
        (true, false) => Some(Effect::Narrows),
        (false, true) => Some(Effect::Widens),
        (false, false) => None,
    }
}

/// The types of a node as people say them.
fn names(node: &Node<'_>) -> String {
    if node.kinds.len() == Kind::ALL.len() && !node.integer {
        return "any".to_owned();
    }
    let name = |kind: &Kind| match kind {
        Kind::Number if node.integer => "integer",
        kind => kind.name(),
    };
    let names: Vec<_> = node.kinds.iter().map(name).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(" or ")
    }
}

fn listed(before: &Node<'_>, after: &Node<'_>) -> Option<Edit> {
    let extensible = after.notes.extensible;
    let is_listed = before.listed.is_some() || after.listed.is_some();
    // What is left of a list may be all that there is of a type.
    let values = |node: &Node<'_>| node.listed.clone().or_else(|| finite(&node.kinds));
    let [before, after] = [before, after].map(|node| values(node).filter(|_| is_listed));
    let (Some(before), Some(after)) = (&before, &after) else {
        let show = |values: &Vec<Value>| show(values.iter());
        return Edit::presence("enum", before.as_ref().map(show), after.as_ref().map(show));
    };
    let (old, new) = (Values::of(before), Values::of(after));
    let lost: Vec<_> = before.iter().filter(|value| !new.contains(value)).collect();
    let gained: Vec<_> = after.iter().filter(|value| !old.contains(value)).collect();
    let effect = effect(!lost.is_empty(), !gained.is_empty() && !extensible);
    let effect = effect.or((!gained.is_empty()).then_some(Effect::Declares))?;
    let mut parts = Vec::new();
    for (values, verb) in [(lost, "lost"), (gained, "gained")] {
        if !values.is_empty() {
            parts.push(format!("{verb} {}", show(values.into_iter())));
        }
    }
    let message = format!("enum {}", parts.join(" and "));
    Some(Edit::new("enum", effect, message))
}

/// Values in a message, which does not grow with a long list.
fn show<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    const SHOWN: usize = 8;
    let texts: Vec<_> = values.map(Value::to_string).collect();
    let more = texts.len().saturating_sub(SHOWN);
    let mut text = texts.into_iter().take(SHOWN).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// Whether values of a kind are admitted by both: otherwise the types say all there is to say of them.
pub(super) fn are_both(before: &Node<'_>, after: &Node<'_>, kind: Kind) -> bool {
    before.kinds.contains(&kind) && after.kinds.contains(&kind)
}

fn required(before: &Node<'_>, after: &Node<'_>, edits: &mut Vec<Edit>) {
    if !are_both(before, after, Kind::Object) {
        return;
    }
    for name in after.required.difference(&before.required) {
        let message = format!("the member `{name}` became required");
        edits.push(Edit::new(
            &format!("required/{name}"),
            Effect::Narrows,
            message,
        ));
    }
    for name in before.required.difference(&after.required) {
        let message = format!("the member `{name}` became optional");
        edits.push(Edit::new(
            &format!("required/{name}"),
            Effect::Widens,
            message,
        ));
    }
}

fn notes(before: &Node<'_>, after: &Node<'_>) -> Vec<Edit> {
    let (before, after) = (&before.notes, &after.notes);
    let mut edits = Vec::new();
    if before.default != after.default {
        let text = |value: &Option<Value>| match value {
            Some(value) => value.to_string(),
            None => "none".to_owned(),
        };
        let (old, new) = (text(&before.default), text(&after.default));
        let message = format!("default was {old} and is now {new}");
        edits.push(Edit::new("default", Effect::Default, message));
    }
    if before.deprecated != after.deprecated {
        let message = if after.deprecated {
            "became deprecated"
        } else {
            "is no longer deprecated"
        };
        edits.push(Edit::new("deprecated", Effect::Docs, message.to_owned()));
    }
    if before.description != after.description {
        let message = "description was changed".to_owned();
        edits.push(Edit::new("description", Effect::Docs, message));
    }
    edits
}

/// A member that one of the two does not declare.
pub(super) fn declared(name: &str, before: Option<&All<'_>>, after: Option<&All<'_>>) -> Edit {
    let closed = |all: Option<&All<'_>>| all.is_some_and(All::refuses_everything);
    let facet = format!("properties/{name}");
    if after.is_none() || closed(after) {
        let effect = if closed(after) {
            Effect::Narrows
        } else {
            Effect::Undeclares
        };
        Edit::new(&facet, effect, format!("the member `{name}` was removed"))
    } else {
        let effect = if closed(before) {
            Effect::Widens
        } else {
            Effect::Declares
        };
        Edit::new(&facet, effect, format!("the member `{name}` was added"))
    }
}
