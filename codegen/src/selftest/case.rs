//! One call of an operation: the request and the answer.

use super::Pool;
use super::pool::Carrier;
use super::segments::Segments;
use crate::ir::{
    Body, Bounds, Content, FieldContent, Form, FormField, HeaderEncoding, Media, Operation, Param,
    ParamLocation, ParamShape, Response,
};
use serde_json::Value;

/// A request with its answer. Numbers are indices into the pool.
pub(crate) struct TestCase<'a> {
    pub(crate) kind: OperationKind,
    pub(crate) operation: &'a Operation,
    /// The values of the path's parameters.
    pub(crate) path: Vec<usize>,
    /// The values of the other parameters; `None` for one that is not sent.
    pub(crate) params: Vec<Option<usize>>,
    pub(crate) body: Option<Payload<'a>>,
    pub(crate) answer: Answer<'a>,
}

/// The owner of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperationKind {
    /// The API's own.
    Served,
    /// One that the API calls.
    Webhook,
    /// A callback.
    Callback,
}

/// The handler's answer.
pub(crate) struct Answer<'a> {
    pub(crate) response: &'a Response,
    pub(crate) status: u16,
    /// The values of the headers that the handler sets.
    pub(crate) headers: Vec<Option<usize>>,
    pub(crate) body: Option<Payload<'a>>,
}

/// A body.
pub(crate) struct Payload<'a> {
    pub(crate) media: &'a Media,
    pub(crate) content: PayloadContent<'a>,
}

/// The content of a body.
pub(crate) enum PayloadContent<'a> {
    /// The encoding of a value.
    Value(usize),
    /// A form with files.
    Fields(&'a Form, Vec<(&'a FormField, FieldValue, PartHeaderValues)>),
    /// A text, or a value that is written as one.
    Text(usize),
    /// A stream of some bytes.
    Stream,
    /// A stream of no items.
    Items,
}

/// The headers of a field's parts.
pub(crate) struct PartHeaderValues {
    /// The values of the declared headers.
    pub(crate) values: Vec<Option<usize>>,
    /// How many parts a field of several parts has.
    pub(crate) count: usize,
}

/// The content of a form's field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldValue {
    /// A value.
    Value(usize),
    /// A file.
    File(u64),
    /// This many files.
    Files(u64, u64),
    /// Nothing.
    Absent,
}

/// Chooses values for an operation.
///
/// # Errors
/// The part for which no value is known.
pub(super) fn of<'a>(
    pool: &mut Pool,
    segments: &Segments<'_>,
    kind: OperationKind,
    operation: &'a Operation,
) -> Result<TestCase<'a>, String> {
    let wanted = |param: &Param| format!("the parameter `{}`", param.field.wire);
    let path: Option<_> = operation
        .path_params
        .iter()
        .map(|param| path_value(pool, segments, &operation.path, param))
        .collect();
    let params = operation.params.iter();
    let params: Vec<Option<usize>> = params.map(|param| value(pool, param)).collect();
    let all = operation.params.iter().zip(&params);
    let missing = all.filter(|(param, value)| param.field.required && value.is_none());
    if let Some((param, _)) = missing.into_iter().next() {
        return Err(wanted(param));
    }
    let body = match &operation.body {
        Some(body) => request_body(pool, body)?,
        None => None,
    };
    Ok(TestCase {
        kind,
        operation,
        path: path.ok_or("a parameter of the path")?,
        params,
        body,
        answer: answer(pool, operation)?,
    })
}

/// A value of a path parameter; one that makes the request match another path only if all do.
fn path_value(
    pool: &mut Pool,
    segments: &Segments<'_>,
    path: &str,
    param: &Param,
) -> Option<usize> {
    let stays = |value: &Value| !segments.has(path, &param.field.wire, value);
    value_that(pool, param, stays).or_else(|| value(pool, param))
}

fn value(pool: &mut Pool, param: &Param) -> Option<usize> {
    value_that(pool, param, |_| true)
}

fn value_that(pool: &mut Pool, param: &Param, holds: impl Fn(&Value) -> bool) -> Option<usize> {
    if param.place == ParamLocation::Header && is_coding(&param.field.wire) {
        return identity(pool, &param.schema);
    }
    let at = pool.value_that(&param.schema, &param.examples, carrier(param), holds)?;
    if matches!(param.shape, ParamShape::AnyOf(_)) {
        pool.take_item(at, &param.schema);
    }
    Some(at)
}

/// The way in which a parameter's value is written.
fn carrier(param: &Param) -> Carrier {
    match param.place {
        ParamLocation::Header if param.shape == ParamShape::Scalar && !param.style.is_json() => {
            Carrier::Line
        }
        ParamLocation::Header => Carrier::Header,
        _ if param.shape == ParamShape::Scalar && !param.style.is_json() => Carrier::Scalar,
        _ => Carrier::Text,
    }
}

/// Whether a header declares a compression of the body, which the program does not apply.
fn is_coding(name: &str) -> bool {
    name.eq_ignore_ascii_case("content-encoding")
}

fn identity(pool: &mut Pool, key: &str) -> Option<usize> {
    let identity = Value::from("identity");
    let taken = pool.samples.accepts(key, &identity);
    taken.then(|| pool.add(identity))
}

/// Whether a necessary part of an operation has a schema without values, or whose values all fit
/// several variants of a union once they have been read.
pub(super) fn is_impossible(pool: &Pool, operation: &Operation) -> bool {
    let params = operation.path_params.iter().chain(&operation.params);
    let mut needed = params.filter(|param| param.field.required);
    let mut bodies = operation.body.iter().filter(|body| body.required);
    let empty = |response: &Response| {
        let seen = response.seen_headers.iter();
        let mut needed = seen.filter(|header| header.required);
        let headers = needed.any(|header| pool.samples.is_unsatisfiable(&header.schema));
        headers || have_no_values(pool, &response.media)
    };
    needed.any(|param| pool.samples.is_unsatisfiable(&param.schema))
        || bodies.any(|body| have_no_values(pool, &body.media))
        || operation.responses.iter().all(empty)
}

/// Whether each of these media types has a schema without values.
fn have_no_values(pool: &Pool, media: &[Media]) -> bool {
    let empty = |media: &Media| match &media.content {
        Content::Json(_, key) | Content::Form(_, key, _) | Content::Scalar(_, key) => {
            pool.samples.is_unsatisfiable(key) || pool.samples.is_ambiguous(key)
        }
        _ => false,
    };
    !media.is_empty() && media.iter().all(empty)
}

/// The body to send; `None` where it may be absent and every value would be written as an empty
/// text, like a form without fields.
fn request_body<'a>(pool: &mut Pool, body: &'a Body) -> Result<Option<Payload<'a>>, String> {
    let mut media = body.media.iter();
    let sent = media.find_map(|media| sent(pool, media, true));
    let Some(sent) = sent else {
        let left_out = !body.required && have_no_values(pool, &body.media);
        return if left_out {
            Ok(None)
        } else {
            Err("the request body".into())
        };
    };
    let nothing = matches!((&sent.media.content, &sent.content),
        (Content::Form(..), PayloadContent::Value(at)) if pool.is_empty_object(*at));
    Ok(Some(sent).filter(|_| body.required || !nothing))
}

fn sent<'a>(pool: &mut Pool, media: &'a Media, request: bool) -> Option<Payload<'a>> {
    let mut value = |key, carrier| pool.value(key, &media.examples, carrier);
    let content = match &media.content {
        Content::Json(_, key) => PayloadContent::Value(value(key, Carrier::Json)?),
        Content::Form(_, key, _) => PayloadContent::Value(value(key, Carrier::Form)?),
        Content::Multipart(form) if request => {
            let whole = match &form.whole {
                Some(key) => Some(pool.value(key, &media.examples, Carrier::Form)?),
                None => None,
            };
            let fields = form.fields.iter();
            let fields: Option<_> = fields
                .map(|field| {
                    let field_value = match whole {
                        Some(whole) => field_of_form(pool, field, whole),
                        None => field_value(pool, field),
                    };
                    let field_value = field_value?;
                    Some((field, field_value, part_headers(pool, field, field_value)?))
                })
                .collect();
            PayloadContent::Fields(form, fields?)
        }
        Content::Scalar(_, key) => PayloadContent::Text(value(key, Carrier::Scalar)?),
        Content::Text => {
            let shown = media.examples.iter().map(|example| &example.value);
            let mut shown = shown.filter(|value| value.is_string());
            let text = shown.next().cloned().unwrap_or_else(|| "text".into());
            PayloadContent::Text(pool.add(text))
        }
        Content::Multipart(_) | Content::Stream => PayloadContent::Stream,
        Content::Items(..) | Content::Events(..) | Content::Parts(_) => PayloadContent::Items,
    };
    Some(Payload { media, content })
}

/// The headers of a field's parts; `None` where a required one has no value.
fn part_headers(
    pool: &mut Pool,
    field: &FormField,
    field_value: FieldValue,
) -> Option<PartHeaderValues> {
    let params = field.headers.iter().flat_map(|headers| &headers.params);
    let values = params.map(|param| {
        let value = value(pool, param);
        (value.is_some() || !param.field.required).then_some(value)
    });
    let values = values.collect::<Option<_>>()?;
    let content = match field_value {
        FieldValue::Value(at) => pool.values().get(at),
        FieldValue::File(_) | FieldValue::Files(..) | FieldValue::Absent => None,
    };
    let count = content.map_or(0, |content| match (&field.content, content) {
        (FieldContent::Json(..), Value::Array(items)) => items.len(),
        (FieldContent::Json(..), _) => 1,
        (_, content) => texts(content),
    });
    Some(PartHeaderValues { values, count })
}

/// How many parts a value is, one for each of its texts.
fn texts(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(texts).sum(),
        Value::Object(members) => members.values().map(texts).sum(),
        Value::Null => 0,
        _ => 1,
    }
}

/// A field of a form that is sampled as a whole.
fn field_of_form(pool: &mut Pool, field: &FormField, whole: usize) -> Option<FieldValue> {
    let Some(value) = pool.values().get(whole)?.get(&field.wire).cloned() else {
        return Some(match &field.content {
            FieldContent::Files { .. } => FieldValue::Files(0, 0),
            _ => FieldValue::Absent,
        });
    };
    match &field.content {
        FieldContent::Text(..)
        | FieldContent::Json(..)
        | FieldContent::Delimited(..)
        | FieldContent::Spread(..) => Some(FieldValue::Value(pool.add(value))),
        content => Some(files_of(content, &value)),
    }
}

/// The files of a form that is sampled as a whole: their lengths are sampled.
fn files_of(content: &FieldContent, value: &Value) -> FieldValue {
    let files = match value {
        Value::Array(files) => files.as_slice(),
        one => std::slice::from_ref(one),
    };
    let usual = content.octets().map(length).unwrap_or_default();
    let sampled = files.iter().filter_map(Value::as_u64).max();
    let length = sampled.unwrap_or(usual);
    match content {
        FieldContent::Files { .. } => FieldValue::Files(files.len() as u64, length),
        _ => FieldValue::File(length),
    }
}

fn field_value(pool: &mut Pool, field: &FormField) -> Option<FieldValue> {
    match &field.content {
        FieldContent::File(octets) => Some(FieldValue::File(length(*octets))),
        FieldContent::Files { count, octets } => {
            Some(FieldValue::Files(count.min.max(1), length(*octets)))
        }
        FieldContent::Text(_, key)
        | FieldContent::Json(_, key)
        | FieldContent::Delimited(_, key, _)
        | FieldContent::Spread(_, key, _) => match pool.value(key, &[], Carrier::Text) {
            Some(value) => {
                pool.take_item(value, key);
                Some(FieldValue::Value(value))
            }
            None => (!field.required).then_some(FieldValue::Absent),
        },
    }
}

/// How many bytes a file has.
fn length(octets: Bounds) -> u64 {
    octets.min.max(octets.max.unwrap_or(7).min(7))
}

/// An answer of success, else any other that the handler can give.
fn answer<'a>(pool: &mut Pool, operation: &'a Operation) -> Result<Answer<'a>, String> {
    let status = |response: &Response| response.statuses.first().map(|run| *run.start());
    let success = |response: &&&Response| status(response).is_some_and(|s| (200..300).contains(&s));
    let given: Vec<&Response> = operation
        .responses
        .iter()
        .filter(|response| status(response).is_some())
        .collect();
    let (first, others): (Vec<&Response>, Vec<&Response>) =
        given.iter().partition(|response| success(response));
    let mut all = first.into_iter().chain(others);
    let found = all.find_map(|response| {
        let body = match response.media.as_slice() {
            [] => None,
            several => {
                let mut several = several.iter();
                Some(several.find_map(|media| sent(pool, media, false))?)
            }
        };
        Some(Answer {
            response,
            status: status(response)?,
            headers: headers(pool, response)?,
            body,
        })
    });
    found.ok_or_else(|| "any answer".to_owned())
}

/// The headers' values; `None` where a required one has no value.
fn headers(pool: &mut Pool, response: &Response) -> Option<Vec<Option<usize>>> {
    let mut values = Vec::new();
    for set in &response.headers {
        let mut seen = response.seen_headers.iter();
        let seen = seen.find(|seen| seen.wire == set.field.wire)?;
        let carrier = match set.encoding {
            HeaderEncoding::Json => Carrier::Json,
            HeaderEncoding::Text => Carrier::Line,
            HeaderEncoding::Simple { .. } => Carrier::Header,
        };
        let value = match is_coding(&seen.wire) {
            true => identity(pool, &seen.schema),
            false => pool.value(&seen.schema, &seen.examples, carrier),
        };
        if value.is_none() && set.field.required {
            return None;
        }
        values.push(value);
    }
    Some(values)
}
