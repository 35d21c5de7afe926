//! The minutes of days in the database.

use db::{DbError, Tx, params};
use features::domain::day::Day;

use super::{DayMinutes, Days};

/// Adds minutes to those of any server. The rows are locked in the order of days.
pub(super) fn add(tx: &Tx<'_>, days: &Days) -> Result<(), DbError> {
    for (day, added) in days {
        let sql = "INSERT INTO availability (day, running, reading) VALUES ($1, $2, $3)
                   ON CONFLICT (day) DO NOTHING";
        tx.execute(sql, params![day, added.running, added.reading])?;
        let sql = "SELECT running, reading FROM availability WHERE day = $1 FOR UPDATE";
        let mut minutes = tx.one(sql, params![day], |row| {
            Ok(DayMinutes {
                running: row.get("running")?,
                reading: row.get("reading")?,
            })
        })?;
        minutes.running |= added.running;
        minutes.reading |= added.reading;
        let sql = "UPDATE availability SET running = $2, reading = $3 WHERE day = $1";
        tx.execute(sql, params![day, minutes.running, minutes.reading])?;
    }
    Ok(())
}

/// Deletes the days before one.
pub(super) fn delete_before(tx: &Tx<'_>, day: i64) -> Result<(), DbError> {
    tx.execute("DELETE FROM availability WHERE day < $1", params![day])?;
    Ok(())
}

pub(super) fn all(tx: &Tx<'_>) -> Result<Days, DbError> {
    let sql = "SELECT day, running, reading FROM availability ORDER BY day";
    let days: Vec<(Day, DayMinutes)> = tx.all(sql, &[], |row| {
        let minutes = DayMinutes {
            running: row.get("running")?,
            reading: row.get("reading")?,
        };
        Ok((row.get("day")?, minutes))
    })?;
    Ok(days.into_iter().collect())
}
