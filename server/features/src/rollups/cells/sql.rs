//! The tables of cells and of pairs, which are the configs and tokens that have cells.

use std::collections::{BTreeMap, BTreeSet};

use db::{Batch, DbError, Row, Tx, params};

use super::CellStats;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::batch::RollupBatch;
use crate::rollups::effect::DonationEffect;
use crate::rollups::key::{CellKey, PairKey};
use crate::rollups::sql::read_stats;

/// Loads the cells that these donations may change.
pub(crate) fn load(
    tx: &Tx<'_>,
    effects: &[&DonationEffect],
) -> Result<Vec<(CellKey, CellStats)>, DbError> {
    let keys = effects.iter().flat_map(|effect| &effect.cells);
    let mut rows = Batch::default();
    for (pair, day) in keys.collect::<BTreeSet<_>>() {
        rows.push(params![pair.project, day, pair.config, pair.token]);
    }
    let sql = "SELECT cell.project, cell.day, cell.config, cell.token, cell.usd_e6, cell.donations,
                 cell.first_at, cell.last_at, cell.parts
               FROM batch(project uuid, day bigint, config bytea, token bytea)
               JOIN tally_of_cell AS cell USING (project, day, config, token)";
    tx.all_of_batch(sql, &rows, &[], read)
}

/// Reads all columns of a cell.
pub(crate) fn read(row: &Row<'_>) -> Result<(CellKey, CellStats), DbError> {
    let cell = CellStats {
        stats: read_stats(row)?,
        parts: row.get("parts")?,
    };
    Ok(((read_pair(row)?, row.get("day")?), cell))
}

/// Reads the columns `project`, `config` and `token`.
pub(crate) fn read_pair(row: &Row<'_>) -> Result<PairKey, DbError> {
    Ok(PairKey {
        project: row.get("project")?,
        config: row.get("config")?,
        token: row.get("token")?,
    })
}

/// Writes the cells that have changed, and the pairs. The donations must be in the log already.
pub(crate) fn write(tx: &Tx<'_>, batch: &RollupBatch) -> Result<(), DbError> {
    let (mut rows, mut empty) = (Batch::default(), Batch::default());
    let mut dates_unknown = Vec::new();
    let mut days: BTreeMap<PairKey, i64> = BTreeMap::new();
    for (key @ (pair, day), cell) in batch.changed_cells() {
        let DonationStats {
            usd,
            donations,
            first,
            last,
        } = cell.sum.stats;
        let PairKey {
            project,
            config,
            token,
        } = *pair;
        if donations == 0 {
            empty.push(params![project, day, config, token]);
        } else {
            rows.push(params![
                project, day, config, token, usd, donations, first, last, cell.parts
            ]);
            dates_unknown.extend(cell.sum.dates_unknown.then_some(key));
        }
        match (cell.was_recorded, donations > 0) {
            (false, true) => *days.entry(*pair).or_default() += 1,
            (true, false) => *days.entry(*pair).or_default() -= 1,
            _ => {}
        }
    }
    let sql = "INSERT INTO tally_of_cell (
                 project, day, config, token, usd_e6, donations, first_at, last_at, parts
               )
               SELECT project, day, config, token, usd_e6, donations, first_at, last_at, parts
               FROM batch(project uuid, day bigint, config bytea, token bytea, usd_e6 bigint,
                 donations bigint, first_at bigint, last_at bigint, parts bytea)
               WHERE true
               ON CONFLICT (project, day, config, token) DO UPDATE SET
                 usd_e6 = excluded.usd_e6, donations = excluded.donations,
                 first_at = excluded.first_at, last_at = excluded.last_at, parts = excluded.parts";
    tx.execute_batch(sql, &rows, &[])?;
    let sql = "DELETE FROM tally_of_cell
               WHERE (project, day, config, token) IN (
                 SELECT project, day, config, token
                 FROM batch(project uuid, day bigint, config bytea, token bytea)
               )";
    tx.execute_batch(sql, &empty, &[])?;
    write_pairs(tx, days)?;
    for key in dates_unknown {
        correct_dates(tx, key)?;
    }
    Ok(())
}

/// Changes the numbers of days of pairs.
fn write_pairs(tx: &Tx<'_>, days: BTreeMap<PairKey, i64>) -> Result<(), DbError> {
    let (mut more, mut fewer) = (Batch::default(), Batch::default());
    for (pair, change) in days {
        let PairKey {
            project,
            config,
            token,
        } = pair;
        match change {
            0 => {}
            1.. => more.push(params![project, config, token, change]),
            ..0 => fewer.push(params![project, config, token, -change]),
        }
    }
    let sql = "INSERT INTO tally_of_pair (project, config, token, days)
               SELECT project, config, token, days
               FROM batch(project uuid, config bytea, token bytea, days bigint)
               WHERE true
               ON CONFLICT (project, config, token) DO UPDATE SET
                 days = tally_of_pair.days + excluded.days";
    tx.execute_batch(sql, &more, &[])?;
    let sql = "UPDATE tally_of_pair AS pair SET days = pair.days - batch.days
               FROM batch(project uuid, config bytea, token bytea, days bigint)
               WHERE pair.project = batch.project AND pair.config = batch.config
                 AND pair.token = batch.token";
    tx.execute_batch(sql, &fewer, &[])?;
    let sql = "DELETE FROM tally_of_pair AS pair
               WHERE pair.days = 0 AND (pair.project, pair.config, pair.token) IN (
                 SELECT batch.project, batch.config, batch.token
                 FROM batch(project uuid, config bytea, token bytea, days bigint)
               )";
    tx.execute_batch(sql, &fewer, &[])?;
    Ok(())
}

/// Looks up the first and last dates in the log: all donations of a config and a token are in the cells of the
/// same projects.
fn correct_dates(tx: &Tx<'_>, (pair, day): &CellKey) -> Result<u64, DbError> {
    let sql = "UPDATE tally_of_cell SET (first_at, last_at) = (
                 SELECT min(given.at), max(given.at) FROM standing_donation AS given
                 WHERE given.config = $3 AND given.token = $4 AND given.at >= $5 AND given.at < $6
               )
               WHERE project = $1 AND day = $2 AND config = $3 AND token = $4";
    let (start, end) = day.milliseconds();
    let params = params![pair.project, day, pair.config, pair.token, start, end];
    tx.execute(sql, params)
}
