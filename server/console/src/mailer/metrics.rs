//! Metrics of the outbox.

use jiff::Timestamp;
use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};

use features::mail::OutboxState;

const WAITING: &str = "mail_waiting";
const OLDEST: &str = "mail_oldest_seconds";
const SENT: &str = "mail_sent_total";
const FAILED: &str = "mail_failed_attempts_total";
const GIVEN_UP: &str = "mail_given_up_total";

pub(super) struct MailMetrics {
    waiting: Gauge,
    oldest: Gauge,
    pub(super) sent: Counter,
    pub(super) failed: Counter,
    pub(super) refused: Counter,
    pub(super) late: Counter,
}

impl MailMetrics {
    /// Registers with the recorder that is current.
    pub(super) fn register() -> Self {
        describe_gauge!(WAITING, "Emails in the outbox.");
        describe_gauge!(OLDEST, "Age of the oldest email in the outbox, in seconds.");
        describe_counter!(SENT, "Sent emails.");
        describe_counter!(
            FAILED,
            "Failed attempts to send an email that will be retried."
        );
        describe_counter!(GIVEN_UP, "Abandoned emails, by reason.");
        Self {
            waiting: gauge!(WAITING),
            oldest: gauge!(OLDEST),
            sent: counter!(SENT),
            failed: counter!(FAILED),
            refused: counter!(GIVEN_UP, "reason" => "refused"),
            late: counter!(GIVEN_UP, "reason" => "late"),
        }
    }

    pub(super) fn record(&self, state: OutboxState, now: Timestamp) {
        self.waiting.set(state.waiting as f64);
        let age = |at| now.duration_since(at).as_secs_f64().max(0.0);
        self.oldest.set(state.oldest.map_or(0.0, age));
    }
}
