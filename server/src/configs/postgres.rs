//! Stores, lists and deletes configs in PostgreSQL. `creation` creates them on request.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio::try_join;
use tokio_postgres::Row;

use super::creation::postgres as creation;
use super::{Beneficiary, Config, ConfigId, ConfigLabels, LabelsChange, LabelsRefusal};
use crate::audit::AuditAction;
use crate::chains::ChainAddress;
use crate::configs::{ConfigStore, Creation, Encode, Requester};
use crate::contracts::postgres as partners;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::versions::Changed;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::versions::Versioned;
use crate::database::{StoreError, Writer};
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::idempotency::Idempotency;
use crate::projects::{ProjectId, postgres as projects};
use crate::rollups::key::RollupKey;
use crate::rollups::postgres as rollups;
use crate::webhooks::EventType;
use crate::webhooks::audience::postgres as webhooks;

#[async_trait]
impl ConfigStore for Postgres {
    async fn configs(
        &self,
        project: ProjectId,
        pair: Option<(String, String)>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Config>, StoreError> {
        self.query(move |db| page(db, project, pair, after, limit).boxed())
            .await
    }

    async fn config(
        &self,
        project: ProjectId,
        id: ConfigId,
    ) -> Result<Option<(Config, DonationStats)>, StoreError> {
        self.query(move |db| of_project(db, project, id).boxed())
            .await
    }

    async fn owns_config(&self, project: ProjectId, id: ConfigId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM config WHERE id = $1 AND project = $2";
        self.query(move |db| async move { query::exists(db, sql, &[&id, &project]).await }.boxed())
            .await
    }

    async fn create_config(
        &self,
        requester: Requester,
        config: Config,
        idempotency: Option<Idempotency>,
        quota: u32,
        encode: Encode,
    ) -> Result<Creation, StoreError> {
        let writer = requester.writer(config.project);
        let about = (requester, config, idempotency, quota, encode);
        self.write(writer, TimeoutClass::Request, about, |tx, about| {
            let (requester, config, idempotency, quota, encode) = about;
            let idempotency = idempotency.as_ref();
            creation::create(tx, *requester, config, idempotency, *quota, *encode).boxed()
        })
        .await
    }

    async fn change_labels(
        &self,
        project: ProjectId,
        id: ConfigId,
        change: LabelsChange,
    ) -> Result<Result<Config, LabelsRefusal>, StoreError> {
        let (writer, about) = (Writer::Project(project), (project, id, change));
        self.write(
            writer,
            TimeoutClass::Request,
            about,
            |tx, (project, id, change)| change_labels(tx, *project, *id, change).boxed(),
        )
        .await
    }

    async fn delete_config(
        &self,
        requester: Requester,
        project: ProjectId,
        id: ConfigId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let writer = requester.writer(project);
        let about = (requester, project, id, now);
        self.write(
            writer,
            TimeoutClass::Request,
            about,
            |tx, (requester, project, id, now)| delete(tx, *requester, *project, *id, *now).boxed(),
        )
        .await
    }
}

/// A page, in the order of the index.
pub(crate) const PAGE: &str =
    "SELECT id, project, name, metadata, created_at, deleted_at FROM config
    WHERE project = $1 AND deleted_at IS NULL AND (created_at, id) < ($2, $3)
      AND ($4::text IS NULL OR metadata::jsonb @> jsonb_build_object($4::text, $5::text))
    ORDER BY created_at DESC, id DESC LIMIT $6";

/// Configs by their ids, deleted or not.
#[derive(Debug)]
pub(crate) struct Configs(HashMap<ConfigId, Config>);

impl Configs {
    /// Loads the existing configs with some ids.
    pub(crate) async fn load(
        db: &impl GenericClient,
        ids: impl IntoIterator<Item = ConfigId>,
    ) -> Result<Configs, Failure> {
        let ids: Vec<_> = ids.into_iter().collect();
        let sql = "SELECT id, project, name, metadata, created_at, deleted_at FROM config WHERE id = ANY ($1)";
        let heads: Vec<_> = query::all(db, sql, &[&ids], read_head).await?;
        let configs = complete(db, heads).await?;
        let by_id = configs.into_iter().map(|config| (config.id, config));
        Ok(Configs(by_id.collect()))
    }

    /// Their ids, in no order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ConfigId> {
        self.0.keys().copied()
    }

    /// The configs, in no order.
    pub(crate) fn into_vec(self) -> Vec<Config> {
        self.0.into_values().collect()
    }

    /// The config with this id, if it was loaded and exists.
    pub(crate) fn find(&self, id: ConfigId) -> Option<&Config> {
        self.0.get(&id)
    }

    /// A config that a foreign key says is there.
    pub(crate) fn get(&self, id: ConfigId) -> Result<&Config, StoreError> {
        let missing = || StoreError::Corrupt(format!("config {id} is missing"));
        self.find(id).ok_or_else(missing)
    }
}

/// A project's configs after a position, latest first, deleted ones left out; those alone that have a pair
/// of metadata, if one is given.
pub(crate) async fn page(
    db: &impl GenericClient,
    project: ProjectId,
    pair: Option<(String, String)>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Config>, Failure> {
    let (created_at, id) = query::below(after);
    let ((key, text), limit) = (pair.unzip(), query::limit(limit));
    let params: query::Params<'_> = &[&project, &created_at, &id, &key, &text, &limit];
    let heads = query::all(db, PAGE, params, read_head).await?;
    complete(db, heads).await
}

/// One of a project's configs that is not deleted, with the sums of its donations.
pub(crate) async fn of_project(
    db: &impl GenericClient,
    project: ProjectId,
    id: ConfigId,
) -> Result<Option<(Config, DonationStats)>, Failure> {
    let sql = "SELECT id, project, name, metadata, created_at, deleted_at FROM config
               WHERE id = $1 AND project = $2 AND deleted_at IS NULL";
    let Some(head) = query::first(db, sql, &[&id, &project], read_head).await? else {
        return Ok(None);
    };
    // All donations through a config count for its project.
    let key = RollupKey::config(project, id);
    let (configs, stats) = try_join!(complete(db, vec![head]), rollups::stats(db, &key))?;
    Ok(configs.into_iter().next().map(|config| (config, stats)))
}

/// Changes the labels of one of a project's configs, of which no other change is made meanwhile.
async fn change_labels(
    tx: &Transaction<'_>,
    project: ProjectId,
    id: ConfigId,
    change: &LabelsChange,
) -> Result<Result<Config, LabelsRefusal>, Failure> {
    let sql = "SELECT 1 FROM config WHERE id = $1 AND project = $2 FOR NO KEY UPDATE";
    query::first(tx, sql, &[&id, &project], |_| Ok(())).await?;
    let configs = Configs::load(tx, [id]).await?;
    let config = configs.find(id).filter(|it| it.is_shown_to(project));
    let Some(config) = config else {
        return Ok(Err(LabelsRefusal::UnknownConfig));
    };
    let labels = match change.apply(&config.labels) {
        Ok(labels) => labels,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE config SET name = $2, metadata = $3 WHERE id = $1";
    query::execute(tx, sql, &[&id, &labels.name, &labels.metadata]).await?;
    Ok(Ok(Config {
        labels,
        ..config.clone()
    }))
}

/// Hides one of a project's configs from it; false when there is none to hide.
pub(crate) async fn delete(
    tx: &Transaction<'_>,
    requester: Requester,
    project: ProjectId,
    id: ConfigId,
    now: Timestamp,
) -> Result<bool, Failure> {
    if let Requester::Actor(actor) = requester
        && projects::lock_managed(tx, actor, project).await?.is_none()
    {
        return Ok(false);
    }
    // This waits for a batch that assigns this config to a partner token, see `prevent_deletion`,
    // and for no other records.
    let sql = "UPDATE config SET deleted_at = $3
               WHERE id = $1 AND project = $2 AND deleted_at IS NULL";
    let deleted = query::execute(tx, sql, &[&id, &project, &Millis(now)]).await? > 0;
    if deleted && partners::refer_to(tx, id).await? {
        Changed::one(Versioned::Catalogue).count(tx).await?;
    }
    if deleted {
        webhooks::tell_of_config(tx, EventType::ConfigDeleted, (project, id), now).await?;
    }
    if deleted && let Requester::Actor(actor) = requester {
        let action = AuditAction::ConfigDeleted(id.to_string());
        projects::record_event(tx, actor, project, action, now).await?;
    }
    Ok(deleted)
}

/// Keeps these configs from being deleted until the transaction ends. The partner tokens that show them
/// then count as a change of the catalogue, so that a later deletion sees that they are shown.
pub(crate) async fn prevent_deletion(
    tx: &Transaction<'_>,
    ids: &[ConfigId],
) -> Result<(), Failure> {
    let sql = "SELECT 1 FROM config WHERE id = ANY ($1) ORDER BY id FOR SHARE";
    query::all::<_, Vec<_>>(tx, sql, &[&ids], |_| Ok(())).await?;
    Ok(())
}

/// Inserts a config whose project, charities and chains are known.
pub(crate) async fn insert(tx: &Transaction<'_>, config: &Config) -> Result<(), Failure> {
    let head = "INSERT INTO config (id, project, name, metadata, created_at, deleted_at)
                VALUES ($1, $2, $3, $4, $5, $6)";
    let ConfigLabels { name, metadata } = &config.labels;
    let created_at = Millis(config.created_at);
    let deleted_at = config.deleted_at.map(Millis);
    let params: query::Params<'_> = &[
        &config.id,
        &config.project,
        name,
        metadata,
        &created_at,
        &deleted_at,
    ];
    query::execute(tx, head, params).await?;
    for (place, Beneficiary { charity, weight }) in (0_i64..).zip(&config.beneficiaries) {
        let sql = "INSERT INTO config_charity (config, place, charity, weight)
                   VALUES ($1, $2, $3, $4)";
        query::execute(tx, sql, &[&config.id, &place, charity, weight]).await?;
    }
    for (place, user) in (0_i64..).zip(&config.users) {
        let sql = "INSERT INTO config_user (config, place, chain, address) VALUES ($1, $2, $3, $4)";
        let address = user.address.as_str();
        query::execute(tx, sql, &[&config.id, &place, &user.chain, &address]).await?;
    }
    Ok(())
}

/// The config without its beneficiaries and users.
fn read_head(row: &Row) -> Result<Config, Failure> {
    Ok(Config {
        id: row.try_get("id")?,
        project: row.try_get("project")?,
        beneficiaries: Vec::new(),
        labels: ConfigLabels {
            name: row.try_get("name")?,
            metadata: row.try_get("metadata")?,
        },
        users: Vec::new(),
        created_at: column::time(row, "created_at")?,
        deleted_at: column::time_if_any(row, "deleted_at")?,
    })
}

/// Adds the beneficiaries and users to configs, in the same order.
async fn complete(db: &impl GenericClient, heads: Vec<Config>) -> Result<Vec<Config>, Failure> {
    let ids: Vec<_> = heads.iter().map(|head| head.id).collect();
    let beneficiaries = "SELECT config, charity, weight FROM config_charity
                         WHERE config = ANY ($1) ORDER BY config, place";
    let users = "SELECT config_user.config, config_user.chain, chain.kind, config_user.address
                 FROM config_user JOIN chain ON chain.id = config_user.chain
                 WHERE config_user.config = ANY ($1) ORDER BY config_user.config, config_user.place";
    let params: query::Params<'_> = &[&ids];
    let (beneficiaries, users): (Vec<_>, Vec<_>) = try_join!(
        query::all(db, beneficiaries, params, read_beneficiary),
        query::all(db, users, params, read_user),
    )?;
    let (mut beneficiaries, mut users) = (grouped(beneficiaries), grouped(users));
    let complete = |head: Config| Config {
        beneficiaries: beneficiaries.remove(&head.id).unwrap_or_default(),
        users: users.remove(&head.id).unwrap_or_default(),
        ..head
    };
    Ok(heads.into_iter().map(complete).collect())
}

fn read_beneficiary(row: &Row) -> Result<(ConfigId, Beneficiary), Failure> {
    let beneficiary = Beneficiary {
        charity: row.try_get("charity")?,
        weight: row.try_get("weight")?,
    };
    Ok((row.try_get("config")?, beneficiary))
}

fn read_user(row: &Row) -> Result<(ConfigId, ChainAddress), Failure> {
    Ok((row.try_get("config")?, column::chain_address(row)?))
}

fn grouped<T>(rows: Vec<(ConfigId, T)>) -> HashMap<ConfigId, Vec<T>> {
    let mut groups: HashMap<_, Vec<T>> = HashMap::new();
    for (config, row) in rows {
        groups.entry(config).or_default().push(row);
    }
    groups
}
