//! Credentials: observers and displays have tokens, and some stations still have a key.

use stations_api::AuthError;
use stations_api::runtime::Demand;
use stations_api::runtime::credential::{ApiKey, Bearer};
use stations_api::security::Security;

use crate::App;

/// The name of the caller.
pub(crate) type Caller = &'static str;

impl Security for App {
    type Observer = Caller;
    type StationKey = Caller;

    async fn observer(
        &self,
        token: Bearer<'_>,
        demand: Demand<'_, ()>,
    ) -> Result<Caller, AuthError> {
        let (caller, may_write) = match token.secret() {
            secret if secret == self.credentials.observer => ("an observer", true),
            secret if secret == self.credentials.display => ("a display", false),
            _ => return Err(AuthError::CredentialInvalid),
        };
        match may_write || !demand.scopes.contains(&"write") {
            true => Ok(caller),
            false => Err(AuthError::ScopeInsufficient),
        }
    }

    async fn station_key(&self, key: ApiKey<'_>, _: Demand<'_, ()>) -> Result<Caller, AuthError> {
        match key.secret() == self.credentials.station_key {
            true => Ok("a station"),
            false => Err(AuthError::CredentialInvalid),
        }
    }
}
