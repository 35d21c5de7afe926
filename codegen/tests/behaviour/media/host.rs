//! A host that answers with the request.

use bytes::Bytes;
use http::StatusCode;
use media_api::api::media::*;
use media_api::runtime::{Demand, Limits};
use media_api::runtime::credential::ApiKey;
use media_api::security::Security;
use media_api::service::Dispatcher;
use media_api::{Admission, AuthError, HandlerError, Host, RequestHead, models, runtime, service};
use behaviour::{Answer, request};
use std::sync::Arc;

pub(crate) type Service = runtime::Service<Dispatcher<Echo>>;

/// Answers with the request; its callers are named by their keys.
pub(crate) struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;

    async fn admit(&self, visit: RequestHead<'_>) -> Admission<()> {
        let often = visit
            .parts
            .headers
            .get("x-key")
            .is_some_and(|key| key == "often");
        Admission {
            outcome: match often {
                true => Err(AuthError::RateLimited),
                false => Ok(()),
            },
            headers: vec![(http::header::VIA, "echo".parse().expect("a name"))],
        }
    }
}

impl Security for Echo {
    type Key = String;

    async fn key(&self, key: ApiKey<'_>, _: Demand<'_, ()>) -> Result<String, AuthError> {
        match key.secret() {
            "wrong" => Err(AuthError::CredentialInvalid),
            name => Ok(name.to_owned()),
        }
    }
}

impl service::Faults for Echo {}

impl MediaApi for Echo {
    async fn convert(
        &self,
        body: ConvertContent,
        _: ConvertAccept,
    ) -> Result<ConvertResponse, HandlerError> {
        let (kind, body) = match body {
            ConvertContent::Json(note) => ("json", ConvertOkContent::Json(note.into())),
            ConvertContent::Form(note) => ("form", ConvertOkContent::Json(note.into())),
            ConvertContent::Text(text) => ("text", ConvertOkContent::Text(text)),
            ConvertContent::TextCsv(text) => ("csv", ConvertOkContent::TextCsv(text)),
            ConvertContent::Xml(text) => ("xml", ConvertOkContent::Xml(text)),
            ConvertContent::Bytes(bytes) => ("bytes", ConvertOkContent::Bytes(bytes)),
            ConvertContent::Image(bytes) => ("image", ConvertOkContent::ImagePng(bytes)),
        };
        let x_kind = kind.to_owned();
        Ok(ConvertResponse::Ok { body, x_kind })
    }

    async fn optional(&self, body: Option<OptionalContent>) -> Result<OptionalResponse, HandlerError> {
        let body = match body {
            None => "nothing".to_owned(),
            Some(OptionalContent::Json(note)) => note.text,
            Some(OptionalContent::Text(text)) => text,
        };
        Ok(OptionalResponse::Ok { body })
    }

    async fn statuses(
        &self,
        code: i64,
        accept: StatusesAccept,
    ) -> Result<StatusesResponse, HandlerError> {
        let status = u16::try_from(code)
            .ok()
            .and_then(|code| StatusCode::from_u16(code).ok());
        let status = status.ok_or(HandlerError::Internal)?;
        let note = models::Note {
            text: code.to_string(),
            stars: None,
        };
        Ok(match code {
            200 => StatusesResponse::Ok {
                body: match accept {
                    StatusesAccept::Json => StatusesOkContent::Json(note.into()),
                    StatusesAccept::Text => StatusesOkContent::Text(note.text),
                },
            },
            // Whatever the caller likes.
            201 => StatusesResponse::Ok {
                body: StatusesOkContent::Text(note.text),
            },
            204 => StatusesResponse::NoContent,
            301 => StatusesResponse::MovedPermanently {
                location: "/there".into(),
            },
            410 => StatusesResponse::Gone { body: note.into() },
            // A listed status, by a response for others.
            411 => StatusesResponse::ClientError {
                status: StatusCode::GONE,
                body: note.text,
            },
            303 => StatusesResponse::Default {
                status: StatusCode::OK,
                x_why: None,
            },
            400..=499 | 302 => StatusesResponse::ClientError {
                status,
                body: note.text,
            },
            500 => return Err(HandlerError::Unavailable { retry_after: 7 }),
            501 => panic!("a handler that fails"),
            502..=599 => StatusesResponse::ServerError {
                status,
                body: note.into(),
            },
            _ => StatusesResponse::Default {
                status,
                x_why: (code > 299).then(|| "odd".into()),
            },
        })
    }

    async fn parameters(
        &self,
        simple: f64,
        list: Vec<i64>,
        object: models::Point,
        label: String,
        matrix: String,
        params: ParametersParams,
    ) -> Result<ParametersResponse, HandlerError> {
        let ParametersParams {
            exploded,
            joined,
            spaced,
            piped,
            deep,
            flag,
            count,
            sort,
            tags,
            x_list,
            x_when,
            session,
        } = params;
        let sort = sort.as_str().to_owned();
        let body = models::Parameters {
            simple,
            list,
            object,
            label,
            matrix,
            exploded,
            joined,
            spaced,
            piped,
            deep,
            flag,
            count,
            sort,
            tags,
            x_list,
            x_when: x_when.map(|day| day.to_string()),
            session,
        };
        Ok(ParametersResponse::Ok { body: body.into() })
    }

    async fn caller(&self, principal: Option<String>) -> Result<CallerResponse, HandlerError> {
        let body = principal.unwrap_or_else(|| "anybody".into());
        Ok(CallerResponse::Ok { body })
    }

    async fn insider(&self, principal: String) -> Result<InsiderResponse, HandlerError> {
        Ok(InsiderResponse::Ok { body: principal })
    }
}

pub(crate) fn echo() -> Service {
    service::service(
        Arc::new(Echo),
        Limits {
            body: 1000,
            ..Limits::default()
        },
    )
}

pub(crate) async fn get(target: &str, headers: &[(&str, &str)]) -> Answer {
    request(&echo(), "GET", target, headers, "").await
}

pub(crate) async fn convert(media_type: &str, body: impl Into<Bytes>) -> Answer {
    request(
        &echo(),
        "POST",
        "/base/convert",
        &[("content-type", media_type)],
        body,
    )
    .await
}
