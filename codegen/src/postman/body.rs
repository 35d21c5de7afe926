//! Request bodies, filled with the contract's first example, or with a made-up value.

use super::Context;
use super::format::{Body, Description, File, FormRow, RawLanguage, RawOptions, Row};
use super::sample::{preview_language, text};
use super::{fields, sequence, style};
use crate::ir::{Api, Content, FieldContent, FormField, Media, Styled, Type};
use json_schema::pairs;
use serde_json::Value;

/// A body of that media type.
pub(super) fn body(context: &Context<'_>, media: &Media) -> Body {
    let Context { api, made_up, .. } = context;
    let example = media.examples.first().map(|example| example.value.clone());
    match &media.content {
        Content::Json(_, key) | Content::Scalar(_, key) => {
            let value = example.or_else(|| made_up.schema(key));
            raw(media, value.as_ref())
        }
        Content::Form(ty, key, styled) => Body::Urlencoded {
            urlencoded: rows(api, (ty, styled), example.or_else(|| made_up.schema(key))),
        },
        Content::Multipart(form) => Body::Formdata {
            formdata: form
                .fields
                .iter()
                .flat_map(|field| form_rows(context, field))
                .collect(),
        },
        Content::Items(_, _, key) => {
            let made_up = || Some(items(media, made_up.schema(key)?));
            raw(media, example.or_else(made_up).as_ref())
        }
        Content::Text | Content::Events(..) => raw(media, example.as_ref()),
        Content::Parts(_) if example.is_some() => raw(media, example.as_ref()),
        Content::Stream | Content::Parts(_) => Body::File {
            file: File { src: None },
        },
    }
}

/// The most items of a made-up body.
const MAX_ITEMS: usize = 100;

/// A list of an item, as long as it must be, and not empty.
fn items(media: &Media, item: Value) -> Value {
    let min = usize::try_from(media.count.min).unwrap_or(MAX_ITEMS);
    Value::Array(vec![item; min.clamp(1, MAX_ITEMS)])
}

/// The rows of a field: one, or one for each property that is sent as a field of its own.
fn form_rows(context: &Context<'_>, field: &FormField) -> Vec<FormRow> {
    let value = |key: &str| match field.required {
        true => context.made_up.schema(key),
        false => context.api.example_of_schema(key),
    };
    let (kind, content_type, value) = match &field.content {
        FieldContent::Text(_, key)
        | FieldContent::Delimited(_, key, _)
        | FieldContent::Spread(_, key, _) => ("text", None, value(key)),
        FieldContent::Json(_, key) => ("text", Some("application/json"), value(key)),
        FieldContent::File(_) | FieldContent::Files { .. } => ("file", None, None),
    };
    let content_type = field.sent_type().or(content_type).map(str::to_owned);
    let row = |key: &str, value: Option<&Value>, disabled| FormRow {
        row: Row {
            key: key.to_owned(),
            value: Some(value.map(text).unwrap_or_default()),
            description: Description(field.doc.clone()),
            disabled,
        },
        kind,
        content_type: content_type.clone(),
    };
    let FieldContent::Spread(_, _, names) = &field.content else {
        return vec![row(&field.wire, value.as_ref(), !field.required)];
    };
    let rows = names.iter().map(|name| {
        let property = value.as_ref().and_then(|value| value.get(name));
        row(name, property, !field.required || property.is_none())
    });
    rows.collect()
}

fn raw(media: &Media, value: Option<&Value>) -> Body {
    let text = value.map(|value| sequence::text(media, value));
    Body::Raw {
        raw: text.unwrap_or_default(),
        options: RawOptions {
            raw: RawLanguage {
                language: preview_language(&media.media_type),
            },
        },
    }
}

/// The properties of the example, then the fields that it omits.
fn rows(api: &Api, (ty, styled): (&Type, &[Styled]), example: Option<Value>) -> Vec<Row> {
    let known = fields::fields_of(api, ty);
    let given = example.as_ref().and_then(Value::as_object);
    let described = |name: &str| {
        let field = known.iter().find(|field| field.wire == name);
        Description(field.map(|field| field.doc.clone()).unwrap_or_default())
    };
    let mut rows: Vec<_> = given
        .into_iter()
        .flatten()
        .flat_map(|(name, value)| {
            let pairs = match Styled::of(styled, name) {
                Some(style) => style::pairs(name, style, value),
                None => pairs::form_field(name, value),
            };
            let row = |(key, value)| Row {
                key,
                value: Some(value),
                description: described(name),
                disabled: false,
            };
            pairs.into_iter().map(row).collect::<Vec<_>>()
        })
        .collect();
    let absent = known
        .iter()
        .filter(|field| given.is_none_or(|given| !given.contains_key(&field.wire)));
    rows.extend(absent.map(|field| Row {
        key: field.wire.clone(),
        value: Some(String::new()),
        description: Description(field.doc.clone()),
        disabled: !field.required,
    }));
    rows
}
