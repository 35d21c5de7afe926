//! The store's questions, answered by PostgreSQL.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use async_trait::async_trait;
use futures_util::FutureExt;
use jiff::Timestamp;

use super::{Patience, Postgres, versions};
use crate::analytics::series::DayTotal;
use crate::analytics::{ProjectTotals, Ranked, postgres as analytics};
use crate::campaigns::{CampaignId, postgres as campaigns};
use crate::catalogue::{Catalogue, postgres as catalogue};
use crate::chains::{Chain, ChainAddress, postgres as chains};
use crate::charities::CharityId;
use crate::configs::creation::postgres as creation;
use crate::configs::{Config, ConfigId, Creation, Encode, Idempotency, postgres as configs};
use crate::contracts::LeaderboardEntry;
use crate::contracts::leaderboard::postgres as leaderboard;
use crate::database::{Database, PoolUse, StoreError, Versions};
use crate::domain::amount::UsdE6;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::import::progress::postgres as progress;
use crate::import::{Extent, Mark, OnRejection, Outcome, Record, postgres as records};
use crate::keys::{KeyChange, KeyDigest, KeyId, KeyRecord, NewKey, postgres as keys};
use crate::projects::{Project, ProjectId, Tier, postgres as projects};
use crate::rollups::Drift;
use crate::rollups::verification::postgres as verification;
use crate::tokens::Token;

#[async_trait]
impl Database for Postgres {
    async fn versions(&self) -> Result<Versions, StoreError> {
        self.ask((), |db, ()| versions::current(db).boxed()).await
    }

    async fn catalogue(&self) -> Result<Catalogue, StoreError> {
        self.read(Patience::Bulk, (), |tx, ()| catalogue::load(tx).boxed())
            .await
    }

    async fn raised(&self) -> Result<HashMap<CampaignId, UsdE6>, StoreError> {
        self.ask((), |db, ()| campaigns::raised(db).boxed()).await
    }

    async fn chains(&self) -> Result<Vec<Chain>, StoreError> {
        self.ask((), |db, ()| chains::all(db).boxed()).await
    }

    async fn projects(&self) -> Result<Vec<Project>, StoreError> {
        self.ask((), |db, ()| projects::all(db).boxed()).await
    }

    async fn set_tier(&self, project: ProjectId, tier: Tier) -> Result<bool, StoreError> {
        self.write(Patience::Request, (project, tier), |tx, (project, tier)| {
            projects::set_tier(tx, *project, *tier).boxed()
        })
        .await
    }

    async fn all_keys(&self) -> Result<Vec<KeyRecord>, StoreError> {
        self.read(Patience::Bulk, (), |tx, ()| keys::all(tx).boxed())
            .await
    }

    async fn keys_of(&self, project: ProjectId) -> Result<Vec<KeyRecord>, StoreError> {
        self.ask(project, |db, project| {
            keys::of_project(db, *project).boxed()
        })
        .await
    }

    async fn knows_key(&self, digest: KeyDigest) -> Result<bool, StoreError> {
        self.ask(digest, |db, digest| keys::exists(db, *digest).boxed())
            .await
    }

    async fn add_key(&self, project: ProjectId, key: NewKey) -> Result<KeyChange, StoreError> {
        self.write(Patience::Request, (project, key), |tx, (project, key)| {
            keys::add(tx, *project, key).boxed()
        })
        .await
    }

    async fn rotate_key(
        &self,
        old: KeyId,
        new: NewKey,
        expires_at: Timestamp,
    ) -> Result<KeyChange, StoreError> {
        let about = (old, new, expires_at);
        self.write(Patience::Request, about, |tx, (old, new, expires_at)| {
            keys::rotate(tx, *old, new, *expires_at).boxed()
        })
        .await
    }

    async fn revoke_key(&self, key: KeyId, now: Timestamp) -> Result<KeyChange, StoreError> {
        self.write(Patience::Request, (key, now), |tx, (key, now)| {
            keys::revoke(tx, *key, *now).boxed()
        })
        .await
    }

    async fn configs(
        &self,
        project: ProjectId,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Config>, StoreError> {
        self.ask((project, after, limit), |db, (project, after, limit)| {
            configs::page(db, *project, *after, *limit).boxed()
        })
        .await
    }

    async fn config(
        &self,
        project: ProjectId,
        id: ConfigId,
    ) -> Result<Option<(Config, DonationStats)>, StoreError> {
        self.ask((project, id), |db, (project, id)| {
            configs::of_project(db, *project, *id).boxed()
        })
        .await
    }

    async fn create_config(
        &self,
        config: Config,
        idempotency: Option<Idempotency>,
        encode: Encode,
    ) -> Result<Creation, StoreError> {
        let about = (config, idempotency, encode);
        self.write(Patience::Request, about, |tx, about| {
            let (config, idempotency, encode) = about;
            creation::create(tx, config, idempotency.as_ref(), *encode).boxed()
        })
        .await
    }

    async fn delete_config(
        &self,
        project: ProjectId,
        id: ConfigId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let about = (project, id, now);
        self.write(Patience::Request, about, |tx, (project, id, now)| {
            configs::delete(tx, *project, *id, *now).boxed()
        })
        .await
    }

    async fn leaderboard(
        &self,
        project: ProjectId,
        contract: ChainAddress,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Option<Vec<LeaderboardEntry>>, StoreError> {
        self.ask((project, contract, after, limit), |db, about| {
            let (project, contract, after, limit) = about;
            leaderboard::page(db, *project, contract, *after, *limit).boxed()
        })
        .await
    }

    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError> {
        self.read(Patience::Request, (project, range), |tx, about| {
            let (project, range) = about;
            analytics::totals(tx, *project, *range).boxed()
        })
        .await
    }

    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError> {
        self.ask((project, range), |db, (project, range)| {
            analytics::days(db, *project, *range).boxed()
        })
        .await
    }

    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<16>>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId, 16>>, StoreError> {
        self.ask((project, range, after, limit), |db, about| {
            let (project, range, after, limit) = about;
            analytics::charities(db, *project, *range, *after, *limit).boxed()
        })
        .await
    }

    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<40>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token, 40>>, StoreError> {
        self.ask((project, range, after, limit), |db, about| {
            let (project, range, after, limit) = about;
            analytics::tokens(db, *project, *range, *after, *limit).boxed()
        })
        .await
    }

    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position<32>>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config, 32>>, StoreError> {
        self.ask((project, range, after, limit), |db, about| {
            let (project, range, after, limit) = about;
            analytics::configs(db, *project, *range, *after, *limit).boxed()
        })
        .await
    }

    async fn record_marked(
        &self,
        batch: Vec<Record>,
        on_rejection: OnRejection,
        mark: Option<Mark>,
    ) -> Result<Vec<Outcome>, StoreError> {
        let about = (batch, on_rejection, mark);
        self.write(Patience::Bulk, about, |tx, (batch, on_rejection, mark)| {
            records::record_all(tx, batch, *on_rejection, mark.as_ref()).boxed()
        })
        .await
    }

    async fn import_extent(&self, source: String) -> Result<Option<Extent>, StoreError> {
        self.ask(source, |db, source| progress::find(db, source).boxed())
            .await
    }

    async fn forget_import(&self, source: String) -> Result<(), StoreError> {
        self.write(Patience::Request, source, |tx, source| {
            progress::forget(tx, source).boxed()
        })
        .await
    }

    async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError> {
        self.read(Patience::Endless, (), |tx, ()| {
            verification::drifts(tx).boxed()
        })
        .await
    }

    fn pool(&self) -> Option<PoolUse> {
        let status = self.pool.status();
        Some(PoolUse {
            most: status.max_size,
            open: status.size,
            idle: status.available,
            waiting: status.waiting,
            timeouts: self.timeouts.load(Ordering::Relaxed),
        })
    }

    fn close(&self) {
        self.pool.close();
    }
}
