//! A project's statistics, read from the rollups.
//!
//! A dimension of the rollups has the sums of all donations, and of those that match one filter. Other sums come
//! from [`cells`], and the hours of a filter from [`log`].

pub mod cells;
mod counts;
pub mod log;

use std::collections::{BTreeMap, HashMap};

use db::{DbError, Row, Tx, params};
use uuid::Uuid;

use super::series::Point;
use super::{ProjectTotals, Ranked, StatsFilter, StatsScope};
use crate::charities::CharityId;
use crate::configs::Config;
use crate::configs::sql::Configs;
use crate::domain::config_id::ConfigId;
use crate::domain::day::{Day, DayRange, Hour};
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::rollups::key::{Dimension, RollupKey};
use crate::rollups::sql as rollups;
use crate::rollups::sql::read_stats;
use crate::tokens::Token;
use crate::tokens::sql::Tokens;

/// The totals of a project's donations.
pub(crate) fn totals(tx: &Tx<'_>, scope: StatsScope) -> Result<ProjectTotals, DbError> {
    let StatsScope {
        project,
        range,
        filter,
    } = scope;
    if filter.is_empty() {
        let members = members(tx, project, range)?;
        let count = |dimension: Dimension| {
            let members = members.get(&dimension.number());
            members.copied().unwrap_or_default()
        };
        return Ok(ProjectTotals {
            stats: stats(tx, project, range)?,
            charities: count(Dimension::Charity),
            tokens: count(Dimension::Token),
            configs: count(Dimension::Config),
        });
    }
    if range.is_some() || !filter.is_rolled_up() {
        return cells::totals(tx, scope);
    }
    let mut stats = DonationStats::default();
    for key in keys(tx, project, &filter)? {
        stats.add(&rollups::stats(tx, &key)?);
    }
    counts::totals(tx, project, &filter, stats)
}

/// The sums of a project's donations on each day that has any.
pub(crate) fn days(tx: &Tx<'_>, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    if !scope.filter.is_rolled_up() {
        return cells::days(tx, scope);
    }
    let mut days: BTreeMap<Day, DonationStats> = BTreeMap::new();
    for key in keys(tx, scope.project, &scope.filter)? {
        let Some(range) = days_with_donations(tx, &key, scope.range)? else {
            continue;
        };
        let (facet, first, last) = (key.dimension.number(), range.first(), range.last());
        let params = params![key.project, first, last, facet, key.member];
        let read = |row: &Row<'_>| Ok((row.get("day")?, read_stats(row)?));
        for (day, stats) in tx.all::<_, Vec<_>>(&days_of_member(), params, read)? {
            days.entry(day).or_default().add(&stats);
        }
    }
    Ok(points(days))
}

fn points(days: BTreeMap<Day, DonationStats>) -> Vec<Point> {
    let point = |(day, stats): (Day, DonationStats)| Point {
        start: day.date().into(),
        usd: stats.usd,
        donations: stats.donations,
    };
    days.into_iter().map(point).collect()
}

/// The sums of a project's donations in each hour that has any.
pub(crate) fn hours(tx: &Tx<'_>, scope: StatsScope) -> Result<Vec<Point>, DbError> {
    if !scope.filter.is_empty() {
        return log::hours(tx, scope);
    }
    let sql = "SELECT member, usd_e6, donations FROM tally_of_day
               WHERE project = $1 AND facet = 5 AND day BETWEEN $2 AND $3 ORDER BY day, member";
    let (first, last) = bounds(scope.range);
    tx.all(sql, params![scope.project, first, last], |row| {
        Ok(Point {
            start: row.get::<Hour>("member")?.start(),
            usd: row.get("usd_e6")?,
            donations: row.get("donations")?,
        })
    })
}

/// The sums of a project's donations by charity, largest first.
pub(crate) fn charities(
    tx: &Tx<'_>,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, DbError> {
    let ranked = match scope.filter.is_empty() {
        true => breakdown(tx, Dimension::Charity, scope, after, limit)?,
        false => cells::charities(tx, scope, after.as_ref(), limit)?,
    };
    let id = |key| CharityId(Uuid::from_bytes(key));
    let named = ranked.iter().map(|entry| entry.named(id(entry.member)));
    Ok(named.collect())
}

/// The sums of a project's donations by token, largest first.
pub(crate) fn tokens(
    tx: &Tx<'_>,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, DbError> {
    let ranked = match scope.filter.is_empty() {
        true => breakdown(tx, Dimension::Token, scope, after, limit)?,
        false => cells::tokens(tx, scope, after, limit)?,
    };
    let tokens = Tokens::load(tx, ranked.iter().map(|entry| entry.member))?;
    let named = |entry: &Ranked<_>| Ok(entry.named(tokens.get(entry.member)?.0));
    ranked.iter().map(named).collect()
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub(crate) fn configs(
    tx: &Tx<'_>,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, DbError> {
    let ranked = match scope.filter.is_empty() {
        true => breakdown(tx, Dimension::Config, scope, after, limit)?,
        false => cells::configs(tx, scope, after, limit)?,
    };
    let id = |entry: &Ranked<_>| ConfigId(entry.member);
    let configs = Configs::load(tx, ranked.iter().map(id))?;
    let named = |entry: &Ranked<_>| Ok(entry.named(configs.get(id(entry))?.clone()));
    ranked.iter().map(named).collect()
}

/// The rollups whose sum is that of the donations that match a filter, for which [`StatsFilter::is_rolled_up`].
fn keys(tx: &Tx<'_>, project: ProjectId, filter: &StatsFilter) -> Result<Vec<RollupKey>, DbError> {
    let key = match *filter {
        StatsFilter {
            config: Some(config),
            ..
        } => RollupKey::config(project, config),
        StatsFilter {
            charity: Some(charity),
            ..
        } => RollupKey::charity(project, charity),
        StatsFilter {
            token: Some(address),
            chain,
            ..
        } => {
            // An address may be of tokens on several chains.
            let sql = "SELECT token.id FROM token
                       WHERE substr(token.id, 9) = $1 AND (token.chain = $2 OR $2 IS NULL)";
            return tx.all(sql, params![address, chain], |row| {
                Ok(RollupKey::token(project, row.get("id")?))
            });
        }
        StatsFilter {
            chain: Some(chain), ..
        } => RollupKey::chain(project, chain.key()),
        _ => RollupKey::project(project),
    };
    Ok(vec![key])
}

/// The days from the first to the last donation of a rollup that are in a range; `None` if there are none. This
/// bounds the days that are looked up.
fn days_with_donations(
    tx: &Tx<'_>,
    key: &RollupKey,
    range: Option<DayRange>,
) -> Result<Option<DayRange>, DbError> {
    let DonationStats { first, last, .. } = rollups::stats(tx, key)?;
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(None);
    };
    let (first, last) = (Day::of(first), Day::of(last));
    let range = range.or_else(|| DayRange::new(first.date(), last.date()));
    Ok(range.and_then(|range| range.within(first, last)))
}

/// The table `one_day` of the days from `$2` to `$3`. Rows of one member are looked up for each of them: an index
/// with the day before the member has those of other members in between.
const EACH_DAY: &str = "(
      WITH RECURSIVE one_day (day) AS (
        SELECT CAST($2 AS bigint) UNION ALL SELECT day + 1 FROM one_day WHERE day < $3
      )
      SELECT day FROM one_day
    ) AS one_day";

/// The rows of days of one rollup.
fn days_of_member() -> String {
    format!(
        "SELECT sum.day, sum.usd_e6, sum.donations, sum.first_at, sum.last_at
         FROM {EACH_DAY} CROSS JOIN tally_of_day AS sum
         WHERE sum.project = $1 AND sum.facet = $4 AND sum.day = one_day.day AND sum.member = $5"
    )
}

fn stats(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<DonationStats, DbError> {
    let Some(range) = range else {
        return rollups::stats(tx, &RollupKey::project(project));
    };
    let sql = "SELECT CAST(coalesce(sum(usd_e6), 0) AS bigint) AS usd_e6,
                 CAST(coalesce(sum(donations), 0) AS bigint) AS donations,
                 min(first_at) AS first_at, max(last_at) AS last_at
               FROM tally_of_day WHERE project = $1 AND facet = 0 AND day BETWEEN $2 AND $3";
    let params = params![project, range.first(), range.last()];
    tx.one(sql, params, read_stats)
}

/// The number of members of each dimension.
fn members(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<HashMap<i64, u64>, DbError> {
    let read = |row: &Row<'_>| Ok((row.get("facet")?, row.get("members")?));
    match range {
        None => {
            let sql = "SELECT facet, count(*) AS members FROM tally
                       WHERE project = $1 AND facet BETWEEN 1 AND 3 GROUP BY facet";
            tx.all(sql, params![project], read)
        }
        Some(range) => {
            let sql = "SELECT facet, count(DISTINCT member) AS members FROM tally_of_day
                       WHERE project = $1 AND facet BETWEEN 1 AND 3 AND day BETWEEN $2 AND $3
                       GROUP BY facet";
            tx.all(sql, params![project, range.first(), range.last()], read)
        }
    }
}

/// A page of all time, in the order of the index.
pub const EVER: &str = "
    SELECT ranked.member, ranked.usd_e6, ranked.donations, ranked.first_at, ranked.last_at
    FROM tally AS ranked
    WHERE ranked.project = $1 AND ranked.facet = $2 AND (ranked.usd_e6, ranked.member) < ($3, $4)
    ORDER BY ranked.usd_e6 DESC, ranked.member DESC LIMIT $5";

/// A page of a range, summed over its days, whose rows are the only ones read. A sum always fits a column,
/// because the total of all time does.
const WITHIN: &str = "
    SELECT day.member, CAST(sum(day.usd_e6) AS bigint) AS usd_e6,
      CAST(sum(day.donations) AS bigint) AS donations,
      min(day.first_at) AS first_at, max(day.last_at) AS last_at
    FROM tally_of_day AS day
    WHERE day.project = $1 AND day.facet = $2 AND day.day BETWEEN $6 AND $7
    GROUP BY day.member
    HAVING (CAST(sum(day.usd_e6) AS bigint), day.member) < ($3, $4)
    ORDER BY sum(day.usd_e6) DESC, day.member DESC LIMIT $5";

/// A page of the donations of a project, of one dimension.
fn breakdown<const N: usize>(
    tx: &Tx<'_>,
    dimension: Dimension,
    scope: StatsScope,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; N]>>, DbError> {
    let (usd, member) = Position::below(after);
    let (project, facet) = (scope.project, dimension.number());
    match scope.range {
        None => tx.all(
            EVER,
            params![project, facet, usd, member, limit],
            read_ranked,
        ),
        Some(range) => {
            let (first, last) = (range.first(), range.last());
            let params = params![project, facet, usd, member, limit, first, last];
            tx.all(WITHIN, params, read_ranked)
        }
    }
}

fn read_ranked<const N: usize>(row: &Row<'_>) -> Result<Ranked<[u8; N]>, DbError> {
    Ok(Ranked::by_key(row.get("member")?, read_stats(row)?))
}

/// The numbers of the first and last day.
fn bounds(range: Option<DayRange>) -> (i64, i64) {
    let first = range.map_or(i64::MIN, |range| range.first().number());
    (first, range.map_or(i64::MAX, |range| range.last().number()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        assert_reads_index(
            EVER,
            "USING COVERING INDEX tally_by_usd (project=? AND facet=? AND (usd_e6,member)<(?,?))",
        );
    }

    #[test]
    fn the_days_of_a_member_are_looked_up() {
        assert_reads_index(
            &days_of_member(),
            "SEARCH sum USING PRIMARY KEY (project=? AND facet=? AND day=? AND member=?)",
        );
    }
}
