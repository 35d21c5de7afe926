//! The operators' area: finding projects and accounts, and deciding about them.
//!
//! Nobody but an operator sees that it is there, and an operator sees it in a session that began with a
//! passkey alone.

mod account;
mod claim;
mod home;
pub(super) mod project;
mod queue;
mod tier_request;

use std::ops::Deref;

use askama::Template;
use axum::Router;
use axum::extract::{FromRequestParts, State};
use axum::routing::{get, post};
use http::request::Parts;

use super::context::Context;
use super::page::{PageResult, page};
use super::page_error::PageError;
use super::return_path;
use super::sidebar::Sidebar;
use super::signed_in::Session;
use crate::passkeys;
use crate::projects::Actor;
use crate::site::Shell;

/// The paths of the operators' area.
pub(super) fn routes() -> Router<Context> {
    Router::new()
        .route("/dashboard/operator", get(home::show))
        .route("/dashboard/operator/passkey", get(passkey))
        .route("/dashboard/operator/accounts/{account}", get(account::show))
        .route("/dashboard/operator/projects/{project}", get(project::show))
        .route(
            "/dashboard/operator/projects/{project}/tier",
            post(project::set_tier),
        )
        .route(
            "/dashboard/operator/projects/{project}/suspend",
            post(project::suspend),
        )
        .route(
            "/dashboard/operator/projects/{project}/resume",
            post(project::resume),
        )
        .route("/dashboard/operator/requests", get(queue::list))
        .route(
            "/dashboard/operator/requests/tiers/{request}",
            post(tier_request::decide),
        )
        .route(
            "/dashboard/operator/requests/claims/{claim}",
            post(claim::decide),
        )
}

/// A session in which an operator may act.
pub(super) struct OperatorSession(Session);

impl OperatorSession {
    /// The operator as it asks use cases, which check in their transactions that it is one still.
    pub(super) fn actor(&self) -> Actor {
        Actor::OperatorAccount(self.0.signed_in.account.id)
    }

    /// A page that has forms while the sign-in is recent. Else it links to confirming that it is you, which
    /// leads back to it.
    fn page(&self, context: &Context, template: &impl Template) -> PageResult {
        let mut response = page(template)?;
        if !self.is_recent(context) {
            return_path::keep(context, &mut response, self.path());
        }
        Ok(response)
    }
}

impl Deref for OperatorSession {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.0
    }
}

impl FromRequestParts<Context> for OperatorSession {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, context: &Context) -> Result<Self, PageError> {
        let session = Session::from_request_parts(parts, context).await?;
        match &session.signed_in {
            it if !it.is_operator => Err(PageError::NotFound),
            it if !it.session.proof.is_passkey() => Err(PageError::NoPasskey),
            _ => Ok(Self(session)),
        }
    }
}

#[derive(Template)]
#[template(path = "dashboard/operator/passkey.html")]
struct PasskeyPage<'a> {
    shell: Shell<'a>,
    side: Sidebar,
    has_passkey: bool,
    /// The origin on whose pages passkeys work.
    origin: &'a str,
}

/// `GET /dashboard/operator/passkey`: the page for an operator whose session began without one.
async fn passkey(State(context): State<Context>, session: Session) -> PageResult {
    if !session.signed_in.is_operator {
        return Err(PageError::NotFound);
    }
    let own = passkeys::list(context.store(), session.signed_in.account.id).await?;
    page(&PasskeyPage {
        shell: session.shell(&context),
        side: session.side(),
        has_passkey: !own.is_empty(),
        origin: context.public.origin(),
    })
}
