//! The shared memory in a Redis (5 or later) or a Valkey.

mod line;
mod url;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{Script, ScriptInvocation};
use tokio::time::timeout;
use uuid::Uuid;

use super::remote::{DOUBT, Epoch, Joined, Lapse, Place, Remote};
use crate::limits::{Network, Subject, Verdict};
use line::Peer;
pub use line::RedisError;
pub use url::{RedisUrl, RedisUrlError};

const EPOCH: &str = "catalog:limits:epoch";
const REPLICAS: &str = "catalog:limits:replicas";

/// How long a connection may take to be made. No request waits for it.
const CONNECT: Duration = Duration::from_millis(250);

/// A Redis, asked over one connection for all requests.
pub struct Redis {
    peer: Peer,
    /// The name of this replica among the others.
    replica: String,
    window: Duration,
    patience: Duration,
    admitting: Script,
    joining: Script,
}

impl Redis {
    /// The Redis at `url`; it is not looked for yet. Counts within windows of length `window`, and
    /// has `patience` with its own questions. Of a Redis that is spoken to with TLS, `authorities`,
    /// a file of PEM, must have certified its name; without a file, an authority of the system.
    ///
    /// # Errors
    /// When the authorities cannot be read, or there would be nothing to hold against them.
    pub fn new(
        url: &RedisUrl,
        authorities: Option<&Path>,
        window: Duration,
        patience: Duration,
    ) -> Result<Self, RedisError> {
        Ok(Self {
            peer: Peer::at(url, authorities)?,
            replica: Uuid::new_v4().simple().to_string(),
            window,
            patience,
            admitting: Script::new(include_str!("redis/admit.lua")),
            joining: Script::new(include_str!("redis/join.lua")),
        })
    }

    async fn connect(&self) -> Result<MultiplexedConnection, Lapse> {
        let connecting = timeout(CONNECT, self.peer.connect()).await;
        Ok(connecting.map_err(|_| Lapse::Late)??)
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
    type Line = MultiplexedConnection;

    async fn join(
        &self,
        line: Option<&MultiplexedConnection>,
        known: Option<&Epoch>,
    ) -> Result<Joined<MultiplexedConnection>, Lapse> {
        let mut line = match line {
            Some(line) => line.clone(),
            None => self.connect().await?,
        };
        let joining = self.joining(known);
        let joining = joining.invoke_async::<(String, bool, u32, u64)>(&mut line);
        let (epoch, trusted, replicas, doubted_for) = timeout(self.patience, joining)
            .await
            .map_err(|_| Lapse::Late)??;
        Ok(Joined {
            line,
            epoch: Epoch(Arc::from(epoch)),
            trusted,
            doubted_for: Duration::from_micros(doubted_for),
            replicas,
        })
    }

    async fn admit(
        &self,
        line: &MultiplexedConnection,
        place: Place,
        limit: u32,
        epoch: &Epoch,
    ) -> Result<Verdict, Lapse> {
        let mut line = line.clone();
        let mut admitting = self.admitting.key(key(place));
        admitting.key(EPOCH).arg(limit).arg(self.span());
        admitting.arg(&*epoch.0);
        let answer = admitting.invoke_async(&mut line).await?;
        verdict(limit, answer).ok_or(Lapse::Forgotten)
    }

    async fn leave(&self, line: &MultiplexedConnection) {
        let mut leaving = redis::cmd("ZREM");
        leaving.arg(REPLICAS).arg(&self.replica);
        let mut line = line.clone();
        // Without it the others find out a window later.
        let _ = timeout(self.patience, leaving.exec_async(&mut line)).await;
    }
}

/// The name of a window. Networks are those of clients; their keys are gone a minute later.
fn key(place: Place) -> String {
    match place {
        Place::Own(Subject::Project(project)) => {
            format!("catalog:limits:project:{}", project.0.simple())
        }
        Place::Own(Subject::Network(Network::V4(address))) => {
            format!("catalog:limits:network:{address}")
        }
        Place::Own(Subject::Network(Network::V6(prefix))) => {
            format!("catalog:limits:network:{prefix:016x}")
        }
        Place::Overflow(number) => format!("catalog:limits:overflow:{number}"),
    }
}

/// What `admit.lua` says; `None` if it does not know the epoch.
fn verdict(limit: u32, answer: (i64, u32, u64, u64)) -> Option<Verdict> {
    let (outcome, remaining, reset_in, retry_in) = answer;
    Some(Verdict {
        limit,
        remaining,
        reset_in: Duration::from_micros(reset_in),
        retry_in: match outcome {
            1 => None,
            0 => Some(Duration::from_micros(retry_in)),
            _ => return None,
        },
    })
}
