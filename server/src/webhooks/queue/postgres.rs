//! The deliveries that are due, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;

use super::DeliveryQueue;
use crate::audit::AuditAction;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, postgres as mail};
use crate::projects::{Actor, postgres as projects};
use crate::webhooks::secret::SealedSecret;
use crate::webhooks::{
    Attempted, Backlog, DeliveryId, DueDelivery, DueWebhook, Lease, TurnEnd, TurnNotes, WebhookId,
    WebhookSecrets,
};

#[async_trait]
impl DeliveryQueue for Postgres {
    async fn take_due_webhooks(
        &self,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueWebhook>, StoreError> {
        self.write(
            Writer::Server,
            TimeoutClass::Request,
            (now, until, limit),
            |tx, (now, until, limit)| take(tx, *now, *until, *limit).boxed(),
        )
        .await
    }

    async fn due_deliveries(
        &self,
        webhook: WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        self.query(move |db| due(db, webhook, now, limit).boxed())
            .await
    }

    async fn note_turns(&self, notes: TurnNotes) -> Result<(), StoreError> {
        self.write(Writer::Server, TimeoutClass::Request, notes, |tx, notes| {
            self::note_turns(tx, notes).boxed()
        })
        .await
    }

    async fn switch_off_webhook(
        &self,
        due: DueWebhook,
        failing_since: Timestamp,
        now: Timestamp,
        mails: Vec<NewMail>,
    ) -> Result<bool, StoreError> {
        let about = (due, failing_since, now, mails);
        self.write(
            Writer::Server,
            TimeoutClass::Request,
            about,
            |tx, (due, since, now, mails)| switch_off(tx, due, *since, *now, mails).boxed(),
        )
        .await
    }

    async fn webhook_backlog(&self, now: Timestamp) -> Result<Backlog, StoreError> {
        self.query(move |db| backlog(db, now).boxed()).await
    }

    async fn delete_old_deliveries(&self, before: Timestamp) -> Result<bool, StoreError> {
        self.write(Writer::Server, TimeoutClass::Bulk, before, |tx, before| {
            delete_old(tx, *before).boxed()
        })
        .await
    }
}

/// The number of deliveries of one webhook, and of events, that are deleted in one transaction.
const AT_ONCE: i64 = 1000;

async fn take(
    tx: &Transaction<'_>,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
) -> Result<Vec<DueWebhook>, Failure> {
    let sql = "UPDATE webhook SET leased_until = $2
               WHERE id IN (
                 SELECT id FROM webhook
                 WHERE enabled AND leased_until <= $1
                   AND EXISTS (SELECT 1 FROM webhook_delivery AS due
                               WHERE due.webhook = webhook.id AND due.next_attempt_at <= $1)
                   AND NOT EXISTS (SELECT 1 FROM suspension
                                   WHERE suspension.project = webhook.project)
                 ORDER BY leased_until LIMIT $3 FOR UPDATE SKIP LOCKED)
               RETURNING id, project, url, secret,
                 CASE WHEN previous_secret_until > $1 THEN previous_secret END AS previous,
                 failing_since";
    let params: query::Params<'_> = &[&Millis(now), &Millis(until), &query::limit(limit)];
    query::all(tx, sql, params, |row| {
        let previous: Option<Vec<u8>> = row.try_get("previous")?;
        Ok(DueWebhook {
            lease: Lease {
                webhook: row.try_get("id")?,
                until,
            },
            project: row.try_get("project")?,
            url: row.try_get("url")?,
            secrets: WebhookSecrets {
                present: SealedSecret(row.try_get("secret")?),
                previous: previous.map(SealedSecret),
            },
            failing_since: column::time_if_any(row, "failing_since")?,
        })
    })
    .await
}

async fn due(
    db: &impl GenericClient,
    webhook: WebhookId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueDelivery>, Failure> {
    let sql = "SELECT due.id, due.event, due.attempts, due.give_up_at, event.body
               FROM webhook_delivery AS due JOIN webhook_event AS event ON event.id = due.event
               WHERE due.webhook = $1 AND due.next_attempt_at <= $2
               ORDER BY due.next_attempt_at, due.id LIMIT $3";
    let params: query::Params<'_> = &[&webhook, &Millis(now), &query::limit(limit)];
    query::all(db, sql, params, |row| {
        Ok(DueDelivery {
            id: row.try_get("id")?,
            event: row.try_get("event")?,
            attempts: column::number(row, "attempts")?,
            give_up_at: column::time(row, "give_up_at")?,
            body: row.try_get("body")?,
        })
    })
    .await
}

/// Deliveries come first, as where a webhook is deleted, so that no two transactions wait for each other.
async fn note_turns(tx: &Transaction<'_>, notes: &TurnNotes) -> Result<(), Failure> {
    note_attempts(tx, &notes.attempts).await?;
    note_ends(tx, &notes.ends).await
}

async fn note_attempts(
    tx: &Transaction<'_>,
    attempts: &[(WebhookId, Attempted)],
) -> Result<(), Failure> {
    if attempts.is_empty() {
        return Ok(());
    }
    let webhooks: Vec<_> = attempts.iter().map(|it| it.0).collect();
    let all = || attempts.iter().map(|it| &it.1);
    let ids: Vec<_> = all().map(|it| it.id).collect();
    let states: Vec<_> = all().map(|it| it.state).collect();
    let counts: Vec<_> = all().map(|it| i64::from(it.attempts)).collect();
    let next: Vec<_> = all().map(|it| it.next_attempt_at.map(Millis)).collect();
    let times: Vec<_> = all().map(|it| Millis(it.last.at)).collect();
    let answers = || all().map(|it| it.last.answer.as_ref());
    let statuses: Vec<_> = answers()
        .map(|it| it.ok().map(|it| i64::from(*it)))
        .collect();
    let errors: Vec<_> = answers().map(|it| it.err().cloned()).collect();
    let sql = "UPDATE webhook_delivery AS delivery
               SET state = noted.state, attempts = noted.attempts, next_attempt_at = noted.next,
                 last_attempt_at = noted.at, last_status = noted.status, last_error = noted.error
               FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::bigint[],
                   $6::bigint[], $7::bigint[], $8::text[])
                 AS noted (webhook, id, state, attempts, next, at, status, error)
               WHERE delivery.webhook = noted.webhook AND delivery.id = noted.id";
    let params: query::Params<'_> = &[
        &webhooks, &ids, &states, &counts, &next, &times, &statuses, &errors,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn note_ends(tx: &Transaction<'_>, ends: &[TurnEnd]) -> Result<(), Failure> {
    if ends.is_empty() {
        return Ok(());
    }
    let webhooks: Vec<_> = ends.iter().map(|it| it.lease.webhook).collect();
    let leases: Vec<_> = ends.iter().map(|it| Millis(it.lease.until)).collect();
    let failing: Vec<_> = ends.iter().map(|it| it.failing_since.map(Millis)).collect();
    let pauses: Vec<_> = ends.iter().map(|it| Millis(it.pause_until)).collect();
    let sql = "UPDATE webhook
               SET failing_since = turn.failing_since, leased_until = turn.pause_until
               FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[])
                 AS turn (webhook, leased_until, failing_since, pause_until)
               WHERE webhook.id = turn.webhook AND webhook.leased_until = turn.leased_until";
    let params: query::Params<'_> = &[&webhooks, &leases, &failing, &pauses];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn switch_off(
    tx: &Transaction<'_>,
    due: &DueWebhook,
    failing_since: Timestamp,
    now: Timestamp,
    mails: &[NewMail],
) -> Result<bool, Failure> {
    let sql = "UPDATE webhook SET enabled = false, failing_since = $3
               WHERE id = $1 AND leased_until = $2 AND enabled";
    let (until, since) = (Millis(due.lease.until), Millis(failing_since));
    if query::execute(tx, sql, &[&due.lease.webhook, &until, &since]).await? == 0 {
        return Ok(false);
    }
    let action = AuditAction::WebhookSwitchedOff(due.url.clone());
    projects::record_event(tx, Actor::Operator, due.project, action, now).await?;
    for mail in mails {
        mail::enqueue_to_account(tx, mail).await?;
    }
    Ok(true)
}

async fn backlog(db: &impl GenericClient, now: Timestamp) -> Result<Backlog, Failure> {
    let sql = "SELECT count(*) AS due, min(due.next_attempt_at) AS since
                       FROM webhook JOIN webhook_delivery AS due ON due.webhook = webhook.id
                       WHERE webhook.enabled AND webhook.failing_since IS NULL
                         AND due.next_attempt_at <= $1";
    query::one(db, sql, &[&Millis(now)], |row| {
        Ok(Backlog {
            due: column::number(row, "due")?,
            since: column::time_if_any(row, "since")?,
        })
    })
    .await
}

async fn delete_old(tx: &Transaction<'_>, before: Timestamp) -> Result<bool, Failure> {
    let first = DeliveryId::first_of(before);
    let webhooks = "SELECT id FROM webhook";
    let webhooks: Vec<WebhookId> =
        query::all(tx, webhooks, &[], |row| Ok(row.try_get("id")?)).await?;
    let mut most = 0;
    for webhook in webhooks {
        let sql = "DELETE FROM webhook_delivery WHERE webhook = $1 AND id IN (
                     SELECT id FROM webhook_delivery WHERE webhook = $1 AND id < $2 LIMIT $3)";
        most = most.max(query::execute(tx, sql, &[&webhook, &first, &AT_ONCE]).await?);
    }
    let sql = "DELETE FROM webhook_event WHERE id IN (
                 SELECT id FROM webhook_event WHERE id < $1 LIMIT $2)";
    most = most.max(query::execute(tx, sql, &[&first, &AT_ONCE]).await?);
    Ok(most >= AT_ONCE.unsigned_abs())
}
