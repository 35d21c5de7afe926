//! Saved responses: the successful ones of an operation, and its errors that have examples. Errors that the
//! service gives to all operations alike are documented once, by the contract.

use super::super::chain::is_success;
use super::super::format::{Description, Request, Row, SavedResponse};
use super::super::{Context, sample, sequence};
use crate::ir::{Content, Example, Media, Operation, Response, Status};
use http::StatusCode;
use serde_json::Value;

/// The saved responses of an operation by status.
pub(super) fn saved(
    context: &Context<'_>,
    operation: &Operation,
    request: &Request,
) -> Vec<SavedResponse> {
    let mut responses: Vec<_> = operation.responses.iter().collect();
    responses.sort_by_key(|response| response.status);
    let mut saved = Vec::new();
    for response in responses
        .into_iter()
        .filter(|it| is_success(it) || has_examples(it))
    {
        let printing = Printing {
            context,
            operation,
            response,
            request,
        };
        saved.extend(printing.examples());
    }
    saved
}

fn has_examples(response: &Response) -> bool {
    let mut media = response.media.iter();
    media.any(|media| !media.examples.is_empty())
}

/// The parts that all examples of one response share.
struct Printing<'a> {
    context: &'a Context<'a>,
    operation: &'a Operation,
    response: &'a Response,
    request: &'a Request,
}

impl Printing<'_> {
    fn examples(&self) -> Vec<SavedResponse> {
        if self.response.media.is_empty() {
            return vec![self.one(None, None)];
        }
        let mut saved = Vec::new();
        for media in &self.response.media {
            if media.examples.is_empty() && is_success(self.response) {
                saved.push(self.one(Some(media), None));
            }
            let examples = media.examples.iter();
            saved.extend(examples.map(|example| self.one(Some(media), Some(example))));
        }
        saved
    }

    fn one(&self, media: Option<&Media>, example: Option<&Example>) -> SavedResponse {
        let code = code(self.response.status);
        let status = StatusCode::from_u16(code).ok();
        let media_type = media.map_or("", |media| media.media_type.as_str());
        let value = match example {
            Some(example) => Some(example.value.clone()),
            None => media.and_then(|media| self.of_schema(media)),
        };
        let reason = status.and_then(|status| status.canonical_reason());
        SavedResponse {
            id: self.id(media_type, example),
            name: self.name(reason.unwrap_or_default(), example),
            original_request: self.request.as_sent(),
            status: reason.unwrap_or_default(),
            code,
            preview: media.map(|media| sample::preview_language(&media.media_type)),
            header: self.headers(media_type),
            cookie: [],
            body: value.map(|value| match media {
                Some(media) => sequence::text(media, &value),
                None => sample::body_text(media_type, &value),
            }),
        }
    }

    fn of_schema(&self, media: &Media) -> Option<Value> {
        match &media.content {
            Content::Json(_, key) | Content::Form(_, key, _) | Content::Scalar(_, key) => {
                self.context.api.example_of_schema(key)
            }
            Content::Multipart(_)
            | Content::Text
            | Content::Stream
            | Content::Items(..)
            | Content::Events(..)
            | Content::Parts(_) => None,
        }
    }

    fn id(&self, media_type: &str, example: Option<&Example>) -> String {
        let example = example.map_or("", |example| example.name.as_str());
        let status = self.response.status;
        let id = &self.operation.id;
        let role = format!("response {id} {status} {media_type} {example}");
        self.context.identity.id(&role)
    }

    /// The status as the contract writes it, and the name of the example.
    fn name(&self, reason: &str, example: Option<&Example>) -> String {
        let shows = example.map(|example| example.summary.as_ref().unwrap_or(&example.name));
        let shows = shows.map_or(reason, String::as_str);
        format!("{} {shows}", self.response.status)
            .trim_end()
            .to_owned()
    }

    /// The headers that are always sent and whose value the contract shows.
    fn headers(&self, media_type: &str) -> Vec<Row> {
        let content_type = ("Content-Type".to_owned(), media_type.to_owned());
        let concrete = !media_type.is_empty() && !media_type.contains('*');
        let always = self.response.seen_headers.iter().filter(|h| h.required);
        let shown = always.filter_map(|header| {
            let value = sample::of_header(self.context.api, header)?;
            Some((header.wire.clone(), sample::text(&value)))
        });
        let rows = concrete.then_some(content_type).into_iter().chain(shown);
        rows.map(|(key, value)| Row {
            key,
            value: Some(value),
            description: Description::default(),
            disabled: false,
        })
        .collect()
    }
}

/// A status for a range or for `default`: the first of the range, or a failure.
fn code(status: Status) -> u16 {
    match status {
        Status::Code(code) => code,
        Status::Range(hundred) => hundred * 100,
        Status::Default => 500,
    }
}
