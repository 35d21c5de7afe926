//! The deliveries of a webhook that are due, as one server has them to itself.

use jiff::Timestamp;

use super::{DeliveryId, DeliveryState, EventId, LastAttempt, WebhookId, WebhookSecrets};
use crate::projects::ProjectId;

/// The turn of a server to send to a webhook. It ends by itself, so that a server that is killed holds up
/// nothing for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// The webhook.
    pub webhook: WebhookId,
    /// When it ends. No two turns of a webhook end at the same time.
    pub until: Timestamp,
}

/// A webhook with deliveries that are due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueWebhook {
    /// The turn.
    pub lease: Lease,
    /// The project of the webhook.
    pub project: ProjectId,
    /// Where the requests go.
    pub url: String,
    /// What signs them.
    pub secrets: WebhookSecrets,
    /// When the first request failed after the last that did not.
    pub failing_since: Option<Timestamp>,
}

/// A delivery that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    /// Its identity.
    pub id: DeliveryId,
    /// The event.
    pub event: EventId,
    /// The attempts before.
    pub attempts: u32,
    /// When it is given up.
    pub give_up_at: Timestamp,
    /// The body of the request.
    pub body: Vec<u8>,
}

/// What became of a delivery by an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempted {
    /// The delivery.
    pub id: DeliveryId,
    /// How far it is now.
    pub state: DeliveryState,
    /// The attempts, this one included.
    pub attempts: u32,
    /// When it is sent next, if it is.
    pub next_attempt_at: Option<Timestamp>,
    /// The attempt.
    pub last: LastAttempt,
}

/// What waits to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// The deliveries that are due.
    pub due: u64,
    /// Since when the first of them is.
    pub since: Option<Timestamp>,
}
