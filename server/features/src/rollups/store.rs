//! The database operations of rollups.

use db::{Db, DbError, Timeouts};

use super::charity_days::{self, ReceivedOnDay};
use super::config_list::{self, ConfigQuery, ListedConfig};
use super::key::RollupKey;
use super::sql;
use crate::charities::CharityId;
use crate::configs::{Config, sql as configs};
use crate::domain::amount::UsdE6;
use crate::domain::config_id::ConfigId;
use crate::domain::day::{Day, DayRange};
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::Position;
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

/// PostgreSQL shall look up each config of a page, and not read all of them to hash or merge them.
const LOOK_UP: &str = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";

/// A page of a project's configs with the sums of their donations, deleted configs left out.
pub async fn list_configs(
    db: &Db,
    project: ProjectId,
    query: ConfigQuery,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<ListedConfig>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        tx.set_local(LOOK_UP)?;
        config_list::page(tx, project, &query, after, limit)
    })
    .await
}

/// The sums of a charity's donations on each day of a range that has any, in order.
pub async fn days_of_charity(
    db: &Db,
    charity: CharityId,
    range: DayRange,
) -> Result<Vec<(Day, ReceivedOnDay)>, DbError> {
    db.read(move |tx| charity_days::sql::of_charity(tx, charity, range))
        .await
}

/// The sum of all donations to charities in a range of days.
pub async fn received_within(db: &Db, range: DayRange) -> Result<UsdE6, DbError> {
    db.read(move |tx| charity_days::sql::sum(tx, range)).await
}
