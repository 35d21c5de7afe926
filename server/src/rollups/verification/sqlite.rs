//! Reads the log of donations and the tables that are derived from it, to compare them, in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, Row};

use super::{Days, Drift, Totals, lists};
use crate::campaigns::sqlite as campaigns;
use crate::database::sqlite::{Sqlite, column, query};
use crate::database::{StoreError, TimeoutClass};
use crate::domain::day::Day;
use crate::donations::DonationStats;
use crate::donations::effect::DonationEffect;
use crate::donations::sqlite::Named;
use crate::rollups::charity_totals::sqlite as charity_totals;
use crate::rollups::key::RollupKey;
use crate::rollups::leaderboard_entries::sqlite as leaderboard_entries;
use crate::rollups::sqlite as rollups;
use crate::rollups::verification::RollupStore;

#[async_trait]
impl RollupStore for Sqlite {
    async fn verify_rollups(&self) -> Result<Vec<Drift>, StoreError> {
        self.read_within(TimeoutClass::Endless, drifts).await
    }
}

/// The differences between the log and the derived tables.
pub(crate) fn drifts(db: &Connection) -> Result<Vec<Drift>, StoreError> {
    let mut totals = totals(db)?;
    for (key, recorded) in leaderboard_entries::all(db)? {
        totals.compare_entry(key, recorded);
    }
    let mut recorded = db.prepare(
        "SELECT project, facet, member, usd_e6, donations, first_at, last_at FROM tally",
    )?;
    let mut recorded = recorded.query([])?;
    while let Some(row) = recorded.next()? {
        totals.compare(rollups::read_key(row)?, column::stats(row)?);
    }
    let mut drifts = totals.end();
    drifts.extend(query::all(db, &lists::drifts(), [], read_list)?);
    Ok(drifts)
}

fn read_list(row: &Row<'_>) -> rusqlite::Result<Drift> {
    Ok(Drift::List {
        charity: row.get("charity")?,
        missing: row.get("missing")?,
        extra: row.get("extra")?,
    })
}

/// Reads the log and the sums of days side by side.
fn totals(db: &Connection) -> Result<Totals, StoreError> {
    let mut days = Days::new(
        campaigns::all(db)?,
        charity_totals::all(db)?,
        leaderboard_entries::active(db)?,
    );
    let mut recorded = db.prepare(
        "SELECT project, facet, day, member, usd_e6, donations, first_at, last_at
         FROM tally_of_day ORDER BY day",
    )?;
    let mut recorded = recorded.query_and_then([], read)?.peekable();
    let mut named = Named::default();
    let mut log =
        db.prepare("SELECT token, config, usd_e6, at FROM standing_donation ORDER BY at")?;
    let mut log = log.query([])?;
    while let Some(row) = log.next()? {
        let at = column::time(row, "at")?;
        let earlier = |sum: &Result<Sum, StoreError>| {
            sum.as_ref().map_or(true, |(day, _, _)| *day < Day::of(at))
        };
        while let Some(sum) = recorded.next_if(earlier) {
            let (day, key, stats) = sum?;
            days.compare(day, key, stats);
        }
        let token = row.get("token")?;
        let owner = named.owner(db, token)?.flatten();
        let id = row.get("config")?;
        let missing = || StoreError::Corrupt(format!("config {id} is missing"));
        let config = named.config(db, id)?.ok_or_else(missing)?;
        let usd = row.get("usd_e6")?;
        days.count(DonationEffect::new(config, token, owner, usd, at));
    }
    for sum in recorded {
        let (day, key, stats) = sum?;
        days.compare(day, key, stats);
    }
    Ok(days.end())
}

type Sum = (Day, RollupKey, DonationStats);

fn read(row: &Row<'_>) -> Result<Sum, StoreError> {
    Ok((
        row.get("day")?,
        rollups::read_key(row)?,
        column::stats(row)?,
    ))
}
