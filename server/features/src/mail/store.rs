//! The database operations of the outbox.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{MailId, QueuedMail};
use crate::database::writers;
use crate::mail::sql;

/// The mails that wait in the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutboxState {
    pub waiting: u64,
    /// When the oldest was written.
    pub oldest: Option<Timestamp>,
}

/// Leases the due mail that expires soonest, until `until`: no other process takes it before.
pub async fn take_mail(
    db: &Db,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<QueuedMail>, DbError> {
    let limits = Timeouts::Request;
    db.write(writers::DASHBOARD, limits, move |tx| {
        sql::take(tx, now, until)
    })
    .await
}

/// Ends the lease of a mail, which is due again at `at`.
pub async fn postpone_mail(db: &Db, id: MailId, at: Timestamp) -> Result<(), DbError> {
    let limits = Timeouts::Request;
    db.write(writers::DASHBOARD, limits, move |tx| {
        sql::postpone(tx, id, at)
    })
    .await
}

/// Deletes a mail that was sent, or is given up.
pub async fn delete_mail(db: &Db, id: MailId) -> Result<(), DbError> {
    let limits = Timeouts::Request;
    db.write(writers::DASHBOARD, limits, move |tx| sql::withdraw(tx, id))
        .await
}

/// The mails that wait, those included that are being sent.
pub async fn outbox(db: &Db) -> Result<OutboxState, DbError> {
    db.read(sql::state).await
}
