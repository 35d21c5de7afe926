//! Parameters that are added to a query and read pairs that have been another's: all that declare a name
//! read its pairs.

use super::arriving::accepts;
use super::exchange::sample;
use super::judge::Judge;
use super::normal::Nodes;
use super::operations::Both;
use super::pairs::{Pairs, member_of, names, object_of};
use super::parameters::counterpart;
use super::report::Severity;
use super::sample::Sampler;
use super::slot::Slot;
use super::view::View;
use crate::openapi::{ParamLocation, Parameter};
use serde_json::Value;
use std::ptr;

const KIND: &str = "request-parameter-added";

/// Tells what an added parameter reads of what others were sent in; whether there is any.
pub(super) fn tell(judge: &mut Judge<'_>, both: &Both<'_>, new: &Parameter, place: &str) -> bool {
    if new.place != ParamLocation::Query {
        return false;
    }
    let (before, after) = (judge.before, judge.after);
    let sent = Pairs::of(&before.view, &both.before.parameters);
    let expected = Pairs::of(&after.view, &both.after.parameters);
    let read = expected.read_by(new);
    let pairs = read.iter().flat_map(|name| {
        let owners = sent.readers(name);
        owners.map(move |old| (name, old))
    });
    let values = pairs.filter_map(|(name, old)| {
        let value = written_in(&before.view, old, name)?;
        sent.are_taken(old, &value).then_some((name, old, value))
    });
    let values: Vec<_> = values.collect();
    let message = |old: &Parameter| format!("was added, and reads what has been `{}`", old.name);
    let mut refused = values.iter();
    if let Some((_, old, value)) = refused.find(|(_, old, value)| expected.refuses(new, old, value))
    {
        let line = both.line().and(&Slot::of(old), value);
        let refusal = format!("`{}` does not take what it reads of it", new.name);
        let (message, witness) = (message(old), (line.text(), refusal));
        let changes = &mut judge.changes;
        changes.prove(KIND, &both.name, place, message, witness);
        return true;
    }
    // What a parameter no longer reads that has declared it is told of that one.
    let is_told = |name: &str, old: &Parameter| {
        counterpart(both, old).is_none_or(|kept| {
            let is_read = expected.readers(name).any(|reader| ptr::eq(reader, kept));
            !is_read && declares(&before.view, old, name)
        })
    };
    let mut left = values.iter().filter(|(name, old, _)| !is_told(name, old));
    let Some((_, old, _)) = left.next() else {
        return false;
    };
    let (severity, name) = (Severity::Possible, Some(both.name.clone()));
    let changes = &mut judge.changes;
    changes.note(severity, KIND, name, place, message(old));
    true
}

/// Whether a parameter says what the pairs of that name are.
fn declares(view: &View, own: &Parameter, name: &str) -> bool {
    let object = object_of(&Nodes::new(view), own);
    object.is_none_or(|object| {
        member_of(own, name).is_some_and(|member| object.names.contains(member))
    })
}

/// A value of a parameter that is written in a pair of that name, and little else.
fn written_in(view: &View, own: &Parameter, name: &str) -> Option<Value> {
    let nodes = Nodes::new(view);
    let mut value = sample(own, view);
    if let (Some(object), Value::Object(members)) = (object_of(&nodes, own), &mut value) {
        let member = member_of(own, name)?;
        let schema = object.node.member(member).unwrap_or_default();
        let sampler = Sampler::new(&nodes, false).filled(true);
        members.insert(member.to_owned(), sampler.sample(&schema)?);
    }
    let travels = Slot::of(own).travels();
    let is_its = names(own, &value).iter().any(|written| written == name);
    (is_its && accepts(view, Some(&own.schema), travels, &value)).then_some(value)
}
