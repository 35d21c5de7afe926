//! The turns of writers: one write of each at a time, in every database.
//!
//! A project may have many requests in flight, whose writes wait for each other in any case: for the row of
//! the project, or for the one thread that writes. They wait here first, so that each writer takes no more
//! than one of the database's own turns, and others find the rest free.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::timeout;
use uuid::Uuid;

use crate::DbError;

/// The time that a write waits for earlier writes of the same writer; as long as for a lock in the
/// database.
const WAIT: Duration = Duration::from_secs(3);

/// The author of a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// It waits for no other write.
    Unlimited,
    /// It waits for earlier writes of the same id.
    Queued(Uuid),
}

/// The turn of a write, until this is dropped; `None` for one that waits for no other.
pub(crate) type Turn = Option<OwnedMutexGuard<()>>;

/// The turns of writers. Each waiter is a request in flight, so that the limits of those bound the table.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<HashMap<Uuid, Arc<AsyncMutex<()>>>>);

impl Turns {
    /// Waits for earlier writes of the same writer.
    pub(crate) async fn take(&self, writer: Writer) -> Result<Turn, DbError> {
        let Writer::Queued(id) = writer else {
            return Ok(None);
        };
        let turn = timeout(WAIT, self.turn(id).lock_owned()).await;
        let late = |_| DbError::unavailable("too many writes are waiting");
        turn.map(Some).map_err(late)
    }

    /// The turn of an id. Forgets the ids of which nothing writes or waits.
    fn turn(&self, id: Uuid) -> Arc<AsyncMutex<()>> {
        // The table is consistent between any two statements, so a panic elsewhere cannot spoil it.
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(id).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(number: u128) -> Writer {
        Writer::Queued(Uuid::from_u128(number))
    }

    #[tokio::test(start_paused = true)]
    async fn a_project_waits_for_itself_alone() {
        let turns = Turns::default();
        let first = turns.take(project(1)).await.unwrap();
        let late = turns.take(project(1)).await;
        assert!(matches!(late, Err(DbError::Unavailable(_))));
        for other in [project(2), Writer::Unlimited, Writer::Unlimited] {
            assert!(turns.take(other).await.is_ok(), "{other:?}");
        }
        drop(first);
        assert!(turns.take(project(1)).await.is_ok());
    }

    #[tokio::test]
    async fn projects_that_do_not_write_are_forgotten() {
        let turns = Turns::default();
        let held = turns.take(project(0)).await.unwrap();
        for number in 1..1000 {
            turns.take(project(number)).await.unwrap();
        }
        assert!(turns.0.lock().unwrap().len() <= 2);
        drop(held);
    }
}
