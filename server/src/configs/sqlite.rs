//! Stores, lists and deletes configs in SQLite. `creation` creates them on request.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::creation::sqlite as creation;
use super::{Beneficiary, Config, ConfigId, ConfigLabels, LabelsChange, LabelsRefusal};
use crate::audit::AuditAction;
use crate::configs::{ConfigStore, Creation, Encode, Requester};
use crate::contracts::sqlite as partners;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{Sqlite, query, versions};
use crate::database::versions::Versioned;
use crate::database::{StoreError, Writer};
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::idempotency::Idempotency;
use crate::projects::{ProjectId, sqlite as projects};
use crate::rollups::key::RollupKey;
use crate::rollups::sqlite as rollups;
use crate::webhooks::EventType;
use crate::webhooks::audience::sqlite as webhooks;

#[async_trait]
impl ConfigStore for Sqlite {
    async fn configs(
        &self,
        project: ProjectId,
        pair: Option<(String, String)>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Config>, StoreError> {
        self.read(move |db| page(db, project, pair, after, limit))
            .await
    }

    async fn config(
        &self,
        project: ProjectId,
        id: ConfigId,
    ) -> Result<Option<(Config, DonationStats)>, StoreError> {
        self.read(move |db| of_project(db, project, id)).await
    }

    async fn owns_config(&self, project: ProjectId, id: ConfigId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM config WHERE id = ?1 AND project = ?2";
        self.read(move |db| Ok(query::exists(db, sql, (id, project))?))
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
        self.write(writer, move |tx| {
            creation::create(tx, requester, &config, idempotency.as_ref(), quota, encode)
        })
        .await
    }

    async fn change_labels(
        &self,
        project: ProjectId,
        id: ConfigId,
        change: LabelsChange,
    ) -> Result<Result<Config, LabelsRefusal>, StoreError> {
        self.write(Writer::Project(project), move |tx| {
            change_labels(tx, project, id, &change)
        })
        .await
    }

    async fn delete_config(
        &self,
        requester: Requester,
        project: ProjectId,
        id: ConfigId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.write(requester.writer(project), move |tx| {
            delete(tx, requester, project, id, now)
        })
        .await
    }
}

/// A page, in the order of the index.
const PAGE: &str = "SELECT id, project, name, metadata, created_at, deleted_at FROM config
                    WHERE project = ?1 AND deleted_at IS NULL AND (created_at, id) < (?2, ?3)
                      AND (?4 IS NULL OR EXISTS (
                        SELECT 1 FROM json_each(config.metadata) AS pair
                        WHERE pair.key = ?4 AND pair.value = ?5
                      ))
                    ORDER BY created_at DESC, id DESC LIMIT ?6";

/// A project's configs after a position, latest first, deleted ones left out; those alone that have a pair
/// of metadata, if one is given.
pub(crate) fn page(
    db: &Connection,
    project: ProjectId,
    pair: Option<(String, String)>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Config>, StoreError> {
    let (created_at, id) = query::below(after);
    let (key, text) = pair.unzip();
    let params = (project, created_at, id, key, text, limit);
    let heads = query::all(db, PAGE, params, read_head)?;
    heads.into_iter().map(|head| complete(db, head)).collect()
}

/// One of a project's configs that is not deleted, with the sums of its donations.
pub(crate) fn of_project(
    db: &Connection,
    project: ProjectId,
    id: ConfigId,
) -> Result<Option<(Config, DonationStats)>, StoreError> {
    let sql = "SELECT id, project, name, metadata, created_at, deleted_at FROM config
               WHERE id = ?1 AND project = ?2 AND deleted_at IS NULL";
    let Some(head) = query::first(db, sql, (id, project), read_head)? else {
        return Ok(None);
    };
    // All donations through a config count for its project.
    let stats = rollups::stats(db, &RollupKey::config(project, id))?;
    Ok(Some((complete(db, head)?, stats)))
}

/// Changes the labels of one of a project's configs.
fn change_labels(
    db: &Connection,
    project: ProjectId,
    id: ConfigId,
    change: &LabelsChange,
) -> Result<Result<Config, LabelsRefusal>, StoreError> {
    let config = find(db, id)?.filter(|it| it.is_shown_to(project));
    let Some(config) = config else {
        return Ok(Err(LabelsRefusal::UnknownConfig));
    };
    let labels = match change.apply(&config.labels) {
        Ok(labels) => labels,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let sql = "UPDATE config SET name = ?2, metadata = ?3 WHERE id = ?1";
    query::execute(db, sql, (id, &labels.name, &labels.metadata))?;
    Ok(Ok(Config { labels, ..config }))
}

/// Hides one of a project's configs from it; false when there is none to hide.
pub(crate) fn delete(
    db: &Connection,
    requester: Requester,
    project: ProjectId,
    id: ConfigId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if !may_change(db, requester, project)? {
        return Ok(false);
    }
    let sql = "UPDATE config SET deleted_at = ?3
               WHERE id = ?1 AND project = ?2 AND deleted_at IS NULL";
    let deleted = query::execute(db, sql, (id, project, Millis(now)))? > 0;
    if deleted && partners::refer_to(db, id)? {
        versions::advance(db, Versioned::Catalogue)?;
    }
    if deleted {
        webhooks::tell_of_config(db, EventType::ConfigDeleted, (project, id), now)?;
    }
    if deleted && let Requester::Actor(actor) = requester {
        let action = AuditAction::ConfigDeleted(id.to_string());
        projects::record_event(db, actor, project, action, now)?;
    }
    Ok(deleted)
}

/// Whether a requester may change the configs of a project.
pub(crate) fn may_change(
    db: &Connection,
    requester: Requester,
    project: ProjectId,
) -> rusqlite::Result<bool> {
    match requester {
        Requester::Key => Ok(true),
        Requester::Actor(actor) => Ok(projects::managed(db, actor, project)?.is_some()),
    }
}

/// A config by its id, deleted or not.
pub(crate) fn find(db: &Connection, id: ConfigId) -> Result<Option<Config>, StoreError> {
    let sql =
        "SELECT id, project, name, metadata, created_at, deleted_at FROM config WHERE id = ?1";
    query::first(db, sql, [id], read_head)?
        .map(|head| complete(db, head))
        .transpose()
}

/// A config that a foreign key says is there.
pub(crate) fn get(db: &Connection, id: ConfigId) -> Result<Config, StoreError> {
    find(db, id)?.ok_or_else(|| StoreError::Corrupt(format!("config {id} is missing")))
}

/// Inserts a config whose project, charities and chains are known.
pub(crate) fn insert(db: &Connection, config: &Config) -> Result<(), StoreError> {
    query::execute(
        db,
        "INSERT INTO config (id, project, name, metadata, created_at, deleted_at)
         VALUES (:id, :project, :name, :metadata, :created_at, :deleted_at)",
        named_params! {
            ":id": config.id,
            ":project": config.project,
            ":name": config.labels.name,
            ":metadata": config.labels.metadata,
            ":created_at": Millis(config.created_at),
            ":deleted_at": config.deleted_at.map(Millis),
        },
    )?;
    for (place, Beneficiary { charity, weight }) in config.beneficiaries.iter().enumerate() {
        let sql = "INSERT INTO config_charity (config, place, charity, weight)
                   VALUES (?1, ?2, ?3, ?4)";
        query::execute(db, sql, (config.id, place, charity, weight))?;
    }
    for (place, user) in config.users.iter().enumerate() {
        let sql = "INSERT INTO config_user (config, place, chain, address) VALUES (?1, ?2, ?3, ?4)";
        query::execute(
            db,
            sql,
            (config.id, place, user.chain, user.address.as_str()),
        )?;
    }
    Ok(())
}

/// The config without its beneficiaries and users.
fn read_head(row: &Row<'_>) -> rusqlite::Result<Config> {
    Ok(Config {
        id: row.get("id")?,
        project: row.get("project")?,
        beneficiaries: Vec::new(),
        labels: ConfigLabels {
            name: row.get("name")?,
            metadata: row.get("metadata")?,
        },
        users: Vec::new(),
        created_at: column::time(row, "created_at")?,
        deleted_at: column::time_if_any(row, "deleted_at")?,
    })
}

fn complete(db: &Connection, head: Config) -> Result<Config, StoreError> {
    let beneficiaries = query::all(
        db,
        "SELECT charity, weight FROM config_charity WHERE config = ?1 ORDER BY place",
        [head.id],
        |row| {
            Ok(Beneficiary {
                charity: row.get("charity")?,
                weight: row.get("weight")?,
            })
        },
    )?;
    let users = query::all(
        db,
        "SELECT chain, kind, address FROM config_user JOIN chain ON chain.id = chain
         WHERE config = ?1 ORDER BY place",
        [head.id],
        column::chain_address,
    )?;
    Ok(Config {
        beneficiaries,
        users,
        ..head
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            PAGE,
            ([0; 16], 0, [0; 32], "", "", 0),
            "INDEX config_of_project (project=? AND (created_at,id)<(?,?))",
        );
    }
}
