//! The outbox, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::{MailId, MailStore, Message, NewMail, OutboxState, QueuedMail};
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::{StoreError, Writer};

#[async_trait]
impl MailStore for Postgres {
    async fn take_mail(
        &self,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<QueuedMail>, StoreError> {
        let limits = TimeoutClass::Request;
        self.write(
            Writer::Dashboard,
            limits,
            (now, until),
            |tx, (now, until)| take(tx, *now, *until).boxed(),
        )
        .await
    }

    async fn postpone_mail(&self, id: MailId, at: Timestamp) -> Result<(), StoreError> {
        let limits = TimeoutClass::Request;
        self.write(Writer::Dashboard, limits, (id, at), |tx, (id, at)| {
            postpone(tx, *id, *at).boxed()
        })
        .await
    }

    async fn delete_mail(&self, id: MailId) -> Result<(), StoreError> {
        let limits = TimeoutClass::Request;
        self.write(Writer::Dashboard, limits, id, |tx, id| {
            withdraw(tx, *id).boxed()
        })
        .await
    }

    async fn outbox(&self) -> Result<OutboxState, StoreError> {
        self.query(|db| state(db).boxed()).await
    }
}

/// Puts a mail into the outbox, to be sent at once.
pub(crate) async fn enqueue(tx: &Transaction<'_>, mail: &NewMail) -> Result<(), Failure> {
    let sql =
        "INSERT INTO outbox (id, recipient, subject, text, html, created_at, send_until, attempts,
                 next_attempt_at, epoch)
               VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $6, (SELECT id FROM epoch))";
    let Message {
        to,
        subject,
        text,
        html,
    } = &mail.message;
    let (created, until) = (Millis(mail.created_at), Millis(mail.send_until));
    let params: query::Params<'_> = &[&mail.id, to, subject, text, html, &created, &until];
    query::execute(tx, sql, params).await?;
    Ok(())
}

/// Puts a mail to an account into the outbox, unless no account has its address any more.
pub(crate) async fn enqueue_to_account(
    tx: &Transaction<'_>,
    mail: &NewMail,
) -> Result<(), Failure> {
    // An erasure that is not committed yet is waited for, and one that begins now waits.
    let sql = "SELECT 1 FROM account WHERE email_key = $1 FOR KEY SHARE";
    match query::exists(tx, sql, &[&mail.message.to.key()]).await? {
        true => enqueue(tx, mail).await,
        false => Ok(()),
    }
}

async fn take(
    tx: &Transaction<'_>,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<QueuedMail>, Failure> {
    let sql = "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2
               WHERE id = (SELECT id FROM outbox
                           WHERE next_attempt_at <= $1 AND epoch = (SELECT id FROM epoch)
                           ORDER BY send_until LIMIT 1 FOR UPDATE SKIP LOCKED)
               RETURNING id, recipient, subject, text, html, created_at, send_until, attempts";
    query::first(tx, sql, &[&Millis(now), &Millis(until)], read).await
}

async fn postpone(tx: &Transaction<'_>, id: MailId, at: Timestamp) -> Result<(), Failure> {
    let sql = "UPDATE outbox SET next_attempt_at = $2 WHERE id = $1";
    query::execute(tx, sql, &[&id, &Millis(at)]).await?;
    Ok(())
}

/// Takes a mail out of the outbox, if it is there still.
pub(crate) async fn withdraw(tx: &Transaction<'_>, id: MailId) -> Result<(), Failure> {
    query::execute(tx, "DELETE FROM outbox WHERE id = $1", &[&id]).await?;
    Ok(())
}

async fn state(db: &impl GenericClient) -> Result<OutboxState, Failure> {
    let sql = "SELECT count(*) AS waiting, min(created_at) AS oldest
               FROM outbox WHERE epoch = (SELECT id FROM epoch)";
    let read = |row: &Row| {
        Ok(OutboxState {
            waiting: column::number(row, "waiting")?,
            oldest: column::time_if_any(row, "oldest")?,
        })
    };
    Ok(query::first(db, sql, &[], read).await?.unwrap_or_default())
}

fn read(row: &Row) -> Result<QueuedMail, Failure> {
    Ok(QueuedMail {
        id: row.try_get("id")?,
        message: Message {
            to: row.try_get("recipient")?,
            subject: row.try_get("subject")?,
            text: row.try_get("text")?,
            html: row.try_get("html")?,
        },
        created_at: column::time(row, "created_at")?,
        send_until: column::time(row, "send_until")?,
        attempts: column::number(row, "attempts")?,
    })
}
