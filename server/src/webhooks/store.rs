//! The database operations of webhooks.

use async_trait::async_trait;
use jiff::Timestamp;

use super::secret::SealedSecret;
use super::{
    Delivery, DeliveryId, NewEvent, NewSecret, Webhook, WebhookChange, WebhookId, WebhookRefusal,
};
use crate::configs::Requester;
use crate::database::StoreError;
use crate::domain::position::Position;
use crate::idempotency::Idempotency;
use crate::projects::ProjectId;

/// The outcome of the creation of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookCreation {
    /// It was created.
    Created,
    /// An earlier request with the same key and body created it.
    Replayed {
        /// The webhook as it is now.
        webhook: Webhook,
        /// Its secret.
        secret: SealedSecret,
    },
    /// The key was used for another request in the last 24 hours.
    KeyReused,
    /// The project has as many as it may.
    QuotaExceeded,
    /// The requester may not change the project, or there is none.
    UnknownProject,
    /// There is one with this id: its form was sent before.
    AlreadyCreated,
}

/// The outcome of the replacement of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretReplacement {
    /// It was replaced; the webhook as it is then.
    Replaced(Webhook),
    /// It was replaced before.
    AlreadyReplaced,
    /// There is no such webhook.
    Unknown,
}

/// The database operations of webhooks. See [`Database`](crate::database::Database).
///
/// A webhook of another project is as unknown as one that does not exist: `None`, and so is every webhook to
/// a requester that may not change the project.
#[async_trait]
pub trait WebhookStore {
    /// A project's webhooks after a position, oldest first.
    async fn webhooks(
        &self,
        project: ProjectId,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Webhook>, StoreError>;

    /// One of a project's webhooks.
    async fn webhook(
        &self,
        project: ProjectId,
        id: WebhookId,
    ) -> Result<Option<Webhook>, StoreError>;

    /// Creates a webhook, unless its project has [`Webhook::MAX_PER_PROJECT`]. If the request has a key, stores
    /// its record in the same transaction. Concurrent requests with the same key wait for each other, in any
    /// process.
    ///
    /// Keys expire relative to the webhook's own time.
    async fn create_webhook(
        &self,
        requester: Requester,
        webhook: Webhook,
        secret: SealedSecret,
        idempotency: Option<Idempotency>,
    ) -> Result<WebhookCreation, StoreError>;

    /// Changes a webhook; returns it as it is then.
    async fn change_webhook(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        change: WebhookChange,
        now: Timestamp,
    ) -> Result<Result<Webhook, WebhookRefusal>, StoreError>;

    /// Replaces the secret of a webhook, and keeps the one before it for a while.
    async fn replace_secret(
        &self,
        requester: Requester,
        of: (ProjectId, WebhookId),
        secret: NewSecret,
    ) -> Result<SecretReplacement, StoreError>;

    /// Deletes a webhook with its deliveries and the record of its idempotency key; whether there was one.
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
}
