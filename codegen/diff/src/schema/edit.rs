//! The differences of two normal forms at one place, keyword by keyword.

use super::limits::{constraints, limits};
use json_schema::equality::ValueSet;
use sample::normal::{Annotations, NormalForm, Type, all_values};
use serde_json::Value;

/// A difference at one place.
#[derive(Debug, Clone)]
pub(crate) struct Edit {
    /// The keyword, perhaps with the member it is about: `maxLength`, `required/id`.
    pub(crate) keyword: String,
    /// The difference as a sentence without its subject.
    pub(crate) message: String,
    pub(crate) effect: Effect,
}

/// The effect of a difference on the set of valid values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Fewer values are valid.
    Narrows,
    /// More values are valid.
    Widens,
    /// Some values are no longer valid, and others are now.
    Both,
    /// A member is now declared, and undeclared members were accepted before.
    Declares,
    /// An optional member is no longer declared, and undeclared members are accepted.
    Undeclares,
    /// A required member is no longer declared, and undeclared members are accepted.
    UndeclaresRequired,
    /// A discriminator was added or removed, which matters only where nothing else distinguishes the variants.
    Hint,
    /// An absent value means something else.
    Default,
    /// None: documentation alone has changed.
    Docs,
}

impl Edit {
    pub(super) fn new(keyword: &str, effect: Effect, message: String) -> Edit {
        Edit {
            keyword: keyword.to_owned(),
            message,
            effect,
        }
    }

    /// The difference of a constraint that either version may lack; losing it widens.
    pub(super) fn presence(
        keyword: &str,
        before: Option<String>,
        after: Option<String>,
    ) -> Option<Edit> {
        let (effect, message) = match (before, after) {
            (None, Some(after)) => (Effect::Narrows, format!("{keyword} {after} was added")),
            (Some(before), None) => (Effect::Widens, format!("{keyword} {before} was removed")),
            (Some(before), Some(after)) => (
                Effect::Both,
                format!("{keyword} was {before} and is now {after}"),
            ),
            (None, None) => return None,
        };
        Some(Edit::new(keyword, effect, message))
    }

    /// The keyword without the member it is about.
    pub(crate) fn plain_keyword(&self) -> &str {
        self.keyword.split('/').next().unwrap_or_default()
    }
}

/// The differences at the place itself, not in members, items or variants.
pub(super) fn edits(before: &NormalForm<'_>, after: &NormalForm<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    if before.types.is_empty() && after.types.is_empty() {
        return edits;
    }
    if before.enumerated.is_none() || after.enumerated.is_none() {
        edits.extend(types(before, after));
    }
    edits.extend(enumeration(before, after));
    limits(before, after, &mut edits);
    constraints(before, after, &mut edits);
    required(before, after, &mut edits);
    edits.extend(annotations(&before.annotations, &after.annotations));
    edits
}

fn types(before: &NormalForm<'_>, after: &NormalForm<'_>) -> Option<Edit> {
    let loses = |from: &NormalForm<'_>, to: &NormalForm<'_>| {
        from.types.difference(&to.types).next().is_some()
            || (to.integer && !from.integer && from.types.contains(&Type::Number))
    };
    let effect = effect(loses(before, after), loses(after, before))?;
    let message = format!(
        "type was {} and is now {}",
        type_names(before),
        type_names(after)
    );
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

fn type_names(form: &NormalForm<'_>) -> String {
    if form.types.len() == Type::ALL.len() && !form.integer {
        return "any".to_owned();
    }
    let name = |ty: &Type| match ty {
        Type::Number if form.integer => "integer",
        ty => ty.name(),
    };
    let names: Vec<_> = form.types.iter().map(name).collect();
    match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(" or "),
    }
}

fn enumeration(before: &NormalForm<'_>, after: &NormalForm<'_>) -> Option<Edit> {
    let is_extensible = after.annotations.extensible;
    let is_enumerated = before.enumerated.is_some() || after.enumerated.is_some();
    // The values that are left may be all values of a type.
    let values = |form: &NormalForm<'_>| {
        let values = form.enumerated.clone();
        values.or_else(|| all_values(&form.types))
    };
    let [before, after] = [before, after].map(|form| values(form).filter(|_| is_enumerated));
    let (Some(before), Some(after)) = (&before, &after) else {
        let shown = |values: &Vec<Value>| shown(values.iter());
        let (before, after) = (before.as_ref().map(shown), after.as_ref().map(shown));
        return Edit::presence("enum", before, after);
    };
    let (old, new) = (ValueSet::of(before), ValueSet::of(after));
    let lost: Vec<_> = before.iter().filter(|value| !new.contains(value)).collect();
    let gained: Vec<_> = after.iter().filter(|value| !old.contains(value)).collect();
    let effect = effect(!lost.is_empty(), !gained.is_empty() && !is_extensible);
    let effect = effect.or((!gained.is_empty()).then_some(Effect::Declares))?;
    let mut parts = Vec::new();
    for (values, verb) in [(lost, "lost"), (gained, "gained")] {
        if !values.is_empty() {
            parts.push(format!("{verb} {}", shown(values.into_iter())));
        }
    }
    let message = format!("enum {}", parts.join(" and "));
    Some(Edit::new("enum", effect, message))
}

/// The first of the values, so that a message does not grow with a long list.
fn shown<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    const SHOWN: usize = 8;
    let texts: Vec<_> = values.map(Value::to_string).collect();
    let more = texts.len().saturating_sub(SHOWN);
    let text = texts.into_iter().take(SHOWN).collect::<Vec<_>>().join(", ");
    match more {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// Whether both accept values of a type; otherwise the difference of the types is reported alone.
pub(super) fn is_in_both(before: &NormalForm<'_>, after: &NormalForm<'_>, ty: Type) -> bool {
    before.types.contains(&ty) && after.types.contains(&ty)
}

/// Members that became required or optional. A removed one is reported as removed.
fn required(before: &NormalForm<'_>, after: &NormalForm<'_>, edits: &mut Vec<Edit>) {
    if !is_in_both(before, after, Type::Object) {
        return;
    }
    for name in after.required.difference(&before.required) {
        let keyword = format!("required/{name}");
        let message = format!("`{name}` became required");
        edits.push(Edit::new(&keyword, Effect::Narrows, message));
    }
    let stays = |name: &&String| !is_removed(name, before, after);
    for name in before.required.difference(&after.required).filter(stays) {
        let keyword = format!("required/{name}");
        let message = format!("`{name}` became optional");
        edits.push(Edit::new(&keyword, Effect::Widens, message));
    }
}

fn is_removed(name: &str, before: &NormalForm<'_>, after: &NormalForm<'_>) -> bool {
    before.properties.contains_key(name) && !after.properties.contains_key(name)
}

fn annotations(before: &Annotations, after: &Annotations) -> Vec<Edit> {
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
        let message = match after.deprecated {
            true => "became deprecated",
            false => "is no longer deprecated",
        };
        edits.push(Edit::new("deprecated", Effect::Docs, message.to_owned()));
    }
    if before.description != after.description {
        let message = "description was changed".to_owned();
        edits.push(Edit::new("description", Effect::Docs, message));
    }
    edits
}

/// The difference of a member that one version alone declares; the flags tell which version refuses it.
pub(super) fn declaration(
    name: &str,
    (before, after): (&NormalForm<'_>, &NormalForm<'_>),
    is_in_after: bool,
    (was_refused, is_refused): (bool, bool),
) -> Edit {
    let was_required = before.required.contains(name) && !after.required.contains(name);
    let keyword = format!("properties/{name}");
    if is_in_after && !is_refused {
        let effect = match was_refused {
            true => Effect::Widens,
            false => Effect::Declares,
        };
        return Edit::new(&keyword, effect, format!("`{name}` was added"));
    }
    let effect = match (was_required, is_refused) {
        (true, true) => Effect::Both,
        (true, false) => Effect::UndeclaresRequired,
        (false, true) => Effect::Narrows,
        (false, false) => Effect::Undeclares,
    };
    Edit::new(&keyword, effect, format!("`{name}` was removed"))
}
