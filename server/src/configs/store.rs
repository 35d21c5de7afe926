//! What a database is asked for configs.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Config, ConfigId, Creation, Encode, Idempotency};
use crate::database::StoreError;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::projects::ProjectId;

/// What a database is asked for configs. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ConfigStore {
    /// A project's configs after a position, latest first, deleted ones left out.
    async fn configs(
        &self,
        project: ProjectId,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Config>, StoreError>;

    /// One of a project's configs and what was donated through it; `None` for one that is unknown,
    /// deleted or another project's.
    async fn config(
        &self,
        project: ProjectId,
        id: ConfigId,
    ) -> Result<Option<(Config, DonationStats)>, StoreError>;

    /// Makes a config, with the answer kept in the same transaction when there is a key. Twins in
    /// flight wait for each other, in whichever process they are.
    ///
    /// The config's own time is what keys expire by. The project must exist, and no charity be named
    /// twice.
    async fn create_config(
        &self,
        config: Config,
        idempotency: Option<Idempotency>,
        encode: Encode,
    ) -> Result<Creation, StoreError>;

    /// Deletes one of a project's configs: the project does not see it any more. Donations through
    /// it, before and after, stay in the statistics and leaderboards. False for one that is
    /// unknown, deleted already or another project's.
    async fn delete_config(
        &self,
        project: ProjectId,
        id: ConfigId,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
}
