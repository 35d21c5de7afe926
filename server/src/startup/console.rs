//! The console of a server, for builds with the feature `console`.

use std::sync::Arc;

pub use ::console::{Console, ConsoleError};
use features::chain_rpc::ChainRpc;

use super::StartError;
use super::shared_state::SharedState;
use crate::config::Config;

/// Opens the pages of a server.
///
/// # Errors
/// When the dashboard lacks a setting, or TLS cannot be used.
pub(super) fn open(state: &SharedState, config: &Config) -> Result<Console, StartError> {
    Ok(Console::new(::console::Setup {
        config: config.console.clone(),
        db: state.store.clone(),
        clock: Arc::clone(&state.clock),
        metrics: Arc::clone(&state.metrics),
        identity: state.identity.clone(),
        rates: state.live.rates.clone(),
        quotas: state.live.quotas.clone(),
        max_in_flight_per_caller: state.live.max_in_flight_per_caller.clone(),
        lift_limits: config.lift_limits,
        api: Arc::clone(&state.api),
        refresh: state.refresh.clone(),
        usage: Arc::clone(&state.usage),
        chain_rpc: ChainRpc::new(&config.chain_rpc)?,
        new_mail: Arc::clone(&state.new_mail),
        is_demo: config.demo,
    })?)
}
