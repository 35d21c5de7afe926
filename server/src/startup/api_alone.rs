//! A server without the console: the API alone, for builds without the feature `console`.

use std::net::SocketAddr;

use axum::body::Body;
use axum::response::Response;
use edge::http::{Handler, Shutdown};
use features::api::ContractErrors;
use features::console_config::ConsoleConfig;
use features::domain::service_identity::ServiceIdentity;
use generated::Rejection;
use generated::operations::BASE_PATH;
use http::Request;
use tokio::task::JoinSet;

use super::shared_state::SharedState;
use crate::config::Config;

/// The reason why a server without the console does not start.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    #[error(
        "--dashboard needs a program built with the feature `console`, and this one was built without it"
    )]
    NotBuilt,
}

/// The place of the pages, of which there are none.
pub struct Console {
    identity: ServiceIdentity,
}

/// The place of the pages of a server.
pub(super) fn open(state: &SharedState, config: &Config) -> Result<Console, ConsoleError> {
    Console::check(&config.console)?;
    Ok(Console {
        identity: state.identity.clone(),
    })
}

impl Console {
    /// Checks that the configuration asks for no dashboard.
    ///
    /// # Errors
    /// When it does.
    pub fn check(config: &ConsoleConfig) -> Result<(), ConsoleError> {
        match config.dashboard {
            true => Err(ConsoleError::NotBuilt),
            false => Ok(()),
        }
    }

    pub(super) fn dashboard_url(&self) -> Option<String> {
        None
    }

    pub(super) fn identity(&self) -> &ServiceIdentity {
        &self.identity
    }

    pub(super) fn site<S>(&self, api: S, errors: ContractErrors) -> Site<S> {
        Site { api, errors }
    }

    pub(super) fn with_error_pages<H>(&self, handler: H) -> H {
        handler
    }

    pub(super) fn maintain(&self, _: &mut JoinSet<()>, _: &mut JoinSet<()>, _: &Shutdown) {}
}

/// The API `S` below its path; every other path does not exist.
#[derive(Clone)]
pub(super) struct Site<S> {
    api: S,
    errors: ContractErrors,
}

impl<S: Handler> Handler for Site<S> {
    async fn handle(&self, peer: SocketAddr, request: Request<Body>) -> Response {
        match request.uri().path().starts_with(BASE_PATH) {
            true => self.api.handle(peer, request).await,
            false => self.errors.answer(&Rejection::Route),
        }
    }
}
