//! The database operations of a project's statistics.

use db::{Db, DbError, Timeouts};

use super::{FilteredSums, ProjectTotals, Ranked, StatsFilter};
use crate::analytics::series::DayTotal;
use crate::analytics::sql;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::config_id::ConfigId;
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::tokens::Token;

/// A project's totals, of all time or of a range of days.
pub async fn project_totals(
    db: &Db,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<ProjectTotals, DbError> {
    db.snapshot(Timeouts::Request, move |tx| sql::totals(tx, project, range))
        .await
}

/// The sums of a project's donations on each day of a range that has any.
pub async fn project_days(
    db: &Db,
    project: ProjectId,
    range: DayRange,
) -> Result<Vec<DayTotal>, DbError> {
    db.read(move |tx| sql::days(tx, project, range)).await
}

/// The sums of a project's donations by charity, largest first.
pub async fn charities_of_project(
    db: &Db,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, DbError> {
    db.read(move |tx| sql::charities(tx, project, range, after, limit))
        .await
}

/// The sums of a project's donations by token, largest first.
pub async fn tokens_of_project(
    db: &Db,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, DbError> {
    db.read(move |tx| sql::tokens(tx, project, range, after, limit))
        .await
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub async fn configs_of_project(
    db: &Db,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, DbError> {
    db.read(move |tx| sql::configs(tx, project, range, after, limit))
        .await
}

/// The sums of a project's donations that match a filter, of all time or of a range of days; `None`
/// when they are more than `most`. Reads each of them.
pub async fn filtered_sums(
    db: &Db,
    project: ProjectId,
    range: Option<DayRange>,
    filter: StatsFilter,
    most: usize,
) -> Result<Option<FilteredSums>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::filtered(tx, project, range, filter, most)
    })
    .await
}

/// The tokens with these keys, in their order.
pub async fn named_tokens(db: &Db, keys: Vec<[u8; 40]>) -> Result<Vec<Token>, DbError> {
    db.read(move |tx| sql::named_tokens(tx, keys)).await
}

/// The configs with these ids, in their order, deleted ones included.
pub async fn named_configs(db: &Db, ids: Vec<ConfigId>) -> Result<Vec<Config>, DbError> {
    db.read(move |tx| sql::named_configs(tx, ids)).await
}
