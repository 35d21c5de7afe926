//! The common parts of a parameter and a header, and the text of their values.

use super::{ListFormat, WireFormat, accepts};
use codegen::openapi::{Header, ParamLocation, Parameter, Style};
use json_schema::style;
use json_schema::types::Types;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sample::normal::{AllOf, Normalizer, Type};
use sample::{Bundle, Sampler, is_blank};
use serde_json::{Value, json};

const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// A parameter, or a header of a response or of a form's part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Param<'p> {
    pub(crate) name: &'p str,
    pub(crate) location: ParamLocation,
    pub(crate) required: bool,
    pub(crate) schema: &'p str,
    pub(crate) docs: (Option<&'p str>, bool),
    pub(crate) style: Style,
    pub(crate) explode: bool,
}

impl<'p> From<&'p Parameter> for Param<'p> {
    fn from(one: &'p Parameter) -> Param<'p> {
        Param {
            name: &one.name,
            location: one.place,
            required: one.required,
            schema: &one.schema,
            docs: (one.description.as_deref(), one.deprecated),
            style: one.style,
            explode: one.explode,
        }
    }
}

impl<'p> From<&'p Header> for Param<'p> {
    fn from(header: &'p Header) -> Param<'p> {
        Param {
            name: &header.name,
            location: ParamLocation::Header,
            required: header.required,
            schema: &header.schema,
            docs: (header.description.as_deref(), false),
            style: match header.is_json {
                true => Style::Json,
                false => Style::Simple,
            },
            explode: header.explode,
        }
    }
}

impl Param<'_> {
    /// Whether it is at the same place under that name; those of headers have no case.
    pub(crate) fn is_at(&self, location: ParamLocation, name: &str) -> bool {
        self.location == location
            && match location {
                ParamLocation::Header => self.name.eq_ignore_ascii_case(name),
                _ => self.name == name,
            }
    }

    /// How it is written, in the words of a report.
    pub(crate) fn phrase(&self) -> String {
        let style = style_phrase(self.style, self.explode);
        match self.style {
            // It is written together with the name.
            Style::Matrix => format!("{style}, as `{}`", self.name),
            _ => style,
        }
    }

    pub(crate) fn wire_format(&self) -> WireFormat<'static> {
        let lists = match (self.style, self.explode) {
            (style, _) if style.is_json() => return WireFormat::Json,
            (Style::DeepObject | Style::QueryForm, _) => ListFormat::Separate,
            (Style::Matrix | Style::Cookie, true) => ListFormat::Separate,
            (_, true) if self.location == ParamLocation::Query => ListFormat::Separate,
            (Style::Label, true) => ListFormat::Joined("."),
            (Style::SpaceDelimited, _) => ListFormat::Joined(" "),
            (Style::PipeDelimited, _) => ListFormat::Joined("|"),
            _ => ListFormat::Joined(","),
        };
        WireFormat::Text(lists)
    }

    /// The whole parameter in a query or a cookie; its value elsewhere.
    pub(crate) fn write(&self, value: &Value) -> String {
        // A header is no part of a URL.
        let encode = |text: &str| match self.location {
            ParamLocation::Header => text.to_owned(),
            _ if self.style == Style::Cookie => text.to_owned(),
            _ => utf8_percent_encode(text, RESERVED).to_string(),
        };
        let style = (self.style, self.explode);
        match self.location {
            _ if self.style.is_query_text() => style::one_text(style, self.name, value, encode),
            ParamLocation::Query | ParamLocation::Cookie => {
                let delimiter = match self.style {
                    Style::Cookie => "; ",
                    _ => "&",
                };
                let pairs = style::pairs(style, self.name, value, encode).into_iter();
                let pairs = pairs.map(|(name, text)| format!("{}={text}", bracketed(&name)));
                pairs.collect::<Vec<_>>().join(delimiter)
            }
            _ => style::one_text(style, self.name, value, encode),
        }
    }

    /// Whether it is an object in a query whose members are written like parameters of their own
    /// (OpenAPI 3.1.1 §4.8.12.6).
    pub(crate) fn is_spread(&self, bundle: &Bundle) -> bool {
        let is_spread =
            (self.style == Style::Form && self.explode) || self.style == Style::QueryForm;
        self.location == ParamLocation::Query
            && is_spread
            && bundle.schema(self.schema).is_some_and(|schema| {
                let form = Normalizer::new(bundle).of(&AllOf::one(schema));
                form.types.contains(&Type::Object) && form.types.len() < Type::ALL.len()
            })
    }

    /// A value that it is likely to accept.
    pub(crate) fn sample(&self, bundle: &Bundle) -> Value {
        self.sample_with(bundle, false)
    }

    fn sample_with(&self, bundle: &Bundle, optional: bool) -> Value {
        let forms = Normalizer::new(bundle);
        // No segment of a path is empty, and a query has nothing of an empty value.
        let style = sample::Style {
            filled: matches!(self.location, ParamLocation::Path | ParamLocation::Query),
            optional,
            ..sample::Style::default()
        };
        let schema = bundle.schema(self.schema).map(AllOf::one);
        let value = schema.and_then(|schema| Sampler::new(&forms, style).sample(&schema));
        value.unwrap_or_else(|| Value::String("a".to_owned()))
    }

    fn writes_like(&self, other: &Param<'_>, value: &Value) -> bool {
        self.write(value) == other.write(value)
    }

    /// Whether another version writes every value alike that either accepts: `explode` says nothing of
    /// values without parts, and few styles write the name of a path parameter.
    pub(crate) fn is_written_like(&self, other: &Param<'_>, bundles: [&Bundle; 2]) -> bool {
        let single = [Types::BOOLEAN, Types::INTEGER, Types::STRING];
        let shapes = [
            (&single[..], json!("a")),
            (&[Types::ARRAY], json!(["a", "b"])),
            (&[Types::OBJECT], json!({ "a": "b" })),
        ];
        let [own, others] = bundles;
        let mut taken = shapes.iter().filter(|(types, _)| {
            own.takes_any(self.schema, types) || others.takes_any(other.schema, types)
        });
        taken.all(|(_, value)| self.writes_like(other, value))
    }

    /// A valid value that another version does not read as it is written.
    pub(crate) fn misread_by(&self, reader: &Param<'_>, bundles: [&Bundle; 2]) -> Option<Value> {
        let [own, others] = bundles;
        // One text is read as that, whatever would separate the items of a list.
        if self.style == reader.style
            && self.writes_like(reader, &json!("a"))
            && !others.takes_any(reader.schema, &[Types::ARRAY, Types::OBJECT])
        {
            return None;
        }
        let samples = [false, true].map(|optional| self.sample_with(own, optional));
        let doubled = samples[0].as_array().and_then(|items| items.first());
        let doubled = doubled.map(|item| json!([item, item]));
        let lists = [json!(["a", "b"]), json!([1, 2])];
        let mut candidates = samples.into_iter().chain(lists).chain(doubled);
        candidates.find(|value| {
            let format = self.wire_format();
            !is_blank(value)
                && !self.writes_like(reader, value)
                && accepts(own, Some(self.schema), format, value)
        })
    }
}

/// A style in the words of a report.
pub(crate) fn style_phrase(style: Style, explode: bool) -> String {
    match (style.name(), style) {
        (Some(name), _) => format!("style `{name}`, `explode: {explode}`"),
        (None, Style::QueryForm) => "a query string, as a form".to_owned(),
        (None, Style::QueryJson) => "a query string, as JSON".to_owned(),
        (None, Style::QueryText) => "a query string, as a text".to_owned(),
        (None, _) => "JSON".to_owned(),
    }
}

/// A name with its brackets as people read them.
fn bracketed(name: &str) -> String {
    name.replace("%5B", "[").replace("%5D", "]")
}
