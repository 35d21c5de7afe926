//! The states of deliveries.

use std::time::Duration;

/// How long a delivery is retried.
pub(crate) const TRIED_FOR: Duration = Duration::from_secs(3 * 24 * 3600);

db::named! {
    pub enum DeliveryState {
        Pending = "pending",
        /// The receiver responded with 2xx.
        Delivered = "delivered",
        /// No attempt is left.
        Failed = "failed",
    }
}
