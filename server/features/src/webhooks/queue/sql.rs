//! The deliveries that are due.

use db::{Batch, DbError, Row, Tx, params};
use jiff::Timestamp;

use crate::audit::{AuditAction, sql as audit};
use crate::events::{DeliveryId, WebhookId};
use crate::mail::{NewMail, sql as mail};
use crate::projects::Actor;
use crate::webhooks::secret::SealedSecret;
use crate::webhooks::{
    Attempted, Backlog, DueDelivery, DueWebhook, Lease, TurnEnd, TurnNotes, WebhookSecrets,
};

/// The number of deliveries of one webhook, and of events, that are deleted in one transaction.
const AT_ONCE: i64 = 1000;

/// The webhooks with due deliveries that no server has leased, those that have waited longest first.
const DUE: &str = "SELECT id, project, url, secret,
      CASE WHEN previous_secret_until > $1 THEN previous_secret END AS previous, failing_since
    FROM webhook
    WHERE enabled AND leased_until <= $1
      AND EXISTS (SELECT 1 FROM webhook_delivery AS due
                  WHERE due.webhook = webhook.id AND due.next_attempt_at <= $1)
      AND NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.project = webhook.project)
    ORDER BY leased_until LIMIT $2";

const DUE_DELIVERIES: &str = "SELECT due.id, due.event, due.attempts, due.give_up_at, event.body
    FROM webhook_delivery AS due JOIN webhook_event AS event ON event.id = due.event
    WHERE due.webhook = $1 AND due.next_attempt_at <= $2
    ORDER BY due.next_attempt_at, due.id LIMIT $3";

pub(crate) fn take(
    tx: &Tx<'_>,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
) -> Result<Vec<DueWebhook>, DbError> {
    let read = |row: &Row<'_>| {
        let previous: Option<Vec<u8>> = row.get("previous")?;
        Ok(DueWebhook {
            lease: Lease {
                webhook: row.get("id")?,
                until,
            },
            project: row.get("project")?,
            url: row.get("url")?,
            secrets: WebhookSecrets {
                present: SealedSecret(row.get("secret")?),
                previous: previous.map(SealedSecret),
            },
            failing_since: row.get("failing_since")?,
        })
    };
    let due: Vec<DueWebhook> = tx.all(
        &format!("{DUE} FOR UPDATE SKIP LOCKED"),
        params![now, limit],
        read,
    )?;
    let sql =
        "UPDATE webhook SET leased_until = $2 FROM batch(id uuid) WHERE webhook.id = batch.id";
    let taken = Batch::of_column(due.iter().map(|it| it.lease.webhook));
    tx.execute_batch(sql, &taken, params![until])?;
    Ok(due)
}

pub(crate) fn is_any_due(tx: &Tx<'_>, now: Timestamp) -> Result<bool, DbError> {
    tx.exists(DUE, params![now, 1])
}

pub(crate) fn due(
    tx: &Tx<'_>,
    webhook: WebhookId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueDelivery>, DbError> {
    tx.all(DUE_DELIVERIES, params![webhook, now, limit], |row| {
        Ok(DueDelivery {
            id: row.get("id")?,
            event: row.get("event")?,
            attempts: row.get("attempts")?,
            give_up_at: row.get("give_up_at")?,
            body: row.get("body")?,
        })
    })
}

/// Deliveries come first, as where a webhook is deleted, which prevents deadlocks.
pub(crate) fn note_turns(tx: &Tx<'_>, notes: &TurnNotes) -> Result<(), DbError> {
    note_attempts(tx, &notes.attempts)?;
    note_ends(tx, &notes.ends)
}

fn note_attempts(tx: &Tx<'_>, attempts: &[(WebhookId, Attempted)]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for (webhook, attempted) in attempts {
        let answer = attempted.last.answer.as_ref();
        rows.push(params![
            webhook,
            attempted.id,
            attempted.state,
            attempted.attempts,
            attempted.next_attempt_at,
            attempted.last.at,
            answer.ok(),
            answer.err(),
        ]);
    }
    let sql = "UPDATE webhook_delivery AS delivery
               SET state = batch.state, attempts = batch.attempts, next_attempt_at = batch.next,
                 last_attempt_at = batch.at, last_status = batch.status, last_error = batch.error
               FROM batch(webhook uuid, id uuid, state text, attempts bigint, next bigint,
                 at bigint, status bigint, error text)
               WHERE delivery.webhook = batch.webhook AND delivery.id = batch.id";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

fn note_ends(tx: &Tx<'_>, ends: &[TurnEnd]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for end in ends {
        let Lease { webhook, until } = end.lease;
        rows.push(params![webhook, until, end.failing_since, end.pause_until]);
    }
    let sql = "UPDATE webhook
               SET failing_since = batch.failing_since, leased_until = batch.pause_until
               FROM batch(webhook uuid, leased_until bigint, failing_since bigint,
                 pause_until bigint)
               WHERE webhook.id = batch.webhook AND webhook.leased_until = batch.leased_until";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

pub(crate) fn switch_off(
    tx: &Tx<'_>,
    due: &DueWebhook,
    failing_since: Timestamp,
    now: Timestamp,
    mails: &[NewMail],
) -> Result<bool, DbError> {
    let sql = "UPDATE webhook SET enabled = false, failing_since = $3
               WHERE id = $1 AND leased_until = $2 AND enabled";
    let (until, since) = (due.lease.until, failing_since);
    if tx.execute(sql, params![due.lease.webhook, until, since])? == 0 {
        return Ok(false);
    }
    let action = AuditAction::WebhookSwitchedOff(due.url.clone());
    audit::record_event(tx, Actor::Operator, due.project, action, now)?;
    for mail in mails {
        mail::enqueue_to_account(tx, mail)?;
    }
    Ok(true)
}

pub(crate) fn backlog(tx: &Tx<'_>, now: Timestamp) -> Result<Backlog, DbError> {
    let sql = "SELECT count(*) AS due, min(due.next_attempt_at) AS since
                       FROM webhook JOIN webhook_delivery AS due ON due.webhook = webhook.id
                       WHERE webhook.enabled AND webhook.failing_since IS NULL
                         AND due.next_attempt_at <= $1";
    tx.one(sql, params![now], |row| {
        Ok(Backlog {
            due: row.get("due")?,
            since: row.get("since")?,
        })
    })
}

pub(crate) fn delete_old(tx: &Tx<'_>, before: Timestamp) -> Result<bool, DbError> {
    let first = DeliveryId::first_of(before);
    let webhooks = "SELECT id FROM webhook";
    let webhooks: Vec<WebhookId> = tx.all(webhooks, &[], |row| row.get("id"))?;
    let mut most = 0;
    for webhook in webhooks {
        let sql = "DELETE FROM webhook_delivery WHERE webhook = $1 AND id IN (
                     SELECT id FROM webhook_delivery WHERE webhook = $1 AND id < $2 LIMIT $3)";
        most = most.max(tx.execute(sql, params![webhook, first, AT_ONCE])?);
    }
    let sql = "DELETE FROM webhook_event WHERE id IN (
                 SELECT id FROM webhook_event WHERE id < $1 LIMIT $2)";
    most = most.max(tx.execute(sql, params![first, AT_ONCE])?);
    Ok(most >= AT_ONCE.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn due_deliveries_are_read_from_their_index() {
        let index = "webhook_delivery_due (webhook=? AND next_attempt_at<?)";
        assert_reads_index(&DUE.replace("ORDER BY leased_until", ""), index);
        assert_reads_index(DUE_DELIVERIES, index);
    }
}
