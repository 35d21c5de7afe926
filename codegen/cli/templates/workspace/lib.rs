//! The operations of the contract.

use generated::api::greetings::{GreetingsApi, GreetingsGetResponse};
use generated::runtime::{Issue, Service};
use generated::service::{Dispatcher, Faults, service};
use generated::{HandlerError, Host, models};
use std::sync::Arc;

/// The state that all requests share.
pub struct App;

impl Host for App {
    type Context = ();
    type Error = HandlerError;
}

impl GreetingsApi for App {
    async fn greetings_get(&self, name: String) -> Result<GreetingsGetResponse, HandlerError> {
        let body = models::Greeting {
            text: format!("Hello, {name}!"),
        };
        Ok(GreetingsGetResponse::Ok { body: body.into() })
    }
}

impl Faults for App {
    fn invalid(&self, issues: &[Issue]) -> models::Problem {
        let said = issues
            .iter()
            .map(|issue| format!("{} {}", issue.at, issue.message));
        models::Problem {
            title: "The request is refused".into(),
            detail: said.collect::<Vec<_>>().join("; "),
        }
    }
}

/// The contract as a service to mount.
pub fn app() -> Service<Dispatcher<App>> {
    service(Arc::new(App), Default::default())
}
