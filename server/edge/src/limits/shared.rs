//! Windows that several processes share in Redis.
//!
//! While Redis answers, it decides: one script reads its clock, admits and counts, so that no
//! interleaving of replicas admits more than the limit in any window. This process repeats a refusal
//! until the time that Redis named, because only time frees a place: that spares Redis repeated
//! requests and changes no verdict.
//!
//! While Redis does not answer, each replica admits as long as its own admissions, by either rule, are
//! below its share of the limit, `limit / replicas` (at least 1; see [`Options::replicas`]). A switch
//! between the rules transfers no state, and needs none: in any window the requests that one memory of
//! Redis admitted are at most `limit`, and those that the replicas admitted by themselves are at most
//! `replicas` shares, hence at most `limit` again, however often and however differently they switch.
//! After a memory was lost, its successor admits nothing for a whole window, during which shares apply,
//! so that two memories never count in one window ([`Epoch`]). Only a replica that has seen no memory
//! before takes an empty one for the first; until the other replicas, which may have seen one, have
//! checked it, the replica keeps to its share too.
//!
//! Requests do not probe whether Redis is back; [`Shared::maintain`] does. The first request that times
//! out switches all others to the local rule.

mod redis;
mod refusals;
mod remote;
mod replica_count;
mod report;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout};
use uuid::Uuid;

use super::{Capacity, Occupancy, Subject, Verdict, WindowUse, Windows};
pub use redis::{Redis, RedisError, RedisUrl, RedisUrlError};
use refusals::Refusals;
pub use remote::{Epoch, Membership, Outage, Remote};
use replica_count::ReplicaCount;
pub use report::Instruments;
use report::Report;

/// The number of requests that wait for Redis at a time. More do not raise the throughput of the one
/// connection.
const TURNS: usize = 8;

/// The part of the timeout that a request waits for its turn; the rest is for the answer.
const QUEUE: u32 = 6;

/// The options of shared windows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How long a request waits before it is decided without Redis.
    pub timeout: Duration,
    /// The expected maximum number of replicas. Further ones are counted while Redis answers, and each
    /// replica learns of a new one when it is next maintained.
    pub replicas: u32,
    /// How many networks of anonymous callers have windows of their own, here and in Redis.
    pub capacity: Capacity,
}

/// A limiter that shares its windows through `R`.
#[derive(Debug)]
pub struct Shared<R: Remote = Redis> {
    remote: R,
    options: Options,
    /// The admissions of this process, by either rule.
    windows: Windows,
    refusals: Refusals,
    /// `None` while Redis does not decide.
    session: ArcSwapOption<Session<R::Connection>>,
    /// The last epoch in which Redis has admitted requests of this process.
    known: Mutex<Option<Epoch>>,
    replica_count: ReplicaCount,
    turns: Semaphore,
    /// Whether a request has timed out waiting for a turn since Redis last answered.
    stalled: AtomicBool,
    report: Report,
}

/// A session with a Redis that may decide.
#[derive(Debug)]
struct Session<L> {
    connection: L,
    epoch: Epoch,
    /// The time until which this process's share applies as well.
    doubted_until: Duration,
}

impl<R: Remote> Shared<R> {
    /// A limiter that decides by itself until [`Self::maintain`] has found Redis.
    pub fn new(remote: R, options: Options, instruments: Instruments) -> Self {
        Self {
            remote,
            windows: Windows::new(options.capacity),
            refusals: Refusals::new(options.capacity.networks),
            session: ArcSwapOption::empty(),
            known: Mutex::default(),
            replica_count: ReplicaCount::new(options.replicas),
            turns: Semaphore::new(TURNS),
            stalled: AtomicBool::new(false),
            report: Report::new(instruments),
            options,
        }
    }

    /// Admits and counts a request of `subject`, or refuses it and counts nothing.
    pub async fn check(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        let subject = self.windows.counted(subject);
        if let Some(refusal) = self.refusals.refusal(subject, limit, now) {
            self.report.instruments.spared.increment(1);
            return refusal;
        }
        match self.ask(subject, limit, now).await {
            Some(verdict) => verdict,
            None => self.decide_alone(subject, limit, now),
        }
    }

    /// How much of its limit a caller uses at `now`: in Redis, or in this process while Redis does not
    /// answer.
    pub async fn used(&self, caller: Uuid, limit: u32, now: Duration) -> WindowUse {
        let asked = match self.session.load_full() {
            Some(session) => {
                let asking = self.remote.used(&session.connection, caller, limit);
                timeout(self.options.timeout, asking).await.ok()
            }
            None => None,
        };
        let own = || self.windows.used(caller, limit, now);
        asked.and_then(Result::ok).unwrap_or_else(own)
    }

    /// Checks whether Redis answers and may decide; to be called about twice a second.
    pub async fn maintain(&self, now: Duration) {
        let held = self.session.load_full();
        let known = self.known().clone();
        let connection = held.as_ref().map(|session| &session.connection);
        match self.remote.join(connection, known.as_ref()).await {
            Ok(membership) => self.joined(membership, now),
            Err(outage) => self.degrade(&outage),
        }
    }

    /// How much of the room for networks is taken.
    pub fn occupancy(&self) -> Occupancy {
        self.windows.occupancy()
    }

    /// Frees a part of the memory of idle subjects; to be called about twice a second.
    pub fn sweep(&self, now: Duration) {
        self.windows.sweep(now);
        self.refusals.sweep(now);
    }

    /// Removes this replica from the count of the others.
    pub async fn leave(&self) {
        if let Some(session) = self.session.swap(None) {
            self.remote.leave(&session.connection).await;
        }
    }

    /// The verdict of Redis; `None` if it does not decide.
    async fn ask(&self, subject: Subject, limit: u32, now: Duration) -> Option<Verdict> {
        let began = Instant::now();
        self.session.load().as_ref()?;
        let _turn = self.turn().await?;
        // Another request may have found meanwhile that Redis does not answer.
        let session = self.session.load_full()?;
        // Counted before Redis is asked, so that concurrent requests do not all find the same free
        // place.
        let is_doubted = now < session.doubted_until;
        let own = is_doubted.then(|| self.decide(subject, limit, now));
        if own.is_some_and(|own| !own.is_admitted()) {
            return own;
        }
        let sent = now + began.elapsed();
        let asking = self
            .remote
            .admit(&session.connection, subject, limit, &session.epoch);
        let answered = timeout(self.answer_within(), asking).await;
        let verdict = match answered.unwrap_or(Err(Outage::TimedOut)) {
            Ok(verdict) => verdict,
            Err(outage) => {
                self.report.instruments.failed.increment(1);
                self.give_up(&session, &outage);
                return own;
            }
        };
        self.stalled.store(false, Ordering::Relaxed);
        let took = began.elapsed();
        self.record(subject, verdict, sent, now + took);
        if verdict.is_admitted() && own.is_none() {
            self.windows.record(subject, sent);
        }
        // The verdict was right at the time of Redis's decision, which is after `now` by at most this
        // duration.
        Some(Verdict {
            reset_in: verdict.reset_in + took,
            retry_in: verdict.retry_in.map(|wait| wait + took),
            ..verdict
        })
    }

    /// Waits for a turn, as long as turns become free in time.
    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        if let Ok(turn) = self.turns.try_acquire() {
            return Some(turn);
        }
        if self.stalled.load(Ordering::Relaxed) {
            return None;
        }
        let turn = timeout(self.options.timeout / QUEUE, self.turns.acquire()).await;
        if turn.is_err() {
            self.stalled.store(true, Ordering::Relaxed);
        }
        turn.ok()?.ok()
    }

    fn answer_within(&self) -> Duration {
        self.options.timeout - self.options.timeout / QUEUE
    }

    fn record(&self, subject: Subject, verdict: Verdict, sent: Duration, received: Duration) {
        let instruments = &self.report.instruments;
        if verdict.is_admitted() {
            instruments.admitted.increment(1);
        } else {
            instruments.refused.increment(1);
            self.refusals.record(subject, verdict, sent, received);
        }
    }

    /// The verdict of this process alone.
    fn decide_alone(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        self.report.instruments.alone.increment(1);
        self.decide(subject, limit, now)
    }

    /// Counts and admits a request that is within this process's share.
    fn decide(&self, subject: Subject, limit: u32, now: Duration) -> Verdict {
        let share = self.replica_count.share(limit);
        Verdict {
            limit,
            ..self.windows.check(subject, share, now)
        }
    }

    fn joined(&self, membership: Membership<R::Connection>, now: Duration) {
        self.replica_count.counted(membership.replicas, now);
        self.report.instruments.replicas.set(membership.replicas);
        if !membership.trusted {
            self.degrade(&Outage::Settling);
            return;
        }
        *self.known() = Some(membership.epoch.clone());
        let held = self.session.load();
        // The object of an unchanged session is kept: requests compare it.
        if held
            .as_ref()
            .is_none_or(|held| held.epoch != membership.epoch)
        {
            self.session.store(Some(Arc::new(Session {
                connection: membership.connection,
                epoch: membership.epoch,
                doubted_until: now + membership.doubted_for,
            })));
        }
        self.report.recovered();
    }

    fn degrade(&self, outage: &Outage) {
        self.session.store(None);
        self.report.degraded(outage);
    }

    /// Ends `session` for all requests, unless another request did and there is a new one already.
    fn give_up(&self, session: &Arc<Session<R::Connection>>, outage: &Outage) {
        let held = Some(Arc::clone(session));
        let previous = self.session.compare_and_swap(&held, None);
        if previous
            .as_ref()
            .is_some_and(|previous| Arc::ptr_eq(previous, session))
        {
            self.report.degraded(outage);
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Option<Epoch>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
