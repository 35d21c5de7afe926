//! A project's statistics, read from the roll-ups, or with filters from the log, in SQLite.

use std::collections::HashMap;

use async_trait::async_trait;
use rusqlite::{Connection, Row};
use uuid::Uuid;

use super::filter;
use super::filtered::CountedDonation;
use super::series::DayTotal;
use super::{FilteredSums, ProjectTotals, Ranked, StatsFilter};
use crate::analytics::AnalyticsStore;
use crate::charities::CharityId;
use crate::configs::{Config, ConfigId, sqlite as configs};
use crate::database::StoreError;
use crate::database::sqlite::{Sqlite, column, query};
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::donations::sqlite::Named;
use crate::projects::ProjectId;
use crate::rollups::key::{Dimension, RollupKey};
use crate::rollups::sqlite as rollups;
use crate::tokens::{Token, sqlite as tokens};

#[async_trait]
impl AnalyticsStore for Sqlite {
    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError> {
        self.read(move |db| totals(db, project, range)).await
    }

    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError> {
        self.read(move |db| Ok(days(db, project, range)?)).await
    }

    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId>>, StoreError> {
        self.read(move |db| charities(db, project, range, after, limit))
            .await
    }

    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token>>, StoreError> {
        self.read(move |db| tokens(db, project, range, after, limit))
            .await
    }

    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config>>, StoreError> {
        self.read(move |db| configs(db, project, range, after, limit))
            .await
    }

    async fn filtered_sums(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        filter: StatsFilter,
        most: usize,
    ) -> Result<Option<FilteredSums>, StoreError> {
        self.read(move |db| filtered(db, project, range, filter, most))
            .await
    }

    async fn named_tokens(&self, keys: Vec<[u8; 40]>) -> Result<Vec<Token>, StoreError> {
        self.read(move |db| keys.into_iter().map(|key| tokens::get(db, key)).collect())
            .await
    }

    async fn named_configs(&self, ids: Vec<ConfigId>) -> Result<Vec<Config>, StoreError> {
        self.read(move |db| ids.into_iter().map(|id| configs::get(db, id)).collect())
            .await
    }
}

/// A project's totals, of all time or of a range of days.
pub(crate) fn totals(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<ProjectTotals, StoreError> {
    let members = members(db, project, range)?;
    let count = |dimension: Dimension| {
        members
            .get(&dimension.number())
            .copied()
            .unwrap_or_default()
    };
    Ok(ProjectTotals {
        stats: stats(db, project, range)?,
        charities: count(Dimension::Charity),
        tokens: count(Dimension::Token),
        configs: count(Dimension::Config),
    })
}

/// The sums of a project's donations on each day of a range that has any.
pub(crate) fn days(
    db: &Connection,
    project: ProjectId,
    range: DayRange,
) -> rusqlite::Result<Vec<DayTotal>> {
    let sql = "SELECT day, usd_e6, donations FROM tally_of_day
               WHERE project = ?1 AND facet = 0 AND day BETWEEN ?2 AND ?3 ORDER BY day";
    query::all(db, sql, (project, range.first(), range.last()), |row| {
        Ok(DayTotal {
            day: row.get("day")?,
            usd: row.get("usd_e6")?,
            donations: row.get("donations")?,
        })
    })
}

/// The sums of a project's donations by charity, largest first.
pub(crate) fn charities(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, StoreError> {
    let ranked = breakdown(db, project, Dimension::Charity, range, after, limit)?;
    let id = |key| CharityId(Uuid::from_bytes(key));
    let named = ranked
        .into_iter()
        .map(|entry| entry.named(id(entry.member)));
    Ok(named.collect())
}

/// The sums of a project's donations by token, largest first.
pub(crate) fn tokens(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, StoreError> {
    let ranked = breakdown(db, project, Dimension::Token, range, after, limit)?;
    let named = |entry: Ranked<_>| Ok(entry.named(tokens::get(db, entry.member)?));
    ranked.into_iter().map(named).collect()
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub(crate) fn configs(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, StoreError> {
    let ranked = breakdown(db, project, Dimension::Config, range, after, limit)?;
    let named = |entry: Ranked<_>| Ok(entry.named(configs::get(db, ConfigId(entry.member))?));
    ranked.into_iter().map(named).collect()
}

fn stats(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
) -> rusqlite::Result<DonationStats> {
    let Some(range) = range else {
        return rollups::stats(db, &RollupKey::project(project));
    };
    let sql = "SELECT coalesce(sum(usd_e6), 0) AS usd_e6, coalesce(sum(donations), 0) AS donations,
                 min(first_at) AS first_at, max(last_at) AS last_at
               FROM tally_of_day WHERE project = ?1 AND facet = 0 AND day BETWEEN ?2 AND ?3";
    db.prepare_cached(sql)?
        .query_row((project, range.first(), range.last()), column::stats)
}

/// The number of members of each dimension.
fn members(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
) -> rusqlite::Result<HashMap<i64, u64>> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let members = match range {
        None => {
            let sql = "SELECT facet, count(*) FROM tally WHERE project = ?1 GROUP BY facet";
            query::all(db, sql, [project], read)?
        }
        Some(range) => {
            let sql = "SELECT facet, count(DISTINCT member) FROM tally_of_day
                       WHERE project = ?1 AND facet BETWEEN 1 AND 3 AND day BETWEEN ?2 AND ?3
                       GROUP BY facet";
            query::all(db, sql, (project, range.first(), range.last()), read)?
        }
    };
    Ok(members.into_iter().collect())
}

/// A page of all time, in the order of the index.
const EVER: &str = "SELECT member, usd_e6, donations, first_at, last_at FROM tally
                    WHERE project = ?1 AND facet = ?2 AND (usd_e6, member) < (?3, ?4)
                    ORDER BY usd_e6 DESC, member DESC LIMIT ?5";

/// A page of a range: summed over its days, whose rows are the only ones read.
const WITHIN: &str = "SELECT member, sum(usd_e6) AS usd_e6, sum(donations) AS donations,
                        min(first_at) AS first_at, max(last_at) AS last_at
                      FROM tally_of_day
                      WHERE project = ?1 AND facet = ?2 AND day BETWEEN ?6 AND ?7
                      GROUP BY member
                      HAVING (sum(tally_of_day.usd_e6), member) < (?3, ?4)
                      ORDER BY sum(tally_of_day.usd_e6) DESC, member DESC LIMIT ?5";

fn breakdown<const N: usize>(
    db: &Connection,
    project: ProjectId,
    dimension: Dimension,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> rusqlite::Result<Vec<Ranked<[u8; N]>>> {
    let (usd, member) = query::below(after);
    let facet = dimension.number();
    match range {
        None => query::all(db, EVER, (project, facet, usd, member, limit), read_ranked),
        Some(range) => {
            let days = (range.first(), range.last());
            let params = (project, facet, usd, member, limit, days.0, days.1);
            query::all(db, WITHIN, params, read_ranked)
        }
    }
}

fn read_ranked<const N: usize>(row: &Row<'_>) -> rusqlite::Result<Ranked<[u8; N]>> {
    Ok(Ranked::by_key(row.get("member")?, column::stats(row)?))
}

/// The donations that match a filter. `CROSS JOIN` keeps the order.
fn matching() -> String {
    let parameters = ["?1", "?2", "?3", "?4", "?5", "?6", "?7", "?8"];
    filter::donations(parameters, |column| {
        format!(
            "CROSS JOIN standing_donation AS given
               ON given.{column} = day.member AND given.at BETWEEN day.first_at AND day.last_at"
        )
    })
}

/// The sums of a project's donations that match a filter; `None` when they are more than `most`.
fn filtered(
    db: &Connection,
    project: ProjectId,
    range: Option<DayRange>,
    filter: StatsFilter,
    most: usize,
) -> Result<Option<FilteredSums>, StoreError> {
    let StatsFilter {
        config,
        charity,
        chain,
        token,
    } = filter;
    let first = range.map_or(i64::MIN, |range| range.first().number());
    let last = range.map_or(i64::MAX, |range| range.last().number());
    let rows = most.saturating_add(1);
    let params = (project, first, last, config, token, chain, charity, rows);
    let mut statement = db.prepare_cached(&matching())?;
    let mut rows = statement.query_and_then(params, read_counted)?;
    let (mut sums, mut configs) = (FilteredSums::new(charity), Named::default());
    for _ in 0..most {
        let Some(donation) = rows.next() else {
            return Ok(Some(sums));
        };
        let donation = donation?;
        let id = donation.config;
        let missing = || StoreError::Corrupt(format!("config {id} is missing"));
        sums.count(donation, configs.config(db, id)?.ok_or_else(missing)?);
    }
    Ok(rows.next().is_none().then_some(sums))
}

fn read_counted(row: &Row<'_>) -> rusqlite::Result<CountedDonation> {
    Ok(CountedDonation {
        config: row.get("config")?,
        token: row.get("token")?,
        usd: row.get("usd_e6")?,
        at: column::time(row, "at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_its_index_and_sorts_nothing() {
        query::assert_reads_index(
            EVER,
            ([0; 16], 1, 0, [0; 16], 1),
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
            let none: Option<i64> = None;
            let params = ([0; 16], 0, 0, none, none, none, none, 1);
            query::assert_reads_index(&matching(), params, index);
        }
    }
}
