//! Requests that must be refused, derived from those that succeed: without a key, with a wrong one,
//! with parameters that violate the contract, with a wrong method or media type.
//!
//! A kind is derived only if the contract declares its answer.

use super::format::{
    Auth, Body, Description, Entry, Event, Folder, Item, RawLanguage, RawOptions, Request, Row, Url,
};
use super::lowered::Lowered;
use super::{Context, request, script};
use crate::ir::{
    Content, Operation, Param, ParamLocation, ParamShape, RejectionBody, RejectionKind, Response,
    Security, Status,
};
use json_schema::Schemas;
use json_schema::issue::{self, Issues};
use serde_json::Value;
use std::cell::LazyCell;

/// A media type that no operation accepts or returns.
const STRANGE: &str = "application/vnd.of-nobody";

/// A credential that nobody has.
const WRONG: &str = "a-credential-of-nobody";

/// A value that most parameters refuse: no number, no date, no name. It needs no encoding in a URL.
const UNFIT: &str = "~out-of-range~";

/// Methods of which few paths have all.
const METHODS: [&str; 5] = ["PATCH", "PUT", "DELETE", "POST", "GET"];

/// A folder with the requests to be refused; `None` if the contract declares no refusals.
pub(super) fn folder(context: &Context<'_>, lowered: &Lowered) -> Option<Folder> {
    let mut item = Vec::new();
    let mut paths: Vec<&str> = Vec::new();
    // Compiling all schemas takes long, and most contracts declare no answer to invalid values.
    let schemas =
        LazyCell::new(|| Schemas::parse(&Value::Object(context.api.schemas.clone()).to_string()));
    for operation in context.api.operations.iter().filter(|one| one.served) {
        let refusing = Refusing {
            context,
            lowered,
            schemas: &schemas,
            operation,
            request: request::request(context, operation).as_sent(),
        };
        item.extend(refusing.of_credentials());
        item.extend(refusing.of_parameters());
        item.extend(refusing.of_media_types());
        if !paths.contains(&operation.path.as_str()) {
            paths.push(&operation.path);
            item.extend(refusing.of_methods());
        }
    }
    (!item.is_empty()).then(|| Folder {
        id: context.identity.id("refusals"),
        name: "Refusals".into(),
        description: Description("Requests that must be refused, and how.".into()),
        item: item.into_iter().map(Entry::from).collect(),
    })
}

/// The input for the refusals of one operation.
struct Refusing<'a, S> {
    context: &'a Context<'a>,
    lowered: &'a Lowered,
    /// The validator of the contract's schemas.
    schemas: &'a LazyCell<Schemas, S>,
    operation: &'a Operation,
    request: Request,
}

impl<S: FnOnce() -> Schemas> Refusing<'_, S> {
    fn of_credentials(&self) -> Vec<Item> {
        if self.operation.security == Security::Public {
            return Vec::new();
        }
        let without = |request: &mut Request| request.auth = Some(nobody());
        let wrong = |request: &mut Request| {
            request.auth = super::auth::with_secret(self.context, self.operation, WRONG);
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
        let path = self.out_of_range(
            &self.operation.path_params,
            ParamLocation::Path,
            |url, name| {
                let rows = url.variable.iter_mut();
                for row in rows.filter(|row| row.key == name) {
                    row.value = Some(UNFIT.to_owned());
                }
            },
        );
        let query = self.out_of_range(&self.operation.params, ParamLocation::Query, |url, name| {
            url.query.retain(|row| row.key != name);
            url.query.push(row(name, UNFIT));
            url.rewrite();
        });
        let null = self.refuses_null().then(|| {
            self.item(
                "a body that is null",
                RejectionKind::Validation,
                |request| {
                    if let Some(Body::Raw { raw, .. }) = &mut request.body {
                        "null".clone_into(raw);
                    }
                },
            )
        });
        let refused = [path, query, null.flatten()];
        refused.into_iter().flatten().collect()
    }

    /// The request with [`UNFIT`] for a parameter of that location: the one of which it violates
    /// the fewest rules.
    fn out_of_range(
        &self,
        params: &[Param],
        place: ParamLocation,
        change: impl FnOnce(&mut Url, &str),
    ) -> Option<Item> {
        let scalar = |it: &&Param| {
            it.place == place && it.shape == ParamShape::Scalar && !it.style.is_whole_query()
        };
        let violations = |it: &Param| self.violations(&it.schema, &UNFIT.into());
        let params = params.iter().filter(scalar);
        let unfit = params.filter(|param| violations(param) > 0);
        let param = unfit.min_by_key(|param| violations(param))?;
        let name = &param.field.wire;
        let about = format!("{name} out of its range");
        self.item(&about, RejectionKind::Validation, |request| {
            change(&mut request.url, name);
        })
    }

    fn refuses_null(&self) -> bool {
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

    /// How many rules of a schema a value violates; none of a schema that the contract does not
    /// have.
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
        let strange = |name: &'static str| {
            move |request: &mut Request| {
                request
                    .header
                    .retain(|row| !row.key.eq_ignore_ascii_case(name));
                request.header.insert(0, row(name, STRANGE));
            }
        };
        let accept = self.item(
            "a strange Accept",
            RejectionKind::NotAcceptable,
            strange("Accept"),
        );
        let content = self.operation.body.is_some().then(|| {
            self.item(
                "a strange Content-Type",
                RejectionKind::MediaType,
                |request| {
                    strange("Content-Type")(request);
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
            self.item("a body that is no JSON", RejectionKind::Json, |request| {
                if let Some(Body::Raw { raw, .. }) = &mut request.body {
                    raw.insert(0, '}');
                }
            })
        });
        let refused = [content, broken].into_iter().flatten();
        refused.chain([accept]).flatten().collect()
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

    /// The status that the contract declares for a rejection of this operation.
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

    /// The changed request, with the declared answer to the rejection; `None` if this operation
    /// declares none.
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
        let event: Vec<Event> = script::of_refusal(self.lowered, self.operation, status);
        Some(Item {
            id: self.context.identity.id(&format!("refusal {id} {about}")),
            name: format!("{id}: {about}"),
            event,
            request,
            response: Vec::new(),
        })
    }
}

fn nobody() -> Auth {
    Auth {
        method: "noauth",
        attributes: Vec::new(),
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
