//! What is asked of a database, whichever it is.

use std::collections::HashMap;
use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{PoolUse, StoreError, Versions};
use crate::analytics::series::DayTotal;
use crate::analytics::{ProjectTotals, Ranked};
use crate::campaigns::CampaignId;
use crate::catalogue::Catalogue;
use crate::chains::{Chain, ChainAddress};
use crate::charities::CharityId;
use crate::configs::{Config, ConfigId, Creation, Encode, Idempotency};
use crate::contracts::LeaderboardEntry;
use crate::domain::amount::UsdE6;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::import::{Extent, Mark, OnRejection, Outcome, Record};
use crate::keys::{KeyChange, KeyDigest, KeyId, KeyRecord, NewKey};
use crate::projects::{Project, ProjectId, Tier};
use crate::rollups::Drift;
use crate::tokens::Token;

/// A database with the newest schema.
///
/// All implementations give the same answers in the same order; `conformance` holds each to it. A
/// write that was begun ends whole or not at all, also when its caller has stopped waiting.
///
/// Every method fails with [`StoreError::Unavailable`] when the database does not answer in time.
#[async_trait]
pub trait Database: fmt::Debug + Send + Sync {
    /// The counters as they are now: cheap enough to be read several times a second.
    async fn versions(&self) -> Result<Versions, StoreError>;

    /// The catalogue, in one state of the database.
    async fn catalogue(&self) -> Result<Catalogue, StoreError>;

    /// What every campaign has raised, without the rest of the catalogue: it changes more often.
    async fn raised(&self) -> Result<HashMap<CampaignId, UsdE6>, StoreError>;

    /// All chains, by id.
    async fn chains(&self) -> Result<Vec<Chain>, StoreError>;

    /// All projects, by name.
    async fn projects(&self) -> Result<Vec<Project>, StoreError>;

    /// Changes what a project pays for; false when there is no such project.
    async fn set_tier(&self, project: ProjectId, tier: Tier) -> Result<bool, StoreError>;

    /// Every key of every project: what a server answers callers by.
    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError>;

    /// A project's keys, oldest first.
    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError>;

    /// Whether a key with this digest was ever added, in whatever state it is now.
    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError>;

    /// Adds a key; [`KeyChange::Unknown`] when there is no such project.
    async fn add_key(&self, project: ProjectId, key: NewKey) -> Result<KeyChange, StoreError>;

    /// Adds a key to the project of `old`, and lets `old` expire at `expires_at` unless it does so
    /// earlier. Both or neither.
    async fn rotate_key(
        &self,
        old: KeyId,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<KeyChange, StoreError>;

    /// Revokes a key from `now` on.
    async fn revoke_key(&self, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError>;

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

    /// The tokens of a contract after a position, largest sum first, those without donations
    /// included; `None` for a contract that is unknown or not the project's.
    async fn leaderboard(
        &self,
        project: ProjectId,
        contract: ChainAddress,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Option<Vec<LeaderboardEntry>>, StoreError>;

    /// A project's totals, of all time or of a range of days.
    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError>;

    /// What a project received on each day of a range on which it received anything.
    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError>;

    /// What each charity received through a project, largest first.
    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<16>>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId, 16>>, StoreError>;

    /// What a project received in each token, largest first.
    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<40>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token, 40>>, StoreError>;

    /// What went through each config for a project, largest first, deleted configs included.
    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config, 32>>, StoreError>;

    /// Records a batch in one transaction, in order, each record whole or not at all.
    ///
    /// The answer has one outcome for each record; with [`OnRejection::Stop`] it ends with the
    /// first rejection. A failure of the database leaves nothing of the batch.
    async fn record(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.record_marked(batch, on_rejection, None).await
    }

    /// The same, and where nothing of the batch is refused, the transaction also notes how far the
    /// import is with it.
    async fn record_marked(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        mark: Option<Mark>,
    ) -> Result<Vec<Outcome>, StoreError>;

    /// How much of a source is recorded by an import that did not come to its end.
    async fn import_extent(&self, source: String) -> Result<Option<Extent>, StoreError>;

    /// Forgets how much of a source is recorded, as its import is at its end.
    async fn forget_import(&self, source: String) -> Result<(), StoreError>;

    /// Recomputes every roll-up from the donations and tells which differ. Reads the whole log.
    async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError>;

    /// How its connections are used; `None` if they are no pool.
    fn pool(&self) -> Option<PoolUse> {
        None
    }

    /// Finishes what is queued and gives everything back to the system. Every later call answers
    /// [`StoreError::Unavailable`]. Blocks until it is done.
    fn close(&self);
}
