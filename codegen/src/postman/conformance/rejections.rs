//! Requests that the server must reject, derived from those that succeed: without a credential, with a wrong one,
//! with invalid parameters, with a wrong method or media type.
//!
//! A kind is derived only if the contract documents its response.

use super::super::format::{
    Body, Description, Entry, Folder, Item, RawLanguage, RawOptions, Request, Row, Url,
};
use super::super::{Context, auth, request};
use super::schemas::Lowered;
use super::script;
use crate::ir::{
    Content, Operation, Param, ParamLocation, ParamShape, RejectionBody, RejectionKind, Response,
    Security, Status,
};
use json_schema::Schemas;
use json_schema::issue::{self, Issues};
use serde_json::Value;
use std::cell::LazyCell;

/// A media type that no operation accepts or returns.
const UNKNOWN: &str = "application/vnd.unknown";

/// A credential that no caller has.
const WRONG: &str = "wrong-credential";

/// A value that is invalid for most parameters: no number, no date, no name. It needs no encoding in a URL.
const INVALID: &str = "~out-of-range~";

/// Methods of which few paths have all.
const METHODS: [&str; 5] = ["PATCH", "PUT", "DELETE", "POST", "GET"];

/// A folder with the rejected requests; `None` if the contract documents no rejections.
pub(super) fn folder(context: &Context<'_>, lowered: &Lowered) -> Option<Folder> {
    let mut item = Vec::new();
    let mut paths: Vec<&str> = Vec::new();
    // Compiling all schemas takes long, and most contracts document no response to invalid values.
    let schemas =
        LazyCell::new(|| Schemas::parse(&Value::Object(context.api.schemas.clone()).to_string()));
    for operation in context.api.operations.iter().filter(|one| one.served) {
        let rejecting = Rejecting {
            context,
            lowered,
            schemas: &schemas,
            operation,
            request: request::request(context, operation).as_sent(),
        };
        item.extend(rejecting.of_credentials());
        item.extend(rejecting.of_parameters());
        item.extend(rejecting.of_media_types());
        if !paths.contains(&operation.path.as_str()) {
            paths.push(&operation.path);
            item.extend(rejecting.of_methods());
        }
    }
    (!item.is_empty()).then(|| Folder {
        id: context.identity.id("rejections"),
        name: "Rejections".into(),
        description: Description("Requests that the server must reject.".into()),
        item: item.into_iter().map(Entry::from).collect(),
    })
}

/// The input for the rejections of one operation.
struct Rejecting<'a, S> {
    context: &'a Context<'a>,
    lowered: &'a Lowered,
    /// The validator of the contract's schemas.
    schemas: &'a LazyCell<Schemas, S>,
    operation: &'a Operation,
    request: Request,
}

impl<S: FnOnce() -> Schemas> Rejecting<'_, S> {
    fn of_credentials(&self) -> Vec<Item> {
        if self.operation.security == Security::Public {
            return Vec::new();
        }
        let without = |request: &mut Request| request.auth = Some(auth::none());
        let wrong = |request: &mut Request| {
            request.auth = auth::with_secret(self.context, self.operation, WRONG);
        };
        let required = matches!(self.operation.security, Security::Required(_));
        let missing =
            required.then(|| self.item("no credential", RejectionKind::CredentialMissing, without));
        let invalid = self.item(
            "a wrong credential",
            RejectionKind::CredentialInvalid,
            wrong,
        );
        missing.flatten().into_iter().chain(invalid).collect()
    }

    /// Requests with an invalid path parameter, an invalid query parameter and an invalid body.
    fn of_parameters(&self) -> Vec<Item> {
        if self.status(RejectionKind::Validation).is_none() {
            return Vec::new();
        }
        let path = self.invalid_parameter(
            &self.operation.path_params,
            ParamLocation::Path,
            |url, name| {
                let rows = url.variable.iter_mut();
                for row in rows.filter(|row| row.key == name) {
                    row.value = Some(INVALID.to_owned());
                }
            },
        );
        let query =
            self.invalid_parameter(&self.operation.params, ParamLocation::Query, |url, name| {
                url.query.retain(|row| row.key != name);
                url.query.push(row(name, INVALID));
                url.rewrite();
            });
        let null = self.rejects_null().then(|| {
            self.item("a null body", RejectionKind::Validation, |request| {
                if let Some(Body::Raw { raw, .. }) = &mut request.body {
                    "null".clone_into(raw);
                }
            })
        });
        let rejected = [path, query, null.flatten()];
        rejected.into_iter().flatten().collect()
    }

    /// The request with [`INVALID`] for a parameter of that location: the parameter of which it violates the fewest
    /// rules.
    fn invalid_parameter(
        &self,
        params: &[Param],
        place: ParamLocation,
        change: impl FnOnce(&mut Url, &str),
    ) -> Option<Item> {
        let scalar = |it: &&Param| {
            it.place == place && it.shape == ParamShape::Scalar && !it.style.is_whole_query()
        };
        let violations = |it: &Param| self.violations(&it.schema, &INVALID.into());
        let params = params.iter().filter(scalar);
        let invalid = params.filter(|param| violations(param) > 0);
        let param = invalid.min_by_key(|param| violations(param))?;
        let name = &param.field.wire;
        let about = format!("invalid {name}");
        self.item(&about, RejectionKind::Validation, |request| {
            change(&mut request.url, name);
        })
    }

    fn rejects_null(&self) -> bool {
        self.json_body()
            .is_some_and(|key| self.violations(key, &Value::Null) > 0)
    }

    fn takes_json(&self) -> bool {
        self.json_body().is_some()
    }

    /// The key of the body's schema, where the request sends JSON.
    fn json_body(&self) -> Option<&str> {
        let body = self.operation.body.as_ref();
        match &body.and_then(crate::ir::Body::preferred)?.content {
            Content::Json(_, key) => Some(key),
            _ => None,
        }
    }

    /// How many rules of a schema a value violates.
    fn violations(&self, key: &str, value: &Value) -> usize {
        if !self.context.api.schemas.contains_key(key) {
            return 0;
        }
        let mut issues = Issues::new();
        let place = issue::Place::Body;
        self.schemas.validate(key, value, place, "", &mut issues);
        issues.into_vec().len()
    }

    fn of_media_types(&self) -> Vec<Item> {
        let unknown = |name: &'static str| {
            move |request: &mut Request| {
                request
                    .header
                    .retain(|row| !row.key.eq_ignore_ascii_case(name));
                request.header.insert(0, row(name, UNKNOWN));
            }
        };
        let accept = self.item(
            "an unknown Accept",
            RejectionKind::NotAcceptable,
            unknown("Accept"),
        );
        let content = self.operation.body.is_some().then(|| {
            self.item(
                "an unknown Content-Type",
                RejectionKind::MediaType,
                |request| {
                    unknown("Content-Type")(request);
                    // A form is sent with its own media type, whatever its header says.
                    if let Some(Body::Formdata { .. } | Body::Urlencoded { .. }) = request.body {
                        let language = "text";
                        let options = RawOptions {
                            raw: RawLanguage { language },
                        };
                        request.body = Some(Body::Raw {
                            raw: "a".into(),
                            options,
                        });
                    }
                },
            )
        });
        let broken = self.takes_json().then(|| {
            self.item("a body that is not JSON", RejectionKind::Json, |request| {
                if let Some(Body::Raw { raw, .. }) = &mut request.body {
                    raw.insert(0, '}');
                }
            })
        });
        let rejected = [content, broken].into_iter().flatten();
        rejected.chain([accept]).flatten().collect()
    }

    fn of_methods(&self) -> Option<Item> {
        let taken = self.context.api.operations.iter();
        let taken: Vec<_> = taken
            .filter(|other| other.path == self.operation.path)
            .map(|other| other.method.as_str())
            .collect();
        let method = METHODS.into_iter().find(|method| !taken.contains(method))?;
        self.item(
            &format!("{method} on {}", self.operation.path),
            RejectionKind::Method,
            |request| {
                request.method = method.into();
                request.body = None;
            },
        )
    }

    /// The status that the contract documents for a rejection of this operation.
    fn status(&self, kind: RejectionKind) -> Option<u16> {
        let mut rejections = self.context.api.rejections.iter();
        let rejection = rejections.find(|rejection| rejection.kind == kind)?;
        let of_status = |response: &&Response| response.status == Status::Code(rejection.status);
        let is_declared = match &rejection.body {
            RejectionBody::Marked(_) => {
                let mut responses = self.operation.framework_responses.iter();
                responses.any(|response| of_status(&response))
            }
            RejectionBody::Inferred { schema, .. } => {
                let responses = self.operation.responses.iter().filter(of_status);
                let mut media = responses.flat_map(|response| &response.media);
                media.any(|media| matches!(&media.content, Content::Json(_, key) if key == schema))
            }
            RejectionBody::Default => false,
        };
        is_declared.then_some(rejection.status)
    }

    /// The changed request with the documented response; `None` if this operation documents none.
    fn item(
        &self,
        about: &str,
        kind: RejectionKind,
        change: impl FnOnce(&mut Request),
    ) -> Option<Item> {
        let status = self.status(kind)?;
        let mut request = self.request.clone();
        change(&mut request);
        let id = &self.operation.id;
        Some(Item {
            id: self.context.identity.id(&format!("rejection {id} {about}")),
            name: format!("{id}: {about}"),
            event: script::of_rejection(self.lowered, self.operation, status),
            request,
            response: Vec::new(),
        })
    }
}

fn row(key: &str, value: &str) -> Row {
    Row {
        key: key.to_owned(),
        value: Some(value.to_owned()),
        description: Description::default(),
        disabled: false,
    }
}
