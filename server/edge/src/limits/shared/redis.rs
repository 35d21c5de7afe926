//! The shared memory in a Redis (5 or later) or a Valkey.

mod connection;
mod url;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{Script, ScriptInvocation};
use tokio::time::timeout;
use uuid::Uuid;

use super::remote::{DOUBT, Epoch, Membership, Outage, Remote};
use crate::limits::{Subject, Verdict, WindowUse};
pub use connection::RedisError;
use connection::RedisServer;
pub use url::{RedisUrl, RedisUrlError};

const EPOCH: &str = "catalog:limits:epoch";
const REPLICAS: &str = "catalog:limits:replicas";

/// The time limit of connecting. No request waits for it.
const CONNECT: Duration = Duration::from_millis(250);

/// How far the clock of Redis may be stepped back before `admit.lua` gives a window up, which lasts
/// longer by as much.
const STEP: Duration = Duration::from_secs(1);

/// A Redis, asked over one connection for all requests.
pub struct Redis {
    peer: RedisServer,
    replica: String,
    window: Duration,
    timeout: Duration,
    admitting: Script,
    joining: Script,
    counting: Script,
    /// Whether the log says that Redis may evict windows.
    has_warned: AtomicBool,
}

impl Redis {
    /// The Redis at `url`, without connecting yet. It counts within windows of length `window`, and
    /// each of its own requests takes `timeout` at most. With TLS, its certificate must be signed by
    /// an authority in the PEM file `authorities`, or without one by an authority of the system.
    ///
    /// # Errors
    /// When the authorities cannot be read, or are given for a Redis without TLS.
    pub fn new(
        url: &RedisUrl,
        authorities: Option<&Path>,
        window: Duration,
        timeout: Duration,
    ) -> Result<Self, RedisError> {
        Ok(Self {
            peer: RedisServer::at(url, authorities)?,
            replica: Uuid::new_v4().simple().to_string(),
            window,
            timeout,
            admitting: Script::new(include_str!("redis/admit.lua")),
            joining: Script::new(include_str!("redis/join.lua")),
            counting: Script::new(include_str!("redis/count.lua")),
            has_warned: AtomicBool::new(false),
        })
    }

    async fn connect(&self) -> Result<MultiplexedConnection, Outage> {
        let connecting = timeout(CONNECT, self.peer.connect()).await;
        let mut connection = connecting.map_err(|_| Outage::TimedOut)??;
        let memory = redis::cmd("INFO").arg("memory").to_owned();
        let memory = timeout(CONNECT, memory.query_async::<String>(&mut connection)).await;
        let memory = memory.map_err(|_| Outage::TimedOut)??;
        if let Some(policy) = evicting(&memory)
            && !self.has_warned.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                policy,
                "Redis may evict windows, so that limits are exceeded: set maxmemory-policy noeviction"
            );
        }
        Ok(connection)
    }

    fn span(&self) -> u64 {
        u64::try_from(self.window.as_micros()).unwrap_or(u64::MAX)
    }

    fn joining(&self, known: Option<&Epoch>) -> ScriptInvocation<'_> {
        let mut joining = self.joining.key(EPOCH);
        joining.key(REPLICAS).arg(&self.replica);
        joining.arg(known.map_or("", |epoch| &*epoch.0));
        joining.arg(self.span()).arg(DOUBT.as_micros() as u64);
        joining
    }
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis")
            .field("replica", &self.replica)
            .finish_non_exhaustive()
    }
}

impl Remote for Redis {
    type Connection = MultiplexedConnection;

    async fn join(
        &self,
        connection: Option<&MultiplexedConnection>,
        known: Option<&Epoch>,
    ) -> Result<Membership<MultiplexedConnection>, Outage> {
        let mut connection = match connection {
            Some(connection) => connection.clone(),
            None => self.connect().await?,
        };
        let joining = self.joining(known);
        let joining = joining.invoke_async::<(String, bool, u32, u64)>(&mut connection);
        let (epoch, trusted, replicas, doubted_for) = timeout(self.timeout, joining)
            .await
            .map_err(|_| Outage::TimedOut)??;
        Ok(Membership {
            connection,
            epoch: Epoch(Arc::from(epoch)),
            trusted,
            doubted_for: Duration::from_micros(doubted_for),
            replicas,
        })
    }

    async fn admit(
        &self,
        connection: &MultiplexedConnection,
        subject: Subject,
        limit: u32,
        epoch: &Epoch,
    ) -> Result<Verdict, Outage> {
        let mut connection = connection.clone();
        let mut admitting = self.admitting.key(key(subject));
        admitting.key(EPOCH).arg(limit).arg(self.span());
        admitting.arg(&*epoch.0);
        let answer = admitting.invoke_async(&mut connection).await?;
        verdict(limit, self.window, answer).ok_or(Outage::Forgotten)
    }

    async fn used(
        &self,
        connection: &MultiplexedConnection,
        caller: Uuid,
        limit: u32,
    ) -> Result<WindowUse, Outage> {
        let mut connection = connection.clone();
        let mut counting = self.counting.key(key(Subject::Caller(caller)));
        counting.arg(self.span()).arg(limit);
        let (used, free_in): (usize, u64) = counting.invoke_async(&mut connection).await?;
        Ok(WindowUse {
            used,
            free_in: (free_in > 0).then(|| Duration::from_micros(free_in)),
        })
    }

    async fn leave(&self, connection: &MultiplexedConnection) {
        let mut leaving = redis::cmd("ZREM");
        leaving.arg(REPLICAS).arg(&self.replica);
        let mut connection = connection.clone();
        // If it fails, the other replicas notice a window later.
        let _ = timeout(self.timeout, leaving.exec_async(&mut connection)).await;
    }
}

/// The policy by which Redis evicts keys, by the answer of `INFO memory`; `None` if it evicts none.
fn evicting(memory: &str) -> Option<&str> {
    let policy = memory
        .lines()
        .find_map(|line| line.trim().strip_prefix("maxmemory_policy:"));
    policy.filter(|policy| *policy != "noeviction")
}

/// The Redis key of a window. It names a client's network, and expires a minute later.
fn key(subject: Subject) -> String {
    match subject {
        Subject::Caller(id) => format!("catalog:limits:project:{}", id.simple()),
        Subject::Network(network) => format!("catalog:limits:network:{network}"),
    }
}

/// The answer of `admit.lua`, within the range of a window even if another Redis answers; `None` if it does not
/// know the epoch.
fn verdict(limit: u32, window: Duration, answer: (i64, u32, u64, u64)) -> Option<Verdict> {
    let (outcome, remaining, reset_in, retry_in) = answer;
    let time = |micros| Duration::from_micros(micros).min(window + STEP);
    Some(Verdict {
        limit,
        remaining: remaining.min(limit),
        reset_in: time(reset_in),
        retry_in: match outcome {
            1 => None,
            0 => Some(time(retry_in)),
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evicting_policy_is_noticed() {
        let memory = |policy| format!("# Memory\r\nmaxmemory:0\r\nmaxmemory_policy:{policy}\r\n");
        assert_eq!(evicting(&memory("noeviction")), None);
        assert_eq!(evicting(&memory("allkeys-lru")), Some("allkeys-lru"));
        assert_eq!(evicting(""), None);
    }

    #[test]
    fn no_answer_of_redis_is_passed_on_that_a_window_cannot_give() {
        let window = Duration::from_secs(60);
        let verdict = |answer| verdict(5, window, answer).unwrap();
        let wrong = verdict((0, u32::MAX, u64::MAX, u64::MAX));
        assert_eq!((wrong.remaining, wrong.reset_in), (5, window + STEP));
        assert_eq!(wrong.retry_in, Some(window + STEP));
        let right = verdict((1, 4, 60_000_000, 0));
        assert_eq!((right.remaining, right.reset_in), (4, window));
        assert!(right.is_admitted());
    }
}
