//! The database: what is kept, how it is written and how it is read back.
//!
//! [`Database`] is all that the rest of the program knows of it. It speaks the domain's types only
//! and knows nothing of HTTP or of the generated code. Time and new ids are arguments of the methods
//! that need them. What stands behind it owns its schema and all of its SQL: `sqlite`.

mod analytics;
mod catalogue;
mod creation;
mod database;
mod error;
#[cfg(test)]
mod fixture;
mod keys;
mod leaderboard;
mod posting;
mod records;
mod sqlite;
mod tally;
mod verification;
mod versions;

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

pub use analytics::{ProjectTotals, Ranked};
pub use catalogue::{CampaignProgress, Catalogue, PartnerDetail};
pub use creation::{Creation, Encode, Idempotency};
pub use database::Database;
pub use error::{Rejection, Rule, StoreError};
pub use keys::KeyChange;
pub use leaderboard::LeaderboardEntry;
pub use records::{Change, OnRejection, Outcome, Record};
pub use verification::Drift;
pub use versions::Versions;

use sqlite::Sqlite;

/// A handle on a database. Clones share its connections, which end with the last clone.
#[derive(Clone, Debug)]
pub struct Store(Arc<dyn Database>);

impl Store {
    /// Opens a SQLite file, which it makes and migrates where needed.
    ///
    /// Blocks on the disk, so it belongs at the start of a program.
    ///
    /// # Errors
    /// When the file cannot be opened, holds something else or was written by a newer program.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        Ok(Store(Arc::new(Sqlite::open(path)?)))
    }
}

impl Deref for Store {
    type Target = dyn Database;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}
