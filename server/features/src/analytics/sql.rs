//! A project's statistics, read from the rollups, or with filters from the log.

use std::collections::{HashMap, HashSet};

use db::{DbError, PerEngine, Row, Tx, params};
use uuid::Uuid;

use super::filtered::CountedDonation;
use super::series::DayTotal;
use super::{FilteredSums, ProjectTotals, Ranked, StatsFilter, filter};
use crate::charities::CharityId;
use crate::configs::Config;
use crate::configs::sql::Configs;
use crate::domain::config_id::ConfigId;
use crate::domain::day::DayRange;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::Position;
use crate::projects::ProjectId;
use crate::rollups::key::{Dimension, RollupKey};
use crate::rollups::sql as rollups;
use crate::rollups::sql::read_stats;
use crate::tokens::Token;
use crate::tokens::sql::Tokens;

/// A project's totals, of all time or of a range of days.
pub(crate) fn totals(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<ProjectTotals, DbError> {
    let members = members(tx, project, range)?;
    let count = |dimension: Dimension| {
        let members = members.get(&dimension.number());
        members.copied().unwrap_or_default()
    };
    Ok(ProjectTotals {
        stats: stats(tx, project, range)?,
        charities: count(Dimension::Charity),
        tokens: count(Dimension::Token),
        configs: count(Dimension::Config),
    })
}

/// The sums of a project's donations on each day of a range that has any.
pub(crate) fn days(
    tx: &Tx<'_>,
    project: ProjectId,
    range: DayRange,
) -> Result<Vec<DayTotal>, DbError> {
    let sql = "SELECT day, usd_e6, donations FROM tally_of_day
               WHERE project = $1 AND facet = 0 AND day BETWEEN $2 AND $3 ORDER BY day";
    tx.all(sql, params![project, range.first(), range.last()], |row| {
        Ok(DayTotal {
            day: row.get("day")?,
            usd: row.get("usd_e6")?,
            donations: row.get("donations")?,
        })
    })
}

/// The sums of a project's donations by charity, largest first.
pub(crate) fn charities(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, DbError> {
    let ranked = breakdown(tx, project, Dimension::Charity, range, after, limit)?;
    let id = |key| CharityId(Uuid::from_bytes(key));
    let named = ranked.iter().map(|entry| entry.named(id(entry.member)));
    Ok(named.collect())
}

/// The sums of a project's donations by token, largest first.
pub(crate) fn tokens(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, DbError> {
    let ranked = breakdown(tx, project, Dimension::Token, range, after, limit)?;
    let tokens = Tokens::load(tx, ranked.iter().map(|entry| entry.member))?;
    let named = |entry: &Ranked<_>| Ok(entry.named(tokens.get(entry.member)?.0));
    ranked.iter().map(named).collect()
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub(crate) fn configs(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, DbError> {
    let ranked = breakdown(tx, project, Dimension::Config, range, after, limit)?;
    let id = |entry: &Ranked<_>| ConfigId(entry.member);
    let configs = Configs::load(tx, ranked.iter().map(id))?;
    let named = |entry: &Ranked<_>| Ok(entry.named(configs.get(id(entry))?.clone()));
    ranked.iter().map(named).collect()
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
            let sql =
                "SELECT facet, count(*) AS members FROM tally WHERE project = $1 GROUP BY facet";
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

fn breakdown<const N: usize>(
    tx: &Tx<'_>,
    project: ProjectId,
    dimension: Dimension,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; N]>>, DbError> {
    let (usd, member) = Position::below(after);
    let facet = dimension.number();
    let read = |row: &Row<'_>| Ok(Ranked::by_key(row.get("member")?, read_stats(row)?));
    match range {
        None => tx.all(EVER, params![project, facet, usd, member, limit], read),
        Some(range) => {
            let (first, last) = (range.first(), range.last());
            let params = params![project, facet, usd, member, limit, first, last];
            tx.all(WITHIN, params, read)
        }
    }
}

/// Joins the donations whose `{column}` is the member of `day`, on that day: for each day at a time.
const GIVEN: PerEngine<'_> = PerEngine {
    // `CROSS JOIN` keeps the order.
    sqlite: "CROSS JOIN standing_donation AS given
      ON given.{column} = day.member AND given.at BETWEEN day.first_at AND day.last_at",
    // `OFFSET` prevents a join that reads all of a config or token for each of its days.
    postgres: "CROSS JOIN LATERAL (
      SELECT one.config, one.token, one.chain, one.usd_e6, one.at
      FROM standing_donation AS one
      WHERE one.{column} = day.member AND one.at BETWEEN day.first_at AND day.last_at
      OFFSET 0
    ) AS given",
};

/// The sums of a project's donations that match a filter; `None` when they are more than `most`.
pub(crate) fn filtered(
    tx: &Tx<'_>,
    project: ProjectId,
    range: Option<DayRange>,
    filter: StatsFilter,
    most: usize,
) -> Result<Option<FilteredSums>, DbError> {
    let StatsFilter {
        config,
        charity,
        chain,
        token,
    } = filter;
    let first = range.map_or(i64::MIN, |range| range.first().number());
    let last = range.map_or(i64::MAX, |range| range.last().number());
    let sql = filter::donations(tx.choose(GIVEN));
    let rows = most.saturating_add(1);
    let params = params![project, first, last, config, token, chain, charity, rows];
    let donations: Vec<_> = tx.all(&sql, params, read_counted)?;
    if donations.len() > most {
        return Ok(None);
    }
    let named: HashSet<_> = donations.iter().map(|donation| donation.config).collect();
    let configs = Configs::load(tx, named)?;
    let mut sums = FilteredSums::new(charity);
    for donation in donations {
        sums.count(donation, configs.get(donation.config)?);
    }
    Ok(Some(sums))
}

fn read_counted(row: &Row<'_>) -> Result<CountedDonation, DbError> {
    Ok(CountedDonation {
        config: row.get("config")?,
        token: row.get("token")?,
        usd: row.get("usd_e6")?,
        at: row.get("at")?,
    })
}

pub(crate) fn named_tokens(tx: &Tx<'_>, keys: Vec<[u8; 40]>) -> Result<Vec<Token>, DbError> {
    let tokens = Tokens::load(tx, keys.iter().copied())?;
    let named = keys.into_iter().map(|key| Ok(tokens.get(key)?.0));
    named.collect()
}

pub(crate) fn named_configs(tx: &Tx<'_>, ids: Vec<ConfigId>) -> Result<Vec<Config>, DbError> {
    let configs = Configs::load(tx, ids.iter().copied())?;
    let named = ids.into_iter().map(|id| Ok(configs.get(id)?.clone()));
    named.collect()
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
    fn filtered_sums_look_up_configs_and_tokens_that_had_donations() {
        for index in [
            "day USING PRIMARY KEY (project=? AND facet=? AND day>? AND day<?)",
            "INDEX donation_of_config (config=? AND at>? AND at<?)",
            "INDEX donation_of_token (token=? AND at>? AND at<?)",
        ] {
            assert_reads_index(&filter::donations(GIVEN.sqlite), index);
        }
    }
}
