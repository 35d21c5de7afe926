//! The deliveries of a webhook that are due, as one server has them to itself.

pub(crate) mod postgres;
pub(crate) mod sqlite;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{DeliveryId, DeliveryState, EventId, LastAttempt, WebhookId, WebhookSecrets};
use crate::database::StoreError;
use crate::mail::NewMail;
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

/// The database operations of what sends deliveries. See [`Database`](crate::database::Database).
#[async_trait]
pub trait DeliveryQueue: Send + Sync {
    /// Takes the turn of a webhook that is on and has deliveries that are due, until `until`: of the one
    /// that has waited longest. No other server sends to it before. Projects that are suspended have none.
    async fn take_due_webhook(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<DueWebhook>, StoreError>;

    /// The deliveries of a webhook that are due, those that wait longest first.
    async fn due_deliveries(
        &self,
        webhook: WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueDelivery>, StoreError>;

    /// Notes attempts.
    async fn note_attempts(
        &self,
        webhook: WebhookId,
        attempts: Vec<Attempted>,
    ) -> Result<(), StoreError>;

    /// Ends a turn: the webhook has been failing since a time, or is not, and is sent to again from
    /// `pause_until` on. Nothing happens if the turn is over, or the webhook was changed.
    async fn release_webhook(
        &self,
        lease: Lease,
        failing_since: Option<Timestamp>,
        pause_until: Timestamp,
    ) -> Result<(), StoreError>;

    /// Switches a webhook off at the end of a turn, notes it in the audit log, and puts the mails about it into
    /// the outbox. False, and none of it, if the turn is over, or the webhook was changed. All or nothing.
    async fn switch_off_webhook(
        &self,
        due: DueWebhook,
        failing_since: Timestamp,
        now: Timestamp,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError>;

    /// The deliveries that are due, to webhooks that are on and do not fail.
    async fn webhook_backlog(&self, now: Timestamp) -> Result<Backlog, StoreError>;

    /// Deletes deliveries and events from before a time, some at once; whether there may be more.
    async fn delete_old_deliveries(&self, before: Timestamp) -> Result<bool, StoreError>;
}
