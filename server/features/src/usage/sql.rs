//! Usage.

use std::collections::BTreeMap;

use db::{Batch, DbError, PerEngine, Row, Tx, params};

use super::fold::{Addition, Fold, MAX_ROWS, Series, Unfolded};
use super::{
    Breakdown, LastUses, Minute, MinuteCount, Retention, RunId, StatusClass, Step, UsageQuery,
    UsageRow,
};
use crate::database::locks;
use crate::projects::{Actor, ProjectId, sql as projects};

pub(crate) fn put(tx: &Tx<'_>, run: RunId, counts: &[MinuteCount]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for count in counts {
        rows.push(params![
            count.project,
            count.minute,
            count.key,
            count.operation,
            count.class,
            run,
            count.requests,
            count.is_coarse,
        ]);
    }
    let sql = "INSERT INTO usage_minute (project, minute, key, operation, class, run, requests,
                 folded, is_coarse)
               SELECT project, minute, key, operation, class, run, requests, 0, is_coarse
               FROM batch(project uuid, minute bigint, key uuid, operation text, class text,
                 run uuid, requests bigint, is_coarse boolean)
               WHERE true
               ON CONFLICT (project, minute, key, operation, class, run) DO UPDATE
               SET requests = greatest(usage_minute.requests, excluded.requests),
                 is_coarse = usage_minute.is_coarse OR excluded.is_coarse";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

/// The requests of all projects in the 24 hours before a minute, by class.
pub fn requests_of_last_day(tx: &Tx<'_>, now: Minute) -> Result<Vec<(StatusClass, u64)>, DbError> {
    let sql = "SELECT class, CAST(sum(requests) AS bigint) AS requests FROM (
                 SELECT class, requests FROM usage_hour WHERE minute > $1
                 UNION ALL
                 SELECT class, requests - folded AS requests FROM usage_minute WHERE requests > folded
               ) AS recent GROUP BY class ORDER BY class";
    let since = Minute(now.0 - 24 * 60);
    tx.all(sql, params![since], |row| {
        Ok((row.get("class")?, row.get("requests")?))
    })
}

/// The rows before a minute that are not folded. They are locked: a server that stores a higher count
/// waits until the folded one is marked.
const UNFOLDED: PerEngine<'_> = PerEngine {
    // The primary key begins with the minute too, but holds two days that are folded.
    sqlite: "SELECT project, minute, key, operation, class, run, requests, folded, is_coarse
             FROM usage_minute INDEXED BY usage_minute_unfolded
             WHERE requests > folded AND minute < $1 ORDER BY minute LIMIT $2",
    postgres: "SELECT project, minute, key, operation, class, run, requests, folded, is_coarse
               FROM usage_minute WHERE requests > folded AND minute < $1
               ORDER BY minute LIMIT $2 FOR UPDATE",
};

pub(crate) fn fold(tx: &Tx<'_>, before: Minute) -> Result<bool, DbError> {
    if !tx.try_lock(locks::USAGE)? {
        return Ok(false);
    }
    let params = params![before, MAX_ROWS];
    let minutes: Vec<Unfolded> = tx.all(tx.choose(UNFOLDED), params, read_unfolded)?;
    let fold = Fold::of(&minutes);
    add(tx, "usage_hour", &fold.hours)?;
    add(tx, "usage_day", &fold.days)?;
    store_uses(tx, &fold)?;
    mark(tx, &minutes)?;
    Ok(minutes.len() == MAX_ROWS)
}

fn add(
    tx: &Tx<'_>,
    table: &str,
    sums: &BTreeMap<(Minute, Series), Addition>,
) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for ((minute, series), addition) in sums {
        rows.push(params![
            series.project,
            minute,
            series.key,
            series.operation,
            series.class,
            addition.requests,
            addition.is_coarse,
        ]);
    }
    let sql = format!(
        "INSERT INTO {table} (project, minute, key, operation, class, requests, is_coarse)
         SELECT project, minute, key, operation, class, requests, is_coarse
         FROM batch(project uuid, minute bigint, key uuid, operation text, class text,
           requests bigint, is_coarse boolean)
         WHERE true
         ON CONFLICT (project, minute, key, operation, class) DO UPDATE
         SET requests = {table}.requests + excluded.requests,
           is_coarse = {table}.is_coarse OR excluded.is_coarse"
    );
    tx.execute_batch(&sql, &rows, &[])?;
    Ok(())
}

/// Stores the last minute in which each key was used.
fn store_uses(tx: &Tx<'_>, fold: &Fold) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for ((project, key), minute) in &fold.uses {
        rows.push(params![project, key, minute]);
    }
    let sql = "INSERT INTO key_use (project, key, minute)
               SELECT project, key, minute FROM batch(project uuid, key uuid, minute bigint)
               WHERE true
               ON CONFLICT (project, key) DO UPDATE
               SET minute = greatest(key_use.minute, excluded.minute)";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

/// Marks the counts of minutes as folded.
fn mark(tx: &Tx<'_>, minutes: &[Unfolded]) -> Result<(), DbError> {
    let mut rows = Batch::default();
    for row in minutes {
        let series = &row.series;
        rows.push(params![
            series.project,
            row.minute,
            series.key,
            series.operation,
            series.class,
            row.run,
            row.requests,
        ]);
    }
    let sql = "UPDATE usage_minute SET folded = batch.requests
               FROM batch(project uuid, minute bigint, key uuid, operation text, class text,
                 run uuid, requests bigint)
               WHERE usage_minute.project = batch.project AND usage_minute.minute = batch.minute
                 AND usage_minute.key = batch.key AND usage_minute.operation = batch.operation
                 AND usage_minute.class = batch.class AND usage_minute.run = batch.run";
    tx.execute_batch(sql, &rows, &[])?;
    Ok(())
}

pub(crate) fn forget(tx: &Tx<'_>, now: Minute, retention: Retention) -> Result<(), DbError> {
    if !tx.try_lock(locks::USAGE)? {
        return Ok(());
    }
    let sql = "DELETE FROM usage_minute WHERE minute < $1 AND requests = folded";
    tx.execute(sql, params![now.hours_before(retention.minutes)])?;
    let sql = "DELETE FROM usage_hour WHERE minute < $1";
    tx.execute(sql, params![now.hours_before(retention.hours)])?;
    let sql = "DELETE FROM usage_day WHERE minute < $1";
    tx.execute(sql, params![now.hours_before(retention.days)])?;
    Ok(())
}

pub(crate) fn usage(
    tx: &Tx<'_>,
    actor: Actor,
    asked: UsageQuery,
) -> Result<Option<Vec<UsageRow>>, DbError> {
    if projects::seen(tx, actor, asked.project)?.is_none() {
        return Ok(None);
    }
    let sql = select(asked.step, asked.breakdown);
    let params = params![asked.project, asked.from, asked.to];
    let found = tx.all(&sql, params, |row| read_row(row, asked.breakdown));
    Ok(Some(found?))
}

/// The query of the requests of a step. Hours and days lack the counts that are not folded yet.
fn select(step: Step, breakdown: Breakdown) -> String {
    let columns = match breakdown {
        Breakdown::Status => "class",
        Breakdown::Key => "key, class",
        Breakdown::Operation => "operation, class",
        Breakdown::All => "key, operation, class",
    };
    let source = match step {
        Step::Minute => "usage_minute".to_owned(),
        Step::Hour => with_unfolded("usage_hour", 60),
        Step::Day => with_unfolded("usage_day", 24 * 60),
    };
    format!(
        "SELECT minute, {columns}, CAST(sum(requests) AS bigint) AS requests,
           max(CASE WHEN is_coarse THEN 1 ELSE 0 END) = 1 AS is_coarse
         FROM {source} WHERE project = $1 AND minute >= $2 AND minute < $3
         GROUP BY minute, {columns} ORDER BY minute, {columns}"
    )
}

fn with_unfolded(table: &str, minutes: i64) -> String {
    format!(
        "(SELECT project, minute, key, operation, class, requests, is_coarse FROM {table}
          UNION ALL
          SELECT project, minute - minute % {minutes} AS minute, key, operation, class,
            requests - folded AS requests, is_coarse
          FROM usage_minute WHERE requests > folded) AS step"
    )
}

pub(crate) fn last_uses(
    tx: &Tx<'_>,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<LastUses>, DbError> {
    if projects::seen(tx, actor, project)?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT key, max(minute) AS minute
               FROM (SELECT key, minute FROM key_use WHERE project = $1
                     UNION ALL SELECT key, minute FROM usage_minute WHERE project = $1) AS used
               GROUP BY key";
    let used = |row: &Row<'_>| Ok((row.get("key")?, row.get("minute")?));
    let minutes = tx.all(sql, params![project], used)?;
    let sql = "SELECT at FROM usage_start";
    let since = tx.first(sql, &[], |row| row.get("at"))?;
    Ok(Some(LastUses {
        minutes,
        recorded_since: since.unwrap_or_default(),
    }))
}

fn read_unfolded(row: &Row<'_>) -> Result<Unfolded, DbError> {
    Ok(Unfolded {
        series: Series {
            project: row.get("project")?,
            key: row.get("key")?,
            operation: row.get("operation")?,
            class: row.get("class")?,
        },
        minute: row.get("minute")?,
        run: row.get("run")?,
        requests: row.get("requests")?,
        folded: row.get("folded")?,
        is_coarse: row.get("is_coarse")?,
    })
}

fn read_row(row: &Row<'_>, breakdown: Breakdown) -> Result<UsageRow, DbError> {
    Ok(UsageRow {
        minute: row.get("minute")?,
        key: match breakdown.has_key() {
            true => row.get("key")?,
            false => None,
        },
        operation: match breakdown.has_operation() {
            true => row.get("operation")?,
            false => None,
        },
        class: row.get("class")?,
        requests: row.get("requests")?,
        is_coarse: row.get("is_coarse")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::assert_reads_index;

    #[test]
    fn minutes_to_fold_are_read_from_their_index() {
        assert_reads_index(UNFOLDED.sqlite, "INDEX usage_minute_unfolded (minute<?)");
    }
}
