//! The database operations of webhooks.

use async_trait::async_trait;
use jiff::Timestamp;

use super::secret::SealedSecret;
use super::{
    Attempted, Backlog, Delivery, DeliveryId, DueDelivery, DueWebhook, Lease, NewEvent, Webhook,
    WebhookChange, WebhookId,
};
use crate::configs::Requester;
use crate::database::StoreError;
use crate::domain::position::Position;
use crate::mail::NewMail;
use crate::projects::ProjectId;

/// What became of a webhook that was to be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookCreation {
    /// It was created.
    Created,
    /// The project has as many as it may.
    QuotaExceeded,
    /// The requester may not change the project, or there is none.
    UnknownProject,
}

/// The database operations of webhooks. See [`Database`](crate::database::Database).
///
/// A webhook of another project is as unknown as one that does not exist: `None`, and so is every webhook to
/// a requester that may not change the project.
#[async_trait]
pub trait WebhookStore {
    /// A project's webhooks, oldest first.
    async fn webhooks(&self, project: ProjectId) -> Result<Vec<Webhook>, StoreError>;

    /// One of a project's webhooks.
    async fn webhook(
        &self,
        project: ProjectId,
        id: WebhookId,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Creates a webhook, unless its project has [`Webhook::MOST`].
    async fn create_webhook(
        &self,
        requester: Requester,
        webhook: Webhook,
        secret: SealedSecret,
    ) -> Result<WebhookCreation, StoreError>;

    /// Changes a webhook; returns it as it is then.
    async fn change_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        change: WebhookChange,
        now: Timestamp,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Replaces the secret of a webhook, and keeps the one before it until `until`.
    async fn replace_secret(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        secret: SealedSecret,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Deletes a webhook with its deliveries; whether there was one.
    async fn delete_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// The deliveries to a webhook after a position, latest first.
    async fn deliveries(
        &self,
        of: (ProjectId, WebhookId),
        after: Option<Position>,
        limit: usize,
    ) -> Result<Option<Vec<Delivery>>, StoreError>;

    /// Puts an event on its way to one webhook, whatever that chooses and whether or not it is on.
    async fn deliver(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        delivery: DeliveryId,
        event: NewEvent,
    ) -> Result<Option<Delivery>, StoreError>;

    /// Puts a delivery on its way again, as if it were new.
    async fn redeliver(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        delivery: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<Delivery>, StoreError>;

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

    /// Switches a webhook off at the end of a turn, and puts the mails about it into the outbox. False, and no
    /// mail, if the turn is over, or the webhook was changed. Both or neither.
    async fn switch_off_webhook(
        &self,
        lease: Lease,
        failing_since: Timestamp,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError>;

    /// The deliveries that are due, to webhooks that are on and do not fail.
    async fn webhook_backlog(&self, now: Timestamp) -> Result<Backlog, StoreError>;

    /// Deletes deliveries and events from before a time, some at once; whether there may be more.
    async fn delete_old_deliveries(&self, before: Timestamp) -> Result<bool, StoreError>;
}
