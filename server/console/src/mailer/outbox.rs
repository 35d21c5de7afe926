//! The task that sends the mails of the outbox, on every server that has a dashboard.
//!
//! A process leases a mail for longer than an attempt lasts, and deletes it once it is sent. The mails that
//! a killed process had leased are sent by another one when the leases end. So each mail is sent at least
//! once, and twice only if the process ended between the mail server's answer and the deletion.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::time::sleep;

use super::metrics::MailMetrics;
use super::sender::{ATTEMPT, SendError};
use super::{MailSender, retry};
use db::{Db, DbError};
use edge::clock::{Clock, after};
use edge::http::{Metrics, Shutdown};
use features::mail::QueuedMail;

/// How long a mail is leased: longer than an attempt lasts.
const LEASE: Duration = Duration::from_secs(2 * ATTEMPT.as_secs());

/// How often the outbox is looked at for mails of other servers, and those that are due again.
const POLL: Duration = Duration::from_secs(5);

/// The sender of the mails of the outbox.
pub struct Outbox {
    store: Db,
    clock: Arc<dyn Clock>,
    sender: MailSender,
    /// Notified when a mail is put into the outbox.
    new_mail: Arc<Notify>,
    metrics: MailMetrics,
}

impl Outbox {
    /// The outbox of a database. The caller that puts a mail into it notifies `new_mail`, so that it is sent at
    /// once.
    pub fn new(
        store: Db,
        clock: Arc<dyn Clock>,
        sender: MailSender,
        new_mail: Arc<Notify>,
        metrics: &Metrics,
    ) -> Self {
        Self {
            store,
            clock,
            sender,
            new_mail,
            metrics: metrics.record(MailMetrics::register),
        }
    }

    /// Sends mails one after the other until a shutdown is requested; the one that is being sent then is
    /// finished.
    pub async fn send(self: Arc<Self>, shutdown: Shutdown) {
        while !shutdown.is_requested() {
            // A panic over one mail, which the log shows, must not end the sending of others.
            let sent = AssertUnwindSafe(self.send_due(&shutdown)).catch_unwind();
            if let Ok(Err(error)) = sent.await {
                tracing::warn!(%error, "cannot read the outbox");
            }
            tokio::select! {
                () = self.new_mail.notified() => {}
                () = sleep(POLL) => {}
                () = shutdown.requested() => {}
            }
        }
    }

    /// Keeps the metrics until the future is dropped.
    pub async fn report(self: Arc<Self>) {
        loop {
            if let Ok(state) = features::mail::store::outbox(&self.store).await {
                self.metrics.record(state, self.now());
            }
            sleep(POLL).await;
        }
    }

    async fn send_due(&self, shutdown: &Shutdown) -> Result<(), DbError> {
        while !shutdown.is_requested() {
            let now = self.now();
            let Some(mail) =
                features::mail::store::take_mail(&self.store, now, after(now, LEASE)).await?
            else {
                break;
            };
            self.attempt(&mail, now).await?;
        }
        Ok(())
    }

    /// Sends a leased mail, or postpones it. The log names mails by their ids
    /// alone.
    async fn attempt(&self, mail: &QueuedMail, now: Timestamp) -> Result<(), DbError> {
        let id = mail.id.0;
        if now >= mail.send_until {
            tracing::warn!(%id, attempts = mail.attempts - 1, "abandoned an email: it is too late");
            self.metrics.late.increment(1);
            return features::mail::store::delete_mail(&self.store, mail.id).await;
        }
        match self.sender.send(mail).await {
            Ok(()) => {
                self.metrics.sent.increment(1);
                features::mail::store::delete_mail(&self.store, mail.id).await
            }
            Err(error @ SendError::Refused(_)) => {
                let error = without(mail.message.to.as_str(), &error.to_string());
                tracing::warn!(%id, %error, "abandoned an email");
                self.metrics.refused.increment(1);
                features::mail::store::delete_mail(&self.store, mail.id).await
            }
            Err(error @ SendError::Failed(_)) => {
                let error = without(mail.message.to.as_str(), &error.to_string());
                tracing::warn!(%id, %error, attempts = mail.attempts, "cannot send an email; retrying later");
                self.metrics.failed.increment(1);
                let next = after(self.now(), retry::wait(mail.attempts));
                features::mail::store::postpone_mail(&self.store, mail.id, next).await
            }
        }
    }

    fn now(&self) -> Timestamp {
        self.clock.now().wall
    }
}

/// The words of a mail server without the recipient's address, which many repeat.
fn without(recipient: &str, words: &str) -> String {
    let (lower, recipient) = (words.to_ascii_lowercase(), recipient.to_ascii_lowercase());
    let mut shown = String::new();
    let mut from = 0;
    for (at, found) in lower.match_indices(&recipient) {
        shown.push_str(words.get(from..at).unwrap_or_default());
        shown.push_str("(recipient)");
        from = at + found.len();
    }
    shown + words.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_names_no_recipient() {
        let shown = without(
            "Ada@example.org",
            "550 <ada@EXAMPLE.org> unknown; é ADA@example.org",
        );
        assert_eq!(shown, "550 <(recipient)> unknown; é (recipient)");
        assert_eq!(without("ada@example.org", "452 full"), "452 full");
    }
}
