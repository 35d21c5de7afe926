//! How a parameter or a header is written (OpenAPI 3.1.1 §4.8.12.6), and the values that two ways of
//! writing tell apart.

use super::arriving::{Lists, Travels, accepts};
use super::choice::is_blank;
use super::exchange::text;
use super::judge::Judge;
use super::node::All;
use super::normal::Nodes;
use super::sample::Sampler;
use super::view::View;
use crate::openapi::{Header, ParamLocation, Parameter, Style};
use json_schema::types::Types;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// How a parameter or a header is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) name: String,
    pub(super) place: ParamLocation,
    pub(super) style: Style,
    pub(super) explode: bool,
}

impl Slot {
    pub(super) fn of(parameter: &Parameter) -> Slot {
        Slot {
            name: parameter.name.clone(),
            place: parameter.place,
            style: parameter.style,
            explode: parameter.explode,
        }
    }

    pub(super) fn of_header(header: &Header) -> Slot {
        Slot {
            name: header.name.clone(),
            place: ParamLocation::Header,
            style: if header.is_json {
                Style::Json
            } else {
                Style::Simple
            },
            explode: header.explode,
        }
    }

    /// The way of writing in the words of a report.
    pub(super) fn way(&self) -> String {
        let explode = if self.explode { ", exploded" } else { "" };
        match self.style {
            Style::Json => "JSON".to_owned(),
            // It is written together with the name.
            Style::Matrix => format!("style Matrix{explode}, as `{}`", self.name),
            style => format!("style {style:?}{explode}"),
        }
    }

    /// How a value travels in it.
    pub(super) fn travels(&self) -> Travels<'static> {
        match self.style {
            Style::Json => Travels::Json,
            _ => Travels::Text(self.lists()),
        }
    }

    fn lists(&self) -> Lists {
        match (self.style, self.explode) {
            (Style::DeepObject, _) | (Style::Matrix, true) => Lists::Apart,
            (_, true) if self.place == ParamLocation::Query => Lists::Apart,
            (Style::Label, true) => Lists::Joined("."),
            (Style::SpaceDelimited, _) => Lists::Joined(" "),
            (Style::PipeDelimited, _) => Lists::Joined("|"),
            _ => Lists::Joined(","),
        }
    }

    /// Whether a slot of the other contract writes a value alike.
    pub(super) fn writes_as(&self, other: &Slot, value: &Value) -> bool {
        self.write(value) == other.write(value)
    }

    /// The whole parameter in a query or a cookie, its value elsewhere.
    pub(super) fn write(&self, value: &Value) -> String {
        let (lead, between) = match (self.style, self.explode) {
            (Style::Label, true) => (".", "."),
            (Style::Label, false) => (".", ""),
            (Style::Matrix, _) => (";", ";"),
            (Style::Simple, _) => ("", ","),
            _ => ("", "&"),
        };
        format!("{lead}{}", self.pieces(value).join(between))
    }

    /// What an exploded value is written in, or all of any other.
    fn pieces(&self, value: &Value) -> Vec<String> {
        let named = matches!(self.place, ParamLocation::Query | ParamLocation::Cookie);
        let own = |text: String| match named || self.style == Style::Matrix {
            true => format!("{}={text}", self.name),
            false => text,
        };
        let shown = |value: &Value| self.encode(&text(value));
        match (self.style, value) {
            (Style::Json, value) => vec![own(self.encode(&value.to_string()))],
            (Style::DeepObject, Value::Object(members)) => {
                let name = |name: &str| format!("{}[{name}]", self.name);
                let members = members.iter();
                let pairs = members.flat_map(|(own, member)| self.pairs(&name(own), member));
                pairs.collect()
            }
            (_, Value::Array(items)) if self.explode => {
                items.iter().map(|item| own(shown(item))).collect()
            }
            (_, Value::Object(members)) if self.explode => {
                let members = members.iter();
                members
                    .flat_map(|(name, member)| self.pairs(name, member))
                    .collect()
            }
            (_, Value::Array(items)) => {
                let items: Vec<String> = items.iter().map(shown).collect();
                vec![own(items.join(self.delimiter()))]
            }
            (_, Value::Object(members)) => {
                let members = members.iter();
                let flat = members.flat_map(|(name, member)| [self.encode(name), shown(member)]);
                vec![own(flat.collect::<Vec<_>>().join(self.delimiter()))]
            }
            (_, plain) => vec![own(shown(plain))],
        }
    }

    /// A member as a pair of its name and value; in a query, one for each item of a list.
    fn pairs(&self, name: &str, member: &Value) -> Vec<String> {
        let pair = |value: &Value| format!("{name}={}", self.encode(&text(value)));
        match member {
            Value::Array(items) if self.place == ParamLocation::Query => {
                items.iter().map(pair).collect()
            }
            member => vec![pair(member)],
        }
    }

    fn delimiter(&self) -> &'static str {
        match self.style {
            Style::SpaceDelimited => "%20",
            Style::PipeDelimited => "|",
            _ => ",",
        }
    }

    /// Headers are no part of a URL and written as they are.
    fn encode(&self, text: &str) -> String {
        match self.place {
            ParamLocation::Header => text.to_owned(),
            _ => utf8_percent_encode(text, RESERVED).to_string(),
        }
    }
}

/// Whether the slots of both contracts write all values alike that a schema of either takes: `explode` says
/// nothing of what has no parts, and only some styles write the name of what is in a path.
pub(super) fn are_alike(judge: &Judge<'_>, before: (&Slot, &str), after: (&Slot, &str)) -> bool {
    let lone = [Types::BOOLEAN, Types::INTEGER, Types::STRING];
    let shapes = [
        (&lone[..], json!("a")),
        (&[Types::ARRAY], json!(["a", "b"])),
        (&[Types::OBJECT], json!({ "a": "b" })),
    ];
    let views = (&judge.before.view, &judge.after.view);
    let is_taken = |types| views.0.takes_any(before.1, types) || views.1.takes_any(after.1, types);
    let mut taken = shapes.iter().filter(|(types, _)| is_taken(types));
    taken.all(|(_, value)| before.0.writes_as(after.0, value))
}

/// A value of a schema that the second slot does not read as the first one has written it.
pub(super) fn misread(view: &View, key: &str, writer: &Slot, reader: &Slot) -> Option<Value> {
    let nodes = Nodes::new(view);
    let schema = view.schema(key).map(All::one).unwrap_or_default();
    let own = [false, true].map(|full| Sampler::new(&nodes, full).sample(&schema));
    let own: Vec<Value> = own.into_iter().flatten().collect();
    let doubled = own.iter().find_map(|value| {
        let item = value.as_array()?.first()?;
        Some(json!([item, item]))
    });
    let lists = [json!(["a", "b"]), json!([1, 2])];
    let mut candidates = own.into_iter().chain(lists).chain(doubled);
    candidates.find(|value| {
        !is_blank(value)
            && !writer.writes_as(reader, value)
            && accepts(view, Some(key), writer.travels(), value)
    })
}
