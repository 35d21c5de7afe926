//! A service that echoes the values of a request.

use api::api::probe::*;
use api::models::{Everything, Form, Refusal, RefusalCode, RefusalViolationsItem};
use api::runtime::{Issue, Limits, Service, Upload};
use api::service::{Dispatcher, Faults, service};
use api::{HandlerError, Host, formats, models};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Answers with the values that came in.
pub struct Echo;

impl Host for Echo {
    type Context = ();
    type Error = HandlerError;
}

fn refusal(code: RefusalCode) -> Refusal {
    Refusal {
        code,
        violations: Vec::new(),
    }
}

impl Faults for Echo {
    fn no_such_route(&self) -> Refusal {
        refusal(RefusalCode::NoRoute)
    }

    fn method_not_allowed(&self) -> Refusal {
        refusal(RefusalCode::NoMethod)
    }

    fn not_acceptable(&self) -> Refusal {
        refusal(RefusalCode::NotAcceptable)
    }

    fn body_too_large(&self, _: u64) -> Refusal {
        refusal(RefusalCode::TooLarge)
    }

    fn media_type_not_taken(&self, _: &[&'static str]) -> Refusal {
        refusal(RefusalCode::MediaType)
    }

    fn not_json(&self, _: &'static str, _: usize, _: usize) -> Refusal {
        refusal(RefusalCode::NotJson)
    }

    fn internal(&self) -> Refusal {
        refusal(RefusalCode::Failed)
    }

    fn invalid(&self, issues: &[Issue]) -> Refusal {
        let violations = issues.iter().map(|issue| RefusalViolationsItem {
            r#in: issue.place.name().to_owned(),
            at: issue.at.clone(),
            keyword: issue.keyword.to_owned(),
            message: issue.message.clone(),
        });
        Refusal {
            code: RefusalCode::Invalid,
            violations: violations.collect(),
        }
    }
}

/// Makes an object of the values that are present.
macro_rules! echo {
    ($($name:literal: $value:expr),* $(,)?) => {
        [$(($name, json!($value))),*]
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name.to_owned(), value))
            .collect::<Map<String, Value>>()
            .into()
    };
}

impl ProbeApi for Echo {
    async fn in_path(
        &self,
        text: String,
        number: f64,
        list: Vec<i64>,
        object: models::InPathObject,
        label: i64,
        labels: Vec<models::InPathLabelsItem>,
        matrix: formats::Date,
        matrices: Vec<String>,
        choice: models::InPathChoice,
    ) -> Result<InPathResponse, HandlerError> {
        Ok(InPathResponse::Ok {
            body: echo! {
                "text": text, "number": number, "list": list, "object": object, "label": label,
                "labels": labels, "matrix": matrix, "matrices": matrices, "choice": choice,
            },
        })
    }

    async fn in_query(&self, params: InQueryParams) -> Result<InQueryResponse, HandlerError> {
        Ok(InQueryResponse::Ok {
            body: echo! {
                "needed": params.needed, "limit": params.limit, "ratio": params.ratio,
                "flag": params.flag, "sort": params.sort, "since": params.since, "id": params.id,
                "many": params.many, "comma": params.comma, "space": params.space,
                "pipe": params.pipe, "deep": params.deep, "json": params.json,
            },
        })
    }

    async fn in_fields(&self, params: InFieldsParams) -> Result<InFieldsResponse, HandlerError> {
        Ok(InFieldsResponse::Ok {
            body: echo! {
                "X-Needed": params.x_needed, "X-Count": params.x_count, "X-List": params.x_list,
                "X-Object": params.x_object, "X-Kind": params.x_kind, "session": params.session,
                "page": params.page, "theme": params.theme,
            },
        })
    }

    async fn in_json(&self, body: Everything) -> Result<InJsonResponse, HandlerError> {
        Ok(InJsonResponse::Ok { body: body.into() })
    }

    async fn in_form(&self, body: Form) -> Result<InFormResponse, HandlerError> {
        Ok(InFormResponse::Ok { body: body.into() })
    }

    async fn in_multipart(
        &self,
        body: Upload<InMultipartForm>,
    ) -> Result<InMultipartResponse, HandlerError> {
        let body = body.whole().await?;
        let file = String::from_utf8_lossy(&body.file.bytes);
        Ok(InMultipartResponse::Ok {
            body: echo! {
                "title": body.title, "copies": body.copies, "kind": body.kind, "meta": body.meta,
                "file": file,
            },
        })
    }
}

/// The service of the contract `probe`, which echoes the values of a request.
pub fn echo() -> Service<Dispatcher<Echo>> {
    service(Arc::new(Echo), Limits::default())
}
