//! The outbox.

use db::{DbError, Row, Tx, params};
use edge::clock::after;
use jiff::Timestamp;

use super::{MailId, Message, NewMail, OutboxState, QueuedMail};

/// Puts a mail into the outbox, to be sent at once.
pub fn enqueue(tx: &Tx<'_>, mail: &NewMail) -> Result<(), DbError> {
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
    let (created, until) = (mail.created_at, mail.send_until);
    let params = params![mail.id, to, subject, text, html, created, until];
    tx.execute(sql, params)?;
    Ok(())
}

/// Puts a mail to an account into the outbox, unless no account has its address any more.
pub fn enqueue_to_account(tx: &Tx<'_>, mail: &NewMail) -> Result<(), DbError> {
    // An erasure that is not committed yet is waited for, and one that begins now waits.
    let sql = "SELECT 1 FROM account WHERE email_key = $1 FOR KEY SHARE";
    match tx.exists(sql, params![mail.message.to.key()])? {
        true => enqueue(tx, mail),
        false => Ok(()),
    }
}

pub(crate) fn take(
    tx: &Tx<'_>,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<QueuedMail>, DbError> {
    // A clock that was ahead stored times that are too late.
    let sql = "UPDATE outbox SET attempts = attempts + 1, next_attempt_at = $2,
                 send_until = least(send_until, $4)
               WHERE id = (SELECT id FROM outbox
                           WHERE (next_attempt_at <= $1 OR next_attempt_at > $3)
                             AND epoch = (SELECT id FROM epoch)
                           ORDER BY send_until LIMIT 1 FOR UPDATE SKIP LOCKED)
               RETURNING id, recipient, subject, text, html, created_at, send_until, attempts";
    let (wait, life) = (after(now, QueuedMail::MAX_WAIT), after(now, NewMail::LIFE));
    tx.first(sql, params![now, until, wait, life], read)
}

pub(crate) fn postpone(tx: &Tx<'_>, id: MailId, at: Timestamp) -> Result<(), DbError> {
    let sql = "UPDATE outbox SET next_attempt_at = $2 WHERE id = $1";
    tx.execute(sql, params![id, at])?;
    Ok(())
}

/// Takes a mail out of the outbox, if it is there still.
pub fn withdraw(tx: &Tx<'_>, id: MailId) -> Result<(), DbError> {
    tx.execute("DELETE FROM outbox WHERE id = $1", params![id])?;
    Ok(())
}

pub(crate) fn state(tx: &Tx<'_>) -> Result<OutboxState, DbError> {
    let sql = "SELECT count(*) AS waiting, min(created_at) AS oldest
               FROM outbox WHERE epoch = (SELECT id FROM epoch)";
    let read = |row: &Row<'_>| {
        Ok(OutboxState {
            waiting: row.get("waiting")?,
            oldest: row.get("oldest")?,
        })
    };
    Ok(tx.first(sql, &[], read)?.unwrap_or_default())
}

fn read(row: &Row<'_>) -> Result<QueuedMail, DbError> {
    Ok(QueuedMail {
        id: row.get("id")?,
        message: Message {
            to: row.get("recipient")?,
            subject: row.get("subject")?,
            text: row.get("text")?,
            html: row.get("html")?,
        },
        created_at: row.get("created_at")?,
        send_until: row.get("send_until")?,
        attempts: row.get("attempts")?,
    })
}
