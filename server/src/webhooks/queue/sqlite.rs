//! The deliveries that are due, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::DeliveryQueue;
use crate::audit::AuditAction;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, sqlite as mail};
use crate::projects::{Actor, sqlite as projects};
use crate::webhooks::secret::SealedSecret;
use crate::webhooks::{
    Attempted, Backlog, DeliveryId, DueDelivery, DueWebhook, Lease, TurnEnd, TurnNotes, WebhookId,
    WebhookSecrets,
};

#[async_trait]
impl DeliveryQueue for Sqlite {
    async fn take_due_webhooks(
        &self,
        now: Timestamp,
        until: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueWebhook>, StoreError> {
        // Most of the time nothing is due, and looking for it writes nothing.
        let found = self.read(move |db| Ok(query::exists(db, DUE, (Millis(now), 1))?));
        if !found.await? {
            return Ok(Vec::new());
        }
        self.write(Writer::Server, move |tx| Ok(take(tx, now, until, limit)?))
            .await
    }

    async fn due_deliveries(
        &self,
        webhook: WebhookId,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        self.read(move |db| {
            let params = (webhook, Millis(now), limit);
            Ok(query::all(db, DUE_DELIVERIES, params, read_due)?)
        })
        .await
    }

    async fn note_turns(&self, notes: TurnNotes) -> Result<(), StoreError> {
        self.write(Writer::Server, move |tx| {
            for (webhook, attempted) in &notes.attempts {
                note_attempt(tx, *webhook, attempted)?;
            }
            for end in &notes.ends {
                note_end(tx, end)?;
            }
            Ok(())
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
        self.write(Writer::Server, move |tx| {
            let sql = "UPDATE webhook SET enabled = 0, failing_since = ?3
                       WHERE id = ?1 AND leased_until = ?2 AND enabled = 1";
            let lease = due.lease;
            let params = (lease.webhook, Millis(lease.until), Millis(failing_since));
            if query::execute(tx, sql, params)? == 0 {
                return Ok(false);
            }
            let (project, action) = (
                due.project,
                AuditAction::WebhookSwitchedOff(due.url.clone()),
            );
            projects::record_event(tx, Actor::Operator, project, action, now)?;
            for mail in &mails {
                mail::enqueue_to_account(tx, mail)?;
            }
            Ok(true)
        })
        .await
    }

    async fn webhook_backlog(&self, now: Timestamp) -> Result<Backlog, StoreError> {
        self.read(move |db| {
            let sql = "SELECT count(*) AS due, min(due.next_attempt_at) AS since
                       FROM webhook JOIN webhook_delivery AS due ON due.webhook = webhook.id
                       WHERE webhook.enabled = 1 AND webhook.failing_since IS NULL
                         AND due.next_attempt_at <= ?1";
            let read = |row: &Row<'_>| {
                Ok(Backlog {
                    due: row.get("due")?,
                    since: column::time_if_any(row, "since")?,
                })
            };
            Ok(query::first(db, sql, [Millis(now)], read)?.unwrap_or_default())
        })
        .await
    }

    async fn delete_old_deliveries(&self, before: Timestamp) -> Result<bool, StoreError> {
        self.write(Writer::Server, move |tx| Ok(delete_old(tx, before)?))
            .await
    }
}

/// The webhooks of which a delivery is due and nobody has the turn, those that have waited longest first.
const DUE: &str = "SELECT id FROM webhook
    WHERE enabled = 1 AND leased_until <= ?1
      AND EXISTS (SELECT 1 FROM webhook_delivery AS due
                  WHERE due.webhook = webhook.id AND due.next_attempt_at <= ?1)
      AND NOT EXISTS (SELECT 1 FROM suspension WHERE suspension.project = webhook.project)
    ORDER BY leased_until LIMIT ?2";

const DUE_DELIVERIES: &str = "SELECT due.id, due.event, due.attempts, due.give_up_at, event.body
    FROM webhook_delivery AS due JOIN webhook_event AS event ON event.id = due.event
    WHERE due.webhook = ?1 AND due.next_attempt_at <= ?2
    ORDER BY due.next_attempt_at, due.id LIMIT ?3";

fn take(
    db: &Connection,
    now: Timestamp,
    until: Timestamp,
    limit: usize,
) -> rusqlite::Result<Vec<DueWebhook>> {
    let sql = format!(
        "UPDATE webhook SET leased_until = ?3 WHERE id IN ({DUE})
         RETURNING id, project, url, secret,
           CASE WHEN previous_secret_until > ?1 THEN previous_secret END AS previous, failing_since"
    );
    query::all(db, &sql, (Millis(now), limit, Millis(until)), |row| {
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
            failing_since: column::time_if_any(row, "failing_since")?,
        })
    })
}

fn read_due(row: &Row<'_>) -> rusqlite::Result<DueDelivery> {
    Ok(DueDelivery {
        id: row.get("id")?,
        event: row.get("event")?,
        attempts: row.get("attempts")?,
        give_up_at: column::time(row, "give_up_at")?,
        body: row.get("body")?,
    })
}

fn note_attempt(
    db: &Connection,
    webhook: WebhookId,
    attempted: &Attempted,
) -> rusqlite::Result<()> {
    let (status, error) = match &attempted.last.answer {
        Ok(status) => (Some(status), None),
        Err(error) => (None, Some(error)),
    };
    query::execute(
        db,
        "UPDATE webhook_delivery SET state = :state, attempts = :attempts, next_attempt_at = :next,
           last_attempt_at = :at, last_status = :status, last_error = :error
         WHERE webhook = :webhook AND id = :id",
        named_params! {
            ":webhook": webhook,
            ":id": attempted.id,
            ":state": attempted.state,
            ":attempts": attempted.attempts,
            ":next": attempted.next_attempt_at.map(Millis),
            ":at": Millis(attempted.last.at),
            ":status": status,
            ":error": error,
        },
    )?;
    Ok(())
}

fn note_end(db: &Connection, end: &TurnEnd) -> rusqlite::Result<()> {
    let sql = "UPDATE webhook SET failing_since = ?3, leased_until = ?4
               WHERE id = ?1 AND leased_until = ?2";
    let TurnEnd {
        lease,
        failing_since,
        pause_until,
    } = end;
    let params = (
        lease.webhook,
        Millis(lease.until),
        failing_since.map(Millis),
        Millis(*pause_until),
    );
    query::execute(db, sql, params)?;
    Ok(())
}

fn delete_old(db: &Connection, before: Timestamp) -> rusqlite::Result<bool> {
    let first = DeliveryId::first_of(before);
    let webhooks = query::all(db, "SELECT id FROM webhook", [], |row| row.get(0))?;
    let mut is_more = false;
    for webhook in webhooks {
        let webhook: WebhookId = webhook;
        let sql = "DELETE FROM webhook_delivery WHERE webhook = ?1 AND id IN (
                     SELECT id FROM webhook_delivery WHERE webhook = ?1 AND id < ?2 LIMIT ?3)";
        is_more |= query::execute(db, sql, (webhook, first, AT_ONCE))? == AT_ONCE;
    }
    let sql = "DELETE FROM webhook_event WHERE id IN (
                 SELECT id FROM webhook_event WHERE id < ?1 LIMIT ?2)";
    is_more |= query::execute(db, sql, (first, AT_ONCE))? == AT_ONCE;
    Ok(is_more)
}

/// The number of deliveries of one webhook, and of events, that are deleted in one transaction.
const AT_ONCE: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_due_is_read_from_its_index() {
        let index = "webhook_delivery_due (webhook=? AND next_attempt_at<?)";
        query::assert_reads_index(&DUE.replace("ORDER BY leased_until", ""), [0, 1], index);
        query::assert_reads_index(DUE_DELIVERIES, ([0; 16], 0, 0), index);
    }
}
