//! Authentication: the collection's own, and requests that differ from it.
//!
//! A request that sends the collection's scheme inherits it.

use super::Context;
use super::cookies::Cookies;
use super::format::{Auth, Description, Row};
use crate::ir::{Operation, ParamLocation, Scheme, SchemeKind};

/// The authentication of a request.
#[derive(Default)]
pub(super) struct Credentials {
    /// `None` inherits the collection's.
    pub(super) auth: Option<Auth>,
    pub(super) headers: Vec<Row>,
    pub(super) query: Vec<Row>,
    pub(super) cookies: Cookies,
}

/// The first scheme of the contract that Postman knows a method for.
pub(super) fn of_collection(context: &Context<'_>) -> Auth {
    inherited(context).map_or_else(none, |(_, auth)| auth)
}

fn inherited<'a>(context: &Context<'a>) -> Option<(&'a Scheme, Auth)> {
    let mut schemes = context.api.schemes.iter();
    schemes.find_map(|scheme| Some((scheme, method(context, scheme)?)))
}

/// No authentication.
pub(super) fn none() -> Auth {
    Auth {
        method: "noauth",
        attributes: Vec::new(),
    }
}

/// The requirement of an operation; of several alternatives, the first.
pub(super) fn of_operation(context: &Context<'_>, operation: &Operation) -> Credentials {
    let alternatives = &operation.requirements;
    let wanted = alternatives.iter().find(|schemes| !schemes.is_empty());
    let named = wanted.into_iter().flatten();
    let declared = &context.api.schemes;
    let schemes = named.filter_map(|(name, _)| declared.iter().find(|s| s.wire == *name));
    let schemes = schemes.filter(|_| context.sends_credential(operation));
    let mut credentials = Credentials::default();
    let mut by_method = None;
    for scheme in schemes {
        match method(context, scheme).filter(|_| by_method.is_none()) {
            Some(auth) => by_method = Some((scheme, auth)),
            None => credentials.write_out(context, scheme),
        }
    }
    credentials.auth = match by_method {
        None => Some(none()),
        Some((scheme, auth)) => {
            let same = inherited(context).is_some_and(|(first, _)| first.wire == scheme.wire);
            (!same).then_some(auth)
        }
    };
    credentials
}

/// The credential of an operation with `text` instead of each secret; `None` if Postman has no method for
/// its scheme.
pub(super) fn with_secret(
    context: &Context<'_>,
    operation: &Operation,
    text: &str,
) -> Option<Auth> {
    let wanted = operation.requirements.iter().flatten();
    let mut schemes = wanted.filter_map(|(name, _)| {
        let mut declared = context.api.schemes.iter();
        declared.find(|scheme| scheme.wire == *name)
    });
    schemes.find_map(|scheme| method_with(scheme, |_| text.to_owned()))
}

/// Postman's own method for a scheme, with the caller's secrets.
fn method(context: &Context<'_>, scheme: &Scheme) -> Option<Auth> {
    method_with(scheme, |n| context.variables.secret(&scheme.wire, n))
}

/// Postman's own method for a scheme. It has none for keys in cookies and for certificates.
fn method_with(scheme: &Scheme, secret: impl Fn(usize) -> String) -> Option<Auth> {
    Some(match &scheme.kind {
        SchemeKind::ApiKey { place, name } => Auth {
            method: "apikey",
            attributes: vec![
                ("key", name.clone()),
                ("value", secret(0)),
                (
                    "in",
                    match place {
                        ParamLocation::Header => "header".into(),
                        ParamLocation::Query => "query".into(),
                        ParamLocation::Cookie | ParamLocation::Path => return None,
                    },
                ),
            ],
        },
        SchemeKind::Basic => Auth {
            method: "basic",
            attributes: vec![("username", secret(0)), ("password", secret(1))],
        },
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => Auth {
            method: "bearer",
            attributes: vec![("token", secret(0))],
        },
        SchemeKind::Http(name) => Auth {
            method: "apikey",
            attributes: vec![
                ("key", "Authorization".into()),
                ("value", format!("{name} {}", secret(0))),
                ("in", "header".into()),
            ],
        },
        SchemeKind::MutualTls | SchemeKind::Unknown => return None,
    })
}

impl Credentials {
    /// Adds a credential at its location. Basic credentials are encoded, and a certificate is no
    /// part of the request's text; callers provide both.
    fn write_out(&mut self, context: &Context<'_>, scheme: &Scheme) {
        let secret = context.variables.secret(&scheme.wire, 0);
        let row = |key: &str, value: String| Row {
            key: key.to_owned(),
            value: Some(value),
            description: Description(scheme.doc.clone()),
            disabled: false,
        };
        match &scheme.kind {
            SchemeKind::ApiKey { place, name } => match place {
                ParamLocation::Header => self.headers.push(row(name, secret)),
                ParamLocation::Query => self.query.push(row(name, secret)),
                ParamLocation::Cookie => self.cookies.add(name, &secret, true),
                ParamLocation::Path => {}
            },
            SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => self
                .headers
                .push(row("Authorization", format!("Bearer {secret}"))),
            SchemeKind::Http(name) => self
                .headers
                .push(row("Authorization", format!("{name} {secret}"))),
            SchemeKind::Basic | SchemeKind::MutualTls | SchemeKind::Unknown => {}
        }
    }
}
