//! Metrics of the room for the windows of networks.

use edge::limits::Occupancy;
use metrics::{Gauge, describe_gauge, gauge};

const NETWORKS: &str = "rate_limit_networks";
const MAX: &str = "rate_limit_networks_max";
const SHARED: &str = "rate_limit_networks_shared";

/// The metrics of the windows of networks.
pub(super) struct OccupancyReport {
    ipv4: Gauge,
    ipv6: Gauge,
    most: Gauge,
    shared: Gauge,
}

impl OccupancyReport {
    /// Registers with the recorder that is current.
    pub(super) fn register() -> Self {
        describe_gauge!(
            NETWORKS,
            "Networks without a key with requests in the last minute."
        );
        describe_gauge!(
            MAX,
            "Maximum number of networks of each family with limits of their own."
        );
        describe_gauge!(
            SHARED,
            "Wider networks whose further networks share a limit."
        );
        Self {
            ipv4: gauge!(NETWORKS, "family" => "ipv4"),
            ipv6: gauge!(NETWORKS, "family" => "ipv6"),
            most: gauge!(MAX),
            shared: gauge!(SHARED),
        }
    }

    pub(super) fn record(&self, occupancy: Occupancy) {
        self.ipv4.set(occupancy.ipv4 as f64);
        self.ipv6.set(occupancy.ipv6 as f64);
        self.most.set(occupancy.most as f64);
        self.shared.set(occupancy.shared as f64);
    }
}
