//! The roll-ups in SQLite.

use std::collections::BTreeSet;

use rusqlite::{Connection, Row};

use super::batch::{self, CampaignSum, RollupBatch, Sum};
use super::charity_totals::sqlite as charity_totals;
use super::key::{Dimension, RollupKey, RowKey};
use super::leaderboard_entries::sqlite as leaderboard_entries;
use crate::campaigns::sqlite as campaigns;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::{query, versions};
use crate::database::versions::Versioned;
use crate::domain::day::Day;
use crate::donations::DonationStats;
use crate::donations::effect::DonationEffect;

/// A roll-up of all time; zero without donations.
pub(crate) fn stats(db: &Connection, key: &RollupKey) -> rusqlite::Result<DonationStats> {
    let sql = "SELECT usd_e6, donations, first_at, last_at FROM tally
               WHERE project = ?1 AND facet = ?2 AND member = ?3";
    let params = (key.project, key.dimension.number(), &key.member);
    Ok(query::first(db, sql, params, column::stats)?.unwrap_or_default())
}

fn stats_of_day(db: &Connection, key: &RollupKey, day: Day) -> rusqlite::Result<DonationStats> {
    let sql = "SELECT usd_e6, donations, first_at, last_at FROM tally_of_day
               WHERE project = ?1 AND facet = ?2 AND day = ?3 AND member = ?4";
    let params = (key.project, key.dimension.number(), day, &key.member);
    Ok(query::first(db, sql, params, column::stats)?.unwrap_or_default())
}

/// Reads the columns `project`, `facet` and `member`.
pub(crate) fn read_key(row: &Row<'_>) -> Result<RollupKey, StoreError> {
    let number = row.get("facet")?;
    let unknown = || StoreError::Corrupt(format!("there is no dimension {number}"));
    Ok(RollupKey {
        project: row.get("project")?,
        dimension: Dimension::of_number(number).ok_or_else(unknown)?,
        member: row.get("member")?,
    })
}

/// Loads the rows that these donations may change: rollups, leaderboard entries, campaigns and totals of
/// charities.
pub(crate) fn load(db: &Connection, effects: &[&DonationEffect]) -> rusqlite::Result<RollupBatch> {
    let received = effects.iter().flat_map(|effect| &effect.received);
    let beneficiaries: BTreeSet<_> = received.map(|(beneficiary, _)| *beneficiary).collect();
    let charities = charity_totals::load(db, &beneficiaries)?;
    let mut campaigns = Vec::new();
    for beneficiary in beneficiaries {
        campaigns.extend(campaigns::sums_of(db, beneficiary)?);
    }
    let (totals, days) = batch::rows(effects.iter().copied());
    let mut rows = Vec::with_capacity(totals.len() + days.len());
    for key in totals {
        rows.push(((key.clone(), None), stats(db, key)?));
    }
    for (key, day) in days {
        rows.push(((key.clone(), Some(day)), stats_of_day(db, key, day)?));
    }
    let batch = RollupBatch::new(rows).with_campaigns(campaigns);
    let entries = leaderboard_entries::load(db, effects)?;
    Ok(batch.with_charities(charities).with_entries(entries))
}

/// Writes the rows that have changed. The donations must be in the log already.
pub(crate) fn write(db: &Connection, batch: &RollupBatch) -> Result<(), StoreError> {
    let mut dates_unknown = Vec::new();
    for (row, sum) in batch.changed() {
        if sum.stats.donations == 0 {
            remove(db, row)?;
            continue;
        }
        put(db, row, sum)?;
        dates_unknown.extend(sum.dates_unknown.then_some(row));
    }
    correct_dates(db, &dates_unknown)?;
    leaderboard_entries::write(db, batch)?;
    let mut has_raised = charity_totals::write(db, batch)?;
    for CampaignSum {
        campaign, raised, ..
    } in batch.raised()
    {
        let sql = "UPDATE campaign SET raised_e6 = ?2 WHERE id = ?1";
        query::execute(db, sql, (campaign, raised))?;
        has_raised = true;
    }
    if has_raised {
        versions::advance(db, Versioned::Raised)?;
    }
    Ok(())
}

fn put(db: &Connection, (key, day): &RowKey, sum: &Sum) -> rusqlite::Result<usize> {
    let (project, facet, member) = (key.project, key.dimension.number(), &key.member);
    let DonationStats {
        usd,
        donations,
        first,
        last,
    } = sum.stats;
    let (first, last) = (first.map(Millis), last.map(Millis));
    let Some(day) = day else {
        let sql = "INSERT INTO tally (
                     project, facet, member, usd_e6, donations, first_at, last_at
                   ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                   ON CONFLICT (project, facet, member) DO UPDATE SET
                     usd_e6 = excluded.usd_e6, donations = excluded.donations,
                     first_at = excluded.first_at, last_at = excluded.last_at";
        let params = (project, facet, member, usd, donations, first, last);
        return query::execute(db, sql, params);
    };
    let sql = "INSERT INTO tally_of_day (
                 project, facet, day, member, usd_e6, donations, first_at, last_at
               ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
               ON CONFLICT (project, facet, day, member) DO UPDATE SET
                 usd_e6 = excluded.usd_e6, donations = excluded.donations,
                 first_at = excluded.first_at, last_at = excluded.last_at";
    let params = (project, facet, day, member, usd, donations, first, last);
    query::execute(db, sql, params)
}

/// Removes a row that has no donations left.
fn remove(db: &Connection, (key, day): &RowKey) -> rusqlite::Result<usize> {
    let (project, facet, member) = (key.project, key.dimension.number(), &key.member);
    let Some(day) = day else {
        let sql = "DELETE FROM tally WHERE project = ?1 AND facet = ?2 AND member = ?3";
        return query::execute(db, sql, (project, facet, member));
    };
    let sql = "DELETE FROM tally_of_day
               WHERE project = ?1 AND facet = ?2 AND day = ?3 AND member = ?4";
    query::execute(db, sql, (project, facet, day, member))
}

/// Corrects the first and last dates of these rows. The log and the sums must be written before,
/// because the dates of a day come from the standing donations, and the dates of all time from the
/// days.
fn correct_dates(db: &Connection, rows: &[&RowKey]) -> rusqlite::Result<()> {
    for (key, day) in rows {
        if let Some(day) = day {
            correct_day(db, key, *day)?;
        }
    }
    for (key, day) in rows {
        if day.is_none() {
            correct_total(db, key)?;
        }
    }
    Ok(())
}

fn correct_day(db: &Connection, key: &RollupKey, day: Day) -> rusqlite::Result<usize> {
    let (start, end) = day.milliseconds();
    let sql = "UPDATE tally_of_day SET (first_at, last_at) = (
                 SELECT min(given.at), max(given.at)
                 FROM standing_donation AS given
                 JOIN config ON config.id = given.config
                 LEFT JOIN partner_token ON partner_token.token = given.token
                 LEFT JOIN contract ON contract.id = partner_token.contract
                 WHERE given.at >= ?5 AND given.at < ?6
                   AND (config.project = ?1 OR contract.project = ?1)
                   AND CASE ?2
                     WHEN 0 THEN 1
                     WHEN 1 THEN EXISTS (
                       SELECT 1 FROM config_charity
                       WHERE config_charity.config = given.config AND config_charity.charity = ?4
                     )
                     WHEN 2 THEN given.token = ?4
                     ELSE given.config = ?4
                   END
               )
               WHERE project = ?1 AND facet = ?2 AND day = ?3 AND member = ?4";
    let (project, facet) = (key.project, key.dimension.number());
    query::execute(db, sql, (project, facet, day, &key.member, start, end))
}

fn correct_total(db: &Connection, key: &RollupKey) -> rusqlite::Result<usize> {
    let sql = "UPDATE tally SET
                 first_at = (
                   SELECT day.first_at FROM tally_of_day AS day
                   WHERE day.project = ?1 AND day.facet = ?2 AND day.member = ?3
                   ORDER BY day.day LIMIT 1
                 ),
                 last_at = (
                   SELECT day.last_at FROM tally_of_day AS day
                   WHERE day.project = ?1 AND day.facet = ?2 AND day.member = ?3
                   ORDER BY day.day DESC LIMIT 1
                 )
               WHERE project = ?1 AND facet = ?2 AND member = ?3";
    let params = (key.project, key.dimension.number(), &key.member);
    query::execute(db, sql, params)
}
