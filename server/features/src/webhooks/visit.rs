//! One turn of sending to one webhook.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use http::header::{CONTENT_TYPE, HOST, USER_AGENT};
use http::{HeaderName, HeaderValue, Method, Request, StatusCode};
use http_body_util::Full;
use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::Instant;

use super::connection::{Connection, Connector, Received, SendError};
use super::metrics::WebhookMetrics;
use super::note_writer::NoteWriter;
use super::signature::Signer;
use super::{Attempt, Attempted, DueDelivery, DueWebhook, Target, TurnNotes, retry};
use crate::events::DeliveryState;
use db::{Db, DbError};
use edge::clock::Clock;
use edge::http::Shutdown;

/// The requests to one webhook at the same time.
const LANES: usize = 4;

/// The deliveries that are read at once.
const BATCH: usize = 200;

/// The attempts that are noted at once.
const NOTED: usize = 200;

/// How long requests are begun. Other webhooks have their turn then.
const LENGTH: Duration = Duration::from_secs(5);

/// A request that takes longer is slow.
const SLOW: Duration = Duration::from_secs(1);

const WEBHOOK_ID: HeaderName = HeaderName::from_static("webhook-id");
const WEBHOOK_TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const WEBHOOK_SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// The name of the sender of requests.
const AGENT: HeaderValue = HeaderValue::from_static("Donation-Catalog-Webhooks/1");

/// How a visit went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VisitEnd {
    pub(super) sent: Sent,
    /// Whether the receiver responded 410: it wants no more requests.
    pub(super) is_gone: bool,
    /// Whether a request was slow, whatever came of it.
    pub(super) is_slow: bool,
    /// The time that the receiver requested for the next request.
    pub(super) retry_at: Option<Timestamp>,
}

/// The outcome of the requests of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// Nothing was sent.
    Nothing,
    /// At least one request was answered 2xx.
    SomeArrived,
    NoneArrived,
}

/// One turn of sending to one webhook.
pub(super) struct Visit<'a> {
    pub(super) store: &'a Db,
    pub(super) note_writer: &'a NoteWriter,
    pub(super) clock: &'a dyn Clock,
    pub(super) connector: &'a Connector,
    pub(super) metrics: &'a WebhookMetrics,
    pub(super) signer: Signer,
    pub(super) due: &'a DueWebhook,
    pub(super) shutdown: &'a Shutdown,
}

/// The state that the lanes of a visit share.
struct Progress {
    waiting: Mutex<VecDeque<DueDelivery>>,
    /// Connections that carry nothing now.
    idle: Mutex<Vec<Connection>>,
    end: Instant,
    lanes: usize,
    arrived: AtomicUsize,
    failed: AtomicUsize,
    is_slow: AtomicBool,
    is_gone: AtomicBool,
    retry_at: Mutex<Option<Timestamp>>,
}

impl Visit<'_> {
    /// Sends the deliveries that are due until none is, the time is over, or nothing arrives.
    pub(super) async fn make(&self) -> Result<VisitEnd, DbError> {
        // One request is enough to find out whether a webhook that fails is back.
        let lanes = if self.due.failing_since.is_some() {
            1
        } else {
            LANES
        };
        let progress = Progress {
            waiting: Mutex::default(),
            idle: Mutex::default(),
            end: Instant::now() + LENGTH,
            lanes,
            arrived: AtomicUsize::new(0),
            failed: AtomicUsize::new(0),
            is_slow: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            retry_at: Mutex::default(),
        };
        while !self.is_over(&progress) {
            let now = self.clock.now().wall;
            let due = crate::webhooks::queue::due_deliveries(
                self.store,
                self.due.lease.webhook,
                now,
                BATCH,
            );
            let due = due.await?;
            if due.is_empty() {
                break;
            }
            self.send_batch(&progress, due).await?;
        }
        let retry_at = *progress.retry_at();
        Ok(VisitEnd {
            sent: match (progress.arrived.into_inner(), progress.failed.into_inner()) {
                (0, 0) => Sent::Nothing,
                (0, _) => Sent::NoneArrived,
                _ => Sent::SomeArrived,
            },
            is_gone: progress.is_gone.into_inner(),
            is_slow: progress.is_slow.into_inner(),
            retry_at,
        })
    }

    fn is_over(&self, progress: &Progress) -> bool {
        let nothing_arrives =
            progress.arrived.load(Relaxed) == 0 && progress.failed.load(Relaxed) >= progress.lanes;
        let wants_none = progress.is_gone.load(Relaxed) || progress.retry_at().is_some();
        nothing_arrives
            || wants_none
            || Instant::now() >= progress.end
            || self.shutdown.is_requested()
    }

    async fn send_batch(&self, progress: &Progress, due: Vec<DueDelivery>) -> Result<(), DbError> {
        let lanes = progress.lanes.min(due.len());
        progress.waiting().extend(due);
        let (report, attempts) = unbounded_channel();
        let reports = vec![report; lanes];
        let sending = reports.into_iter();
        let sending = join_all(sending.map(|report| self.send_in_lane(progress, report)));
        // An attempt that cannot be recorded would be repeated, so the visit ends.
        tokio::try_join!(sending.map(Ok), self.note(attempts))?;
        progress.waiting().clear();
        Ok(())
    }

    /// Notes attempts as they come, many at once where they come quickly.
    async fn note(&self, mut attempts: UnboundedReceiver<Attempted>) -> Result<(), DbError> {
        loop {
            let mut some = Vec::new();
            if attempts.recv_many(&mut some, NOTED).await == 0 {
                return Ok(());
            }
            let attempts = some.into_iter().map(|it| (self.due.lease.webhook, it));
            let notes = TurnNotes {
                attempts: attempts.collect(),
                ..TurnNotes::default()
            };
            self.note_writer.note(notes).await?;
        }
    }

    /// Sends one delivery after the other, over one connection while that lasts.
    async fn send_in_lane(&self, progress: &Progress, report: UnboundedSender<Attempted>) {
        let mut connection = progress.idle().pop();
        while !self.is_over(progress) {
            let Some(delivery) = progress.waiting().pop_front() else {
                break;
            };
            let at = self.clock.now().wall;
            let begun = Instant::now();
            let answer = self.attempt(&mut connection, &delivery, at).await;
            let took = begun.elapsed();
            progress.is_slow.fetch_or(took > SLOW, Relaxed);
            let retry_at = match &answer {
                Ok(received) if !received.status.is_success() => {
                    let is_gone = received.status == StatusCode::GONE;
                    progress.is_gone.fetch_or(is_gone, Relaxed);
                    let value = received.retry_after.as_deref();
                    value.and_then(|value| retry::requested(value, self.clock.now().wall))
                }
                _ => None,
            };
            if retry_at.is_some() {
                let mut latest = progress.retry_at();
                *latest = retry_at.max(*latest);
            }
            let attempted = self.attempted(delivery, at, (answer, took), retry_at);
            match attempted.state {
                DeliveryState::Delivered => progress.arrived.fetch_add(1, Relaxed),
                DeliveryState::Pending | DeliveryState::Failed => {
                    progress.failed.fetch_add(1, Relaxed)
                }
            };
            // The receiver is there as long as this visit.
            let _ = report.send(attempted);
        }
        progress.idle().extend(connection);
    }

    async fn attempt(
        &self,
        connection: &mut Option<Connection>,
        delivery: &DueDelivery,
        at: Timestamp,
    ) -> Result<Received, SendError> {
        let target = self.connector.rules().check(&self.due.url)?;
        let request = self.request(&target, delivery, at)?;
        if let Some(mut open) = connection.take() {
            let again = self.request(&target, delivery, at)?;
            // The server may have closed a connection that was idle.
            if let Ok(received) = open.send(again).await {
                *connection = received.is_open.then_some(open);
                return Ok(received);
            }
        }
        let mut fresh = self.connector.connect(&target).await?;
        let received = fresh.send(request).await?;
        *connection = received.is_open.then_some(fresh);
        Ok(received)
    }

    fn request(
        &self,
        target: &Target,
        delivery: &DueDelivery,
        at: Timestamp,
    ) -> Result<Request<Full<Bytes>>, SendError> {
        let unfit = |error: http::Error| SendError::Http(error.to_string());
        let url = target.url();
        let authority = match url.port() {
            Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
            None => url.host_str().unwrap_or_default().to_owned(),
        };
        let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let signature = self.signer.sign(delivery.event, at, &delivery.body);
        Request::builder()
            .method(Method::POST)
            .uri(path)
            .header(HOST, authority)
            .header(USER_AGENT, AGENT)
            .header(CONTENT_TYPE, "application/json")
            .header(WEBHOOK_ID, delivery.event.0.to_string())
            .header(WEBHOOK_TIMESTAMP, at.as_second())
            .header(WEBHOOK_SIGNATURE, signature)
            .body(Full::from(delivery.body.clone()))
            .map_err(unfit)
    }

    /// The outcome of a delivery by an answer.
    fn attempted(
        &self,
        delivery: DueDelivery,
        at: Timestamp,
        (answer, took): (Result<Received, SendError>, Duration),
        retry_at: Option<Timestamp>,
    ) -> Attempted {
        let attempts = delivery.attempts.saturating_add(1);
        let now = self.clock.now().wall;
        let arrived = answer.as_ref().is_ok_and(|it| it.status.is_success());
        let next = match arrived {
            true => None,
            false => retry::next_attempt(attempts, now, retry_at, delivery.give_up_at),
        };
        let state = match (arrived, next) {
            (true, _) => DeliveryState::Delivered,
            (false, Some(_)) => DeliveryState::Pending,
            (false, None) => DeliveryState::Failed,
        };
        self.metrics.count(state);
        let (outcome, response) = match answer {
            Ok(received) => (Ok(received.status.as_u16()), received.excerpt),
            Err(error) => (Err(said(&error)), None),
        };
        let attempt = Attempt {
            at,
            outcome,
            milliseconds: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        };
        Attempted {
            id: delivery.id,
            state,
            attempts,
            next_attempt_at: next,
            log: delivery.log.with(attempt),
            response,
        }
    }
}

impl Progress {
    // They are consistent between any two statements, so a panic elsewhere cannot spoil them.
    fn waiting(&self) -> MutexGuard<'_, VecDeque<DueDelivery>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn retry_at(&self) -> MutexGuard<'_, Option<Timestamp>> {
        self.retry_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error in the length that is stored.
fn said(error: &SendError) -> String {
    error.to_string().chars().take(200).collect()
}
