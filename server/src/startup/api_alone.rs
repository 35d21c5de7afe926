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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use edge::clock::SystemClock;
    use features::database;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;

    use crate::config::{Config, Settings};
    use crate::startup::{Server, StartError};

    fn config(dashboard: bool) -> Config {
        let mut config = Config::of(Settings {
            dashboard: Some(dashboard),
            ..Settings::default()
        });
        config.listen.set_port(0);
        config.admin_listen.set_port(0);
        config
    }

    async fn start(config: &Config, folder: &tempfile::TempDir) -> Result<Server, StartError> {
        let db = database::open(&folder.path().join("catalog.db")).unwrap();
        Server::start(config, db, Arc::new(SystemClock::start())).await
    }

    async fn get(server: &Server, path: &str) -> String {
        let mut stream = TcpStream::connect(server.api).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        response
    }

    #[tokio::test]
    async fn the_api_responds_and_other_paths_do_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let server = start(&config(false), &folder).await.unwrap();
        assert_eq!(server.dashboard, None);
        let charities = get(&server, "/api/v1/charities").await;
        assert!(charities.starts_with("HTTP/1.1 200 OK"), "{charities}");
        for path in ["/", "/docs/", "/dashboard"] {
            let response = get(&server, path).await;
            assert!(response.starts_with("HTTP/1.1 404"), "{response}");
            assert!(response.contains("application/json"), "{response}");
        }
        server.shutdown().request();
        server.finished().await;
    }

    #[tokio::test]
    async fn a_dashboard_is_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let error = start(&config(true), &folder).await.err().unwrap();
        assert!(error.to_string().contains("feature `console`"), "{error}");
    }
}
