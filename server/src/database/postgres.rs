//! PostgreSQL: one database for any number of replicas. Owns its schema, its connections and its
//! SQL.
//!
//! Connections come from a pool and return to it when they are dropped. A read is cancelled with its
//! caller. A write that has got its connection runs in a task of its own, so that it completes even when
//! its caller has stopped waiting; after a serialization conflict or a deadlock it is retried from its
//! beginning. Every statement has a timeout in the server, and every operation one here, in case the
//! server does not answer.

pub(crate) mod column;
mod connection;
pub(crate) mod cursor;
mod database;
mod error;
pub(crate) mod locks;
mod migrations;
pub(crate) mod query;
pub(crate) mod versions;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use connection::Peer;
use deadpool_postgres::{Client, Object, Pool, PoolError, Transaction};
use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_postgres::IsolationLevel;

pub(crate) use super::TimeoutClass;
use super::project_turns::{ProjectTurns, Writer};
use super::{PostgresUrl, StoreError};
pub(crate) use error::Failure;

pub(crate) use error::explain;

/// The maximum number of attempts of a write that conflicts with other transactions.
const ATTEMPTS: u32 = 8;

/// Statements in one transaction. It may run more than once, and is committed once.
pub(crate) type Work<A, T> =
    for<'a> fn(&'a Transaction<'a>, &'a A) -> BoxFuture<'a, Result<T, Failure>>;

/// The access mode and isolation of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Reads one state of the database throughout.
    Snapshot,
    /// Writes; each statement sees the changes that others have committed.
    Write,
}

/// A pool of connections to a database with the newest schema.
#[derive(Debug)]
pub(crate) struct Postgres {
    pool: Pool,
    /// The number of times that no connection became free in time.
    timeouts: AtomicU64,
    /// Lets a project have one of the writers.
    projects: ProjectTurns,
    /// Limits the number of writers, so that they never take all connections.
    writers: Arc<Semaphore>,
}

impl Postgres {
    /// Connects to the database, which must have the newest schema.
    pub(crate) async fn connect(url: &PostgresUrl) -> Result<Postgres, StoreError> {
        let peer = Peer::at(url)?;
        let mut client = peer.open().await?;
        migrations::check(&mut client).await?;
        Ok(Postgres {
            pool: peer.pool()?,
            timeouts: AtomicU64::new(0),
            projects: ProjectTurns::default(),
            writers: connection::writers(),
        })
    }

    /// Brings the database to the newest schema; returns the schemas before and after.
    pub(crate) async fn migrate(url: &PostgresUrl) -> Result<(u32, u32), StoreError> {
        let mut client = Peer::at(url)?.open().await?;
        Ok(migrations::migrate(&mut client).await?)
    }

    /// Takes a connection from the pool, waiting for a free one.
    async fn client(&self) -> Result<Client, Failure> {
        let client = self.pool.get().await;
        if matches!(client, Err(PoolError::Timeout(_))) {
            self.timeouts.fetch_add(1, Ordering::Relaxed);
        }
        Ok(client?)
    }

    /// Runs a query outside a transaction: one statement, or several that need not see one state of the
    /// database.
    pub(crate) async fn query<T>(
        &self,
        query: impl for<'a> FnOnce(&'a Client) -> BoxFuture<'a, Result<T, Failure>>,
    ) -> Result<T, StoreError> {
        let client = self.client().await?;
        let limit = TimeoutClass::Request.total();
        match timeout(limit, query(&client)).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(give_up(client)),
        }
    }

    /// Reads one state of the database, in a transaction.
    pub(crate) async fn read<T>(
        &self,
        limits: TimeoutClass,
        work: impl for<'a> FnOnce(&'a Transaction<'a>) -> BoxFuture<'a, Result<T, Failure>>,
    ) -> Result<T, StoreError> {
        let mut client = self.client().await?;
        let reading = async {
            let tx = begin(&mut client, Mode::Snapshot, limits).await?;
            let result = work(&tx).await?;
            tx.commit().await?;
            Ok::<T, Failure>(result)
        };
        match timeout(limits.total(), reading).await {
            Ok(read) => Ok(read?),
            Err(_) => Err(give_up(client)),
        }
    }

    /// Writes in a transaction, which is not begun if its turn does not come in time, and otherwise runs
    /// to its end.
    pub(crate) async fn write<A, T>(
        &self,
        writer: Writer,
        limits: TimeoutClass,
        about: A,
        work: Work<A, T>,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let own = self.projects.take(writer).await?;
        let turn = connection::turn(&self.writers).await?;
        let client = self.client().await?;
        let writing = async move {
            let _turns = (own, turn);
            write_to_the_end(client, limits, &about, work).await
        };
        let written = tokio::spawn(writing).await;
        written.unwrap_or_else(|error| match error.is_panic() {
            true => Err(StoreError::Corrupt("a write panicked".to_owned())),
            false => Err(StoreError::Unavailable("the program stops".to_owned())),
        })
    }
}

/// Runs a write, and retries it after a conflict with another transaction.
async fn write_to_the_end<A: Sync, T>(
    mut client: Client,
    limits: TimeoutClass,
    about: &A,
    work: Work<A, T>,
) -> Result<T, StoreError> {
    let writing = async {
        let mut attempts = 1;
        loop {
            match attempt(&mut client, limits, about, work).await {
                Err(failure) if failure.again && attempts < ATTEMPTS => attempts += 1,
                done => return done,
            }
        }
    };
    match timeout(limits.total(), writing).await {
        Ok(written) => Ok(written?),
        Err(_) => Err(give_up(client)),
    }
}

/// Writes in one transaction, which is committed unless `work` fails.
async fn attempt<A: Sync, T>(
    client: &mut Client,
    limits: TimeoutClass,
    about: &A,
    work: Work<A, T>,
) -> Result<T, Failure> {
    let tx = begin(client, Mode::Write, limits).await?;
    let result = work(&tx, about).await?;
    tx.commit().await?;
    Ok(result)
}

async fn begin(
    client: &mut Client,
    mode: Mode,
    limits: TimeoutClass,
) -> Result<Transaction<'_>, Failure> {
    let begun = client.build_transaction();
    let begun = match mode {
        Mode::Snapshot => begun
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true),
        Mode::Write => begun.isolation_level(IsolationLevel::ReadCommitted),
    };
    let tx = begun.start().await?;
    if !matches!(limits, TimeoutClass::Request) {
        let most = limits.statement().map_or(0, |most| most.as_millis());
        tx.batch_execute(&format!("SET LOCAL statement_timeout = {most}"))
            .await?;
    }
    Ok(tx)
}

/// Closes a connection on which no answer comes, instead of returning it to the pool.
fn give_up(client: Client) -> StoreError {
    drop(Object::take(client));
    StoreError::Unavailable("it does not answer".to_owned())
}

#[cfg(test)]
mod tests;
