//! Sums of cells: combinations of filters, and lists with a filter.
//!
//! Whole donations are summed by the database. The parts of charities are cut out of the cells and summed here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::Hash;

use db::{DbError, Row, Tx, Value, params};

use super::{EACH_DAY, days_with_donations, points, read_ranked};
use crate::analytics::series::Point;
use crate::analytics::totals::rank;
use crate::analytics::{ProjectTotals, Ranked, StatsFilter, StatsScope};
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::Position;
use crate::rollups::key::RollupKey;
use crate::rollups::sql::read_stats;

/// `FROM` and `WHERE` of the cells of a project that match a filter, except for its charity. The parameters are the
/// project, the first and the last day, and the filter's config, token and chain, which may be null. `IS NULL`
/// comes last, because PostgreSQL takes the type of a parameter from its first use. `join` joins another table.
fn cells(filter: &StatsFilter, join: &str) -> String {
    let (days, of_days) = match filter.config {
        Some(_) => (
            format!("{EACH_DAY} CROSS JOIN "),
            "cell.day = one_day.day AND cell.config = $4",
        ),
        None => (
            String::new(),
            "cell.day BETWEEN $2 AND $3 AND CAST($4 AS bytea) IS NULL",
        ),
    };
    format!(
        "FROM {days} tally_of_cell AS cell {join}
         WHERE cell.project = $1 AND {of_days}
           AND (substr(cell.token, 9) = $5 OR $5 IS NULL)
           AND (substr(cell.token, 1, 8) = $6 OR $6 IS NULL)"
    )
}

/// The parameters of [`cells`]; `None` if there are no donations.
fn parameters(tx: &Tx<'_>, scope: StatsScope) -> Result<Option<Vec<Value>>, DbError> {
    let StatsScope {
        project,
        range,
        filter,
    } = scope;
    let key = match filter.config {
        Some(config) => RollupKey::config(project, config),
        None => RollupKey::project(project),
    };
    let chain = filter.chain.map(|chain| chain.key());
    let range = days_with_donations(tx, &key, range)?;
    let params = range.map(|range| {
        let (first, last) = (range.first(), range.last());
        params![project, first, last, filter.config, filter.token, chain].to_vec()
    });
    Ok(params)
}

/// The columns of a sum. It always fits a column, because the total of all time does.
const SUM: &str = "CAST(sum(cell.usd_e6) AS bigint) AS usd_e6,
      CAST(sum(cell.donations) AS bigint) AS donations,
      min(cell.first_at) AS first_at, max(cell.last_at) AS last_at";

fn totals_query(filter: &StatsFilter) -> String {
    let cells = cells(filter, "");
    format!(
        "SELECT {SUM}, count(DISTINCT cell.token) AS tokens, count(DISTINCT cell.config) AS configs,
           (
             SELECT count(DISTINCT config_charity.charity) FROM config_charity
             WHERE config_charity.config IN (SELECT cell.config {cells})
           ) AS charities
         {cells} HAVING count(*) > 0"
    )
}

fn days_query(filter: &StatsFilter) -> String {
    let cells = cells(filter, "");
    format!("SELECT cell.day, {SUM} {cells} GROUP BY cell.day")
}

/// A page of the configs or tokens, as in `column`.
fn page_query(filter: &StatsFilter, column: &str) -> String {
    let cells = cells(filter, "");
    format!(
        "SELECT cell.{column} AS member, {SUM} {cells}
         GROUP BY cell.{column}
         HAVING (CAST(sum(cell.usd_e6) AS bigint), cell.{column}) < ($7, $8)
         ORDER BY sum(cell.usd_e6) DESC, cell.{column} DESC LIMIT $9"
    )
}

/// The part of each charity of each cell, or of one charity.
fn parts_query(filter: &StatsFilter) -> String {
    let charities = "JOIN config_charity AS receiver ON receiver.config = cell.config";
    let cells = cells(filter, charities);
    format!(
        "SELECT receiver.charity, cell.day, cell.config, cell.token, cell.donations, cell.first_at,
           cell.last_at, substr(cell.parts, CAST(1 + 8 * receiver.place AS integer), 8) AS part
         {cells} AND (receiver.charity = $7 OR $7 IS NULL)"
    )
}

/// What the charity of a cell received.
struct Part {
    charity: [u8; 16],
    day: Day,
    config: [u8; 32],
    token: [u8; 40],
    stats: DonationStats,
}

fn parts(tx: &Tx<'_>, scope: StatsScope) -> Result<Vec<Part>, DbError> {
    let Some(params) = parameters(tx, scope)? else {
        return Ok(Vec::new());
    };
    let params = [params.as_slice(), params![scope.filter.charity]].concat();
    tx.all(&parts_query(&scope.filter), &params, read_part)
}

fn read_part(row: &Row<'_>) -> Result<Part, DbError> {
    Ok(Part {
        charity: row.get::<uuid::Uuid>("charity")?.into_bytes(),
        day: row.get("day")?,
        config: row.get("config")?,
        token: row.get("token")?,
        stats: DonationStats {
            usd: UsdE6(i64::from_be_bytes(row.get("part")?)),
            donations: row.get("donations")?,
            first: row.get("first_at")?,
            last: row.get("last_at")?,
        },
    })
}

/// Sums parts by a key.
fn sum_by<K: Eq + Hash>(parts: &[Part], key: impl Fn(&Part) -> K) -> HashMap<K, DonationStats> {
    let mut sums: HashMap<K, DonationStats> = HashMap::new();
    for part in parts {
        sums.entry(key(part)).or_default().add(&part.stats);
    }
    sums
}

pub(super) fn totals(tx: &Tx<'_>, scope: StatsScope) -> Result<ProjectTotals, DbError> {
    if scope.filter.charity.is_some() {
        let parts = parts(tx, scope)?;
        let mut stats = DonationStats::default();
        parts.iter().for_each(|part| stats.add(&part.stats));
        let tokens: HashSet<_> = parts.iter().map(|part| part.token).collect();
        let configs: HashSet<_> = parts.iter().map(|part| part.config).collect();
        let totals = ProjectTotals {
            stats,
            charities: 0,
            tokens: tokens.len() as u64,
            configs: configs.len() as u64,
        };
        return Ok(totals.of_one_charity());
    }
    let Some(params) = parameters(tx, scope)? else {
        return Ok(ProjectTotals::default());
    };
    let totals = tx.first(&totals_query(&scope.filter), &params, |row| {
        Ok(ProjectTotals {
            stats: read_stats(row)?,
            charities: row.get("charities")?,
            tokens: row.get("tokens")?,
            configs: row.get("configs")?,
        })
    })?;
    Ok(totals.unwrap_or_default())
}

pub(super) fn days(tx: &Tx<'_>, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    if scope.filter.charity.is_some() {
        let parts = parts(tx, scope)?;
        let days: BTreeMap<_, _> = sum_by(&parts, |part| part.day).into_iter().collect();
        return Ok(points(days));
    }
    let Some(params) = parameters(tx, scope)? else {
        return Ok(Vec::new());
    };
    let read = |row: &Row<'_>| Ok((row.get("day")?, read_stats(row)?));
    let days = tx.all(&days_query(&scope.filter), &params, read)?;
    Ok(points(days))
}

pub(super) fn charities(
    tx: &Tx<'_>,
    scope: StatsScope,
    after: Option<&Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; 16]>>, DbError> {
    let parts = parts(tx, scope)?;
    Ok(rank(sum_by(&parts, |part| part.charity), after, limit))
}

pub(super) fn tokens(
    tx: &Tx<'_>,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; 40]>>, DbError> {
    page(tx, scope, "token", |part| part.token, after, limit)
}

pub(super) fn configs(
    tx: &Tx<'_>,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; 32]>>, DbError> {
    page(tx, scope, "config", |part| part.config, after, limit)
}

fn page<const N: usize>(
    tx: &Tx<'_>,
    scope: StatsScope,
    column: &str,
    member: fn(&Part) -> [u8; N],
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; N]>>, DbError> {
    if scope.filter.charity.is_some() {
        let parts = parts(tx, scope)?;
        return Ok(rank(sum_by(&parts, member), after.as_ref(), limit));
    }
    let Some(params) = parameters(tx, scope)? else {
        return Ok(Vec::new());
    };
    let (usd, key) = Position::below(after);
    let params = [params.as_slice(), params![usd, key, limit]].concat();
    tx.all(&page_query(&scope.filter, column), &params, read_ranked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::SCHEMA;
    use crate::domain::config_id::ConfigId;

    #[test]
    fn cells_are_read_by_primary_key() {
        let all = StatsFilter::default();
        let of_config = StatsFilter {
            config: Some(ConfigId([1; 32])),
            ..all
        };
        for (filter, index) in [
            (all, "USING PRIMARY KEY (project=? AND day>? AND day<?)"),
            (
                of_config,
                "USING PRIMARY KEY (project=? AND day=? AND config=?)",
            ),
        ] {
            for (query, cells) in [
                (totals_query(&filter), 2),
                (days_query(&filter), 1),
                (page_query(&filter, "token"), 1),
                (page_query(&filter, "config"), 1),
                (parts_query(&filter), 1),
            ] {
                let plan = db::sqlite_plan(&query, SCHEMA).unwrap();
                assert_eq!(plan.matches(index).count(), cells, "{plan}");
            }
        }
    }
}
