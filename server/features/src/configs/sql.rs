//! Stores, lists and deletes configs. `creation` creates them on request.

use std::collections::{BTreeSet, HashMap};

use db::{Batch, DbError, PerEngine, Row, Tx, params};
use jiff::Timestamp;

use super::{
    Beneficiary, Config, ConfigError, ConfigLabels, ConfigRejection, LabelsUpdate, events,
};
use crate::audit::{AuditAction, sql as audit};
use crate::chains::ChainAddress;
use crate::database::Versioned;
use crate::domain::config_id::ConfigId;
use crate::domain::entity_tag::IfMatch;
use crate::domain::position::Position;
use crate::events::EventType;
use crate::projects::{ProjectId, Requester, sql as projects};

/// A page, in the order of the index.
pub const PAGE: PerEngine<'_> = PerEngine {
    // The engines read JSON with functions of their own.
    sqlite: "SELECT id, project, name, metadata, created_at, deleted_at FROM config
             WHERE project = $1 AND deleted_at IS NULL AND (created_at, id) < ($2, $3)
               AND ($4 IS NULL OR EXISTS (
                 SELECT 1 FROM json_each(config.metadata) AS pair
                 WHERE pair.key = $4 AND pair.value = $5
               ))
             ORDER BY created_at DESC, id DESC LIMIT $6",
    postgres: "SELECT id, project, name, metadata, created_at, deleted_at FROM config
               WHERE project = $1 AND deleted_at IS NULL AND (created_at, id) < ($2, $3)
                 AND ($4::text IS NULL OR metadata::jsonb @> jsonb_build_object($4::text, $5::text))
               ORDER BY created_at DESC, id DESC LIMIT $6",
};

/// Configs by their ids, deleted or not.
#[derive(Debug)]
pub(crate) struct Configs(HashMap<ConfigId, Config>);

impl Configs {
    /// Loads the existing configs with some ids.
    pub(crate) fn load(
        tx: &Tx<'_>,
        ids: impl IntoIterator<Item = ConfigId>,
    ) -> Result<Configs, DbError> {
        let sql =
            "SELECT config.id, config.project, config.name, config.metadata, config.created_at,
                     config.deleted_at
                   FROM batch(id bytea) JOIN config ON config.id = batch.id";
        let ids: BTreeSet<_> = ids.into_iter().collect();
        let heads = tx.all_of_batch(sql, &Batch::of_column(ids), &[], read_head)?;
        let configs = complete(tx, heads)?;
        let by_id = configs.into_iter().map(|config| (config.id, config));
        Ok(Configs(by_id.collect()))
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
    pub(crate) fn get(&self, id: ConfigId) -> Result<&Config, DbError> {
        let missing = || DbError::Corrupt(format!("config {id} is missing"));
        self.find(id).ok_or_else(missing)
    }
}

/// A project's configs after a position, latest first, deleted ones left out; those alone that have a pair
/// of metadata, if one is given.
pub(crate) fn page(
    tx: &Tx<'_>,
    project: ProjectId,
    pair: Option<(String, String)>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Config>, DbError> {
    let (created_at, id) = Position::below(after);
    let ((key, text), limit) = (pair.unzip(), limit);
    let params = params![project, created_at, id, key, text, limit];
    let heads = tx.all(tx.choose(PAGE), params, read_head)?;
    complete(tx, heads)
}

/// One of a project's configs that is not deleted.
pub(crate) fn of_project(
    tx: &Tx<'_>,
    project: ProjectId,
    id: ConfigId,
) -> Result<Option<Config>, DbError> {
    let sql = "SELECT id, project, name, metadata, created_at, deleted_at FROM config
               WHERE id = $1 AND project = $2 AND deleted_at IS NULL";
    let Some(head) = tx.first(sql, params![id, project], read_head)? else {
        return Ok(None);
    };
    Ok(complete(tx, vec![head])?.pop())
}

/// Updates the labels of one of a project's configs, which is locked meanwhile.
pub(crate) fn update_labels(
    tx: &Tx<'_>,
    project: ProjectId,
    id: ConfigId,
    change: &LabelsUpdate,
) -> Result<Config, ConfigError> {
    let Some(config) = lock(tx, project, id)? else {
        return Err(ConfigRejection::UnknownConfig.into());
    };
    let labels = change.apply(&config.labels)?;
    let sql = "UPDATE config SET name = $2, metadata = $3 WHERE id = $1";
    tx.execute(sql, params![id, labels.name, labels.metadata])?;
    Ok(Config { labels, ..config })
}

/// Locks one of a project's configs that is not deleted.
fn lock(tx: &Tx<'_>, project: ProjectId, id: ConfigId) -> Result<Option<Config>, DbError> {
    let sql = "SELECT 1 FROM config WHERE id = $1 AND project = $2 FOR NO KEY UPDATE";
    tx.first(sql, params![id, project], |_| Ok(()))?;
    of_project(tx, project, id)
}

/// Hides one of a project's configs from it; false when there is none to hide.
pub(crate) fn delete(
    tx: &Tx<'_>,
    requester: Requester,
    project: ProjectId,
    id: ConfigId,
    if_match: Option<&IfMatch>,
    now: Timestamp,
) -> Result<bool, ConfigError> {
    if let Requester::Actor(actor) = requester
        && projects::lock_managed(tx, actor, project)?.is_none()
    {
        return Ok(false);
    }
    if let Some(tags) = if_match {
        let Some(config) = lock(tx, project, id)? else {
            return Ok(false);
        };
        if !tags.holds(&config.labels.tag()) {
            return Err(ConfigRejection::OtherTag.into());
        }
    }
    // This waits for a batch that assigns this config to a partner token, see `prevent_deletion`,
    // and for no other records.
    let sql = "UPDATE config SET deleted_at = $3
               WHERE id = $1 AND project = $2 AND deleted_at IS NULL";
    let deleted = tx.execute(sql, params![id, project, now])? > 0;
    if deleted && partner_tokens_refer_to(tx, id)? {
        Versioned::Tokens.any_changed(tx);
    }
    if deleted {
        events::enqueue(tx, EventType::ConfigDeleted, (project, id), now)?;
        let action = AuditAction::ConfigDeleted(id.to_string());
        audit::record_event(tx, requester, project, action, now)?;
    }
    Ok(deleted)
}

/// Whether partner tokens refer to a config, so that the catalogue shows it.
fn partner_tokens_refer_to(tx: &Tx<'_>, config: ConfigId) -> Result<bool, DbError> {
    let sql = "SELECT 1 WHERE EXISTS (SELECT 1 FROM partner_token WHERE active_config = $1)
                           OR EXISTS (SELECT 1 FROM previous_config WHERE config = $1)";
    tx.exists(sql, params![config])
}

/// Keeps these configs from being deleted until the transaction ends. The partner tokens that show them
/// then count as a change of the catalogue, so that a later deletion sees that they are shown.
pub(crate) fn prevent_deletion(tx: &Tx<'_>, ids: &[ConfigId]) -> Result<(), DbError> {
    let sql = "SELECT config.id FROM batch(id bytea) JOIN config ON config.id = batch.id
               ORDER BY config.id FOR SHARE OF config";
    let ids = Batch::of_column(ids);
    let _: Vec<()> = tx.all_of_batch(sql, &ids, &[], |_| Ok(()))?;
    Ok(())
}

/// Inserts a config whose project, charities and chains are known.
pub(crate) fn insert(tx: &Tx<'_>, config: &Config) -> Result<(), DbError> {
    let head = "INSERT INTO config (id, project, name, metadata, created_at, deleted_at)
                VALUES ($1, $2, $3, $4, $5, $6)";
    let ConfigLabels { name, metadata } = &config.labels;
    let created_at = config.created_at;
    let deleted_at = config.deleted_at;
    let params = params![
        config.id,
        config.project,
        name,
        metadata,
        created_at,
        deleted_at
    ];
    tx.execute(head, params)?;
    for (place, Beneficiary { charity, weight }) in (0_i64..).zip(&config.beneficiaries) {
        let sql = "INSERT INTO config_charity (config, place, charity, weight)
                   VALUES ($1, $2, $3, $4)";
        tx.execute(sql, params![config.id, place, charity, weight])?;
    }
    for (place, user) in (0_i64..).zip(&config.users) {
        let sql = "INSERT INTO config_user (config, place, chain, address) VALUES ($1, $2, $3, $4)";
        let address = user.address.as_str();
        tx.execute(sql, params![config.id, place, user.chain, address])?;
    }
    Ok(())
}

/// The config without its beneficiaries and users.
fn read_head(row: &Row<'_>) -> Result<Config, DbError> {
    Ok(Config {
        id: row.get("id")?,
        project: row.get("project")?,
        beneficiaries: Vec::new(),
        labels: ConfigLabels {
            name: row.get("name")?,
            metadata: row.get("metadata")?,
        },
        users: Vec::new(),
        created_at: row.get("created_at")?,
        deleted_at: row.get("deleted_at")?,
    })
}

/// Adds the beneficiaries and users to configs, in the same order.
fn complete(tx: &Tx<'_>, heads: Vec<Config>) -> Result<Vec<Config>, DbError> {
    let ids = Batch::of_column(heads.iter().map(|head| head.id));
    let sql = "SELECT given.config, given.charity, given.weight
               FROM batch(id bytea) JOIN config_charity AS given ON given.config = batch.id
               ORDER BY given.config, given.place";
    let beneficiaries: Vec<_> = tx.all_of_batch(sql, &ids, &[], read_beneficiary)?;
    let sql = "SELECT given.config, given.chain, chain.kind, given.address
               FROM batch(id bytea) JOIN config_user AS given ON given.config = batch.id
               JOIN chain ON chain.id = given.chain
               ORDER BY given.config, given.place";
    let users: Vec<_> = tx.all_of_batch(sql, &ids, &[], read_user)?;
    let (mut beneficiaries, mut users) = (grouped(beneficiaries), grouped(users));
    let complete = |head: Config| Config {
        beneficiaries: beneficiaries.remove(&head.id).unwrap_or_default(),
        users: users.remove(&head.id).unwrap_or_default(),
        ..head
    };
    Ok(heads.into_iter().map(complete).collect())
}

fn read_beneficiary(row: &Row<'_>) -> Result<(ConfigId, Beneficiary), DbError> {
    let beneficiary = Beneficiary {
        charity: row.get("charity")?,
        weight: row.get("weight")?,
    };
    Ok((row.get("config")?, beneficiary))
}

fn read_user(row: &Row<'_>) -> Result<(ConfigId, ChainAddress), DbError> {
    Ok((
        row.get("config")?,
        crate::chains::sql::read_chain_address(row)?,
    ))
}

fn grouped<T>(rows: Vec<(ConfigId, T)>) -> HashMap<ConfigId, Vec<T>> {
    let mut groups: HashMap<_, Vec<T>> = HashMap::new();
    for (config, row) in rows {
        groups.entry(config).or_default().push(row);
    }
    groups
}
