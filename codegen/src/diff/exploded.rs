//! Query parameters of their own, and the same as the members of one object, are alike on the wire
//! (OpenAPI 3.1.1 §4.8.12.6). Where one contract has them apart and the other has the object, both
//! are compared as the object.

use super::node::{All, Kind};
use super::normal::Nodes;
use super::operations::paired;
use super::pairing::Key;
use super::pairs::{Object, member_of, object_of};
use super::side::Side;
use super::view::View;
use crate::document::{Operation, Parameter, Place, Style, escape};
use serde_json::{Map, Value, json};
use std::collections::{BTreeSet, HashMap};

/// Parameters of an operation that are to be one object.
struct Joined {
    /// The path and method of the operation.
    operation: Key,
    /// The names of the parameters.
    names: BTreeSet<String>,
    object: Parameter,
    schema: Value,
}

/// One of two contracts' operations.
#[derive(Clone, Copy)]
struct One<'a> {
    operation: &'a Operation,
    view: &'a View,
}

/// Brings the query parameters of both contracts into the same form.
pub(super) fn align(before: &mut Side, after: &mut Side) {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for (was, is) in paired(before, after).before {
        let Some(is) = is else { continue };
        let was = One {
            operation: was,
            view: &before.view,
        };
        let is = One {
            operation: is,
            view: &after.view,
        };
        old.extend(joined(was, is));
        new.extend(joined(is, was));
    }
    join(before, old);
    join(after, new);
}

/// What is apart in one contract, and an object in the other.
fn joined(apart: One<'_>, other: One<'_>) -> Vec<Joined> {
    let own = |parameter: &&Parameter| parameter.place == Place::Query;
    let is_in = |operation: &Operation, name: &str| {
        let mut queried = operation.parameters.iter().filter(own);
        queried.any(|known| known.name == name)
    };
    let left = apart.operation.parameters.iter().filter(own);
    let mut left: Vec<&Parameter> = left
        .filter(|parameter| !is_in(other.operation, &parameter.name))
        .collect();
    let objects = other.operation.parameters.iter().filter(own);
    let objects = objects.filter(|object| !is_in(apart.operation, &object.name));
    let nodes = [apart.view, other.view].map(Nodes::new);
    let [mine, theirs] = &nodes;
    objects
        .filter_map(|object| {
            let form = object_of(theirs, object)?;
            let (members, others): (Vec<&Parameter>, _) = left.iter().partition(|parameter| {
                let member = member_of(object, &parameter.name);
                member.is_some_and(|name| form.names.contains(name))
                    && is_written_as_member(mine, parameter)
            });
            left = others;
            (!members.is_empty()).then(|| one_of(apart, object, &form, &members))
        })
        .collect()
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

/// The parameters as an object like that of the other contract.
fn one_of(apart: One<'_>, object: &Parameter, form: &Object<'_>, members: &[&Parameter]) -> Joined {
    let named = members
        .iter()
        .filter_map(|member| Some((member_of(object, &member.name)?, *member)));
    let named: Vec<(&str, &Parameter)> = named.collect();
    let required = named.iter().filter(|(_, member)| member.required);
    let required: Vec<&str> = required.map(|(name, _)| *name).collect();
    let properties = named
        .iter()
        .map(|(name, member)| ((*name).to_owned(), described(member)));
    let mut schema = Map::new();
    // Nothing is written for an object that is null.
    let kinds = form.node.kinds.iter();
    let kinds = kinds.filter(|kind| matches!(kind, Kind::Null | Kind::Object));
    let types: Vec<&str> = kinds.map(|kind| kind.name()).collect();
    schema.insert("type".to_owned(), json!(types));
    schema.insert("properties".to_owned(), Value::Object(properties.collect()));
    schema.insert("required".to_owned(), json!(required));
    // An exploded object that does not speak of other members takes none either: their names are
    // no parameter's.
    if form.speaks_of_others() || object.style == Style::DeepObject {
        schema.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(description) = &form.node.notes.description {
        schema.insert("description".to_owned(), json!(description));
    }
    Joined {
        operation: key(apart.operation),
        names: members.iter().map(|member| member.name.clone()).collect(),
        object: Parameter {
            at: object.at.clone(),
            component: None,
            name: object.name.clone(),
            place: Place::Query,
            required: !required.is_empty(),
            style: object.style,
            explode: object.explode,
            schema: format!("{} {}", apart.operation.at.as_str(), object.name),
            description: object.description.clone(),
            deprecated: object.deprecated,
            examples: Vec::new(),
        },
        schema: Value::Object(schema),
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
    let mut joined: HashMap<Key, Vec<Joined>> = HashMap::new();
    for one in all {
        joined.entry(one.operation.clone()).or_default().push(one);
    }
    let mut schemas = Map::new();
    for operation in &mut side.operations {
        for one in joined.remove(&key(operation)).into_iter().flatten() {
            operation.parameters.retain(|parameter| {
                parameter.place != Place::Query || !one.names.contains(&parameter.name)
            });
            schemas.insert(one.object.schema.clone(), one.schema);
            operation.parameters.push(one.object);
        }
    }
    side.view.add(schemas);
}

/// What tells an operation from the others of its contract.
fn key(operation: &Operation) -> Key {
    (operation.path.clone(), operation.method.clone())
}
