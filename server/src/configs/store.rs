//! The database operations of configs.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Config, ConfigId, Creation, Encode, LabelsChange, LabelsRefusal, Requester};
use crate::database::StoreError;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::idempotency::Idempotency;
use crate::projects::ProjectId;

/// The database operations of configs. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ConfigStore {
    /// A project's configs after a position, latest first, deleted ones left out; those alone that have a
    /// pair of metadata, if one is given.
    async fn configs(
        &self,
        project: ProjectId,
        pair: Option<(String, String)>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Config>, StoreError>;

    /// One of a project's configs with the sums of its donations; `None` for one that is unknown,
    /// deleted or another project's.
    async fn config(
        &self,
        project: ProjectId,
        id: ConfigId,
    ) -> Result<Option<(Config, DonationStats)>, StoreError>;

    /// Whether a config is one of a project's, deleted or not.
    async fn owns_config(&self, project: ProjectId, id: ConfigId) -> Result<bool, StoreError>;

    /// Creates a config and, if the request has a key, stores the response in the same transaction.
    /// Concurrent requests with the same key wait for each other, in any process.
    ///
    /// Nothing is created if the project has `quota` configs, those included that it deleted in the 24
    /// hours before the config's own time.
    ///
    /// Keys expire relative to the config's own time. The project of a key must exist, and no charity may
    /// be named twice.
    async fn create_config(
        &self,
        requester: Requester,
        config: Config,
        idempotency: Option<Idempotency>,
        quota: u32,
        encode: Encode,
    ) -> Result<Creation, StoreError>;

    /// Changes the labels of one of a project's configs, in one step.
    async fn change_labels(
        &self,
        project: ProjectId,
        id: ConfigId,
        change: LabelsChange,
    ) -> Result<Result<Config, LabelsRefusal>, StoreError>;

    /// Deletes one of a project's configs: the project does not see it any more. Donations through
    /// it, before and after, stay in the statistics and leaderboards. False for one that is
    /// unknown, deleted already or another project's, and for a requester that may not change it.
    async fn delete_config(
        &self,
        requester: Requester,
        project: ProjectId,
        id: ConfigId,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
}
