//! A project's statistics, read from the roll-ups, or with filters from the log, in PostgreSQL.

use std::collections::HashSet;

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use tokio_postgres::Row;
use uuid::Uuid;

use super::filter;
use super::filtered::CountedDonation;
use super::series::DayTotal;
use super::{FilteredSums, ProjectTotals, Ranked, StatsFilter};
use crate::analytics::AnalyticsStore;
use crate::charities::CharityId;
use crate::configs::postgres::Configs;
use crate::configs::{Config, ConfigId};
use crate::database::StoreError;
use crate::database::postgres::column::{self, Bytes};
use crate::database::postgres::cursor::Cursor;
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::domain::day::DayRange;
use crate::domain::position::Position;
use crate::donations::DonationStats;
use crate::projects::ProjectId;
use crate::rollups::key::{Dimension, RollupKey};
use crate::rollups::postgres as rollups;
use crate::tokens::Token;
use crate::tokens::postgres::Tokens;

#[async_trait]
impl AnalyticsStore for Postgres {
    async fn project_totals(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
    ) -> Result<ProjectTotals, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            totals(tx, project, range).boxed()
        })
        .await
    }

    async fn project_days(
        &self,
        project: ProjectId,
        range: DayRange,
    ) -> Result<Vec<DayTotal>, StoreError> {
        self.query(move |db| days(db, project, range).boxed()).await
    }

    async fn charities_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<CharityId>>, StoreError> {
        self.query(move |db| charities(db, project, range, after, limit).boxed())
            .await
    }

    async fn tokens_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<Token>>, StoreError> {
        self.query(move |db| tokens(db, project, range, after, limit).boxed())
            .await
    }

    async fn configs_of_project(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<Ranked<Config>>, StoreError> {
        self.query(move |db| configs(db, project, range, after, limit).boxed())
            .await
    }

    async fn filtered_sums(
        &self,
        project: ProjectId,
        range: Option<DayRange>,
        filter: StatsFilter,
        most: usize,
    ) -> Result<Option<FilteredSums>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            filtered(tx, project, range, filter, most).boxed()
        })
        .await
    }

    async fn named_tokens(&self, keys: Vec<[u8; 40]>) -> Result<Vec<Token>, StoreError> {
        self.query(move |db| named_tokens(db, keys).boxed()).await
    }

    async fn named_configs(&self, ids: Vec<ConfigId>) -> Result<Vec<Config>, StoreError> {
        self.query(move |db| named_configs(db, ids).boxed()).await
    }
}

/// A project's totals, of all time or of a range of days.
pub(crate) async fn totals(
    tx: &Transaction<'_>,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<ProjectTotals, Failure> {
    let members = members(tx, project, range).await?;
    let count = |dimension: Dimension| {
        let of = members
            .iter()
            .find(|(number, _)| *number == dimension.number());
        of.map_or(0, |(_, members)| *members)
    };
    Ok(ProjectTotals {
        stats: stats(tx, project, range).await?,
        charities: count(Dimension::Charity),
        tokens: count(Dimension::Token),
        configs: count(Dimension::Config),
    })
}

/// The sums of a project's donations on each day of a range that has any.
pub(crate) async fn days(
    db: &impl GenericClient,
    project: ProjectId,
    range: DayRange,
) -> Result<Vec<DayTotal>, Failure> {
    let sql = "SELECT day, usd_e6, donations FROM tally_of_day
               WHERE project = $1 AND facet = 0 AND day BETWEEN $2 AND $3 ORDER BY day";
    query::all(db, sql, &[&project, &range.first(), &range.last()], |row| {
        Ok(DayTotal {
            day: row.try_get("day")?,
            usd: row.try_get("usd_e6")?,
            donations: column::number(row, "donations")?,
        })
    })
    .await
}

/// The sums of a project's donations by charity, largest first.
pub(crate) async fn charities(
    db: &impl GenericClient,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<CharityId>>, Failure> {
    let ranked = breakdown(db, project, Dimension::Charity, range, after, limit).await?;
    let id = |key| CharityId(Uuid::from_bytes(key));
    let named = ranked.iter().map(|entry| entry.named(id(entry.member)));
    Ok(named.collect())
}

/// The sums of a project's donations by token, largest first.
pub(crate) async fn tokens(
    db: &impl GenericClient,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Token>>, Failure> {
    let ranked = breakdown(db, project, Dimension::Token, range, after, limit).await?;
    let tokens = Tokens::load(db, ranked.iter().map(|entry| entry.member)).await?;
    let named = |entry: &Ranked<_>| Ok(entry.named(tokens.get(entry.member)?.0));
    ranked.iter().map(named).collect()
}

/// The sums of a project's donations by config, largest first, deleted configs included.
pub(crate) async fn configs(
    db: &impl GenericClient,
    project: ProjectId,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<Config>>, Failure> {
    let ranked = breakdown(db, project, Dimension::Config, range, after, limit).await?;
    let id = |entry: &Ranked<_>| ConfigId(entry.member);
    let configs = Configs::load(db, ranked.iter().map(id)).await?;
    let named = |entry: &Ranked<_>| Ok(entry.named(configs.get(id(entry))?.clone()));
    ranked.iter().map(named).collect()
}

async fn stats(
    tx: &Transaction<'_>,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<DonationStats, Failure> {
    let Some(range) = range else {
        return rollups::stats(tx, &RollupKey::project(project)).await;
    };
    let sql = "SELECT coalesce(sum(usd_e6), 0)::bigint AS usd_e6,
                 coalesce(sum(donations), 0)::bigint AS donations,
                 min(first_at) AS first_at, max(last_at) AS last_at
               FROM tally_of_day WHERE project = $1 AND facet = 0 AND day BETWEEN $2 AND $3";
    let params: query::Params<'_> = &[&project, &range.first(), &range.last()];
    let stats = query::first(tx, sql, params, column::stats).await?;
    Ok(stats.unwrap_or_default())
}

/// The number of members of each dimension.
async fn members(
    tx: &Transaction<'_>,
    project: ProjectId,
    range: Option<DayRange>,
) -> Result<Vec<(i64, u64)>, Failure> {
    let read = |row: &Row| Ok((row.try_get("facet")?, column::number(row, "members")?));
    match range {
        None => {
            let sql =
                "SELECT facet, count(*) AS members FROM tally WHERE project = $1 GROUP BY facet";
            query::all(tx, sql, &[&project], read).await
        }
        Some(range) => {
            let sql = "SELECT facet, count(DISTINCT member) AS members FROM tally_of_day
                       WHERE project = $1 AND facet BETWEEN 1 AND 3 AND day BETWEEN $2 AND $3
                       GROUP BY facet";
            query::all(tx, sql, &[&project, &range.first(), &range.last()], read).await
        }
    }
}

/// A page of all time, in the order of the index.
pub(crate) const EVER: &str = "
    SELECT ranked.member, ranked.usd_e6, ranked.donations, ranked.first_at, ranked.last_at
    FROM tally AS ranked
    WHERE ranked.project = $1 AND ranked.facet = $2 AND (ranked.usd_e6, ranked.member) < ($3, $4)
    ORDER BY ranked.usd_e6 DESC, ranked.member DESC LIMIT $5";

/// A page of a range, summed over its days, whose rows are the only ones read. A sum is wider than a
/// column, but it always fits, because the total of all time does.
const WITHIN: &str = "
    SELECT day.member, sum(day.usd_e6)::bigint AS usd_e6, sum(day.donations)::bigint AS donations,
      min(day.first_at) AS first_at, max(day.last_at) AS last_at
    FROM tally_of_day AS day
    WHERE day.project = $1 AND day.facet = $2 AND day.day BETWEEN $6 AND $7
    GROUP BY day.member
    HAVING (sum(day.usd_e6), day.member) < ($3::bigint, $4)
    ORDER BY sum(day.usd_e6) DESC, day.member DESC LIMIT $5";

async fn breakdown<const N: usize>(
    db: &impl GenericClient,
    project: ProjectId,
    dimension: Dimension,
    range: Option<DayRange>,
    after: Option<Position>,
    limit: usize,
) -> Result<Vec<Ranked<[u8; N]>>, Failure> {
    let (usd, member) = query::below(after);
    let (facet, limit) = (dimension.number(), query::limit(limit));
    let read = |row: &Row| {
        let member = row.try_get::<_, Bytes<N>>("member")?.0;
        Ok(Ranked::by_key(member, column::stats(row)?))
    };
    match range {
        None => query::all(db, EVER, &[&project, &facet, &usd, &member, &limit], read).await,
        Some(range) => {
            let (first, last) = (range.first(), range.last());
            let params: query::Params<'_> =
                &[&project, &facet, &usd, &member, &limit, &first, &last];
            query::all(db, WITHIN, params, read).await
        }
    }
}

/// The donations that match a filter. `OFFSET` keeps the server from turning the lookup of one day's
/// donations into a join that reads all of a config or token for each of its days.
fn matching() -> String {
    let parameters = [
        "$1",
        "$2",
        "$3",
        "$4::bytea",
        "$5::bytea",
        "$6::bigint",
        "$7::uuid",
        "$8",
    ];
    filter::donations(parameters, |column| {
        format!(
            "CROSS JOIN LATERAL (
               SELECT one.config, one.token, one.chain, one.usd_e6, one.at
               FROM standing_donation AS one
               WHERE one.{column} = day.member AND one.at BETWEEN day.first_at AND day.last_at
               OFFSET 0
             ) AS given"
        )
    })
}

/// The sums of a project's donations that match a filter; `None` when they are more than `most`.
async fn filtered(
    tx: &Transaction<'_>,
    project: ProjectId,
    range: Option<DayRange>,
    filter: StatsFilter,
    most: usize,
) -> Result<Option<FilteredSums>, Failure> {
    let StatsFilter {
        config,
        charity,
        chain,
        token,
    } = filter;
    let first = range.map_or(i64::MIN, |range| range.first().number());
    let last = range.map_or(i64::MAX, |range| range.last().number());
    let sql = matching();
    let (token, rows) = (token.map(Bytes), query::limit(most.saturating_add(1)));
    let params: query::Params<'_> = &[
        &project, &first, &last, &config, &token, &chain, &charity, &rows,
    ];
    let mut rows = Cursor::open(tx, &sql, params, read_counted).await?;
    let mut donations = Vec::new();
    while let Some(donation) = rows.next().await? {
        donations.push(donation);
    }
    if donations.len() > most {
        return Ok(None);
    }
    let named: HashSet<_> = donations.iter().map(|donation| donation.config).collect();
    let configs = Configs::load(tx, named).await?;
    let mut sums = FilteredSums::new(charity);
    for donation in donations {
        sums.count(donation, configs.get(donation.config)?);
    }
    Ok(Some(sums))
}

fn read_counted(row: &Row) -> Result<CountedDonation, Failure> {
    Ok(CountedDonation {
        config: row.try_get("config")?,
        token: row.try_get::<_, Bytes<40>>("token")?.0,
        usd: row.try_get("usd_e6")?,
        at: column::time(row, "at")?,
    })
}

async fn named_tokens(db: &impl GenericClient, keys: Vec<[u8; 40]>) -> Result<Vec<Token>, Failure> {
    let tokens = Tokens::load(db, keys.iter().copied()).await?;
    let named = keys.into_iter().map(|key| Ok(tokens.get(key)?.0));
    named.collect()
}

async fn named_configs(
    db: &impl GenericClient,
    ids: Vec<ConfigId>,
) -> Result<Vec<Config>, Failure> {
    let configs = Configs::load(db, ids.iter().copied()).await?;
    let named = ids.into_iter().map(|id| Ok(configs.get(id)?.clone()));
    named.collect()
}
