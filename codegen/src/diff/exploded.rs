//! Query parameters of their own, and the same as the members of one object, are alike on the wire
//! (OpenAPI 3.1.1 §4.8.12.6). Where one contract has them apart and the other has them in an object, both
//! are compared as the object.

use super::node::{All, Kind, Node};
use super::normal::Nodes;
use super::pairs::{Object, member_of, object_of, queried};
use super::renamed::rename;
use super::side::Side;
use super::view::View;
use super::{operations, sent};
use crate::openapi::{Operation, ParamLocation, Parameter, Style, escape};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};
use std::ptr;

/// Parameters of an operation that are to be one object.
struct Joined {
    operation: usize,
    /// The names of the parameters.
    names: BTreeSet<String>,
    object: Parameter,
    schema: Value,
}

/// One of two contracts' operations.
#[derive(Clone, Copy)]
pub(super) struct One<'a> {
    pub(super) operation: &'a Operation,
    pub(super) view: &'a View,
}

/// The object that others are to be members of as well.
struct Start<'a> {
    parameter: &'a Parameter,
    /// The normal form that its types and its description are of.
    node: &'a Node<'a>,
    properties: Map<String, Value>,
    required: BTreeSet<String>,
    /// The schema of members that are not named.
    rest: Option<Value>,
}

/// Brings the query parameters of both contracts into the same form.
pub(super) fn align(before: &mut Side, after: &mut Side) {
    rename(before, after);
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for (was, is) in both(before, after) {
        old.extend(joined(was, is));
        new.extend(joined(is, was));
    }
    join(before, old);
    join(after, new);
}

/// The operations of both contracts, and what both send.
pub(super) fn both<'a>(before: &'a Side, after: &'a Side) -> Vec<(One<'a>, One<'a>)> {
    let one = |side: &'a Side, operation| One {
        operation,
        view: &side.view,
    };
    let both = |was, is| (one(before, was), one(after, is));
    let operations = operations::paired(before, after).before.into_iter();
    let mut found: Vec<_> = operations
        .filter_map(|(was, is)| Some(both(was, is?)))
        .collect();
    for lists in [
        (&before.webhooks[..], &after.webhooks[..]),
        (&before.callbacks[..], &after.callbacks[..]),
    ] {
        let sent = sent::paired((before, after), lists);
        found.extend(
            sent.before
                .into_iter()
                .filter_map(|(was, is)| Some(both(&was.operation, &is?.operation))),
        );
    }
    found
}

/// What tells an operation from the others of its contract: they do not move.
pub(super) fn address(operation: &Operation) -> usize {
    ptr::from_ref(operation).addr()
}

/// What is apart in one contract, and in an object in the other.
fn joined(apart: One<'_>, other: One<'_>) -> Vec<Joined> {
    let nodes = [apart.view, other.view].map(Nodes::new);
    let [mine, theirs] = &nodes;
    let namesake = |operation, name: &str| queried(operation).find(|known| known.name == name);
    let left = queried(apart.operation);
    let mut left: Vec<&Parameter> = left
        .filter(|parameter| {
            let known = namesake(other.operation, &parameter.name);
            known.is_none_or(|known| {
                is_member(mine, parameter, known, object_of(theirs, known).as_ref())
            })
        })
        .collect();
    let mut found = Vec::new();
    for object in queried(other.operation) {
        if left.is_empty() {
            break;
        }
        let Some(form) = object_of(theirs, object) else {
            continue;
        };
        let known = namesake(apart.operation, &object.name);
        let known = known.filter(|known| !is_member(mine, known, object, Some(&form)));
        let own = known.and_then(|known| extensible(mine, known, object));
        let start = match (known, &own) {
            (None, _) => Start::like(object, &form),
            (Some(known), Some(own)) => Start::of(known, own),
            (Some(_), None) => continue,
        };
        let (members, others): (Vec<&Parameter>, _) = left.iter().partition(|parameter| {
            let member = member_of(object, &parameter.name);
            member.is_some_and(|name| {
                form.names.contains(name) && !start.properties.contains_key(name)
            }) && is_written_as_member(mine, parameter)
        });
        left = others;
        if !members.is_empty() {
            found.push(start.with(apart.operation, &members));
        }
    }
    found
}

/// An object that others may be members of without a change of what is said of those that it has: it is
/// there wherever one of its members must be, and says nothing of how many there are.
fn extensible<'a>(nodes: &Nodes<'a>, own: &Parameter, like: &Parameter) -> Option<Object<'a>> {
    let object = object_of(nodes, own)?;
    let node = &object.node;
    let names = |names: &BTreeSet<String>| node.properties.keys().all(|name| names.contains(name));
    let mut rests = node.rests.iter();
    let is_plain = (own.style, own.explode) == (like.style, like.explode)
        && !object.is_plain_too
        && node.bounds.is_empty()
        && node.marks.is_empty()
        && node.unions.is_empty()
        && node.opaque.is_empty()
        && node.patterns.is_empty()
        && node.listed.is_none()
        && node.notes.default.is_none()
        && !node.notes.deprecated
        && own.required != node.required.is_empty()
        && rests.all(|rest| rest.patterns.is_empty() && names(&rest.names));
    is_plain.then_some(object)
}

/// Whether a parameter that is called like an object of the other contract is on the wire a member of that,
/// which has one of its own name.
fn is_member(
    nodes: &Nodes<'_>,
    parameter: &Parameter,
    of: &Parameter,
    form: Option<&Object<'_>>,
) -> bool {
    let named = form.filter(|form| !form.is_plain_too && form.names.contains(&parameter.name));
    named.is_some() && of.style == Style::Form && is_written_as_member(nodes, parameter)
}

/// Whether a parameter is written like a member: as a text, or as a pair for each item of a list.
fn is_written_as_member(nodes: &Nodes<'_>, parameter: &Parameter) -> bool {
    let schema = nodes.view.schema(&parameter.schema);
    let kinds = schema.map(|schema| nodes.of(&All::one(schema)).kinds.clone());
    let kinds = kinds.unwrap_or_default();
    let is_list = kinds.contains(&Kind::Array);
    let is_object = kinds.contains(&Kind::Object);
    parameter.style == Style::Form && !is_object && (parameter.explode || !is_list)
}

impl<'a> Start<'a> {
    /// No members yet, and the rest as an object of the other contract has it.
    fn like(parameter: &'a Parameter, form: &'a Object<'a>) -> Start<'a> {
        // An exploded object that does not speak of other members takes none either: their names are
        // no parameter's.
        let is_closed = form.speaks_of_others() || parameter.style == Style::DeepObject;
        Start {
            parameter,
            node: &form.node,
            properties: Map::new(),
            required: BTreeSet::new(),
            rest: is_closed.then_some(Value::Bool(false)),
        }
    }

    fn of(parameter: &'a Parameter, form: &'a Object<'a>) -> Start<'a> {
        let node = &form.node;
        let properties = node.properties.iter();
        Start {
            parameter,
            node,
            properties: properties
                .map(|(name, schemas)| (name.clone(), whole(schemas)))
                .collect(),
            required: node.required.clone(),
            rest: node.rest().as_ref().map(whole),
        }
    }

    /// The object with those parameters of its operation as members.
    fn with(self, operation: &Operation, members: &[&Parameter]) -> Joined {
        let object = self.parameter;
        let (mut properties, mut required) = (self.properties, self.required);
        for member in members {
            let Some(name) = member_of(object, &member.name) else {
                continue;
            };
            properties.insert(name.to_owned(), described(member));
            if member.required {
                required.insert(name.to_owned());
            }
        }
        // Nothing is written for an object that is null.
        let kinds = self.node.kinds.iter();
        let kinds = kinds.filter(|kind| matches!(kind, Kind::Null | Kind::Object));
        let types: Vec<&str> = kinds.map(|kind| kind.name()).collect();
        let is_required = !required.is_empty();
        let said = [
            ("type", Some(json!(types))),
            ("properties", Some(Value::Object(properties))),
            ("required", Some(json!(required))),
            ("additionalProperties", self.rest),
            (
                "description",
                self.node.notes.description.clone().map(Value::String),
            ),
        ];
        let said = said.into_iter();
        let said = said.filter_map(|(keyword, operand)| Some((keyword.to_owned(), operand?)));
        let names = members.iter().map(|member| member.name.clone());
        Joined {
            operation: address(operation),
            names: names.chain([object.name.clone()]).collect(),
            object: Parameter {
                at: object.at.clone(),
                component: None,
                name: object.name.clone(),
                place: ParamLocation::Query,
                required: is_required,
                style: object.style,
                explode: object.explode,
                schema: format!("{} {}", address(operation), object.name),
                description: object.description.clone(),
                deprecated: object.deprecated,
                examples: Vec::new(),
            },
            schema: Value::Object(said.collect()),
        }
    }
}

/// Schemas that all hold as one.
fn whole(all: &All<'_>) -> Value {
    match &all.0[..] {
        [only] => Value::clone(only),
        several => json!({ "allOf": several }),
    }
}

/// The schema of a parameter as that of a member, which says what the parameter does.
fn described(parameter: &Parameter) -> Value {
    let reference = format!("#/{}", escape(&parameter.schema));
    let mut schema = Map::from_iter([("$ref".to_owned(), json!(reference))]);
    if let Some(description) = &parameter.description {
        schema.insert("description".to_owned(), json!(description));
    }
    if parameter.deprecated {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    Value::Object(schema)
}

fn join(side: &mut Side, all: Vec<Joined>) {
    if all.is_empty() {
        return;
    }
    let mut joined: HashMap<usize, Vec<Joined>> = HashMap::new();
    for one in all {
        joined.entry(one.operation).or_default().push(one);
    }
    let mut schemas = Map::new();
    for operation in side.operations_mut() {
        for one in joined.remove(&address(operation)).into_iter().flatten() {
            operation.parameters.retain(|parameter| {
                parameter.place != ParamLocation::Query || !one.names.contains(&parameter.name)
            });
            schemas.insert(one.object.schema.clone(), one.schema);
            operation.parameters.push(one.object);
        }
    }
    side.view.add(schemas);
}
