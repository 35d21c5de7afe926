//! The deliveries of a webhook that are due, as one server has them to itself.

pub(crate) mod sql;

use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::places::{Places, Sharer};
use super::secret::SealedSecret;
use super::{AttemptLog, WebhookSecrets};
use crate::events::{DeliveryId, DeliveryState, EventId, WebhookId};
use crate::mail::NewMail;
use crate::projects::ProjectId;

/// The turn of a server to send to a webhook. It ends by itself, so that a server that is killed holds up
/// nothing for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub webhook: WebhookId,
    /// When it ends. No two turns of a webhook end at the same time.
    pub until: Timestamp,
}

/// A webhook with deliveries that are due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueWebhook {
    pub lease: Lease,
    pub project: ProjectId,
    pub url: String,
    pub secrets: WebhookSecrets,
    /// When the first request failed after the last that did not.
    pub failing_since: Option<Timestamp>,
    pub sharer: Sharer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
    pub id: DeliveryId,
    pub event: EventId,
    /// The attempts before.
    pub attempts: u32,
    pub give_up_at: Timestamp,
    /// The latest attempts before.
    pub log: AttemptLog,
    pub body: Vec<u8>,
}

/// The outcome of an attempt of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempted {
    pub id: DeliveryId,
    pub state: DeliveryState,
    /// The attempts, this one included.
    pub attempts: u32,
    /// When it is sent next, if it is.
    pub next_attempt_at: Option<Timestamp>,
    /// The latest attempts, this one included.
    pub log: AttemptLog,
    /// The start of the response's body.
    pub response: Option<String>,
}

/// The outcomes of turns, of one webhook or of many.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TurnNotes {
    /// Attempts, with the webhooks that they were made to.
    pub attempts: Vec<(WebhookId, Attempted)>,
    /// The turns that are over.
    pub ends: Vec<TurnEnd>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnEnd {
    pub lease: Lease,
    /// Since when the webhook has been failing, if it is.
    pub failing_since: Option<Timestamp>,
    /// From when on it is sent to again.
    pub pause_until: Timestamp,
    /// Whether a request was slow.
    pub is_slow: bool,
}

/// The deliveries that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    pub due: u64,
    /// Since when the first of them is.
    pub since: Option<Timestamp>,
}

/// Leases webhooks that are enabled and have due deliveries, until `until`: those that have waited longest and have a
/// share of the free places. No other server sends to them before. Suspended projects have none.
pub async fn take_due_webhooks(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
    mut places: Places,
) -> Result<Vec<DueWebhook>, DbError> {
    let share = places.share();
    let candidates = db.read(move |tx| sql::candidates(tx, now, share));
    let mut chosen = candidates.await?;
    chosen.retain(|(_, sharer)| places.take(sharer.clone()));
    // Most of the time none is due, and finding that out writes nothing.
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    db.write(Writer::Unlimited, Timeouts::Request, move |tx| {
        sql::take(tx, now, until, &chosen)
    })
    .await
}

/// The deliveries of a webhook that are due, those that wait longest first.
pub async fn due_deliveries(
    db: &Db,
    webhook: WebhookId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueDelivery>, DbError> {
    db.read(move |tx| sql::due(tx, webhook, now, limit)).await
}

/// Notes the outcomes of turns, all of them or none. The end of a turn that is over already, or whose webhook
/// was changed, changes nothing.
pub async fn note_turns(db: &Db, notes: TurnNotes) -> Result<(), DbError> {
    db.write(Writer::Unlimited, Timeouts::Request, move |tx| {
        sql::note_turns(tx, &notes)
    })
    .await
}

/// Switches a webhook off at the end of a turn, notes it in the audit log, and puts the mails about it into
/// the outbox. False, and none of it, if the turn is over, or the webhook was changed. All or nothing.
pub async fn switch_off_webhook(
    db: &Db,
    due: DueWebhook,
    failing_since: Timestamp,
    now: Timestamp,
    mails: Vec<NewMail>,
) -> Result<bool, DbError> {
    db.write(Writer::Unlimited, Timeouts::Request, move |tx| {
        sql::switch_off(tx, &due, failing_since, now, &mails)
    })
    .await
}

/// The deliveries that are due, to webhooks that are on and do not fail.
pub async fn webhook_backlog(db: &Db, now: Timestamp) -> Result<Backlog, DbError> {
    db.read(move |tx| sql::backlog(tx, now)).await
}

/// Some webhooks with their secrets, to check that the keys decrypt them.
pub async fn some_secrets(
    db: &Db,
    limit: usize,
) -> Result<Vec<(WebhookId, SealedSecret)>, DbError> {
    db.read(move |tx| sql::some_secrets(tx, limit)).await
}

/// Deletes deliveries and events from before a time, some at once; whether there may be more.
pub async fn delete_old_deliveries(db: &Db, before: Timestamp) -> Result<bool, DbError> {
    db.write(Writer::Unlimited, Timeouts::Bulk, move |tx| {
        sql::delete_old(tx, before)
    })
    .await
}
