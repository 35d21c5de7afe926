//! Metrics of the connections to the database.

use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

use db::PoolUse;

const CONNECTIONS: &str = "database_connections";
const MAX: &str = "database_connections_max";
const WAITING: &str = "database_connection_waiting";
const TIMEOUTS: &str = "database_connection_timeouts_total";

pub(super) struct PoolReport {
    idle: Gauge,
    busy: Gauge,
    most: Gauge,
    waiting: Gauge,
    timeouts: Counter,
}

impl PoolReport {
    /// Registers with the recorder that is current.
    pub(super) fn register() -> Self {
        describe_gauge!(CONNECTIONS, "Open connections to the database, by state.");
        describe_gauge!(MAX, "Maximum number of connections to the database.");
        describe_gauge!(WAITING, "Requests waiting for a connection.");
        describe_counter!(
            TIMEOUTS,
            "Requests that timed out waiting for a connection."
        );
        Self {
            idle: gauge!(CONNECTIONS, "state" => "idle"),
            busy: gauge!(CONNECTIONS, "state" => "busy"),
            most: gauge!(MAX),
            waiting: gauge!(WAITING),
            timeouts: counter!(TIMEOUTS),
        }
    }

    /// Sets the metrics to the state of the pool.
    pub(super) fn record(&self, pool: PoolUse) {
        self.idle.set(pool.idle as f64);
        self.busy.set(pool.open.saturating_sub(pool.idle) as f64);
        self.most.set(pool.most as f64);
        self.waiting.set(pool.waiting as f64);
        self.timeouts.absolute(pool.timeouts);
    }
}
