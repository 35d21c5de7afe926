//! The database operations of configs.

use super::creation::sql as creation;
use db::params;
use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::{Config, ConfigError, Creation, Encode, LabelsUpdate};
use crate::configs::sql;
use crate::domain::config_id::ConfigId;
use crate::domain::entity_tag::IfMatch;
use crate::domain::position::Position;
use crate::idempotency::Idempotency;
use crate::projects::{Project, ProjectId, Requester, sql as projects};

/// A project's configs after a position, latest first, deleted ones left out; those alone that have a
/// pair of metadata, if one is given.
pub async fn configs(
    db: &Db,
    project: ProjectId,
    pair: Option<(String, String)>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Config>, DbError> {
    db.read(move |tx| sql::page(tx, project, pair, after, limit))
        .await
}

/// Whether a config is one of a project's, deleted or not.
pub async fn owns_config(db: &Db, project: ProjectId, id: ConfigId) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM config WHERE id = $1 AND project = $2";
    db.read(move |tx| tx.exists(sql, params![id, project]))
        .await
}

/// Creates a config and, if the request has a key, stores the response in the same transaction.
/// Concurrent requests with the same key wait for each other, in any process.
///
/// Nothing is created if the project has `quota` configs, those included that it deleted in the 24
/// hours before the config's own time.
///
/// Keys expire relative to the config's own time. The project of a key must exist, and no charity may
/// be named twice.
pub async fn create_config(
    db: &Db,
    requester: Requester,
    config: Config,
    idempotency: Option<Idempotency>,
    quota: u32,
    encode: Encode,
) -> Result<Creation, ConfigError> {
    let writer = requester.writer(config.project);
    db.write(writer, Timeouts::Request, move |tx| {
        creation::create(tx, requester, &config, idempotency.as_ref(), quota, encode)
    })
    .await
}

/// Updates the labels of one of a project's configs, in one step.
pub async fn update_labels(
    db: &Db,
    project: ProjectId,
    id: ConfigId,
    change: LabelsUpdate,
) -> Result<Config, ConfigError> {
    let writer = Writer::Queued(project.0);
    db.write(writer, Timeouts::Request, move |tx| {
        sql::update_labels(tx, project, id, &change)
    })
    .await
}

/// Deletes one of a project's configs: the project does not see it any more. Donations through
/// it, before and after, stay in the statistics and leaderboards. False for one that is
/// unknown, deleted already or another project's, and for a requester that may not change it.
/// Rejected if it has none of the tags of `if_match`.
pub async fn delete_config(
    db: &Db,
    requester: Requester,
    project: ProjectId,
    id: ConfigId,
    if_match: Option<IfMatch>,
    now: Timestamp,
) -> Result<bool, ConfigError> {
    let writer = requester.writer(project);
    db.write(writer, Timeouts::Request, move |tx| {
        sql::delete(tx, requester, project, id, if_match.as_ref(), now)
    })
    .await
}

/// A project, and how many configs count towards its quota at `now`.
pub async fn project_with_configs(
    db: &Db,
    id: ProjectId,
    now: Timestamp,
) -> Result<Option<(Project, u64)>, DbError> {
    db.read(move |tx| {
        let Some(project) = projects::find(tx, id)? else {
            return Ok(None);
        };
        let configs = creation::count(tx, id, now, u32::MAX)?;
        Ok(Some((project, configs.unsigned_abs())))
    })
    .await
}
