//! The deliveries that are due.

use db::{Batch, DbError, Row, ToValue as _, Tx, Value, params};
use edge::clock::after;
use jiff::Timestamp;
use std::collections::HashMap;

use crate::audit::{AuditAction, sql as audit};
use crate::events::{DeliveryId, WebhookId};
use crate::mail::{NewMail, sql as mail};
use crate::projects::{Actor, Role};
use crate::webhooks::places::{self, Sharer};
use crate::webhooks::secret::SealedSecret;
use crate::webhooks::{
    Attempted, Backlog, DueDelivery, DueWebhook, Lease, TurnEnd, TurnNotes, Webhook,
    WebhookSecrets, retry,
};

/// The number of deliveries of one webhook, and of events, that are deleted in one transaction.
const AT_ONCE: i64 = 1000;

/// The webhooks with due deliveries that no server has leased. Times beyond the longest wait, which a clock that was
/// ahead has stored, are over.
const IS_DUE: &str = "enabled AND (leased_until <= $1 OR leased_until > $2)
      AND (EXISTS (SELECT 1 FROM webhook_delivery AS due
                   WHERE due.webhook = webhook.id AND due.next_attempt_at <= $1)
        OR EXISTS (SELECT 1 FROM webhook_delivery AS due
                   WHERE due.webhook = webhook.id AND due.next_attempt_at > $3))
      AND NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.project = webhook.project)";

/// The candidates of a server, slow and quick ones apart, so that many of one owner or many slow ones hide no others.
const CANDIDATES: i64 = 256;

/// Deliveries whose next attempt is in a range of times.
const DUE_DELIVERIES: &str =
    "SELECT due.id, due.event, due.attempts, due.give_up_at, due.attempt_log,
      event.body
    FROM webhook_delivery AS due JOIN webhook_event AS event ON event.id = due.event
    WHERE due.webhook = $1 AND due.next_attempt_at > $2 AND due.next_attempt_at <= $3
    ORDER BY due.next_attempt_at, due.id LIMIT $4";

/// The parameters of [`IS_DUE`].
fn due_at(now: Timestamp) -> [Value; 3] {
    let (lease, wait) = (after(now, retry::MAX_LEASE), after(now, retry::MAX_WAIT));
    [now.to_value(), lease.to_value(), wait.to_value()]
}

fn candidates_sql() -> String {
    format!(
        "WITH due AS (
           SELECT id, url, slow, leased_until,
             coalesce((SELECT account FROM membership
                       WHERE membership.project = webhook.project AND membership.role = $4
                       ORDER BY account LIMIT 1), project) AS owner
           FROM webhook WHERE {IS_DUE}
         ), of_owner AS (
           SELECT id, url, slow, leased_until, owner,
             row_number() OVER (PARTITION BY owner, slow ORDER BY leased_until, id) AS place
           FROM due
         ), of_all AS (
           SELECT id, url, slow, leased_until, owner,
             row_number() OVER (PARTITION BY slow ORDER BY leased_until, id) AS place
           FROM of_owner WHERE place <= $5
         )
         SELECT id, url, slow, owner FROM of_all WHERE place <= $6 ORDER BY leased_until, id"
    )
}

/// The webhooks that may be taken, those that have waited longest first: of each owner, as many as have a share.
pub(crate) fn candidates(
    tx: &Tx<'_>,
    now: Timestamp,
    share: usize,
) -> Result<Vec<(WebhookId, Sharer)>, DbError> {
    let params = [&due_at(now)[..], params![Role::Owner, share, CANDIDATES]].concat();
    tx.all(&candidates_sql(), &params, |row| {
        let url: String = row.get("url")?;
        let sharer = Sharer {
            owner: row.get("owner")?,
            host: places::host(&url),
            is_slow: row.get("slow")?,
        };
        Ok((row.get("id")?, sharer))
    })
}

/// Leases those of the candidates that are still due.
pub(crate) fn take(
    tx: &Tx<'_>,
    now: Timestamp,
    until: Timestamp,
    candidates: &[(WebhookId, Sharer)],
) -> Result<Vec<DueWebhook>, DbError> {
    let sql = format!(
        "SELECT webhook.id, project, url, secret, failing_since,
           CASE WHEN previous_secret_until > $2 AND previous_secret_until <= $5
             THEN previous_secret END AS previous
         FROM batch(id uuid) JOIN webhook ON webhook.id = batch.id
         WHERE {} FOR UPDATE SKIP LOCKED",
        // The batch is the first parameter.
        IS_DUE
            .replace("$3", "$4")
            .replace("$2", "$3")
            .replace("$1", "$2")
    );
    let secrets_until = after(now, Webhook::PREVIOUS_SECRET);
    let params = [&due_at(now)[..], params![secrets_until]].concat();
    let sharers: HashMap<_, _> = candidates.iter().cloned().collect();
    let batch = Batch::of_column(candidates.iter().map(|(id, _)| *id));
    let due: Vec<_> = tx.all_of_batch(&sql, &batch, &params, |row| {
        let previous: Option<Vec<u8>> = row.get("previous")?;
        let webhook = row.get("id")?;
        let other = || DbError::Corrupt("an unrequested webhook is due".to_owned());
        let sharer = sharers.get(&webhook).cloned().ok_or_else(other)?;
        Ok(DueWebhook {
            lease: Lease { webhook, until },
            project: row.get("project")?,
            url: row.get("url")?,
            secrets: WebhookSecrets {
                present: SealedSecret(row.get("secret")?),
                previous: previous.map(SealedSecret),
            },
            failing_since: row.get("failing_since")?,
            sharer,
        })
    })?;
    let sql =
        "UPDATE webhook SET leased_until = $2 FROM batch(id uuid) WHERE webhook.id = batch.id";
    let taken = Batch::of_column(due.iter().map(|it| it.lease.webhook));
    tx.execute_batch(sql, &taken, params![until])?;
    Ok(due)
}

pub(crate) fn due(
    tx: &Tx<'_>,
    webhook: WebhookId,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueDelivery>, DbError> {
    let read = |row: &Row<'_>| {
        Ok(DueDelivery {
            id: row.get("id")?,
            event: row.get("event")?,
            attempts: row.get("attempts")?,
            give_up_at: row.get("give_up_at")?,
            log: row.get("attempt_log")?,
            body: row.get("body")?,
        })
    };
    let due = params![webhook, Timestamp::MIN, now, limit];
    let due: Vec<_> = tx.all(DUE_DELIVERIES, due, read)?;
    if !due.is_empty() {
        return Ok(due);
    }
    let beyond = params![webhook, after(now, retry::MAX_WAIT), Timestamp::MAX, limit];
    tx.all(DUE_DELIVERIES, beyond, read)
}

/// Deliveries come first, as where a webhook is deleted, which prevents deadlocks.
pub(crate) fn note_turns(tx: &Tx<'_>, notes: &TurnNotes) -> Result<(), DbError> {
    note_attempts(tx, &notes.attempts)?;
    note_ends(tx, &notes.ends)
}

fn note_attempts(tx: &Tx<'_>, attempts: &[(WebhookId, Attempted)]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for (webhook, attempted) in attempts {
        rows.push(params![
            webhook,
            attempted.id,
            attempted.state,
            attempted.attempts,
            attempted.next_attempt_at,
            attempted.log,
            attempted.response,
        ]);
    }
    let sql = "UPDATE webhook_delivery AS delivery
               SET state = batch.state, attempts = batch.attempts, next_attempt_at = batch.next,
                 attempt_log = batch.log, response = batch.response
               FROM batch(webhook uuid, id uuid, state text, attempts bigint, next bigint,
                 log text, response text)
               WHERE delivery.webhook = batch.webhook AND delivery.id = batch.id";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

fn note_ends(tx: &Tx<'_>, ends: &[TurnEnd]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for end in ends {
        let Lease { webhook, until } = end.lease;
        rows.push(params![
            webhook,
            until,
            end.failing_since,
            end.pause_until,
            end.is_slow
        ]);
    }
    let sql = "UPDATE webhook
               SET failing_since = batch.failing_since, leased_until = batch.pause_until,
                 slow = batch.slow
               FROM batch(webhook uuid, leased_until bigint, failing_since bigint,
                 pause_until bigint, slow boolean)
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

/// Some webhooks with their secrets.
pub(crate) fn some_secrets(
    tx: &Tx<'_>,
    limit: usize,
) -> Result<Vec<(WebhookId, SealedSecret)>, DbError> {
    let sql = "SELECT id, secret FROM webhook LIMIT $1";
    tx.all(sql, params![limit], |row| {
        Ok((row.get("id")?, SealedSecret(row.get("secret")?)))
    })
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
        let index = "webhook_delivery_due (webhook=? AND next_attempt_at>? AND next_attempt_at<?)";
        let candidates = format!("SELECT 1 FROM webhook WHERE {IS_DUE}");
        assert_reads_index(
            &candidates,
            "webhook_delivery_due (webhook=? AND next_attempt_at<?)",
        );
        assert_reads_index(DUE_DELIVERIES, index);
    }
}
