//! The task that sends the deliveries that are due, on every server that has the operator's key.
//!
//! A server takes the turn of one webhook after another, for longer than it sends to it, and notes what
//! became of each delivery. Those that a killed process had not noted are sent by another one when the turn
//! ends: each is sent at least once. A webhook has one turn at a time, whatever the number of servers, so
//! that the requests to one are few. A server sends to a bounded number of webhooks at the same time, of which one
//! owner, one host, and the webhooks that were slow the last time have a quarter each ([`Places`]): slow webhooks delay
//! the others only while they are new and of many owners.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use jiff::Timestamp;
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::connection::Connector;
use super::lifecycle::WebhookSetup;
use super::metrics::WebhookMetrics;
use super::note_writer::NoteWriter;
use super::places::Places;
use super::secret::SecretKeys;
use super::signature::Signer;
use super::visit::{Sent, Visit, VisitEnd};
use super::{Delivery, DueWebhook, TurnEnd, TurnNotes, Webhook, message, queue, retry};
use crate::domain::service_identity::ServiceIdentity;
use crate::mail::NewMail;
use crate::projects::{self, Actor};
use db::{Db, DbError};
use edge::clock::{Clock, after};
use edge::http::{Metrics, Shutdown};
use tls::{Roots, Trust};

/// How long a turn lasts: longer than a visit.
const LEASE: Duration = Duration::from_secs(60);

/// How often deliveries that are due are looked for when none was.
const POLL: Duration = Duration::from_millis(250);

/// How often old deliveries are deleted and the backlog is measured.
const UPKEEP: Duration = Duration::from_secs(15);

/// How many secrets are checked at the start.
const CHECKED: usize = 100;

/// Sends the deliveries that are due.
pub struct Deliverer {
    store: Db,
    clock: Arc<dyn Clock>,
    keys: SecretKeys,
    connector: Connector,
    service: ServiceIdentity,
    metrics: WebhookMetrics,
}

impl Deliverer {
    /// The deliverer of a server; `None` where the operator has not set webhooks up.
    pub fn new(
        store: Db,
        clock: Arc<dyn Clock>,
        setup: &WebhookSetup,
        service: ServiceIdentity,
        metrics: &Metrics,
    ) -> Option<Self> {
        let tls = Trust::Host(Roots::System).client();
        let tls = tls.inspect_err(
            |error| tracing::warn!(%error, "cannot set up TLS: https webhooks are not sent"),
        );
        let tls = tls.ok().map(|config| Arc::new(config).into());
        let connector = Connector::new(setup.rules.clone(), tls);
        Some(Self {
            store,
            clock,
            keys: setup.keys.clone()?,
            connector,
            service,
            metrics: metrics.record(WebhookMetrics::register),
        })
    }

    /// Sends until a shutdown is requested; requests that are under way then are finished.
    pub async fn run(self: Arc<Self>, shutdown: Shutdown) {
        self.check_keys().await;
        let (note_writer, writing) = NoteWriter::of(self.store.clone());
        let writing = tokio::spawn(writing);
        let mut visits = JoinSet::new();
        let (mut places, mut sharers) = (Places::default(), HashMap::new());
        let mut is_failing = false;
        while !shutdown.is_requested() {
            let now = self.now();
            let until = after(now, LEASE);
            let due = queue::take_due_webhooks(&self.store, now, until, places.clone()).await;
            let due = match due {
                Ok(due) => {
                    if std::mem::take(&mut is_failing) {
                        tracing::info!("reading due webhooks again");
                    }
                    due
                }
                Err(error) => {
                    if !std::mem::replace(&mut is_failing, true) {
                        tracing::warn!(%error, "cannot read due webhooks");
                    }
                    Vec::new()
                }
            };
            let found_any = !due.is_empty();
            for due in due {
                let sharer = due.sharer.clone();
                places.take(sharer.clone());
                let server = Arc::clone(&self);
                let visit = server.visit(due, note_writer.clone(), shutdown.clone());
                sharers.insert(visits.spawn(visit).id(), sharer);
            }
            let mut ended = match found_any && !places.are_taken() {
                true => visits.try_join_next_with_id(),
                false => tokio::select! {
                    ended = visits.join_next_with_id(), if !visits.is_empty() => ended,
                    () = sleep(POLL), if !places.are_taken() => None,
                    () = shutdown.requested() => None,
                },
            };
            while let Some(visit) = ended {
                let visit = visit.map_or_else(|error| error.id(), |(visit, ())| visit);
                if let Some(sharer) = sharers.remove(&visit) {
                    places.free(&sharer);
                }
                ended = visits.try_join_next_with_id();
            }
        }
        while visits.join_next().await.is_some() {}
        drop(note_writer);
        // Now it writes the rest. A panic in it is in the log.
        let _ = writing.await;
    }

    /// Logs that the keys are not those of the stored secrets: events of these webhooks wait until they are.
    async fn check_keys(&self) {
        let Ok(secrets) = queue::some_secrets(&self.store, CHECKED).await else {
            return;
        };
        let opened = secrets
            .iter()
            .filter_map(|(id, secret)| self.keys.open(*id, secret));
        let unreadable = secrets.len() - opened.count();
        if unreadable > 0 {
            let checked = secrets.len();
            tracing::error!(
                unreadable,
                checked,
                "no key of --webhook-key-file decrypts the secrets of webhooks: their events are not sent"
            );
        }
    }

    /// Measures the backlog and deletes old deliveries, until the future is dropped.
    pub async fn maintain(self: Arc<Self>) {
        loop {
            let now = self.now();
            if let Ok(backlog) = queue::webhook_backlog(&self.store, now).await {
                self.metrics.record(backlog, now);
            }
            let before = now.saturating_sub(Delivery::KEPT_FOR);
            let before = before.unwrap_or(Timestamp::MIN);
            while let Ok(true) = queue::delete_old_deliveries(&self.store, before).await {}
            sleep(UPKEEP).await;
        }
    }

    /// Sends to a webhook for a while, and ends the turn.
    async fn visit(self: Arc<Self>, due: DueWebhook, note_writer: NoteWriter, shutdown: Shutdown) {
        // A panic over one webhook, which the log shows, must not end the sending to others.
        let visited = AssertUnwindSafe(self.send_to(&due, &note_writer, &shutdown)).catch_unwind();
        if let Ok(Err(error)) = visited.await {
            tracing::warn!(%error, webhook = %due.lease.webhook.0, "cannot record deliveries");
        }
    }

    async fn send_to(
        &self,
        due: &DueWebhook,
        note_writer: &NoteWriter,
        shutdown: &Shutdown,
    ) -> Result<(), DbError> {
        let Some(signer) = self.signer(due) else {
            let webhook = due.lease.webhook.0;
            tracing::error!(%webhook, "no key of --webhook-key-file decrypts the webhook's secret");
            let pause = after(self.now(), LEASE);
            let notes = end(due, due.failing_since, pause, due.sharer.is_slow);
            return note_writer.note(notes).await;
        };
        let visit = Visit {
            store: &self.store,
            note_writer,
            clock: self.clock.as_ref(),
            connector: &self.connector,
            metrics: &self.metrics,
            signer,
            due,
            shutdown,
        };
        let ended = visit.make().await?;
        self.end(due, note_writer, ended).await
    }

    fn signer(&self, due: &DueWebhook) -> Option<Signer> {
        let open = |sealed| self.keys.open(due.lease.webhook, sealed);
        let present = open(&due.secrets.present)?;
        let previous = due.secrets.previous.as_ref().and_then(open);
        let secrets: Vec<_> = [Some(present), previous].into_iter().flatten().collect();
        Some(Signer::new(&secrets))
    }

    /// Ends a turn as the visit went.
    async fn end(
        &self,
        due: &DueWebhook,
        note_writer: &NoteWriter,
        ended: VisitEnd,
    ) -> Result<(), DbError> {
        let now = self.now();
        // A clock that was ahead may have stored a time to come.
        let since = due.failing_since.map_or(now, |since| since.min(now));
        let has_failed_for_long =
            ended.sent == Sent::NoneArrived && now >= after(since, Webhook::MAY_FAIL);
        if ended.is_gone || has_failed_for_long {
            return self.switch_off(due, since, now).await;
        }
        // Longer pauses of a webhook count as those of a clock that was ahead.
        let requested = ended
            .retry_at
            .map_or(now, |at| at.min(after(now, retry::MAX_LEASE)));
        let notes = match ended.sent {
            Sent::Nothing => end(due, due.failing_since, now, due.sharer.is_slow),
            // A busy webhook counts as failing, so that its events do not count as late.
            Sent::SomeArrived => end(due, ended.retry_at.map(|_| now), requested, ended.is_slow),
            Sent::NoneArrived => {
                let pause = retry::pause_until(since, now).max(requested);
                end(due, Some(since), pause, ended.is_slow)
            }
        };
        note_writer.note(notes).await
    }

    /// Disables a webhook that has failed for long or is gone, and emails the owners of its project.
    async fn switch_off(
        &self,
        due: &DueWebhook,
        since: Timestamp,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut mails = Vec::new();
        let project = projects::store::project(&self.store, Actor::Operator, due.project).await?;
        let name = project.map_or_else(String::new, |project| project.name);
        for owner in projects::store::owners(&self.store, due.project).await? {
            match message::webhook_disabled(&self.service, owner, due, &name, since) {
                Ok(message) => mails.push(NewMail::new(message, now)),
                Err(error) => tracing::error!(%error, "cannot render an email about a webhook"),
            }
        }
        let webhook = due.lease.webhook.0;
        let switched = queue::switch_off_webhook(&self.store, due.clone(), since, now, mails);
        if switched.await? {
            tracing::info!(%webhook, "disabled a failing webhook");
            self.metrics.switched_off.increment(1);
        }
        Ok(())
    }

    fn now(&self) -> Timestamp {
        self.clock.now().wall
    }
}

/// The note that a turn is over.
fn end(
    due: &DueWebhook,
    failing_since: Option<Timestamp>,
    pause_until: Timestamp,
    is_slow: bool,
) -> TurnNotes {
    TurnNotes {
        ends: vec![TurnEnd {
            lease: due.lease,
            failing_since,
            pause_until,
            is_slow,
        }],
        ..TurnNotes::default()
    }
}
