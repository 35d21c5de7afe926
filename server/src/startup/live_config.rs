//! The configuration that a running server reloads, and its state for operators.

use std::sync::Arc;

use edge::http::{ConnectionLimits, EdgeOptions, Metrics, set_log_filter, set_logged_clients};
use edge::reloadable::Reloadable;
use jiff::Timestamp;
use metrics::{Gauge, describe_gauge, gauge};

use crate::config::Config;
use features::access::RateLimits;
use features::configs::ConfigQuotas;

const SUCCESSFUL: &str = "config_last_reload_successful";
const SUCCESS_AT: &str = "config_last_reload_success_timestamp_seconds";
const PENDING: &str = "config_restart_pending";

/// The part of the configuration that a running server can reload. Clones share it.
#[derive(Clone)]
pub struct LiveConfig {
    pub(super) edge: Reloadable<EdgeOptions>,
    pub(super) connections: Reloadable<ConnectionLimits>,
    pub(super) rates: Reloadable<RateLimits>,
    pub(super) quotas: Reloadable<ConfigQuotas>,
    pub(super) max_in_flight_per_caller: Reloadable<usize>,
    /// The reason why the last configuration was refused, if it was.
    refused: Reloadable<Option<String>>,
    gauges: Arc<Gauges>,
}

struct Gauges {
    successful: Gauge,
    success_at: Gauge,
    pending: Gauge,
}

impl LiveConfig {
    /// The reloadable part of `config`, loaded at `now`.
    pub(super) fn new(config: &Config, metrics: &Metrics, now: Timestamp) -> Self {
        let live = Self {
            edge: Reloadable::new(config.edge_options()),
            connections: Reloadable::new(config.connections),
            rates: Reloadable::new(config.rates),
            quotas: Reloadable::new(config.quotas),
            max_in_flight_per_caller: Reloadable::new(config.max_in_flight_per_caller),
            refused: Reloadable::new(None),
            gauges: Arc::new(metrics.record(Gauges::register)),
        };
        live.gauges.succeeded(now, 0);
        live
    }

    /// Applies the reloadable part of `config` to later requests and connections, and ends none.
    /// `pending` settings of the same file wait for a restart.
    pub fn apply(&self, config: &Config, pending: usize, now: Timestamp) {
        set_log_filter(&config.log);
        set_logged_clients(config.log_clients);
        self.connections.set(config.connections);
        self.rates.set(config.rates);
        self.quotas.set(config.quotas);
        self.max_in_flight_per_caller
            .set(config.max_in_flight_per_caller);
        self.edge.set(config.edge_options());
        self.refused.set(None);
        self.gauges.succeeded(now, pending);
    }

    /// Reports to operators that a configuration was refused, with the reason. No setting changes.
    pub fn refuse(&self, why: String) {
        self.refused.set(Some(why));
        self.gauges.successful.set(0);
    }

    /// The body of `/readyz` while the server is ready.
    pub(super) fn readiness_text(&self) -> String {
        match &**self.refused.get() {
            None => "ready".to_owned(),
            Some(why) => format!("ready\nthe configuration was not reloaded: {why}"),
        }
    }
}

impl Gauges {
    fn register() -> Self {
        describe_gauge!(
            SUCCESSFUL,
            "0 while the last reloaded configuration file is invalid."
        );
        describe_gauge!(SUCCESS_AT, "When a configuration was last loaded.");
        describe_gauge!(PENDING, "Changed settings that need a restart.");
        Self {
            successful: gauge!(SUCCESSFUL),
            success_at: gauge!(SUCCESS_AT),
            pending: gauge!(PENDING),
        }
    }

    fn succeeded(&self, now: Timestamp, pending: usize) {
        self.successful.set(1);
        self.success_at.set(now.as_duration().as_secs_f64());
        self.pending.set(pending as f64);
    }
}
