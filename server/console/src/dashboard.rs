//! The dashboard: pages on which developers sign in, make projects and manage keys.
//!
//! It is no part of the contract: a router of its own beside the generated service, below [`ROOT`]. Pages
//! are forms that work without scripts; a form that was sent is answered with a redirect, except where a
//! secret is shown once. Every page calls the use cases that the command line calls, as the account that
//! is signed in; these check, in their transactions, what it may see and do.

mod account;
mod audit;
mod changes;
mod choice;
mod config_editor;
mod configs;
mod confirmation;
mod context;
mod contracts;
mod cookies;
mod demo;
mod donations;
mod extract;
mod held_body;
mod key_list;
mod keys;
mod leaks;
mod members;
mod notice;
mod oidc;
mod operator;
mod operator_queue;
mod origin;
mod overview;
mod page;
mod page_error;
mod passkeys;
mod projects;
mod public_url;
mod rejections;
mod requests;
mod return_path;
mod router;
mod search;
mod session;
mod sidebar;
mod sign_in;
mod simulation;
mod time;
mod usage;
mod webhook_editor;
mod webhooks;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use edge::http::OperationId;
use http::Request;
use tower_service::Service as _;

use context::Context;
pub use context::Setup;
pub use rejections::Rejections;

use crate::docs::DocsIndex;
use features::domain::service_identity::ServiceIdentity;

/// The path of the dashboard.
pub const ROOT: &str = "/dashboard";

/// The operation of a request for the dashboard, in metrics and the access log. Paths are not named
/// there: one holds a token.
const OPERATION: OperationId = OperationId("<dashboard>");

/// The dashboard of one server. Clones share it.
#[derive(Clone)]
pub struct Dashboard {
    context: Context,
    router: Router,
}

impl Dashboard {
    /// The dashboard of a server. There is none unless the service's public URL has no path, and is one of
    /// https or of this machine; that of a demo, where anybody signs in by one click and reads all mails, is
    /// one of this machine.
    pub fn new(setup: Setup) -> Option<Self> {
        let context = setup.context()?;
        Some(Self {
            router: router::router(Context::clone(&context)),
            context,
        })
    }

    pub fn url(&self) -> String {
        format!("{}{ROOT}", self.context.public.origin())
    }

    /// The names of the service in emails, with the URL that their links lead to.
    pub(crate) fn identity(&self) -> &ServiceIdentity {
        &self.context.setup.identity
    }

    pub(crate) fn docs_index(&self) -> Arc<DocsIndex> {
        Arc::clone(&self.context.docs)
    }

    /// Answers a request for the dashboard.
    pub async fn answer(&self, request: Request<Body>) -> Response {
        let answered = self.router.clone().call(request).await;
        let mut response = answered.unwrap_or_else(|never| match never {});
        response.extensions_mut().insert(OPERATION);
        response
    }
}

/// Whether a request is for the dashboard.
pub(crate) fn serves(request: &Request<Body>) -> bool {
    let below = request.uri().path().strip_prefix(ROOT);
    below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
}
