//! The outbox, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::{MailId, MailStore, Message, NewMail, OutboxState, QueuedMail};
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};

#[async_trait]
impl MailStore for Sqlite {
    async fn take_mail(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<QueuedMail>, StoreError> {
        // Most of the time nothing is due, and looking for it writes nothing.
        let due = "SELECT 1 FROM outbox WHERE next_attempt_at <= ?1";
        let due = self.read(move |db| Ok(query::exists(db, due, [Millis(now)])?));
        if !due.await? {
            return Ok(None);
        }
        self.write(Writer::Dashboard, move |tx| Ok(take(tx, now, until)?))
            .await
    }

    async fn postpone_mail(&self, id: MailId, at: Timestamp) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            let sql = "UPDATE outbox SET next_attempt_at = ?2 WHERE id = ?1";
            query::execute(tx, sql, (id, Millis(at)))?;
            Ok(())
        })
        .await
    }

    async fn delete_mail(&self, id: MailId) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| Ok(withdraw(tx, id)?))
            .await
    }

    async fn outbox(&self) -> Result<OutboxState, StoreError> {
        self.read(|db| Ok(state(db)?)).await
    }
}

fn state(db: &Connection) -> rusqlite::Result<OutboxState> {
    let sql = "SELECT count(*) AS waiting, min(created_at) AS oldest FROM outbox";
    let read = |row: &Row<'_>| {
        Ok(OutboxState {
            waiting: row.get("waiting")?,
            oldest: column::time_if_any(row, "oldest")?,
        })
    };
    Ok(query::first(db, sql, [], read)?.unwrap_or_default())
}

/// Puts a mail into the outbox, to be sent at once.
pub(crate) fn enqueue(db: &Connection, mail: &NewMail) -> rusqlite::Result<()> {
    query::execute(
        db,
        "INSERT INTO outbox (id, recipient, subject, text, html, created_at, send_until, attempts,
           next_attempt_at)
         VALUES (:id, :to, :subject, :text, :html, :now, :until, 0, :now)",
        named_params! {
            ":id": mail.id,
            ":to": mail.message.to,
            ":subject": mail.message.subject,
            ":text": mail.message.text,
            ":html": mail.message.html,
            ":now": Millis(mail.created_at),
            ":until": Millis(mail.send_until),
        },
    )?;
    Ok(())
}

/// Puts a mail to an account into the outbox, unless no account has its address any more.
pub(crate) fn enqueue_to_account(db: &Connection, mail: &NewMail) -> rusqlite::Result<()> {
    let sql = "SELECT 1 FROM account WHERE email_key = ?1";
    match query::exists(db, sql, [mail.message.to.key()])? {
        true => enqueue(db, mail),
        false => Ok(()),
    }
}

/// Takes a mail out of the outbox, if it is there still.
pub(crate) fn withdraw(db: &Connection, id: MailId) -> rusqlite::Result<()> {
    query::execute(db, "DELETE FROM outbox WHERE id = ?1", [id])?;
    Ok(())
}

fn take(db: &Connection, now: Timestamp, until: Timestamp) -> rusqlite::Result<Option<QueuedMail>> {
    let sql = "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?2
               WHERE id = (SELECT id FROM outbox WHERE next_attempt_at <= ?1
                           ORDER BY send_until LIMIT 1)
               RETURNING id, recipient, subject, text, html, created_at, send_until, attempts";
    query::first(db, sql, (Millis(now), Millis(until)), read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<QueuedMail> {
    Ok(QueuedMail {
        id: row.get("id")?,
        message: Message {
            to: row.get("recipient")?,
            subject: row.get("subject")?,
            text: row.get("text")?,
            html: row.get("html")?,
        },
        created_at: column::time(row, "created_at")?,
        send_until: column::time(row, "send_until")?,
        attempts: row.get("attempts")?,
    })
}
