//! The database operations of webhooks.

use super::delivery;
use db::{Db, DbError};
use jiff::Timestamp;

use super::secret::SealedSecret;
use super::{Delivery, DeliveryDetails, NewSecret, Webhook, WebhookError, WebhookUpdate};
use crate::domain::entity_tag::IfMatch;
use crate::domain::position::Position;
use crate::events::{DeliveryId, NewEvent, WebhookId};
use crate::idempotency::Idempotency;
use crate::mail::NewMail;
use crate::projects::{ProjectId, Requester};
use crate::webhooks::sql;

/// The result of a request that has created a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookCreation {
    Created,
    /// An earlier request with the same key and body created it.
    Replayed {
        webhook: Webhook,
        secret: SealedSecret,
    },
}

/// The result of a request that has replaced the secret of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretRotation {
    /// The webhook after the change.
    Rotated(Webhook),
    /// An earlier request with the same key replaced it.
    Replayed {
        webhook: Webhook,
        secret: SealedSecret,
    },
}

/// A project's webhooks after a position, oldest first.
pub async fn webhooks(
    db: &Db,
    project: ProjectId,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Webhook>, DbError> {
    db.read(move |tx| sql::page(tx, project, after, limit))
        .await
}

/// One of a project's webhooks.
pub async fn webhook(
    db: &Db,
    project: ProjectId,
    id: WebhookId,
) -> Result<Option<Webhook>, DbError> {
    db.read(move |tx| sql::find(tx, (project, id))).await
}

/// Creates a webhook, unless its project has [`Webhook::MAX_PER_PROJECT`]. If the request has a key, stores
/// its record in the same transaction. Concurrent requests with the same key wait for each other, in any
/// process.
///
/// Keys expire relative to the webhook's own time.
pub async fn create_webhook(
    db: &Db,
    requester: Requester,
    webhook: Webhook,
    secret: SealedSecret,
    idempotency: Option<Idempotency>,
) -> Result<WebhookCreation, WebhookError> {
    let writer = requester.writer(webhook.project);
    db.write(writer, sql::LIMITS, move |tx| {
        sql::create(tx, requester, &webhook, &secret, idempotency.as_ref())
    })
    .await
}

/// Updates a webhook, and sends `mails` if its URL has changed; returns it as it is then.
pub async fn update_webhook(
    db: &Db,
    requester: Requester,
    of: (ProjectId, WebhookId),
    change: WebhookUpdate,
    mails: Vec<NewMail>,
    now: Timestamp,
) -> Result<Webhook, WebhookError> {
    db.write(requester.writer(of.0), sql::LIMITS, move |tx| {
        sql::update(tx, requester, of, (&change, &mails), now)
    })
    .await
}

/// Replaces the secret of a webhook, sends `mails`, and retains the previous secret for a while. If the request has a
/// key, stores its record in the same transaction.
pub async fn replace_secret(
    db: &Db,
    requester: Requester,
    of: (ProjectId, WebhookId),
    new: NewSecret,
    mails: Vec<NewMail>,
) -> Result<SecretRotation, WebhookError> {
    db.write(requester.writer(of.0), sql::LIMITS, move |tx| {
        sql::replace_secret(tx, requester, of, &new, &mails)
    })
    .await
}

/// Deletes a webhook with its deliveries and the records of its idempotency keys; whether there was one. Rejected if it
/// has none of the tags of `if_match`.
pub async fn delete_webhook(
    db: &Db,
    requester: Requester,
    of: (ProjectId, WebhookId),
    if_match: Option<IfMatch>,
    now: Timestamp,
) -> Result<bool, WebhookError> {
    db.write(requester.writer(of.0), sql::LIMITS, move |tx| {
        sql::delete_one(tx, requester, of, if_match.as_ref(), now)
    })
    .await
}

/// The deliveries to a webhook after a position, latest first.
pub async fn deliveries(
    db: &Db,
    of: (ProjectId, WebhookId),
    after: Option<Position>,
    limit: usize,
) -> Result<Option<Vec<Delivery>>, DbError> {
    db.read(move |tx| match sql::find(tx, of)? {
        Some(_) => Ok(Some(delivery::sql::page(tx, of.1, after, limit)?)),
        None => Ok(None),
    })
    .await
}

/// A delivery to a webhook, with its request and response.
pub async fn delivery(
    db: &Db,
    of: (ProjectId, WebhookId),
    id: DeliveryId,
) -> Result<Option<DeliveryDetails>, DbError> {
    db.read(move |tx| match sql::find(tx, of)? {
        Some(_) => delivery::sql::find_details(tx, of.1, id),
        None => Ok(None),
    })
    .await
}

/// Enqueues a test event for a webhook, whether or not it is enabled and subscribes to the type.
pub async fn deliver(
    db: &Db,
    requester: Requester,
    of: (ProjectId, WebhookId),
    delivery: DeliveryId,
    event: NewEvent,
) -> Result<Delivery, WebhookError> {
    db.write(requester.writer(of.0), sql::LIMITS, move |tx| {
        delivery::sql::deliver(tx, requester, of, delivery, &event)
    })
    .await
}

/// Puts a delivery on its way again, as if it were new.
pub async fn redeliver(
    db: &Db,
    requester: Requester,
    of: (ProjectId, WebhookId),
    delivery: DeliveryId,
    now: Timestamp,
) -> Result<Option<Delivery>, DbError> {
    db.write(requester.writer(of.0), sql::LIMITS, move |tx| {
        delivery::sql::redeliver(tx, requester, of, delivery, now)
    })
    .await
}

/// The webhooks of a project that an author has created or changed, oldest first.
pub async fn webhooks_changed_by(
    db: &Db,
    project: ProjectId,
    author: Requester,
) -> Result<Vec<Webhook>, DbError> {
    db.read(move |tx| sql::changed_by(tx, project, author))
        .await
}

/// Disables the webhooks that an author has created or changed; false if the requester manages no such project.
pub async fn disable_webhooks_changed_by(
    db: &Db,
    requester: Requester,
    project: ProjectId,
    author: Requester,
    now: Timestamp,
) -> Result<bool, DbError> {
    db.write(requester.writer(project), sql::LIMITS, move |tx| {
        sql::disable_changed_by(tx, requester, project, author, now)
    })
    .await
}
