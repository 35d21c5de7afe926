//! The request of a sample as HTTP has it, for languages that have no client of the contract.

use super::text::Text;
use crate::ir::uri::{DEFAULT_SERVER, encoded, encoded_value, escaped, segment_of, separators};
use crate::ir::{
    Api, Content, ExampleRequest, Media, Operation, Param, ParamLocation, Response, Scheme,
    SchemeKind, Server, Status, Styled,
};
use json_schema::style;
use serde_json::Value;

/// A request, ready to be written in any language.
#[derive(Debug)]
pub(super) struct HttpRequest {
    pub(super) method: String,
    pub(super) url: Text,
    /// Names in lower case with their values.
    pub(super) headers: Vec<(String, Text)>,
    pub(super) body: Option<SampleBody>,
    pub(super) answer: AnswerKind,
}

/// A body.
#[derive(Debug)]
pub(super) enum SampleBody {
    Json(Value),
    Text(String),
}

/// The kind of a successful response, by which it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerKind {
    Json,
    Text,
    Empty,
}

impl HttpRequest {
    pub(super) fn of(api: &Api, request: &ExampleRequest<'_>) -> HttpRequest {
        let ExampleRequest { operation, .. } = request;
        let mut path = encoded(&operation.path);
        let mut query = Vec::new();
        let mut headers = Vec::new();
        let mut cookies = Vec::new();
        for (name, value) in operation.selectors() {
            query.push(pair(encoded_value(name), encoded_value(value)));
        }
        for (param, value) in &request.params {
            let name = &param.field.wire;
            match param.place {
                ParamLocation::Path => {
                    let separators = separators(segment_of(&operation.path, name));
                    let encode = |text: &str| escaped(text, &separators, encoded_value);
                    let text = one_text(param, value, encode);
                    path = path.replace(&format!("{{{name}}}"), &text);
                }
                ParamLocation::Query => query.extend(pairs_of(param, value, encoded_value)),
                ParamLocation::Cookie => cookies.extend(pairs_of(param, value, str::to_owned)),
                ParamLocation::Header => {
                    let text = one_text(param, value, str::to_owned);
                    headers.push((name.to_ascii_lowercase(), Text::default().literal(text)));
                }
            }
        }
        for scheme in &request.schemes {
            let secret = Text::default().variable(scheme.name.ascii().upper());
            match &scheme.kind {
                SchemeKind::ApiKey { place, name } => {
                    let named = || Text::default().literal(format!("{name}="));
                    match place {
                        ParamLocation::Query => query.push(named().text(secret)),
                        ParamLocation::Cookie => cookies.push(named().text(secret)),
                        _ => headers.push((name.to_ascii_lowercase(), secret)),
                    }
                }
                _ => headers.push(("authorization".to_owned(), authorization(scheme, secret))),
            }
        }
        if !cookies.is_empty() {
            headers.push(("cookie".to_owned(), joined(cookies, "", "; ")));
        }
        let body = request.body.as_ref();
        headers.extend(body.map(|(media, _)| {
            let sent = Text::default().literal(media.sent());
            ("content-type".to_owned(), sent)
        }));
        HttpRequest {
            method: operation.method.clone(),
            url: Text::default()
                .literal(base(api, operation))
                .literal(path)
                .text(joined(query, "?", "&")),
            headers,
            body: body.map(|(media, value)| sample_body(media, value)),
            answer: answer(operation),
        }
    }

    /// Whether a body alone makes it this method, or none.
    pub(super) fn has_usual_method(&self) -> bool {
        self.method == if self.body.is_some() { "POST" } else { "GET" }
    }
}

/// The URL of an operation's server, without a slash at its end.
fn base(api: &Api, operation: &Operation) -> String {
    let server = operation.server.as_ref().or(api.servers.first());
    server.map_or_else(|| DEFAULT_SERVER.to_owned(), Server::absolute_url)
}

fn authorization(scheme: &Scheme, secret: Text) -> Text {
    let name = match &scheme.kind {
        SchemeKind::Basic => "Basic",
        SchemeKind::Http(name) => name,
        _ => "Bearer",
    };
    Text::default().literal(format!("{name} ")).text(secret)
}

fn one_text(param: &Param, value: &Value, encode: impl Fn(&str) -> String) -> String {
    style::one_text(
        (param.style, param.explode),
        &param.field.wire,
        value,
        encode,
    )
}

fn pairs_of(param: &Param, value: &Value, encode: fn(&str) -> String) -> Vec<Text> {
    if param.style.is_query_text() {
        return vec![Text::default().literal(one_text(param, value, encode))];
    }
    let pairs = match param.fields.as_slice() {
        [] => {
            let style = (param.style, param.explode);
            style::pairs(style, &param.field.wire, value, encode)
        }
        fields => style::form(value, |name| Styled::of(fields, name), encode),
    };
    let pairs = pairs.into_iter();
    pairs.map(|(name, value)| pair(name, value)).collect()
}

fn pair(name: String, value: String) -> Text {
    Text::default().literal(name).literal("=").literal(value)
}

/// Texts with a delimiter between them and something before the first; nothing if there are none.
fn joined(texts: Vec<Text>, before: &str, delimiter: &str) -> Text {
    let mut next = before;
    texts.into_iter().fold(Text::default(), |all, text| {
        all.literal(std::mem::replace(&mut next, delimiter))
            .text(text)
    })
}

fn sample_body(media: &Media, value: &Value) -> SampleBody {
    match (&media.content, value) {
        (Content::Json(..), value) => SampleBody::Json(value.clone()),
        (Content::Form(_, _, styled), Value::Object(_)) => {
            let style = |name: &str| Styled::of(styled, name);
            let fields = style::form(value, style, encoded_value).into_iter();
            let fields: Vec<_> = fields
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            SampleBody::Text(fields.join("&"))
        }
        (_, Value::String(text)) => SampleBody::Text(text.clone()),
        (_, value) => SampleBody::Text(value.to_string()),
    }
}

fn answer(operation: &Operation) -> AnswerKind {
    let is_success = |response: &&Response| {
        matches!(response.status, Status::Code(200..=299) | Status::Range(2))
    };
    let success = operation.responses.iter().find(is_success);
    match success.and_then(|response| response.media.first()) {
        None => AnswerKind::Empty,
        Some(media) if matches!(media.content, Content::Json(..)) => AnswerKind::Json,
        Some(_) => AnswerKind::Text,
    }
}
