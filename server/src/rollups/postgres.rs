//! The roll-ups in PostgreSQL.

pub(crate) mod batch;
mod dates;

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row;

use super::batch::Sum;
use super::key::{Dimension, RollupKey, RowKey};
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, query};
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::donations::DonationStats;
use crate::projects::ProjectId;

/// A roll-up of all time; zero without donations.
pub(crate) async fn stats(
    db: &impl GenericClient,
    key: &RollupKey,
) -> Result<DonationStats, Failure> {
    let sql = "SELECT usd_e6, donations, first_at, last_at FROM tally
               WHERE project = $1 AND facet = $2 AND member = $3";
    let params: query::Params<'_> = &[&key.project, &key.dimension.number(), &key.member];
    let stats = query::first(db, sql, params, column::stats).await?;
    Ok(stats.unwrap_or_default())
}

/// Rows as the columns that identify them. Those of all time have no days.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    projects: Vec<ProjectId>,
    dimensions: Vec<i64>,
    members: Vec<Vec<u8>>,
    days: Vec<Day>,
}

impl Rows {
    pub(crate) fn push(&mut self, key: &RollupKey, day: Option<Day>) {
        self.projects.push(key.project);
        self.dimensions.push(key.dimension.number());
        self.members.push(key.member.clone());
        self.days.extend(day);
    }

    /// Loads these rows of all time.
    pub(crate) async fn load_totals(
        &self,
        tx: &Transaction<'_>,
    ) -> Result<Vec<(RowKey, DonationStats)>, Failure> {
        let sql = "SELECT tally.project, tally.facet, NULL::bigint AS day, tally.member,
                     tally.usd_e6, tally.donations, tally.first_at, tally.last_at
                   FROM unnest($1::uuid[], $2::bigint[], $3::bytea[]) AS asked (project, facet, member)
                   JOIN tally USING (project, facet, member)";
        let params: query::Params<'_> = &[&self.projects, &self.dimensions, &self.members];
        query::all(tx, sql, params, read).await
    }

    /// Loads these rows of days.
    pub(crate) async fn load_days(
        &self,
        tx: &Transaction<'_>,
    ) -> Result<Vec<(RowKey, DonationStats)>, Failure> {
        let sql = "SELECT tally.project, tally.facet, tally.day, tally.member,
                     tally.usd_e6, tally.donations, tally.first_at, tally.last_at
                   FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bigint[])
                     AS asked (project, facet, member, day)
                   JOIN tally_of_day AS tally USING (project, facet, day, member)";
        let params: query::Params<'_> =
            &[&self.projects, &self.dimensions, &self.members, &self.days];
        query::all(tx, sql, params, read).await
    }
}

fn read(row: &Row) -> Result<(RowKey, DonationStats), Failure> {
    Ok(((read_key(row)?, row.try_get("day")?), column::stats(row)?))
}

/// Reads the columns `project`, `facet` and `member`.
pub(crate) fn read_key(row: &Row) -> Result<RollupKey, Failure> {
    let number: i64 = row.try_get("facet")?;
    let unknown = || StoreError::Corrupt(format!("there is no dimension {number}"));
    Ok(RollupKey {
        project: row.try_get("project")?,
        dimension: Dimension::of_number(number).ok_or_else(unknown)?,
        member: row.try_get("member")?,
    })
}

/// Rows to be written, as columns.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    rows: Rows,
    usd: Vec<UsdE6>,
    donations: Vec<i64>,
    first: Vec<Option<Millis>>,
    last: Vec<Option<Millis>>,
}

impl Sums {
    pub(crate) fn is_empty(&self) -> bool {
        self.usd.is_empty()
    }

    pub(crate) fn push(&mut self, (key, day): &RowKey, sum: &Sum) {
        self.rows.push(key, *day);
        self.usd.push(sum.stats.usd);
        let donations = i64::try_from(sum.stats.donations);
        self.donations.push(donations.unwrap_or(i64::MAX));
        self.first.push(sum.stats.first.map(Millis));
        self.last.push(sum.stats.last.map(Millis));
    }

    /// Writes these rows of all time.
    pub(crate) async fn write_totals(&self, tx: &Transaction<'_>) -> Result<u64, Failure> {
        let sql = "INSERT INTO tally (
                     project, facet, member, usd_e6, donations, first_at, last_at
                   )
                   SELECT project, facet, member, usd_e6, donations, first_at, last_at
                   FROM unnest(
                     $1::uuid[], $2::bigint[], $3::bytea[],
                     $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]
                   ) AS sum (project, facet, member, usd_e6, donations, first_at, last_at)
                   ON CONFLICT (project, facet, member) DO UPDATE SET
                     usd_e6 = excluded.usd_e6, donations = excluded.donations,
                     first_at = excluded.first_at, last_at = excluded.last_at";
        let Rows {
            projects,
            dimensions,
            members,
            ..
        } = &self.rows;
        let sums: query::Params<'_> = &[&self.usd, &self.donations, &self.first, &self.last];
        let identity: query::Params<'_> = &[projects, dimensions, members];
        query::execute(tx, sql, &[identity, sums].concat()).await
    }

    /// Writes these rows of days.
    pub(crate) async fn write_days(&self, tx: &Transaction<'_>) -> Result<u64, Failure> {
        let sql = "INSERT INTO tally_of_day (
                     project, facet, member, day, usd_e6, donations, first_at, last_at
                   )
                   SELECT project, facet, member, day, usd_e6, donations, first_at, last_at
                   FROM unnest(
                     $1::uuid[], $2::bigint[], $3::bytea[], $4::bigint[],
                     $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[]
                   ) AS sum (project, facet, member, day, usd_e6, donations, first_at, last_at)
                   ON CONFLICT (project, facet, day, member) DO UPDATE SET
                     usd_e6 = excluded.usd_e6, donations = excluded.donations,
                     first_at = excluded.first_at, last_at = excluded.last_at";
        let Rows {
            projects,
            dimensions,
            members,
            days,
        } = &self.rows;
        let sums: query::Params<'_> = &[&self.usd, &self.donations, &self.first, &self.last];
        let identity: query::Params<'_> = &[projects, dimensions, members, days];
        query::execute(tx, sql, &[identity, sums].concat()).await
    }
}

/// Removes a row that has no donations left.
pub(crate) async fn remove(tx: &Transaction<'_>, (key, day): &RowKey) -> Result<u64, Failure> {
    let (project, facet, member) = (&key.project, &key.dimension.number(), &key.member);
    let Some(day) = day else {
        let sql = "DELETE FROM tally WHERE project = $1 AND facet = $2 AND member = $3";
        return query::execute(tx, sql, &[project, facet, member]).await;
    };
    let sql = "DELETE FROM tally_of_day
               WHERE project = $1 AND facet = $2 AND member = $3 AND day = $4";
    query::execute(tx, sql, &[project, facet, member, day]).await
}
