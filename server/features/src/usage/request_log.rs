//! The last requests of each project, in the memory of one server.
//!
//! A request is stored without its path, body, headers and address. The projects of a shard share its capacity
//! evenly, so that a busy project does not evict the requests of others. The number of projects is bounded too: a new
//! one evicts the least recently active.

use std::collections::VecDeque;
use std::time::Duration;

use edge::http::{AnsweredRequest, ErrorCode};
use http::StatusCode;
use jiff::{SignedDuration, Timestamp};

use super::counters::{ByProject, OwnMap};
use crate::keys::KeyId;
use crate::projects::ProjectId;

/// The most requests of a project.
pub const MAX_REQUESTS: usize = 1_000;

/// The most requests of a shard: at most 24 MB over the 64 shards, and the spare room of the queues.
const ROOM: usize = 2_000;

/// The most projects of a shard: some 6,000 in all.
const MAX_PROJECTS: usize = 100;

/// How long a request is stored.
const KEPT: SignedDuration = SignedDuration::from_hours(24);

/// The longest id of a request, in bytes.
const MAX_ID: usize = 64;

/// A request that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// When it arrived.
    pub at: Timestamp,
    pub key: KeyId,
    pub method: &'static str,
    /// The contract's name of its operation.
    pub operation: &'static str,
    /// The status of the response; `None` if the client closed the connection before it.
    pub status: Option<StatusCode>,
    /// The error code of the response.
    pub code: Option<ErrorCode>,
    pub duration: Duration,
    id: RequestIdText,
}

/// The text of a request's id, in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RequestIdText {
    bytes: [u8; MAX_ID],
    length: u8,
}

impl LoggedRequest {
    pub(super) fn new(request: AnsweredRequest<'_>) -> Self {
        let id = request.id;
        let mut bytes = [0; MAX_ID];
        let length = id.len().min(MAX_ID);
        if let Some((to, id)) = bytes.get_mut(..length).zip(id.as_bytes().get(..length)) {
            to.copy_from_slice(id);
        }
        Self {
            at: request.at,
            key: KeyId(request.caller.key),
            method: request.method,
            operation: request.operation,
            status: request.status,
            code: request.code.cloned(),
            duration: request.duration,
            id: RequestIdText {
                bytes,
                length: length as u8,
            },
        }
    }

    /// The id of the request, as in its response.
    pub fn id(&self) -> &str {
        let id = self.id.bytes.get(..usize::from(self.id.length));
        // It is made of ASCII.
        id.and_then(|id| str::from_utf8(id).ok())
            .unwrap_or_default()
    }
}

/// The last requests of each project.
#[derive(Debug, Default)]
pub(super) struct RequestLog(ByProject<OwnMap<ProjectId, ProjectLog>>);

/// The last requests of one project.
#[derive(Debug, Default)]
struct ProjectLog {
    /// When the last one arrived: kept here, so that eviction need not read the queues.
    last: Timestamp,
    requests: VecDeque<LoggedRequest>,
}

impl RequestLog {
    /// Keeps a request.
    pub(super) fn add(&self, project: ProjectId, request: LoggedRequest) {
        let mut projects = self.0.of(project);
        if !projects.contains_key(&project) {
            insert(&mut projects, project);
        }
        let share = share(&projects);
        projects.entry(project).or_default().add(request, share);
    }

    /// The last requests of a project, the latest first.
    pub(super) fn of(&self, project: ProjectId, now: Timestamp) -> Vec<LoggedRequest> {
        let projects = self.0.of(project);
        let requests = projects.get(&project).map(|log| &log.requests);
        let requests = requests.into_iter().flatten().rev();
        requests.filter(|it| is_kept(it, now)).cloned().collect()
    }

    /// Forgets requests that are kept no longer.
    pub(super) fn forget(&self, now: Timestamp) {
        for mut projects in self.0.each() {
            projects.retain(|_, log| {
                log.forget(now);
                !log.requests.is_empty()
            });
        }
    }
}

impl ProjectLog {
    /// Keeps a request, and at most `most` in all.
    fn add(&mut self, request: LoggedRequest, most: usize) {
        if self.requests.len() >= most {
            self.requests.pop_front();
        }
        self.last = request.at;
        self.requests.push_back(request);
    }

    /// Keeps the last `most` requests, and the memory for them.
    fn shorten(&mut self, most: usize) {
        let surplus = self.requests.len().saturating_sub(most);
        self.requests.drain(..surplus);
        self.requests.shrink_to(most);
    }

    fn forget(&mut self, now: Timestamp) {
        while let Some(first) = self.requests.front()
            && !is_kept(first, now)
        {
            self.requests.pop_front();
        }
    }
}

/// The most requests of each project of a shard. It shrinks only when a project is inserted.
fn share(projects: &OwnMap<ProjectId, ProjectLog>) -> usize {
    (ROOM / projects.len().max(1)).min(MAX_REQUESTS)
}

/// Inserts a project without requests. The least recently active one is removed if there are too many, and the
/// others shrink to their new share.
fn insert(projects: &mut OwnMap<ProjectId, ProjectLog>, project: ProjectId) {
    let mut log = ProjectLog::default();
    if projects.len() >= MAX_PROJECTS {
        // The new project takes over the queue's memory.
        log = remove_least_recent(projects).unwrap_or_default();
        log.requests.clear();
    }
    projects.insert(project, log);
    let share = share(projects);
    for log in projects.values_mut() {
        log.shorten(share);
    }
}

/// Removes the project whose last request is the longest ago.
fn remove_least_recent(projects: &mut OwnMap<ProjectId, ProjectLog>) -> Option<ProjectLog> {
    let least_recent = projects.iter().min_by_key(|(_, log)| log.last)?;
    let project = *least_recent.0;
    projects.remove(&project)
}

fn is_kept(request: &LoggedRequest, now: Timestamp) -> bool {
    now.duration_since(request.at) < KEPT
}

#[cfg(test)]
mod tests {
    use edge::http::Caller;
    use uuid::Uuid;

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn project(number: u128) -> ProjectId {
        ProjectId(Uuid::from_u128(number))
    }

    fn request(second: i64, id: &str) -> LoggedRequest {
        let caller = Caller {
            id: Uuid::from_u128(1),
            key: Uuid::from_u128(1),
            tier: "free",
        };
        LoggedRequest::new(AnsweredRequest {
            caller,
            at: at(second),
            method: "GET",
            operation: "configs.list",
            status: Some(StatusCode::OK),
            code: None,
            duration: Duration::from_millis(1),
            id,
        })
    }

    #[test]
    fn the_last_requests_are_stored_for_a_day() {
        let log = RequestLog::default();
        for second in 0..1500 {
            log.add(project(1), request(second, &format!("id-{second}")));
        }
        log.add(project(2), request(1, "another"));
        let ids = |now| {
            let kept = log.of(project(1), at(now));
            kept.iter().map(|it| it.id().to_owned()).collect::<Vec<_>>()
        };
        let kept = ids(1500);
        assert_eq!(
            (kept.len(), &*kept[0], &*kept[999]),
            (1000, "id-1499", "id-500")
        );
        let day = 24 * 3600;
        assert_eq!(ids(day + 1498), ["id-1499"]);
        log.forget(at(day + 1498));
        assert_eq!(ids(1500), ["id-1499"]);
        log.forget(at(day + 2000));
        assert!(log.0.each().all(|projects| projects.is_empty()));
    }

    #[test]
    fn projects_are_bounded_and_the_least_recent_is_evicted() {
        let log = RequestLog::default();
        for number in 0..1000_u128 {
            let project = project(number * 64);
            log.add(project, request(100, "x"));
            log.add(
                self::project(0),
                request(100 + i64::try_from(number).unwrap(), "y"),
            );
        }
        let kept = |number: u128| log.of(project(number * 64), at(200)).len();
        assert_eq!(log.0.of(project(0)).len(), MAX_PROJECTS);
        assert_eq!(kept(0), ROOM / MAX_PROJECTS);
        assert_eq!(
            (0..1000).filter(|number| kept(*number) > 0).count(),
            MAX_PROJECTS
        );
    }

    #[test]
    fn the_requests_of_a_shard_are_bounded_while_projects_come() {
        let log = RequestLog::default();
        for number in 0..150 {
            for second in 0..300 {
                log.add(project(number * 64), request(second, "x"));
            }
            let projects = log.0.of(project(0));
            let kept = projects.values().map(|log| log.requests.len());
            assert!(kept.sum::<usize>() <= ROOM);
            let capacity = projects.values().map(|log| log.requests.capacity());
            assert!(capacity.sum::<usize>() <= 2 * ROOM);
        }
    }

    #[test]
    fn a_busy_project_leaves_others_their_requests() {
        let log = RequestLog::default();
        let of_shard = |number: u128| project(number * 64);
        for number in 1..=20 {
            for second in 0..40 {
                log.add(of_shard(number), request(second, "x"));
            }
        }
        for second in 0..5000 {
            log.add(of_shard(0), request(second, "y"));
        }
        let kept = |number| log.of(of_shard(number), at(39)).len();
        assert!((1..=20).all(|number| kept(number) == 40));
        assert_eq!(
            log.0.of(of_shard(0))[&of_shard(0)].requests.len(),
            ROOM / 21
        );
    }

    #[test]
    fn an_id_is_kept_whole() {
        let long = "x".repeat(64);
        assert_eq!(request(1, &long).id(), long);
        assert_eq!(request(1, "a.B_9-z").id(), "a.B_9-z");
        assert_eq!(request(1, "").id(), "");
    }
}
