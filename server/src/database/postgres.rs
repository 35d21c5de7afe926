//! PostgreSQL: one database for any number of replicas. Owns its schema, its connections and its
//! SQL.
//!
//! Connections are lent from a pool and return to it when whoever holds one is dropped, however that
//! comes about. A read ends with its caller. A write that has got its connection runs in a task of
//! its own, so that it ends whole even when its caller has stopped waiting; where another transaction
//! was in its way, it is done again from its beginning. Everything is bounded in time, by the server
//! and, in case that is gone, here.

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
use std::time::Duration;

use connection::Peer;
use deadpool_postgres::{Client, Object, Pool, PoolError, Transaction};
use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_postgres::IsolationLevel;

use super::{PostgresUrl, StoreError};
pub(crate) use error::Failure;

pub(crate) use error::explain;

/// How often a write is done that others keep getting in the way of.
const ATTEMPTS: u32 = 8;

/// How long work may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Patience {
    /// As long as somebody waits for an answer.
    Request,
    /// As long as a bulk of data takes.
    Bulk,
    /// As long as it takes.
    Endless,
}

impl Patience {
    /// For one statement, after which the server gives it up. Waiting for locks is part of it.
    fn of_statement(self) -> Duration {
        match self {
            Patience::Request => connection::STATEMENT_TIMEOUT,
            Patience::Bulk => Duration::from_secs(60),
            Patience::Endless => Duration::ZERO,
        }
    }

    /// For everything, after which the connection is given up: its server does not even say no.
    fn of_all(self) -> Duration {
        match self {
            Patience::Request => Duration::from_secs(4),
            Patience::Bulk => Duration::from_secs(120),
            Patience::Endless => Duration::from_secs(24 * 3600),
        }
    }
}

/// A question that one statement answers, or several that need not see one state.
pub(crate) type Question<A, T> = for<'a> fn(&'a Client, &'a A) -> BoxFuture<'a, Result<T, Failure>>;

/// Work in one transaction. It may be done more than once, and only once is it kept.
pub(crate) type Work<A, T> =
    for<'a> fn(&'a Transaction<'a>, &'a A) -> BoxFuture<'a, Result<T, Failure>>;

/// What a transaction may do and sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Reads one state of the database throughout.
    Snapshot,
    /// Writes, each statement seeing what others have committed.
    Write,
}

/// A pool of connections to a database with the newest schema.
#[derive(Debug)]
pub(crate) struct Postgres {
    pool: Pool,
    /// How often nobody gave a connection back in time.
    timeouts: AtomicU64,
    /// The right to write, so that writers never take all connections.
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
            writers: connection::writers(),
        })
    }

    /// Brings the database to the newest schema; the schemas before and after.
    pub(crate) async fn migrate(url: &PostgresUrl) -> Result<(u32, u32), StoreError> {
        let mut client = Peer::at(url)?.open().await?;
        Ok(migrations::migrate(&mut client).await?)
    }

    /// A connection, waited for as long as others get theirs.
    async fn client(&self) -> Result<Client, Failure> {
        let client = self.pool.get().await;
        if matches!(client, Err(PoolError::Timeout(_))) {
            self.timeouts.fetch_add(1, Ordering::Relaxed);
        }
        Ok(client?)
    }

    /// Asks what needs no transaction.
    pub(crate) async fn ask<A: Sync, T>(
        &self,
        about: A,
        question: Question<A, T>,
    ) -> Result<T, StoreError> {
        let client = self.client().await?;
        let patience = Patience::Request.of_all();
        match timeout(patience, question(&client, &about)).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(give_up(client)),
        }
    }

    /// Reads one state of the database.
    pub(crate) async fn read<A: Sync, T>(
        &self,
        patience: Patience,
        about: A,
        work: Work<A, T>,
    ) -> Result<T, StoreError> {
        let mut client = self.client().await?;
        let reading = transact(&mut client, Mode::Snapshot, patience, &about, work);
        match timeout(patience.of_all(), reading).await {
            Ok(read) => Ok(read?),
            Err(_) => Err(give_up(client)),
        }
    }

    /// Writes: not at all where its turn does not come, and else to the end.
    pub(crate) async fn write<A, T>(
        &self,
        patience: Patience,
        about: A,
        work: Work<A, T>,
    ) -> Result<T, StoreError>
    where
        A: Send + Sync + 'static,
        T: Send + 'static,
    {
        let turn = connection::turn(&self.writers).await?;
        let client = self.client().await?;
        let writing = async move {
            let _turn = turn;
            write_to_the_end(client, patience, &about, work).await
        };
        let written = tokio::spawn(writing).await;
        written.unwrap_or_else(|error| match error.is_panic() {
            true => Err(StoreError::Corrupt("a write panicked".to_owned())),
            false => Err(StoreError::Unavailable("the program stops".to_owned())),
        })
    }
}

/// Does a write, and does it again where others were in its way.
async fn write_to_the_end<A: Sync, T>(
    mut client: Client,
    patience: Patience,
    about: &A,
    work: Work<A, T>,
) -> Result<T, StoreError> {
    let writing = async {
        let mut attempts = 1;
        loop {
            match transact(&mut client, Mode::Write, patience, about, work).await {
                Err(failure) if failure.again && attempts < ATTEMPTS => attempts += 1,
                done => return done,
            }
        }
    };
    match timeout(patience.of_all(), writing).await {
        Ok(written) => Ok(written?),
        Err(_) => Err(give_up(client)),
    }
}

/// Does work in one transaction, which is kept unless it fails.
async fn transact<A: Sync, T>(
    client: &mut Client,
    mode: Mode,
    patience: Patience,
    about: &A,
    work: Work<A, T>,
) -> Result<T, Failure> {
    let begun = client.build_transaction();
    let begun = match mode {
        Mode::Snapshot => begun
            .isolation_level(IsolationLevel::RepeatableRead)
            .read_only(true),
        Mode::Write => begun.isolation_level(IsolationLevel::ReadCommitted),
    };
    let tx = begun.start().await?;
    if !matches!(patience, Patience::Request) {
        let most = patience.of_statement().as_millis();
        tx.batch_execute(&format!("SET LOCAL statement_timeout = {most}"))
            .await?;
    }
    let result = work(&tx, about).await?;
    tx.commit().await?;
    Ok(result)
}

/// Closes a connection on which nothing comes back, instead of lending it to the next.
fn give_up(client: Client) -> StoreError {
    drop(Object::take(client));
    StoreError::Unavailable("it does not answer".to_owned())
}

#[cfg(test)]
mod tests;
