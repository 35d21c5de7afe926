//! The database operations of configs.

use super::creation::sql as creation;
use db::params;
use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::{Config, ConfigId, Creation, Encode, LabelsChange, LabelsRefusal, Requester};
use crate::configs::sql;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::idempotency::Idempotency;
use crate::projects::ProjectId;

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

/// One of a project's configs with the sums of its donations; `None` for one that is unknown,
/// deleted or another project's.
pub async fn config(
    db: &Db,
    project: ProjectId,
    id: ConfigId,
) -> Result<Option<(Config, DonationStats)>, DbError> {
    db.read(move |tx| sql::of_project(tx, project, id)).await
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
) -> Result<Creation, DbError> {
    let writer = requester.writer(config.project);
    db.write(writer, Timeouts::Request, move |tx| {
        creation::create(tx, requester, &config, idempotency.as_ref(), quota, encode)
    })
    .await
}

/// Changes the labels of one of a project's configs, in one step.
pub async fn change_labels(
    db: &Db,
    project: ProjectId,
    id: ConfigId,
    change: LabelsChange,
) -> Result<Result<Config, LabelsRefusal>, DbError> {
    let writer = Writer::Queued(project.0);
    db.write(writer, Timeouts::Request, move |tx| {
        sql::change_labels(tx, project, id, &change)
    })
    .await
}

/// Deletes one of a project's configs: the project does not see it any more. Donations through
/// it, before and after, stay in the statistics and leaderboards. False for one that is
/// unknown, deleted already or another project's, and for a requester that may not change it.
pub async fn delete_config(
    db: &Db,
    requester: Requester,
    project: ProjectId,
    id: ConfigId,
    now: Timestamp,
) -> Result<bool, DbError> {
    let writer = requester.writer(project);
    db.write(writer, Timeouts::Request, move |tx| {
        sql::delete(tx, requester, project, id, now)
    })
    .await
}
