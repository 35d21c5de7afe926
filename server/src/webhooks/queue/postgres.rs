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
    Attempted, Backlog, DeliveryId, DueDelivery, DueWebhook, Lease, WebhookId, WebhookSecrets,
};

#[async_trait]
impl DeliveryQueue for Postgres {
    async fn take_due_webhook(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<DueWebhook>, StoreError> {
        self.write(
            Writer::Server,
            TimeoutClass::Request,
            (now, until),
            |tx, (now, until)| take(tx, *now, *until).boxed(),
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

    async fn note_attempts(
        &self,
        webhook: WebhookId,
        attempts: Vec<Attempted>,
    ) -> Result<(), StoreError> {
        let about = (webhook, attempts);
        self.write(
            Writer::Server,
            TimeoutClass::Request,
            about,
            |tx, (webhook, attempts)| self::note_attempts(tx, *webhook, attempts).boxed(),
        )
        .await
    }

    async fn release_webhook(
        &self,
        lease: Lease,
        failing_since: Option<Timestamp>,
        pause_until: Timestamp,
    ) -> Result<(), StoreError> {
        let about = (lease, failing_since.map(Millis), Millis(pause_until));
        self.write(Writer::Server, TimeoutClass::Request, about, |tx, about| {
            release(tx, about).boxed()
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
) -> Result<Option<DueWebhook>, Failure> {
    let sql = "UPDATE webhook SET leased_until = $2
               WHERE id = (
                 SELECT id FROM webhook
                 WHERE enabled AND leased_until <= $1
                   AND EXISTS (SELECT 1 FROM webhook_delivery AS due
                               WHERE due.webhook = webhook.id AND due.next_attempt_at <= $1)
                   AND NOT EXISTS (SELECT 1 FROM suspension
                                   WHERE suspension.project = webhook.project)
                 ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED)
               RETURNING id, project, url, secret,
                 CASE WHEN previous_secret_until > $1 THEN previous_secret END AS previous,
                 failing_since";
    query::first(tx, sql, &[&Millis(now), &Millis(until)], |row| {
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

async fn note_attempts(
    tx: &Transaction<'_>,
    webhook: WebhookId,
    attempts: &[Attempted],
) -> Result<(), Failure> {
    let all = || attempts.iter();
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
               FROM unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                   $7::bigint[], $8::text[])
                 AS noted (id, state, attempts, next, at, status, error)
               WHERE delivery.webhook = $1 AND delivery.id = noted.id";
    let params: query::Params<'_> = &[
        &webhook, &ids, &states, &counts, &next, &times, &statuses, &errors,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn release(
    tx: &Transaction<'_>,
    (lease, failing_since, pause_until): &(Lease, Option<Millis>, Millis),
) -> Result<(), Failure> {
    let sql = "UPDATE webhook SET failing_since = $3, leased_until = $4
               WHERE id = $1 AND leased_until = $2";
    let until = Millis(lease.until);
    let params: query::Params<'_> = &[&lease.webhook, &until, failing_since, pause_until];
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
