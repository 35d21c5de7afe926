//! The database operations of rollups.

use db::{Db, DbError};

use super::key::RollupKey;
use super::sql;
use crate::configs::{Config, sql as configs};
use crate::domain::config_id::ConfigId;
use crate::domain::donation_stats::DonationStats;
use crate::projects::ProjectId;

/// One of a project's configs with the sums of its donations; `None` for one that is unknown,
/// deleted or another project's.
pub async fn config_with_stats(
    db: &Db,
    project: ProjectId,
    id: ConfigId,
) -> Result<Option<(Config, DonationStats)>, DbError> {
    // All donations through a config count for its project.
    let key = RollupKey::config(project, id);
    db.read(move |tx| match configs::of_project(tx, project, id)? {
        Some(config) => Ok(Some((config, sql::stats(tx, &key)?))),
        None => Ok(None),
    })
    .await
}
