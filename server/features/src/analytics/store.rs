//! The database operations of a project's statistics.

use db::{Db, DbError, Timeouts};

use super::{ProjectTotals, Ranked, StatsScope};
use crate::analytics::series::Point;
use crate::analytics::sql;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::position::Position;
use crate::tokens::Token;

/// The totals of a project's donations.
pub async fn project_totals(db: &Db, scope: StatsScope) -> Result<ProjectTotals, DbError> {
    db.snapshot(Timeouts::Request, move |tx| sql::totals(tx, scope))
        .await
}

/// The sums of a project's donations on each day that has any, in order.
pub async fn project_days(db: &Db, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    db.read(move |tx| sql::days(tx, scope)).await
}

/// The sums of a project's donations in each hour that has any, in order.
pub async fn project_hours(db: &Db, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    db.read(move |tx| sql::hours(tx, scope)).await
}

/// The sums of a project's donations by charity, largest first.
pub async fn charities_of_project(
    db: &Db,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, DbError> {
    db.read(move |tx| sql::charities(tx, scope, after, limit))
        .await
}

/// The sums of a project's donations by token, largest first.
pub async fn tokens_of_project(
    db: &Db,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, DbError> {
    db.read(move |tx| sql::tokens(tx, scope, after, limit))
        .await
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub async fn configs_of_project(
    db: &Db,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, DbError> {
    db.read(move |tx| sql::configs(tx, scope, after, limit))
        .await
}
