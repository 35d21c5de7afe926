//! One request: the URL, headers and body of an operation, with every parameter at its location.
//! Optional parts are present but disabled.

use super::Context;
use super::chain::is_success;
use super::format::{Description, Request, Row};
use super::{auth, body, describe, sequence, style, url};
use crate::ir::{Content, Operation, Param, ParamLocation, Status};
use serde_json::Value;

/// The preference that ends a stream of events (RFC 7240 §4.3), because Postman waits for the end of a response.
const STREAM_END: &str = "wait=2";

/// The request of an operation.
pub(super) fn request(context: &Context<'_>, operation: &Operation) -> Request {
    let credentials = auth::of_operation(context, operation);
    let media = operation.body.as_ref().and_then(crate::ir::Body::preferred);
    let selectors = operation.selectors().into_iter();
    let mut query: Vec<_> = selectors
        .map(|(name, value)| plain(name, value.to_owned()))
        .collect();
    let mut header = vec![plain("Accept", accepted(operation))];
    header.extend(media.map(|media| plain("Content-Type", sequence::media_type(media))));
    header.retain(|row| row.value.as_deref() != Some(""));
    header.extend(responds_with_events(operation).then(|| plain("Prefer", STREAM_END.into())));
    let mut cookies = credentials.cookies;
    for param in operation.all_params() {
        let value = context.made_up.param(param);
        match param.place {
            ParamLocation::Query => query.extend(query_rows(param, value)),
            ParamLocation::Header => header.push(header_row(param, value)),
            ParamLocation::Cookie => {
                for (name, value) in pairs(param, value) {
                    cookies.add(&name, &value, param.field.required);
                }
            }
            ParamLocation::Path => {}
        }
    }
    query.extend(credentials.query);
    header.extend(credentials.headers);
    header.extend(cookies.into_rows());
    Request {
        method: operation.method.clone(),
        auth: credentials.auth,
        header,
        body: media.map(|media| body::body(context, media)),
        url: url::url(context, operation, query),
        description: describe::operation(context, operation),
    }
}

fn responds_with_events(operation: &Operation) -> bool {
    let mut media = operation.responses.iter().flat_map(|one| &one.media);
    media.any(|media| matches!(media.content, Content::Events(..)))
}

/// The first media type of each successful response.
fn accepted(operation: &Operation) -> String {
    let responses = operation.responses.iter();
    let successful = responses.filter(|it| is_success(it) || it.status == Status::Default);
    let mut types: Vec<&str> = Vec::new();
    for media in successful.filter_map(|response| response.media.first()) {
        if !types.contains(&media.media_type.as_str()) {
            types.push(&media.media_type);
        }
    }
    types.join(", ")
}

fn plain(name: &str, value: String) -> Row {
    Row {
        key: name.to_owned(),
        value: Some(value),
        description: Description::default(),
        disabled: false,
    }
}

fn header_row(param: &Param, value: Option<Value>) -> Row {
    Row {
        key: param.field.wire.clone(),
        value: Some(
            value
                .map(|value| style::one_text(param, &value))
                .unwrap_or_default(),
        ),
        description: describe::param(param),
        disabled: !param.field.required,
    }
}

fn query_rows(param: &Param, value: Option<Value>) -> Vec<Row> {
    let rows: Vec<_> = match (&value, param.style.is_query_text()) {
        (Some(value), true) => vec![(style::one_text(param, value), None)],
        _ => {
            let pairs = pairs(param, value).into_iter();
            pairs.map(|(key, value)| (key, Some(value))).collect()
        }
    };
    rows.into_iter()
        .map(|(key, value)| Row {
            key,
            value,
            description: describe::param(param),
            disabled: !param.field.required,
        })
        .collect()
}

/// The names and values of a parameter; one without a value is still listed by its name.
fn pairs(param: &Param, value: Option<Value>) -> Vec<(String, String)> {
    let pairs = value.map(|value| match param.fields.as_slice() {
        [] => style::pairs(&param.field.wire, (param.style, param.explode), &value),
        fields => style::form(&value, fields),
    });
    pairs
        .filter(|pairs| !pairs.is_empty())
        .unwrap_or_else(|| vec![(param.field.wire.clone(), String::new())])
}

impl Request {
    /// The request without descriptions and disabled rows.
    pub(super) fn as_sent(&self) -> Request {
        let mut sent = self.clone();
        sent.description = Description::default();
        let Request { header, url, .. } = &mut sent;
        for rows in [header, &mut url.query, &mut url.variable] {
            rows.retain(|row| !row.disabled);
            rows.iter_mut()
                .for_each(|row| row.description = Description::default());
        }
        sent
    }
}
