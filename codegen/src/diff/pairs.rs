//! The pairs of a query that parameters are written in: a parameter's own, or one for each member of
//! an object.

use super::exchange::sample;
use super::node::{All, Kind, Node, Rest};
use super::normal::Nodes;
use super::sample::Sampler;
use super::slot::Slot;
use super::view::View;
use crate::document::{Parameter, Place, Style};
use serde_json::{Value, json};
use std::rc::Rc;

/// A name that no contract is likely to declare.
const EXTRA: &str = "extra0";

/// The normal form of an object whose members are pairs of the query.
pub(super) fn object_of<'a>(nodes: &Nodes<'a>, parameter: &Parameter) -> Option<Rc<Node<'a>>> {
    let schema = nodes
        .view
        .schema(&parameter.schema)
        .filter(|_| is_spread(parameter))?;
    let node = nodes.of(&All::one(schema));
    (node.kinds.iter().eq([&Kind::Object]) && node.unions.is_empty()).then_some(node)
}

/// Whether the members of an object are pairs of the query, each of its own.
fn is_spread(parameter: &Parameter) -> bool {
    let is_exploded = parameter.style == Style::Form && parameter.explode;
    parameter.place == Place::Query && (is_exploded || parameter.style == Style::DeepObject)
}

/// What reads the pairs of a query.
pub(super) struct Pairs<'a> {
    parameters: Vec<(&'a Parameter, Option<Node<'a>>)>,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(view: &'a View, parameters: &'a [Parameter]) -> Pairs<'a> {
        let nodes = Nodes::new(view);
        let queried = parameters.iter().filter(|one| one.place == Place::Query);
        let object = |one| object_of(&nodes, one).map(|node| Node::clone(&node));
        Pairs {
            parameters: queried.map(|one| (one, object(one))).collect(),
        }
    }

    /// The parameter that reads the pairs of a name.
    pub(super) fn reader(&self, name: &str) -> Option<&'a Parameter> {
        let reads = |(one, object): &&(&Parameter, Option<Node<'a>>)| match object {
            None => one.name == name,
            Some(_) if one.style == Style::DeepObject => member_of(one, name).is_some(),
            Some(node) => node.properties.contains_key(name) || is_open(node),
        };
        self.parameters.iter().find(reads).map(|(one, _)| *one)
    }
}

/// Whether an exploded object takes the pairs that are no parameter's: it does where it names none, or
/// says of others what they are.
fn is_open(node: &Node<'_>) -> bool {
    let is_closed = |rest: &Rest<'_>| *rest.schema == Value::Bool(false);
    match node.rests.is_empty() && node.patterns.is_empty() {
        true => node.properties.is_empty(),
        false => !node.rests.iter().any(is_closed),
    }
}

/// Values of a query parameter of which something is written.
pub(super) fn samples(view: &View, parameter: &Parameter) -> Vec<Value> {
    let nodes = Nodes::new(view);
    let schema = view.schema(&parameter.schema).map(All::one);
    let schema = schema.unwrap_or_default();
    let sampler = Sampler::new(&nodes, true).filled(true);
    let extra = || {
        let node = object_of(&nodes, parameter).filter(|node| is_open(node))?;
        let member = sampler.sample(&node.member(EXTRA).unwrap_or_default())?;
        Some(json!({ EXTRA: member }))
    };
    let found = [
        Some(sample(parameter, view)),
        sampler.sample(&schema),
        extra(),
    ];
    let slot = Slot::of(parameter);
    let written = |value: &Value| !slot.write(value).is_empty();
    found.into_iter().flatten().filter(written).collect()
}

/// The names of the pairs that a value is written in.
pub(super) fn names(parameter: &Parameter, value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) if is_spread(parameter) => {
            let members = members.keys();
            members.map(|name| pair_of(parameter, name)).collect()
        }
        _ => vec![parameter.name.clone()],
    }
}

/// The name of a pair that must be there wherever something of a parameter is, if that is an object.
pub(super) fn required_pair(view: &View, parameter: &Parameter) -> Option<String> {
    let node = object_of(&Nodes::new(view), parameter)?;
    let name = node.required.first()?;
    Some(pair_of(parameter, name))
}

/// The name of the pair that a member of an object is.
fn pair_of(object: &Parameter, member: &str) -> String {
    match object.style {
        Style::DeepObject => format!("{}[{member}]", object.name),
        _ => member.to_owned(),
    }
}

/// The member of an object that the pairs of a name are.
pub(super) fn member_of<'n>(object: &Parameter, name: &'n str) -> Option<&'n str> {
    match object.style {
        Style::DeepObject => {
            let rest = name.strip_prefix(&object.name)?;
            rest.strip_prefix('[')?.strip_suffix(']')
        }
        _ => Some(name),
    }
}
