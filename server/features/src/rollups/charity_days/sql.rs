//! The days of charities.

use db::{Batch, DbError, Row, Tx, params};

use super::ReceivedOnDay;
use crate::charities::CharityId;
use crate::domain::amount::UsdE6;
use crate::domain::day::{Day, DayRange};
use crate::rollups::batch::RollupBatch;

/// A row, as [`ALL`] reads it.
pub(crate) type CharityDay = (Day, CharityId, ReceivedOnDay);

/// All rows, in the order of days.
pub(crate) const ALL: &str = "SELECT day, charity, usd_e6, donations FROM charity_day ORDER BY day";

pub(crate) fn read(row: &Row<'_>) -> Result<CharityDay, DbError> {
    Ok((row.get("day")?, row.get("charity")?, read_received(row)?))
}

fn read_received(row: &Row<'_>) -> Result<ReceivedOnDay, DbError> {
    Ok(ReceivedOnDay {
        usd: row.get("usd_e6")?,
        donations: row.get("donations")?,
    })
}

/// The days of a range on which a charity received donations, in order. Each day is looked up.
pub(crate) fn of_charity(
    tx: &Tx<'_>,
    charity: CharityId,
    range: DayRange,
) -> Result<Vec<(Day, ReceivedOnDay)>, DbError> {
    let days = range.first().number()..=range.last().number();
    let days = Batch::of_column(days);
    let sql = "SELECT received.day, received.usd_e6, received.donations
               FROM batch(day bigint) JOIN charity_day AS received USING (day)
               WHERE received.charity = $2
               ORDER BY received.day";
    tx.all_of_batch(sql, &days, params![charity], |row| {
        Ok((row.get("day")?, read_received(row)?))
    })
}

/// The sum of all charities in a range of days.
pub(crate) fn sum(tx: &Tx<'_>, range: DayRange) -> Result<UsdE6, DbError> {
    let sql = "SELECT CAST(coalesce(sum(usd_e6), 0) AS bigint) AS usd_e6
               FROM charity_day WHERE day BETWEEN $1 AND $2";
    let params = params![range.first(), range.last()];
    tx.one(sql, params, |row| row.get("usd_e6"))
}

/// Adds the changes of a batch, in the order of the primary key, and deletes the days without donations.
pub(crate) fn write(tx: &Tx<'_>, batch: &RollupBatch) -> Result<(), DbError> {
    let (mut rows, mut taken_back) = (Batch::default(), Batch::default());
    for (day, charity, change) in batch.charity_days() {
        rows.push(params![day, charity, change.usd, change.donations]);
        if change.takes_back {
            taken_back.push(params![day, charity]);
        }
    }
    let sql = "INSERT INTO charity_day (day, charity, usd_e6, donations)
               SELECT day, charity, usd_e6, donations
               FROM batch(day bigint, charity uuid, usd_e6 bigint, donations bigint)
               WHERE true ORDER BY day, charity
               ON CONFLICT (day, charity) DO UPDATE SET
                 usd_e6 = charity_day.usd_e6 + excluded.usd_e6,
                 donations = charity_day.donations + excluded.donations";
    tx.execute_batch(sql, &rows, &[])?;
    let sql = "DELETE FROM charity_day
               WHERE donations = 0 AND (day, charity) IN (
                 SELECT day, charity FROM batch(day bigint, charity uuid)
               )";
    tx.execute_batch(sql, &taken_back, &[])?;
    Ok(())
}
