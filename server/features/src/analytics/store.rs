//! The database operations of a project's statistics.

use db::{Db, DbError, Timeouts, Tx};

use super::{ProjectTotals, Ranked, StatsScope};
use crate::analytics::series::Point;
use crate::analytics::sql;
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::position::Position;
use crate::tokens::Token;

/// Sums that a filter selects are joined with tables of all projects. PostgreSQL shall look up rows of these, and not
/// read a whole table to hash or merge it.
const SETTINGS: &str = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";

async fn read<T: Send + 'static>(
    db: &Db,
    scope: StatsScope,
    work: impl FnOnce(&Tx<'_>) -> Result<T, DbError> + Send + 'static,
) -> Result<T, DbError> {
    if scope.filter.is_empty() {
        return db.read(work).await;
    }
    db.snapshot(Timeouts::Request, move |tx| {
        tx.set_local(SETTINGS)?;
        work(tx)
    })
    .await
}

/// The totals of a project's donations.
pub async fn project_totals(db: &Db, scope: StatsScope) -> Result<ProjectTotals, DbError> {
    let totals = move |tx: &Tx<'_>| sql::totals(tx, scope);
    match scope.filter.is_empty() {
        // Two statements that must fit together.
        true => db.snapshot(Timeouts::Request, totals).await,
        false => read(db, scope, totals).await,
    }
}

/// The sums of a project's donations on each day that has any, in order.
pub async fn project_days(db: &Db, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    read(db, scope, move |tx| sql::days(tx, scope)).await
}

/// The sums of a project's donations in each hour that has any, in order.
pub async fn project_hours(db: &Db, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    read(db, scope, move |tx| sql::hours(tx, scope)).await
}

/// The sums of a project's donations by charity, largest first.
pub async fn charities_of_project(
    db: &Db,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, DbError> {
    read(db, scope, move |tx| sql::charities(tx, scope, after, limit)).await
}

/// The sums of a project's donations by token, largest first.
pub async fn tokens_of_project(
    db: &Db,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, DbError> {
    read(db, scope, move |tx| sql::tokens(tx, scope, after, limit)).await
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub async fn configs_of_project(
    db: &Db,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, DbError> {
    read(db, scope, move |tx| sql::configs(tx, scope, after, limit)).await
}
