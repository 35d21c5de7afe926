//! The turns of projects that write: one write of each at a time, in every database.
//!
//! A project may have many requests in flight, whose writes wait for each other in any case: for the row of
//! the project, or for the one thread that writes. They wait here first, so that they hold no more than one
//! of the database's own turns, and other projects find the others free.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};
use tokio::time::timeout;

use super::StoreError;
use crate::projects::ProjectId;

/// The time that a write waits for those of its project; as long as for a lock in the database.
const WAIT: Duration = Duration::from_secs(3);

/// The author of a write, who waits for other writes of the same author.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Writer {
    /// An operator's command, which waits for no other.
    Operator,
    /// A request of a project.
    Project(ProjectId),
    /// The dashboard, which writes one thing at a time however many people use it.
    Dashboard,
    /// The server's own upkeep, which waits for no other.
    Server,
}

/// The turn of a write, until this is dropped; `None` for one that waits for no other.
pub(crate) type Turn = Option<OwnedMutexGuard<()>>;

/// The turns of the projects that write, and of the dashboard (`None`). Each waiter is a request in flight, so
/// that the limits of those bound the table.
#[derive(Debug, Default)]
pub(crate) struct ProjectTurns(Mutex<HashMap<Option<ProjectId>, Arc<AsyncMutex<()>>>>);

impl ProjectTurns {
    /// Waits for the writes of the same project that came before.
    pub(crate) async fn take(&self, writer: Writer) -> Result<Turn, StoreError> {
        let author = match writer {
            Writer::Operator | Writer::Server => return Ok(None),
            Writer::Project(project) => Some(project),
            Writer::Dashboard => None,
        };
        let turn = timeout(WAIT, self.of(author).lock_owned()).await;
        let late = |_| StoreError::Unavailable("too many are writing".to_owned());
        turn.map(Some).map_err(late)
    }

    /// The turn of an author. Forgets those of which nothing writes or waits.
    fn of(&self, author: Option<ProjectId>) -> Arc<AsyncMutex<()>> {
        // The table is consistent between any two statements, so a panic elsewhere cannot spoil it.
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        Arc::clone(turns.entry(author).or_default())
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn project(number: u128) -> Writer {
        Writer::Project(ProjectId(Uuid::from_u128(number)))
    }

    #[tokio::test(start_paused = true)]
    async fn a_project_waits_for_itself_alone() {
        let turns = ProjectTurns::default();
        let first = turns.take(project(1)).await.unwrap();
        let late = turns.take(project(1)).await;
        assert!(matches!(late, Err(StoreError::Unavailable(_))));
        let others = [
            project(2),
            Writer::Dashboard,
            Writer::Operator,
            Writer::Operator,
            Writer::Server,
            Writer::Server,
        ];
        for other in others {
            assert!(turns.take(other).await.is_ok(), "{other:?}");
        }
        drop(first);
        assert!(turns.take(project(1)).await.is_ok());
    }

    #[tokio::test]
    async fn projects_that_do_not_write_are_forgotten() {
        let turns = ProjectTurns::default();
        let held = turns.take(project(0)).await.unwrap();
        for number in 1..1000 {
            turns.take(project(number)).await.unwrap();
        }
        assert!(turns.0.lock().unwrap().len() <= 2);
        drop(held);
    }
}
