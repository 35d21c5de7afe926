//! The cells in the database.

pub(crate) mod ledger;
pub(crate) mod posting;

use jiff::Timestamp;
use rusqlite::Connection;

use super::key::Cell;
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::donations::DonationStats;

/// What a cell holds; zero for a cell without donations.
pub(crate) fn stats(db: &Connection, cell: &Cell) -> rusqlite::Result<DonationStats> {
    let sql = "SELECT usd_e6, donations, first_at, last_at FROM tally
               WHERE project = ?1 AND facet = ?2 AND member = ?3";
    let stats = query::first(
        db,
        sql,
        (cell.project, cell.facet.number(), &cell.member),
        column::stats,
    )?;
    Ok(stats.unwrap_or_default())
}

/// What some donations add to a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    usd: UsdE6,
    donations: u32,
    first: Timestamp,
    last: Timestamp,
}

impl Part {
    /// One donation's part.
    pub(crate) fn of(usd: UsdE6, at: Timestamp) -> Part {
        Part {
            usd,
            donations: 1,
            first: at,
            last: at,
        }
    }

    /// Both parts together; `None` for a sum that does not fit.
    pub(crate) fn with(&self, other: &Part) -> Option<Part> {
        Some(Part {
            usd: UsdE6(self.usd.0.checked_add(other.usd.0)?),
            donations: self.donations.checked_add(other.donations)?,
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        })
    }
}

/// Adds a donation's part to a cell, in all and on its day. A sum that does not fit is refused by
/// the column's type.
pub(crate) fn add_one(
    db: &Connection,
    cell: &Cell,
    usd: UsdE6,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let part = Part::of(usd, at);
    add(db, cell, None, &part)?;
    add(db, cell, Some(Day::of(at)), &part)
}

/// Adds a part to a cell of one day, or of all time.
pub(crate) fn add(
    db: &Connection,
    cell: &Cell,
    day: Option<Day>,
    part: &Part,
) -> rusqlite::Result<()> {
    let (project, facet, member) = (cell.project, cell.facet.number(), &cell.member);
    let (first, last) = (Millis(part.first), Millis(part.last));
    match day {
        None => query::execute(
            db,
            "INSERT INTO tally VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             ON CONFLICT (project, facet, member) DO UPDATE SET
               usd_e6 = usd_e6 + excluded.usd_e6,
               donations = donations + excluded.donations,
               first_at = min(first_at, excluded.first_at),
               last_at = max(last_at, excluded.last_at)",
            (
                project,
                facet,
                member,
                part.usd,
                part.donations,
                first,
                last,
            ),
        )?,
        Some(day) => query::execute(
            db,
            "INSERT INTO tally_of_day VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (project, facet, day, member) DO UPDATE SET
               usd_e6 = usd_e6 + excluded.usd_e6,
               donations = donations + excluded.donations,
               first_at = min(first_at, excluded.first_at),
               last_at = max(last_at, excluded.last_at)",
            (
                project,
                facet,
                day,
                member,
                part.usd,
                part.donations,
                first,
                last,
            ),
        )?,
    };
    Ok(())
}

/// Takes a donation's part out of a cell. The compensating row must be in the log already, since
/// the dates are then found among the donations that still stand.
pub(crate) fn take(
    db: &Connection,
    cell: &Cell,
    usd: UsdE6,
    at: Timestamp,
) -> rusqlite::Result<()> {
    let day = Day::of(at);
    let (project, facet, member) = (cell.project, cell.facet.number(), &cell.member);
    let (first, last) = bounds_of_day(db, cell, day)?;
    // Without donations there are no bounds, and the row goes.
    query::execute(
        db,
        "DELETE FROM tally_of_day WHERE project = ?1 AND facet = ?2 AND day = ?3 AND member = ?4
         AND donations = 1",
        (project, facet, day, member),
    )?;
    query::execute(
        db,
        "UPDATE tally_of_day SET
           usd_e6 = usd_e6 - ?5, donations = donations - 1, first_at = ?6, last_at = ?7
         WHERE project = ?1 AND facet = ?2 AND day = ?3 AND member = ?4",
        (project, facet, day, member, usd, first, last),
    )?;
    query::execute(
        db,
        "DELETE FROM tally WHERE project = ?1 AND facet = ?2 AND member = ?3 AND donations = 1",
        (project, facet, member),
    )?;
    query::execute(
        db,
        "UPDATE tally SET
           usd_e6 = usd_e6 - ?4,
           donations = donations - 1,
           first_at = (
             SELECT day.first_at FROM tally_of_day AS day
             WHERE day.project = ?1 AND day.facet = ?2 AND day.member = ?3 ORDER BY day.day LIMIT 1
           ),
           last_at = (
             SELECT day.last_at FROM tally_of_day AS day
             WHERE day.project = ?1 AND day.facet = ?2 AND day.member = ?3 ORDER BY day.day DESC LIMIT 1
           )
         WHERE project = ?1 AND facet = ?2 AND member = ?3",
        (project, facet, member, usd),
    )?;
    Ok(())
}

/// The earliest and the latest of a day's standing donations that count in a cell.
fn bounds_of_day(
    db: &Connection,
    cell: &Cell,
    day: Day,
) -> rusqlite::Result<(Option<i64>, Option<i64>)> {
    let (start, end) = day.milliseconds();
    db.prepare_cached(
        "SELECT min(given.at), max(given.at)
         FROM standing_donation AS given
         JOIN config ON config.id = given.config
         LEFT JOIN partner_token ON partner_token.token = given.token
         LEFT JOIN contract ON contract.id = partner_token.contract
         WHERE given.at >= ?1 AND given.at < ?2
           AND (config.project = ?3 OR contract.project = ?3)
           AND CASE ?4
             WHEN 0 THEN 1
             WHEN 1 THEN EXISTS (
               SELECT 1 FROM config_charity
               WHERE config_charity.config = given.config AND config_charity.charity = ?5
             )
             WHEN 2 THEN given.token = ?5
             ELSE given.config = ?5
           END",
    )?
    .query_row(
        (start, end, cell.project, cell.facet.number(), &cell.member),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )
}
