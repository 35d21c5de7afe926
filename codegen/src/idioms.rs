//! Idioms: what authors and tools write, rewritten in one canonical form, so that every later stage
//! (discriminators, read and write variants, lowering, lint, samples, the comparison of two documents)
//! knows that form alone. The document that is published stays as its author wrote it.
//!
//! The stage runs on the bundle: references are keys there, so that an idiom can look behind them, and
//! the keywords of OpenAPI 3.0 are those of 2020-12, so that one detection serves all versions. The
//! upgrade leaves `nullable` where the standard gives it no effect, for this stage to read.
//!
//! Two kinds of idiom have a file each. A *notation* means the same as its canonical form, and is
//! rewritten without a word. A *departure* has an evident meaning that differs from the standard's
//! letter: the meaning is taken, and reported once for each document, with the first location, the
//! number of locations and the form to write instead; with `strict`, that is an error. A schema that
//! names JSON Schema 2020-12 or a dialect of its author by `$schema` means what the standard says, and is left alone.

mod annotated_enum;
mod circular_union;
mod closed_part;
mod enum_names;
mod enum_text;
mod inherited_discriminator;
mod missing_type;
mod nullable;
mod open_enum;
mod open_object;
mod shared_properties;

pub(crate) use circular_union::ONLY_LISTED;
pub(crate) use nullable::{is_plain, marks as nullable_marks};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::schema::is_annotation;
use crate::source::Pointer;
use json_schema::keyword::{Subschemas, subschemas};
use json_schema::reference::key_of_reference;
use missing_type::Position;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// A schema that says this by `$schema` has no idioms.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

type Members = Map<String, Value>;

/// An idiom: how a schema is rewritten, and what is reported.
struct Idiom {
    /// Rewrites one schema object; returns whether it departed from the standard's letter.
    rewrite: fn(&mut Members, &Known<'_>) -> bool,
    report: Option<Report>,
    /// Whether the items of sequences are left alone: how they are written, as events for one, is told by
    /// the schema as it stands.
    leaves_items: bool,
    /// Whether only schemas in the position of a value have it.
    values_alone: bool,
}

/// What is reported of a departure.
struct Report {
    code: Code,
    message: &'static str,
    /// The form to write instead.
    help: &'static str,
    /// The meaning that is taken.
    meaning: &'static str,
}

/// The most references that are followed one after the other: schemas may refer to themselves.
const MAX_DEPTH: usize = 16;

/// The most references that are followed to rewrite one schema: where each schema refers to the next one many
/// times, following all of them would take forever.
const MAX_FOLLOWED: usize = 10_000;

/// The other schemas of the bundle, by key.
struct Known<'s> {
    schemas: &'s Members,
    /// How many references are being followed.
    depth: Cell<usize>,
    /// How many references were followed to rewrite the current schema.
    followed: Cell<usize>,
}

/// The idioms of single schemas, in the order in which they are rewritten.
const OF_SCHEMAS: &[Idiom] = &[
    missing_type::IDIOM,
    enum_text::IDIOM,
    nullable::IDIOM,
    enum_names::IDIOM,
    open_enum::IDIOM,
    annotated_enum::IDIOM,
    open_object::IDIOM,
    circular_union::IDIOM,
    shared_properties::IDIOM,
];

/// The idioms of schemas that extend others, after each parent with a discriminator has become a union.
const OF_INHERITANCE: &[Idiom] = &[closed_part::IDIOM, inherited_discriminator::IDIOM];

/// The schemas of a bundle, and their places.
pub(crate) struct Schemas<'b> {
    pub(crate) by_key: &'b mut Members,
    pub(crate) places: &'b BTreeMap<String, Pointer>,
    /// The keys of the items of sequences.
    pub(crate) items: &'b BTreeSet<String>,
}

impl Schemas<'_> {
    /// Rewrites the idioms of single schemas.
    pub(crate) fn rewrite(self, diagnostics: &mut Diagnostics) {
        rewrite(OF_SCHEMAS, self, diagnostics);
    }

    /// Rewrites the idioms of schemas that extend others.
    pub(crate) fn rewrite_inheritance(self, diagnostics: &mut Diagnostics) {
        rewrite(OF_INHERITANCE, self, diagnostics);
    }
}

fn rewrite(idioms: &[Idiom], all: Schemas<'_>, diagnostics: &mut Diagnostics) {
    let Schemas {
        by_key: schemas,
        places,
        items,
    } = all;
    let exact: Vec<Pointer> = schemas
        .iter()
        .filter(|(_, schema)| schema.as_object().is_some_and(is_exact))
        .filter_map(|(key, _)| places.get(key).cloned())
        .collect();
    let is_within = |key: &String| {
        let place = places.get(key).map(Pointer::as_str).unwrap_or_default();
        let mut exact = exact.iter();
        exact.any(|at| {
            place
                .strip_prefix(at.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let keys = schemas.keys().filter(|key| !is_within(key));
    let keys: Vec<String> = keys.cloned().collect();
    for idiom in idioms {
        let mut count = 0;
        let mut first = None;
        let positions: BTreeMap<String, Position> = match idiom.values_alone {
            true => missing_type::positions(schemas, |key| {
                let place = places.get(key);
                place.map_or_else(Vec::new, |place| place.tokens().collect())
            }),
            false => BTreeMap::new(),
        };
        for key in keys
            .iter()
            .filter(|key| !idiom.leaves_items || !items.contains(*key))
        {
            let Some(slot) = schemas.get_mut(key) else {
                continue;
            };
            let mut schema = std::mem::take(slot);
            let known = Known::new(schemas);
            let mut walk = Walk {
                idiom,
                known: &known,
                count: &mut count,
            };
            let position = positions.get(key).cloned();
            let found = walk.schema(&mut schema, position.as_ref());
            if let Some(slot) = schemas.get_mut(key) {
                *slot = schema;
            }
            if let Some(tokens) = found.filter(|_| first.is_none()) {
                let place = places.get(key).cloned().unwrap_or_default();
                first = Some(tokens.iter().rev().fold(place, |at, token| at.child(token)));
            }
        }
        if let (Some(at), Some(report)) = (first, &idiom.report) {
            report.add(&at, count, diagnostics);
        }
    }
}

impl Report {
    fn add(&self, at: &Pointer, count: usize, diagnostics: &mut Diagnostics) {
        let message = match count {
            1 => self.message.to_owned(),
            _ => format!("{}, in {count} locations", self.message),
        };
        let problem = Diagnostic::new(self.code, at, message).help(self.help);
        diagnostics.recover(problem, self.meaning);
    }
}

impl<'s> Known<'s> {
    fn new(schemas: &'s Members) -> Known<'s> {
        Known {
            schemas,
            depth: Cell::new(0),
            followed: Cell::new(0),
        }
    }

    /// The schema that a `$ref` names.
    fn referred(&self, members: &Members) -> Option<&'s Members> {
        let key = key_of_reference(members.get("$ref")?.as_str()?)?;
        self.schemas.get(&key)?.as_object()
    }

    /// Reads the schema that a `$ref` names, where reading may follow further references; `None` if there
    /// is none, or where too many were followed.
    fn follow<T>(&self, members: &Members, read: impl FnOnce(&'s Members) -> T) -> Option<T> {
        let target = self.referred(members)?;
        let (depth, followed) = (self.depth.get(), self.followed.get());
        if depth == MAX_DEPTH || followed == MAX_FOLLOWED {
            return None;
        }
        self.depth.set(depth + 1);
        self.followed.set(followed + 1);
        let value = read(target);
        self.depth.set(depth);
        Some(value)
    }
}

/// Whether a schema means what the standard says: its author names 2020-12, or a dialect that no tool writes.
fn is_exact(members: &Members) -> bool {
    let dialect = members.get("$schema").and_then(Value::as_str);
    dialect.is_some_and(|dialect| {
        let is_of_tools = ["json-schema.org/", "spec.openapis.org/"];
        dialect.trim_end_matches('#') == DIALECT
            || !is_of_tools.iter().any(|host| dialect.contains(host))
    })
}

/// Rewrites an idiom in a schema and in those inside it.
struct Walk<'w> {
    idiom: &'w Idiom,
    known: &'w Known<'w>,
    /// The number of departures.
    count: &'w mut usize,
}

impl Walk<'_> {
    /// Rewrites a schema and then those inside it, and counts the departures; returns the tokens that lead
    /// to the first of them, the last token first. The position is known where it matters.
    fn schema(&mut self, schema: &mut Value, position: Option<&Position>) -> Option<Vec<String>> {
        let members = schema
            .as_object_mut()
            .filter(|members| !is_exact(members))?;
        let mut first = None;
        self.known.followed.set(0);
        let is_asked = position.is_none_or(|position| *position == Position::Value);
        if is_asked && (self.idiom.rewrite)(members, self.known) {
            *self.count += 1;
            first = Some(Vec::new());
        }
        let is_composed = ["allOf", "anyOf", "oneOf"];
        let is_composed = is_composed.iter().any(|list| members.contains_key(*list));
        let outer = position.map(|position| match is_composed {
            true => (position, members.clone()),
            false => (position, Members::new()),
        });
        for (keyword, operand) in members {
            each_schema(keyword, operand, &mut |token, inner| {
                let position = outer.as_ref().map(|(position, members)| {
                    position.inside(members, keyword, token.as_deref(), self.known)
                });
                let found = self.schema(inner, position.as_ref());
                if let Some(mut tokens) = found.filter(|_| first.is_none()) {
                    tokens.extend(token);
                    tokens.push(keyword.clone());
                    first = Some(tokens);
                }
            });
        }
        first
    }
}

/// Visits the schemas in the operand of a keyword, each with the token that leads to it from there.
fn each_schema(
    keyword: &str,
    operand: &mut Value,
    visit: &mut dyn FnMut(Option<String>, &mut Value),
) {
    match (subschemas(keyword), operand) {
        (Subschemas::One, schema) => visit(None, schema),
        (Subschemas::ByName, Value::Object(members)) => {
            for (name, schema) in members {
                visit(Some(name.clone()), schema);
            }
        }
        (Subschemas::List, Value::Array(items)) => {
            for (index, schema) in items.iter_mut().enumerate() {
                visit(Some(index.to_string()), schema);
            }
        }
        _ => {}
    }
}

/// Whether every keyword of a schema is an annotation, or one of these.
fn has_only(members: &Members, keywords: &[&str]) -> bool {
    let mut own = members.keys().map(String::as_str);
    own.all(|keyword| keywords.contains(&keyword) || is_annotation(keyword))
}

/// The schemas of a list.
fn list<'m>(members: &'m Members, keyword: &str) -> &'m [Value] {
    let schemas = members.get(keyword).and_then(Value::as_array);
    schemas.map(Vec::as_slice).unwrap_or_default()
}
