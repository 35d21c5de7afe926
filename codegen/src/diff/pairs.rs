//! The pairs of a query that parameters are written in: a parameter's own, or one for each member of
//! an object.

use super::arriving::accepts;
use super::exchange::sample;
use super::node::{All, Kind, Node, Rest};
use super::normal::Nodes;
use super::refused::UNDECLARED;
use super::sample::Sampler;
use super::slot::Slot;
use super::view::View;
use crate::openapi::{Operation, ParamLocation, Parameter, Style, escape};
use json_schema::issue::{self, Issue};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ptr;
use std::rc::Rc;

/// A name that no contract is likely to declare.
const EXTRA: &str = "extra0";
/// How deeply variants are looked for in variants.
const DEEPEST: usize = 4;

/// An object whose members are pairs of the query.
pub(super) struct Object<'a> {
    pub(super) node: Rc<Node<'a>>,
    /// The members that it names, or a variant of it does.
    pub(super) names: BTreeSet<String>,
    /// Whether it may be no object, so that its own name is a pair's as well.
    pub(super) is_plain_too: bool,
    /// Whether it says what members are that it does not name, and whether that takes some.
    rest: Option<bool>,
}

/// The object that a parameter may be; none where its members, if it has any, are no pairs of the query.
pub(super) fn object_of<'a>(nodes: &Nodes<'a>, parameter: &Parameter) -> Option<Object<'a>> {
    let schema = nodes
        .view
        .schema(&parameter.schema)
        .filter(|_| is_spread(parameter))?;
    let node = nodes.of(&All::one(schema));
    let mut forms = vec![Rc::clone(&node)];
    add_variants(nodes, &node, &mut forms, DEEPEST);
    let kinds = kinds(nodes, &node, DEEPEST);
    let names = forms.iter().flat_map(|form| form.properties.keys());
    let names: BTreeSet<String> = names.cloned().collect();
    let is_plain_too = !kinds.is_subset(&[Kind::Null, Kind::Object].into());
    let is_object = kinds.contains(&Kind::Object) && (!is_plain_too || !names.is_empty());
    is_object.then(|| Object {
        names,
        is_plain_too,
        rest: forms.iter().filter_map(|form| rest(form)).max(),
        node,
    })
}

/// The query parameters of an operation.
pub(super) fn queried(operation: &Operation) -> impl Iterator<Item = &Parameter> {
    let parameters = operation.parameters.iter();
    parameters.filter(|one| one.place == ParamLocation::Query)
}

/// Adds the variants of a schema's unions, and theirs.
fn add_variants<'a>(
    nodes: &Nodes<'a>,
    node: &Node<'a>,
    forms: &mut Vec<Rc<Node<'a>>>,
    depth: usize,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    for variant in node.unions.iter().flat_map(|union| &union.variants) {
        let form = nodes.of(&variant.schemas);
        add_variants(nodes, &form, forms, depth);
        forms.push(form);
    }
}

/// The kinds that a schema and its unions leave.
fn kinds<'a>(nodes: &Nodes<'a>, node: &Node<'a>, depth: usize) -> BTreeSet<Kind> {
    let mut left = node.kinds.clone();
    for union in node.unions.iter().filter(|_| depth > 0) {
        let variants = union.variants.iter();
        let of_variants =
            variants.map(|variant| kinds(nodes, &nodes.of(&variant.schemas), depth - 1));
        let some: BTreeSet<Kind> = of_variants.flatten().collect();
        left.retain(|kind| some.contains(kind));
    }
    left
}

/// Whether members are taken that are not named; `None` where nothing is said of them.
fn rest(node: &Node<'_>) -> Option<bool> {
    let is_closed = |rest: &Rest<'_>| *rest.schema == Value::Bool(false);
    let says = !(node.rests.is_empty() && node.patterns.is_empty());
    says.then(|| !node.rests.iter().any(is_closed))
}

impl Object<'_> {
    /// Whether anything is said of members that it does not name.
    pub(super) fn speaks_of_others(&self) -> bool {
        self.rest.is_some()
    }

    /// Whether an exploded object takes the pairs that are no parameter's: it does where it names none, or
    /// says of others what they are.
    pub(super) fn is_open(&self) -> bool {
        self.rest.unwrap_or(self.names.is_empty())
    }
}

/// Whether the members of an object are pairs of the query, each of its own.
fn is_spread(parameter: &Parameter) -> bool {
    let is_exploded = parameter.style == Style::Form && parameter.explode;
    parameter.place == ParamLocation::Query && (is_exploded || parameter.style == Style::DeepObject)
}

/// What reads the pairs of a query.
pub(super) struct Pairs<'a> {
    view: &'a View,
    parameters: Vec<(&'a Parameter, Option<Object<'a>>)>,
}

/// How a parameter reads the pairs of a name. What yields to others is less.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// An object takes any names that no parameter declares.
    Any,
    /// It declares the name, and yet takes any.
    DeclaredOfAny,
    Declared,
}

impl<'a> Pairs<'a> {
    pub(super) fn of(view: &'a View, parameters: &'a [Parameter]) -> Pairs<'a> {
        let nodes = Nodes::new(view);
        let queried = parameters
            .iter()
            .filter(|one| one.place == ParamLocation::Query);
        Pairs {
            view,
            parameters: queried.map(|one| (one, object_of(&nodes, one))).collect(),
        }
    }

    /// The parameters that read the pairs of a name: all that declare it, or the objects that take any. An
    /// object that takes any names leaves those that it declares to others that declare them as well.
    pub(super) fn readers(&self, name: &str) -> impl Iterator<Item = &'a Parameter> {
        let claims = self.parameters.iter();
        let claims =
            claims.filter_map(|(one, object)| Some((claim(one, object.as_ref(), name)?, *one)));
        let claims: Vec<_> = claims.collect();
        let most = claims.iter().map(|(claim, _)| claim).max();
        let readers = claims.iter().filter(|(claim, _)| Some(claim) == most);
        let readers: Vec<_> = readers.map(|(_, one)| *one).collect();
        readers.into_iter()
    }

    /// The names of the pairs that a parameter reads; where it reads any, one that is not declared.
    pub(super) fn read_by(&self, own: &Parameter) -> Vec<String> {
        let mut objects = self.parameters.iter();
        let object =
            objects.find_map(|(one, object)| object.as_ref().filter(|_| ptr::eq(*one, own)));
        let members = object.iter().flat_map(|object| &object.names);
        let members = members.map(|name| pair_of(own, name));
        let all = members.chain([own.name.clone(), pair_of(own, EXTRA)]);
        all.filter(|name| self.readers(name).any(|reader| ptr::eq(reader, own)))
            .collect()
    }

    /// Whether a parameter does not take what it reads of a value of a parameter of the other contract. Of
    /// what may be written in another way this is not known.
    pub(super) fn refuses(&self, own: &Parameter, sent: &Parameter, value: &Value) -> bool {
        let pairs = written(sent, value);
        let has_parts = |value: &Value| value.is_array() || value.is_object();
        let mut own = self.parameters.iter().filter(|(one, _)| ptr::eq(*one, own));
        own.any(|(own, object)| {
            let is_known = [own.style, sent.style]
                .iter()
                .all(|style| *style != Style::Json)
                && object.as_ref().is_none_or(|object| !object.is_plain_too)
                && !pairs.iter().any(|(_, value)| has_parts(value));
            is_known && !self.takes(own, object.as_ref(), &pairs)
        })
    }

    /// The first parameter that reads the pairs of a name.
    pub(super) fn reader(&self, name: &str) -> Option<&'a Parameter> {
        self.readers(name).next()
    }

    /// Whether no pair that a value of a parameter of the other contract is written in goes to others here and
    /// not to this parameter.
    pub(super) fn leave(&self, own: &Parameter, sent: &Parameter, value: &Value) -> bool {
        let reads = |name: &str| {
            let mut readers = self.readers(name).peekable();
            readers.peek().is_none() || readers.any(|reader| ptr::eq(reader, own))
        };
        own.place != ParamLocation::Query
            || written(sent, value).iter().all(|(name, _)| reads(name))
    }

    /// Whether all pairs that a value of a parameter is written in are read, and whatever else reads them takes
    /// them. What a schema says nothing of it lets pass, and yet it may be no parameter's.
    pub(super) fn are_taken(&self, own: &Parameter, value: &Value) -> bool {
        let pairs = written(own, value);
        let mut others = self
            .parameters
            .iter()
            .filter(|(one, _)| !ptr::eq(*one, own));
        own.place != ParamLocation::Query
            || pairs.iter().all(|(name, _)| self.reader(name).is_some())
                && others.all(|(other, object)| self.takes(other, object.as_ref(), &pairs))
    }

    /// What is said of the members of an object of the other contract that are pairs of no parameter here.
    pub(super) fn unread(&self, sent: &Parameter, value: &Value) -> Vec<Issue> {
        let members = value.as_object().filter(|_| is_spread(sent));
        let names = members.into_iter().flat_map(|members| members.keys());
        let unread = names.filter(|name| self.reader(&pair_of(sent, name)).is_none());
        let issue = |name: &String| Issue {
            place: issue::Place::Query,
            at: format!("/{}", escape(name)),
            keyword: UNDECLARED,
            message: "is not a parameter of this operation".to_owned(),
        };
        unread.map(issue).collect()
    }

    /// Whether a parameter takes those of some pairs that it reads.
    fn takes(
        &self,
        other: &Parameter,
        object: Option<&Object<'_>>,
        pairs: &[(String, &Value)],
    ) -> bool {
        let reads = |name: &str| self.readers(name).any(|reader| ptr::eq(reader, other));
        let mut own = pairs.iter().filter(|(name, _)| reads(name)).peekable();
        if own.peek().is_none() {
            return true;
        }
        let accepts = |value| {
            accepts(
                self.view,
                Some(&other.schema),
                Slot::of(other).travels(),
                value,
            )
        };
        match object {
            None => own.all(|(_, value)| accepts(value)),
            // Which of its forms the others would make is not known.
            Some(object) if object.is_plain_too => false,
            Some(_) => {
                let members = own.filter_map(|(name, value)| {
                    Some((member_of(other, name)?.to_owned(), Value::clone(value)))
                });
                accepts(&Value::Object(members.collect()))
            }
        }
    }
}

/// Whether and how a parameter reads the pairs of a name.
fn claim(one: &Parameter, object: Option<&Object<'_>>, name: &str) -> Option<Claim> {
    let Some(object) = object else {
        return (one.name == name).then_some(Claim::Declared);
    };
    if one.style == Style::DeepObject {
        // A parameter that is called like a member in brackets is that, and no member.
        return member_of(one, name).map(|_| Claim::DeclaredOfAny);
    }
    let is_own = object.is_plain_too && one.name == name;
    match (is_own || object.names.contains(name), object.is_open()) {
        (true, false) => Some(Claim::Declared),
        (true, true) => Some(Claim::DeclaredOfAny),
        (false, true) => Some(Claim::Any),
        (false, false) => None,
    }
}

/// Values of a query parameter of which something is written.
pub(super) fn samples(view: &View, parameter: &Parameter) -> Vec<Value> {
    let nodes = Nodes::new(view);
    let schema = view.schema(&parameter.schema).map(All::one);
    let schema = schema.unwrap_or_default();
    let sampler = Sampler::new(&nodes, true).filled(true);
    let extra = || {
        let object = object_of(&nodes, parameter).filter(Object::is_open)?;
        let member = sampler.sample(&object.node.member(EXTRA).unwrap_or_default())?;
        Some(json!({ EXTRA: member }))
    };
    let found = [
        Some(sample(parameter, view)),
        sampler.sample(&schema),
        extra(),
    ];
    let slot = Slot::of(parameter);
    let is_written = |value: &Value| !slot.write(value).is_empty();
    found.into_iter().flatten().filter(is_written).collect()
}

/// The names of the pairs that a value is written in.
pub(super) fn names(parameter: &Parameter, value: &Value) -> Vec<String> {
    let pairs = written(parameter, value).into_iter();
    pairs.map(|(name, _)| name).collect()
}

/// The pairs that a value is written in: its own, or one for each member.
fn written<'v>(parameter: &Parameter, value: &'v Value) -> Vec<(String, &'v Value)> {
    match value {
        Value::Object(members) if is_spread(parameter) => {
            let members = members.iter();
            members
                .map(|(name, member)| (pair_of(parameter, name), member))
                .collect()
        }
        _ => vec![(parameter.name.clone(), value)],
    }
}

/// The name of a pair that must be there wherever something of a parameter is, if that is an object.
pub(super) fn required_pair(view: &View, parameter: &Parameter) -> Option<String> {
    let object = object_of(&Nodes::new(view), parameter)?;
    let name = object.node.required.first()?;
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
