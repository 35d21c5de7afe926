//! The recorder of requests: counts and logs them, in one run of one server.
//!
//! Requests wait in short queues, and are counted and logged in batches. The counters and the logs of a thousand
//! projects do not fit the processor's caches, and a batch waits for memory once where each request would.

use std::sync::{Mutex, MutexGuard};

use edge::http::AnsweredRequest;
use jiff::Timestamp;
use uuid::Uuid;

use super::counters::{ByProject, CountKey, Counters, lock};
use super::pending::{Bounds, Pending};
use super::request_log::RequestLog;
use super::{LoggedRequest, Minute, RunId, StatusClass};
use crate::projects::ProjectId;
use db::{Db, DbError};

/// The most counts that are stored in one transaction.
const BATCH: usize = 2_000;

/// The most requests that wait in one queue to be counted.
const MAX_WAITING: usize = 16;

/// The recorder of the requests of one run of one server.
#[derive(Debug)]
pub struct Recorder {
    run: RunId,
    started: Timestamp,
    waiting: ByProject<Vec<(ProjectId, LoggedRequest)>>,
    counters: Counters,
    log: RequestLog,
    pending: Mutex<Pending>,
}

/// The size of the backlog: counts that wait to be stored, and requests that were lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backlog {
    /// Counts of minutes that are not stored.
    pub unstored: usize,
    /// Requests that could not be kept, ever.
    pub lost: u64,
}

impl Recorder {
    /// A recorder of a run that begins at `now`.
    pub fn new(now: Timestamp) -> Self {
        Self {
            run: RunId(Uuid::new_v4()),
            started: now,
            waiting: ByProject::default(),
            counters: Counters::default(),
            log: RequestLog::default(),
            pending: Mutex::new(Pending::new(Minute::of(now), Bounds::default())),
        }
    }

    /// Takes a request. It is counted and logged with the next ones of its queue, at the latest when counts are
    /// stored or the log of its project is read.
    pub fn record(&self, request: AnsweredRequest<'_>) {
        let project = ProjectId(request.caller.id);
        let logged = LoggedRequest::new(request);
        let mut waiting = self.waiting.of(project);
        waiting.push((project, logged));
        if waiting.len() >= MAX_WAITING {
            self.count(&mut waiting);
        }
    }

    /// The last requests of a project that this server has answered, the latest first.
    pub fn last_requests(&self, project: ProjectId, now: Timestamp) -> Vec<LoggedRequest> {
        self.count(&mut self.waiting.of(project));
        self.log.of(project, now)
    }

    /// When the run began: it knows of no earlier requests.
    pub fn started(&self) -> Timestamp {
        self.started
    }

    /// Stores the counts. The future may be dropped, and the method called again.
    ///
    /// # Errors
    /// When the database fails. The remaining counts wait for the next call.
    pub async fn store(&self, store: &Db, now: Timestamp) -> Result<(), DbError> {
        self.collect(Minute::of(now));
        loop {
            let batch = self.pending().batch(BATCH);
            if batch.is_empty() {
                return Ok(());
            }
            crate::usage::store::put_usage(store, self.run, batch.clone()).await?;
            self.pending().mark_stored(&batch);
        }
    }

    /// Forgets logged requests that are kept no longer.
    pub fn forget(&self, now: Timestamp) {
        self.log.forget(now);
    }

    /// The size of the backlog now.
    pub fn backlog(&self) -> Backlog {
        let pending = self.pending();
        Backlog {
            unstored: pending.unstored(),
            lost: pending.lost(),
        }
    }

    /// Counts and logs requests that have waited.
    fn count(&self, waiting: &mut Vec<(ProjectId, LoggedRequest)>) {
        for (project, request) in waiting.drain(..) {
            self.counters.add(CountKey {
                project,
                key: request.key,
                operation: request.operation,
                class: StatusClass::of(request.status),
            });
            self.log.add(project, request);
        }
    }

    /// Takes the counts since the last call.
    fn collect(&self, now: Minute) {
        for mut waiting in self.waiting.each() {
            self.count(&mut waiting);
        }
        let mut pending = self.pending();
        self.counters
            .take(|key, requests| pending.add(key, requests, now));
        pending.advance(now);
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        lock(&self.pending)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use edge::http::Caller;
    use http::StatusCode;

    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn record(recorder: &Recorder, project: ProjectId, id: &str) {
        recorder.record(AnsweredRequest {
            caller: Caller {
                id: project.0,
                key: project.0,
                tier: "free",
            },
            at: NOW,
            method: "GET",
            operation: "configs.list",
            status: Some(StatusCode::OK),
            code: None,
            duration: Duration::from_millis(1),
            id,
        });
    }

    #[test]
    fn requests_wait_for_few_others_and_are_counted_once() {
        let recorder = Recorder::new(NOW);
        // Both projects share a queue.
        let projects = [1, 65].map(|number| ProjectId(Uuid::from_u128(number)));
        for number in 0..50 {
            for project in projects {
                record(&recorder, project, &format!("{number}"));
                assert!(recorder.waiting.of(project).len() < MAX_WAITING);
            }
        }
        for project in projects {
            let last = recorder.last_requests(project, NOW);
            let ids: Vec<_> = last.iter().map(LoggedRequest::id).collect();
            let expected: Vec<_> = (0..50).rev().map(|number| number.to_string()).collect();
            assert_eq!(ids, expected);
        }
        record(&recorder, projects[0], "last");
        for _ in 0..2 {
            recorder.collect(Minute::of(NOW));
            let counts = recorder.pending().batch(BATCH);
            let mut requests: Vec<_> = counts.iter().map(|count| count.requests).collect();
            requests.sort_unstable();
            assert_eq!(requests, [50, 51]);
        }
    }
}
