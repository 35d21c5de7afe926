//! Metrics of webhooks.

use jiff::Timestamp;
use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

use super::Backlog;
use crate::events::DeliveryState;

const DUE: &str = "webhook_deliveries_due";
const OLDEST: &str = "webhook_delivery_oldest_seconds";
const ATTEMPTS: &str = "webhook_attempts_total";
const SWITCHED_OFF: &str = "webhooks_switched_off_total";

pub(super) struct WebhookMetrics {
    due: Gauge,
    oldest: Gauge,
    delivered: Counter,
    failed: Counter,
    given_up: Counter,
    pub(super) switched_off: Counter,
}

impl WebhookMetrics {
    /// Registers with the recorder that is current.
    pub(super) fn register() -> Self {
        describe_gauge!(DUE, "Due deliveries to webhooks that are not failing.");
        describe_gauge!(OLDEST, "Seconds since the first of them became due.");
        describe_counter!(ATTEMPTS, "Requests to webhooks, by outcome.");
        describe_counter!(
            SWITCHED_OFF,
            "Webhooks disabled because they failed for three days, or responded 410."
        );
        Self {
            due: gauge!(DUE),
            oldest: gauge!(OLDEST),
            delivered: counter!(ATTEMPTS, "outcome" => "delivered"),
            failed: counter!(ATTEMPTS, "outcome" => "failed"),
            given_up: counter!(ATTEMPTS, "outcome" => "given-up"),
            switched_off: counter!(SWITCHED_OFF),
        }
    }

    /// Counts an attempt after which a delivery is in a state.
    pub(super) fn count(&self, state: DeliveryState) {
        let counter = match state {
            DeliveryState::Delivered => &self.delivered,
            DeliveryState::Pending => &self.failed,
            DeliveryState::Failed => &self.given_up,
        };
        counter.increment(1);
    }

    pub(super) fn record(&self, backlog: Backlog, now: Timestamp) {
        self.due.set(backlog.due as f64);
        let age = |at| now.duration_since(at).as_secs_f64().max(0.0);
        self.oldest.set(backlog.since.map_or(0.0, age));
    }
}
