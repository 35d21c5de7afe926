//! The interface to the memory that several replicas share.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use crate::limits::{Subject, Verdict, WindowUse};

/// The name of one unbroken memory, from the moment it began empty until it is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epoch(pub Arc<str>);

/// How long a memory that began empty does not decide alone: within this time every replica has
/// reported the epoch that it knew, as each does twice a second.
pub(super) const DOUBT: Duration = Duration::from_millis(1500);

/// The answer to a replica that reports itself.
#[derive(Debug, Clone)]
pub struct Membership<L> {
    /// The connection to ask on.
    pub connection: L,
    /// The memory that is there.
    pub epoch: Epoch,
    /// Whether it may decide: no admission of a lost memory counts any more.
    pub trusted: bool,
    /// How long it may not decide alone, because other replicas may know of another memory.
    pub doubted_for: Duration,
    /// The number of replicas that have reported themselves recently, this one included.
    pub replicas: u32,
}

/// The reason why the shared memory does not decide.
#[derive(Debug, thiserror::Error)]
pub enum Outage {
    /// There was no answer in time.
    #[error("Redis did not respond in time")]
    TimedOut,
    /// There was an answer, but not to the question.
    #[error("cannot query Redis: {}", reason(.0))]
    Failed(#[from] redis::RedisError),
    /// The epoch that was asked for is over.
    #[error("Redis has lost its data")]
    Forgotten,
    /// The epoch is too young to decide.
    #[error("Redis lost its data less than a window ago")]
    Settling,
}

/// The error, and what to do about one that the setup of Redis causes.
fn reason(error: &redis::RedisError) -> String {
    let said = error.to_string();
    let forbidden = [
        "no permissions",
        "can't run this command",
        "nknown command",
        "nknown Redis command",
    ];
    match forbidden.iter().any(|part| said.contains(part)) {
        true => format!("{said}; the operators' guide lists the commands that its user needs"),
        false => said,
    }
}

/// A memory that several replicas share.
pub trait Remote: Send + Sync + 'static {
    type Connection: Clone + Send + Sync;

    /// Reports this replica, on `connection` or a new connection. `known` is the last epoch that it had
    /// requests admitted in.
    fn join(
        &self,
        connection: Option<&Self::Connection>,
        known: Option<&Epoch>,
    ) -> impl Future<Output = Result<Membership<Self::Connection>, Outage>> + Send;

    /// Admits and counts a request in the window of `subject`, or refuses it and writes nothing.
    fn admit(
        &self,
        connection: &Self::Connection,
        subject: Subject,
        limit: u32,
        epoch: &Epoch,
    ) -> impl Future<Output = Result<Verdict, Outage>> + Send;

    /// How much of its limit a caller uses now.
    fn used(
        &self,
        connection: &Self::Connection,
        caller: Uuid,
        limit: u32,
    ) -> impl Future<Output = Result<WindowUse, Outage>> + Send;

    /// Removes this replica from the count.
    fn leave(&self, connection: &Self::Connection) -> impl Future<Output = ()> + Send;
}
