//! The store's questions, answered on the threads of SQLite.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{Sqlite, versions};
use crate::analytics::series::DayTotal;
use crate::analytics::{ProjectTotals, Ranked, sqlite as analytics};
use crate::campaigns::{CampaignId, sqlite as campaigns};
use crate::catalogue::{Catalogue, sqlite as catalogue};
use crate::chains::{Chain, ChainAddress, sqlite as chains};
use crate::charities::CharityId;
use crate::configs::creation::sqlite as creation;
use crate::configs::{Config, ConfigId, Creation, Encode, Idempotency, sqlite as configs};
use crate::contracts::LeaderboardEntry;
use crate::contracts::leaderboard::sqlite as leaderboard;
use crate::database::{Database, StoreError, Versions};
use crate::domain::amount::UsdE6;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::import::progress::sqlite as progress;
use crate::import::{Extent, Mark, OnRejection, Outcome, Record, sqlite as records};
use crate::keys::{KeyChange, KeyDigest, KeyId, KeyRecord, NewKey, sqlite as keys};
use crate::projects::{Project, ProjectId, Tier, sqlite as projects};
use crate::rollups::Drift;
use crate::rollups::verification::sqlite as verification;
use crate::tokens::Token;

#[async_trait]
impl Database for Sqlite {
    async fn versions(&self) -> Result<Versions, StoreError> {
        let file = Arc::clone(&self.file);
        self.read(move |db| {
            file.require_in_place()?;
            versions::current(db)
        })
        .await
    }

    async fn catalogue(&self) -> Result<Catalogue, StoreError> {
        self.read(catalogue::load).await
    }

    async fn raised(&self) -> Result<HashMap<CampaignId, UsdE6>, StoreError> {
        self.read(|db| Ok(campaigns::raised(db)?)).await
    }

    async fn chains(&self) -> Result<Vec<Chain>, StoreError> {
        self.read(|db| Ok(chains::all(db)?)).await
    }

    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.read(|db| Ok(projects::all(db)?)).await
    }

    async fn set_tier(&self, project: ProjectId, tier: Tier) -> Result<bool, StoreError> {
        self.write(move |tx| projects::set_tier(tx, project, tier))
            .await
    }

    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(|db| Ok(keys::all(db)?)).await
    }

    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(move |db| Ok(keys::of_project(db, project)?))
            .await
    }

    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError> {
        self.read(move |db| Ok(keys::exists(db, digest)?)).await
    }

    async fn add_key(&self, project: ProjectId, key: NewKey) -> Result<KeyChange, StoreError> {
        self.write(move |tx| keys::add(tx, project, &key)).await
    }

    async fn rotate_key(
        &self,
        old: KeyId,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<KeyChange, StoreError> {
        self.write(move |tx| keys::rotate(tx, old, &new, expires_at))
            .await
    }

    async fn revoke_key(&self, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError> {
        self.write(move |tx| keys::revoke(tx, key, now)).await
    }

    async fn configs(
        &self,
        project: ProjectId,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Config>, StoreError> {
        self.read(move |db| configs::page(db, project, after, limit))
            .await
    }

    async fn config(
        &self,
        project: ProjectId,
        id: ConfigId,
    ) -> Result<Option<(Config, DonationStats)>, StoreError> {
        self.read(move |db| configs::of_project(db, project, id))
            .await
    }

    async fn create_config(
        &self,
        config: Config,
        idempotency: Option<Idempotency>,
        encode: Encode,
    ) -> Result<Creation, StoreError> {
        self.write(move |tx| creation::create(tx, &config, idempotency.as_ref(), encode))
            .await
    }

    async fn delete_config(
        &self,
        project: ProjectId,
        id: ConfigId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(move |tx| configs::delete(tx, project, id, now))
            .await
    }

    async fn leaderboard(
        &self,
        project: ProjectId,
        contract: ChainAddress,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Option<Vec<LeaderboardEntry>>, StoreError> {
        self.read(move |db| leaderboard::page(db, project, &contract, after, limit))
            .await
    }

    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError> {
        self.read(move |db| analytics::totals(db, project, range))
            .await
    }

    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError> {
        self.read(move |db| Ok(analytics::days(db, project, range)?))
            .await
    }

    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<16>>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId, 16>>, StoreError> {
        self.read(move |db| analytics::charities(db, project, range, after, limit))
            .await
    }

    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<40>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token, 40>>, StoreError> {
        self.read(move |db| analytics::tokens(db, project, range, after, limit))
            .await
    }

    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config, 32>>, StoreError> {
        self.read(move |db| analytics::configs(db, project, range, after, limit))
            .await
    }

    async fn record_marked(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        mark: Option<Mark>,
    ) -> Result<Vec<Outcome>, StoreError> {
        self.write(move |tx| records::record_all(tx, &batch, on_rejection, mark.as_ref()))
            .await
    }

    async fn import_extent(&self, source: String) -> Result<Option<Extent>, StoreError> {
        self.read(move |db| Ok(progress::find(db, &source)?)).await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(move |tx| Ok(progress::forget(tx, &source)?))
            .await
    }

    async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError> {
        self.read(verification::drifts).await
    }

    fn close(&self) {
        self.readers.stop();
        // The last connection to close empties the write-ahead log.
        self.writer.stop();
    }
}
