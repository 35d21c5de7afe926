//! Metrics and log lines of the shared limiter.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};
use tokio::time::Instant;

use super::remote::Outage;

const DEGRADED: &str = "rate_limit_degraded";
const CALLS: &str = "rate_limit_redis_calls_total";
const ALONE: &str = "rate_limit_local_decisions_total";
const LAPSES: &str = "rate_limit_redis_lapses_total";
const REPLICAS: &str = "rate_limit_replicas";
const SPARED: &str = "rate_limit_cached_refusals_total";

/// The minimum interval of warnings that limits are kept locally, for the same reason.
const REPEAT: Duration = Duration::from_secs(60);

/// The minimum interval of these warnings for different reasons.
const CHANGED: Duration = Duration::from_secs(5);

/// The metrics of the shared limiter.
pub struct Instruments {
    degraded: Gauge,
    pub(super) admitted: Counter,
    pub(super) refused: Counter,
    pub(super) failed: Counter,
    pub(super) alone: Counter,
    pub(super) spared: Counter,
    pub(super) replicas: Gauge,
    late: Counter,
    unreachable: Counter,
    emptied: Counter,
}

impl Instruments {
    /// Registers with the recorder that is current.
    pub fn register() -> Self {
        describe_gauge!(
            DEGRADED,
            "1 while each replica enforces its share of the limits alone, because Redis is unavailable."
        );
        describe_counter!(CALLS, "Requests checked with Redis, by outcome.");
        describe_counter!(ALONE, "Requests decided without Redis.");
        describe_counter!(LAPSES, "How often Redis became unavailable, by reason.");
        describe_gauge!(REPLICAS, "Replicas that share the limits.");
        describe_counter!(SPARED, "Rejections repeated without asking Redis.");
        Self {
            degraded: gauge!(DEGRADED),
            admitted: counter!(CALLS, "outcome" => "admitted"),
            refused: counter!(CALLS, "outcome" => "refused"),
            failed: counter!(CALLS, "outcome" => "failed"),
            alone: counter!(ALONE),
            spared: counter!(SPARED),
            replicas: gauge!(REPLICAS),
            late: counter!(LAPSES, "reason" => "late"),
            unreachable: counter!(LAPSES, "reason" => "unreachable"),
            emptied: counter!(LAPSES, "reason" => "emptied"),
        }
    }
}

impl Instruments {
    fn count(&self, why: &Outage) {
        let counter = match why {
            Outage::TimedOut => &self.late,
            Outage::Failed(_) => &self.unreachable,
            Outage::Forgotten | Outage::Settling => &self.emptied,
        };
        counter.increment(1);
    }
}

/// Reports in metrics and in the log whether Redis decides.
pub(super) struct Report {
    pub(super) instruments: Instruments,
    last: Mutex<LastEntry>,
}

/// The last entry in the log.
#[derive(Default)]
struct LastEntry {
    at: Option<Instant>,
    /// Whether it says that limits are kept locally.
    degraded: bool,
    /// The reason that it gives.
    why: String,
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Report")
    }
}

impl Report {
    pub(super) fn new(instruments: Instruments) -> Self {
        instruments.degraded.set(1);
        Self {
            instruments,
            last: Mutex::default(),
        }
    }

    /// Reports that Redis does not decide; logs a reason at most once a minute.
    pub(super) fn degraded(&self, why: &Outage) {
        self.instruments.degraded.set(1);
        self.instruments.count(why);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = why.to_string();
        let interval = if last.why == reason { REPEAT } else { CHANGED };
        if last.at.is_none_or(|at| at.elapsed() >= interval) {
            last.at = Some(Instant::now());
            last.why = reason;
            last.degraded = true;
            tracing::warn!(%why, "Redis cannot be used: this replica enforces its share of the limits alone");
        }
    }

    /// Reports that Redis decides, if the last report was the contrary.
    pub(super) fn recovered(&self) {
        self.instruments.degraded.set(0);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut last.degraded) {
            tracing::info!("sharing limits through Redis again");
        }
    }
}
