//! PostgreSQL: one database for any number of replicas.
//!
//! Threads own the connections. A read ends with its caller. A write that was begun completes even when
//! its caller has stopped waiting; after a serialization conflict or a deadlock it is retried from its
//! beginning. Every statement has a timeout in the server, and every transaction one here, in case the
//! server does not respond.

mod connection;
mod error;
pub(crate) mod migrations;
mod pool;
pub(crate) mod session;
mod setup;

use std::sync::Arc;

use tokio::sync::{Semaphore, oneshot};

use crate::migrations::Schema;
use crate::writer::{Turn, Turns, Writer};
use crate::{DbError, PoolUse, PostgresUrl, Timeouts, Tx};
use connection::Peer;
use pool::Pool;
use session::Mode;

pub(crate) use error::explain;

/// The maximum number of attempts of a write that conflicts with other transactions.
const ATTEMPTS: u32 = 8;

/// A pool of connections to a database with the newest schema.
#[derive(Debug)]
pub(crate) struct Postgres {
    pool: Pool,
    turns: Turns,
    /// Limits the number of writers, so that they never take all connections.
    writers: Arc<Semaphore>,
}

impl Postgres {
    /// Connects to the database, which must have the newest schema.
    pub(crate) async fn connect(url: &PostgresUrl, schema: Schema) -> Result<Postgres, DbError> {
        let peer = Peer::at(url)?;
        let (mut client, _connection) = peer.open_first().await?;
        setup::check(&client, &peer).await?;
        migrations::check(&mut client, schema).await?;
        Ok(Postgres {
            pool: Pool::new(peer),
            turns: Turns::default(),
            writers: connection::writers(),
        })
    }

    /// Brings the database to the newest schema; returns the schemas before and after.
    pub(crate) async fn migrate(url: &PostgresUrl, schema: Schema) -> Result<(u32, u32), DbError> {
        let peer = Peer::at(url)?;
        let (mut client, _connection) = peer.open_first().await?;
        setup::check(&client, &peer).await?;
        migrations::migrate(&mut client, schema).await
    }

    /// Reads, and stops when the caller stops waiting.
    pub(crate) async fn read<T: Send + 'static, E: From<DbError> + Send + 'static>(
        &self,
        mode: Mode,
        limits: Timeouts,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let (_here, gone) = oneshot::channel();
        let read = self
            .pool
            .run(move |session| session.run(mode, limits, Some(gone), work).result);
        read.await
    }

    /// Writes in a transaction, which is not begun if its turn does not come in time, and otherwise runs
    /// to its end.
    pub(crate) async fn write<T: Send + 'static, E: From<DbError> + Send + 'static>(
        &self,
        writer: Writer,
        limits: Timeouts,
        work: impl Fn(&Tx<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let turn: Turn = self.turns.take(writer).await?;
        let permit = connection::permit(&self.writers).await?;
        let written = self.pool.run(move |session| {
            let _turns = (turn, permit);
            let mut attempts = 1;
            loop {
                let attempt = session.run(Mode::Write, limits, None, &work);
                if !attempt.conflict || attempts == ATTEMPTS {
                    return attempt.result;
                }
                attempts += 1;
            }
        });
        written.await
    }

    pub(crate) fn pool(&self) -> PoolUse {
        self.pool.usage()
    }

    pub(crate) fn close(&self) {
        self.pool.close();
    }
}
