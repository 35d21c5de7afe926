//! Rollups, and all other sums that a batch of donations changes.

use std::collections::BTreeSet;

use db::{Batch, DbError, PerEngine, Row, Tx, params};

use super::batch::{self, RollupBatch};
use super::campaign_sums;
use super::cells::sql as cells;
use super::charity_days::sql as charity_days;
use super::charity_totals::sql as charity_totals;
use super::key::{Dimension, RollupKey, RowKey};
use super::leaderboard_entries::sql as leaderboard_entries;
use crate::database::Versioned;
use crate::domain::day::{Day, Hour};
use crate::domain::donation_stats::DonationStats;
use crate::rollups::effect::DonationEffect;

/// A rollup of all time; zero without donations.
pub(crate) fn stats(tx: &Tx<'_>, key: &RollupKey) -> Result<DonationStats, DbError> {
    let sql = "SELECT usd_e6, donations, first_at, last_at FROM tally
               WHERE project = $1 AND facet = $2 AND member = $3";
    let params = params![key.project, key.dimension.number(), key.member];
    Ok(tx.first(sql, params, read_stats)?.unwrap_or_default())
}

/// Reads the columns `usd_e6`, `donations`, `first_at` and `last_at`.
pub(crate) fn read_stats(row: &Row<'_>) -> Result<DonationStats, DbError> {
    Ok(DonationStats {
        usd: row.get("usd_e6")?,
        donations: row.get("donations")?,
        first: row.get("first_at")?,
        last: row.get("last_at")?,
    })
}

/// Reads the columns `project`, `facet` and `member`.
pub(crate) fn read_key(row: &Row<'_>) -> Result<RollupKey, DbError> {
    let number: i64 = row.get("facet")?;
    let unknown = || DbError::Corrupt(format!("there is no dimension {number}"));
    Ok(RollupKey {
        project: row.get("project")?,
        dimension: Dimension::of_number(number).ok_or_else(unknown)?,
        member: row.get("member")?,
    })
}

/// Loads the rows that these donations may change: rollups, cells, leaderboard entries, campaigns and totals of
/// charities. The caller must hold the locks of the rollups' projects.
pub(crate) fn load(tx: &Tx<'_>, effects: &[&DonationEffect]) -> Result<RollupBatch, DbError> {
    let (totals, days) = batch::rows(effects.iter().copied());
    let mut sums = load_totals(tx, &totals)?;
    sums.extend(load_days(tx, &days)?);
    let cells = cells::load(tx, effects)?;
    let entries = leaderboard_entries::load(tx, effects)?;
    let received = effects.iter().flat_map(|effect| &effect.received);
    let beneficiaries: BTreeSet<_> = received.map(|(beneficiary, _)| *beneficiary).collect();
    let campaigns = campaign_sums::lock(tx, &beneficiaries)?;
    let charities = charity_totals::load(tx, &beneficiaries)?;
    Ok(RollupBatch::new(sums)
        .with_cells(cells)
        .with_entries(entries)
        .with_campaigns(campaigns)
        .with_charities(charities))
}

/// The rollups of all time with these keys; one without donations may be left out.
pub(crate) fn load_totals(
    tx: &Tx<'_>,
    keys: &BTreeSet<&RollupKey>,
) -> Result<Vec<(RowKey, DonationStats)>, DbError> {
    let mut rows = Batch::default();
    for key in keys {
        rows.push(params![key.project, key.dimension.number(), key.member]);
    }
    let sql = "SELECT tally.project, tally.facet, tally.member, tally.usd_e6, tally.donations,
                 tally.first_at, tally.last_at
               FROM batch(project uuid, facet bigint, member bytea)
               JOIN tally USING (project, facet, member)";
    tx.all_of_batch(sql, &rows, &[], |row| {
        Ok(((read_key(row)?, None), read_stats(row)?))
    })
}

fn load_days(
    tx: &Tx<'_>,
    keys: &BTreeSet<(&RollupKey, Day)>,
) -> Result<Vec<(RowKey, DonationStats)>, DbError> {
    let mut rows = Batch::default();
    for (key, day) in keys {
        let facet = key.dimension.number();
        rows.push(params![key.project, facet, day, key.member]);
    }
    let sql = "SELECT sum.project, sum.facet, sum.day, sum.member, sum.usd_e6, sum.donations,
                 sum.first_at, sum.last_at
               FROM batch(project uuid, facet bigint, day bigint, member bytea)
               JOIN tally_of_day AS sum USING (project, facet, day, member)";
    tx.all_of_batch(sql, &rows, &[], |row| {
        Ok(((read_key(row)?, Some(row.get("day")?)), read_stats(row)?))
    })
}

/// Writes the rows that have changed. The donations must be in the log already.
pub(crate) fn write(tx: &Tx<'_>, batch: &RollupBatch) -> Result<(), DbError> {
    // First, since dates of days come from cells.
    cells::write(tx, batch)?;
    write_rollups(tx, batch)?;
    leaderboard_entries::write(tx, batch)?;
    let mut raised = Batch::default();
    for sum in batch.raised() {
        raised.push(params![sum.campaign, sum.raised]);
    }
    let sql = "UPDATE campaign SET raised_e6 = batch.raised_e6
               FROM batch(id uuid, raised_e6 bigint) WHERE campaign.id = batch.id";
    tx.execute_batch(sql, &raised, &[])?;
    for sum in batch.raised() {
        Versioned::Campaigns.changed(tx, &sum.campaign.0);
    }
    // Last, since other projects' donations wait for these rows. Days follow totals: two batches that change the same
    // day of a charity change its total too, so they do not lock days in different orders.
    charity_totals::write(tx, batch)?;
    charity_days::write(tx, batch)
}

fn write_rollups(tx: &Tx<'_>, batch: &RollupBatch) -> Result<(), DbError> {
    let (mut totals, mut days) = (Batch::default(), Batch::default());
    let mut dates_unknown = Vec::new();
    for (row, sum) in batch.changed() {
        let DonationStats {
            usd,
            donations,
            first,
            last,
        } = sum.stats;
        if donations == 0 {
            delete(tx, row)?;
            continue;
        }
        let (key, day) = row;
        let (project, facet, member) = (key.project, key.dimension.number(), &key.member);
        match day {
            None => totals.push(params![project, facet, member, usd, donations, first, last]),
            Some(day) => {
                days.push(params![
                    project, facet, day, member, usd, donations, first, last
                ]);
            }
        }
        dates_unknown.extend(sum.dates_unknown.then_some(row));
    }
    let sql = "INSERT INTO tally (project, facet, member, usd_e6, donations, first_at, last_at)
               SELECT project, facet, member, usd_e6, donations, first_at, last_at
               FROM batch(project uuid, facet bigint, member bytea, usd_e6 bigint,
                 donations bigint, first_at bigint, last_at bigint)
               WHERE true
               ON CONFLICT (project, facet, member) DO UPDATE SET
                 usd_e6 = excluded.usd_e6, donations = excluded.donations,
                 first_at = excluded.first_at, last_at = excluded.last_at";
    tx.execute_batch(sql, &totals, &[])?;
    let sql = "INSERT INTO tally_of_day (
                 project, facet, day, member, usd_e6, donations, first_at, last_at
               )
               SELECT project, facet, day, member, usd_e6, donations, first_at, last_at
               FROM batch(project uuid, facet bigint, day bigint, member bytea, usd_e6 bigint,
                 donations bigint, first_at bigint, last_at bigint)
               WHERE true
               ON CONFLICT (project, facet, day, member) DO UPDATE SET
                 usd_e6 = excluded.usd_e6, donations = excluded.donations,
                 first_at = excluded.first_at, last_at = excluded.last_at";
    tx.execute_batch(sql, &days, &[])?;
    correct_dates(tx, &dates_unknown)
}

/// Deletes a row that has no donations left.
fn delete(tx: &Tx<'_>, (key, day): &RowKey) -> Result<u64, DbError> {
    let (project, facet, member) = (key.project, key.dimension.number(), &key.member);
    let Some(day) = day else {
        let sql = "DELETE FROM tally WHERE project = $1 AND facet = $2 AND member = $3";
        return tx.execute(sql, params![project, facet, member]);
    };
    let sql = "DELETE FROM tally_of_day
               WHERE project = $1 AND facet = $2 AND day = $3 AND member = $4";
    tx.execute(sql, params![project, facet, day, member])
}

/// Looks up the first and last dates of these rows, which must have donations. The log, the cells and the sums
/// must be written before, because the dates of an hour come from the log, the dates of a day from its cells, and
/// the dates of all time from the days.
fn correct_dates(tx: &Tx<'_>, rows: &[&RowKey]) -> Result<(), DbError> {
    for (key, day) in rows {
        match (key.dimension, day) {
            (Dimension::Hour, Some(day)) => correct_hour(tx, key, *day)?,
            (_, Some(day)) => correct_day(tx, key, *day)?,
            (_, None) => 0,
        };
    }
    for (key, day) in rows {
        if day.is_none() {
            correct_total(tx, key)?;
        }
    }
    Ok(())
}

fn correct_hour(tx: &Tx<'_>, key: &RollupKey, day: Day) -> Result<u64, DbError> {
    let sql = "UPDATE tally_of_day SET (first_at, last_at) = (
                 SELECT min(given.at), max(given.at)
                 FROM standing_donation AS given
                 JOIN config ON config.id = given.config
                 LEFT JOIN partner_token ON partner_token.token = given.token
                 LEFT JOIN contract ON contract.id = partner_token.contract
                 WHERE given.at >= $5 AND given.at < $6
                   AND (config.project = $1 OR contract.project = $1)
               )
               WHERE project = $1 AND facet = $2 AND day = $3 AND member = $4";
    let member = key.member.as_slice().try_into().ok();
    let hour = member.and_then(|bytes| Hour::new(i64::from_be_bytes(bytes)));
    let no_hour = || DbError::Corrupt(format!("{key} is not an hour"));
    let (start, end) = hour.ok_or_else(no_hour)?.milliseconds();
    let (project, facet) = (key.project, key.dimension.number());
    tx.execute(sql, params![project, facet, day, key.member, start, end])
}

fn correct_day(tx: &Tx<'_>, key: &RollupKey, day: Day) -> Result<u64, DbError> {
    // In PostgreSQL the ID of a charity has another type than those of other members.
    let charity = tx.choose(PerEngine {
        sqlite: "$4",
        postgres: "encode($4, 'hex')::uuid",
    });
    let of_member = match key.dimension {
        Dimension::Project | Dimension::Hour => "true",
        Dimension::Token => "cell.token = $4",
        Dimension::Config => "cell.config = $4",
        Dimension::Chain => "substr(cell.token, 1, 8) = $4",
        Dimension::Charity => &format!(
            "EXISTS (
               SELECT 1 FROM config_charity
               WHERE config_charity.charity = {charity} AND config_charity.config = cell.config
             )"
        ),
    };
    let sql = format!(
        "UPDATE tally_of_day SET (first_at, last_at) = (
           SELECT min(cell.first_at), max(cell.last_at) FROM tally_of_cell AS cell
           WHERE cell.project = $1 AND cell.day = $3 AND {of_member}
         )
         WHERE project = $1 AND facet = $2 AND day = $3 AND member = $4"
    );
    let (project, facet) = (key.project, key.dimension.number());
    tx.execute(&sql, params![project, facet, day, key.member])
}

fn correct_total(tx: &Tx<'_>, key: &RollupKey) -> Result<u64, DbError> {
    // Taking back can only have made the first later and the last earlier, which bounds the search.
    let sql = "UPDATE tally SET
                 first_at = (
                   SELECT day.first_at FROM tally_of_day AS day
                   WHERE day.project = $1 AND day.facet = $2 AND day.member = $3
                     AND day.day >= (tally.first_at - 86399999) / 86400000
                   ORDER BY day.day LIMIT 1
                 ),
                 last_at = (
                   SELECT day.last_at FROM tally_of_day AS day
                   WHERE day.project = $1 AND day.facet = $2 AND day.member = $3
                     AND day.day <= tally.last_at / 86400000
                   ORDER BY day.day DESC LIMIT 1
                 )
               WHERE project = $1 AND facet = $2 AND member = $3";
    let params = params![key.project, key.dimension.number(), key.member];
    tx.execute(sql, params)
}
