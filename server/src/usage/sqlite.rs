//! Usage, in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, Row, named_params};

use super::fold::MAX_ROWS;
use super::{
    Breakdown, LastUses, Minute, MinuteCount, Retention, RunId, Step, UsageQuery, UsageRow,
    UsageStore,
};
use crate::database::sqlite::{Sqlite, column, query};
use crate::database::{StoreError, Writer};
use crate::keys::KeyId;
use crate::projects::{Actor, ProjectId, sqlite as projects};

#[async_trait]
impl UsageStore for Sqlite {
    async fn put_usage(&self, run: RunId, counts: Vec<MinuteCount>) -> Result<(), StoreError> {
        self.write(Writer::Server, move |tx| Ok(put(tx, run, &counts)?))
            .await
    }

    async fn fold_usage(&self, before: Minute) -> Result<bool, StoreError> {
        // One transaction writes at a time.
        self.write(Writer::Server, move |tx| Ok(fold(tx, before)?))
            .await
    }

    async fn forget_usage(&self, now: Minute, retention: Retention) -> Result<(), StoreError> {
        self.write(Writer::Server, move |tx| Ok(forget(tx, now, retention)?))
            .await
    }

    async fn usage(
        &self,
        actor: Actor,
        query: UsageQuery,
    ) -> Result<Option<Vec<UsageRow>>, StoreError> {
        self.read(move |db| match projects::seen(db, actor, query.project)? {
            Some(_) => Ok(Some(rows(db, query)?)),
            None => Ok(None),
        })
        .await
    }

    async fn last_uses(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<LastUses>, StoreError> {
        self.read(move |db| match projects::seen(db, actor, project)? {
            Some(_) => Ok(Some(last_uses(db, project)?)),
            None => Ok(None),
        })
        .await
    }
}

/// The absolute number of requests of a minute: to put it again changes nothing.
const PUT: &str =
    "INSERT INTO usage_minute (project, minute, key, operation, class, run, requests, folded, is_coarse)
     VALUES (:project, :minute, :key, :operation, :class, :run, :requests, 0, :is_coarse)
     ON CONFLICT (project, minute, key, operation, class, run) DO UPDATE
     SET requests = max(requests, excluded.requests), is_coarse = max(is_coarse, excluded.is_coarse)";

fn put(db: &Connection, run: RunId, counts: &[MinuteCount]) -> rusqlite::Result<()> {
    let mut statement = db.prepare_cached(PUT)?;
    for count in counts {
        statement.execute(named_params! {
            ":project": count.project,
            ":minute": count.minute,
            ":key": count.key,
            ":operation": count.operation,
            ":class": count.class,
            ":run": run,
            ":requests": count.requests,
            ":is_coarse": count.is_coarse,
        })?;
    }
    Ok(())
}

/// The first minute after this many rows that are not folded. The primary key begins with the minute too, but
/// holds two days that are folded.
const AFTER_ROWS: &str = "SELECT minute FROM usage_minute INDEXED BY usage_minute_unfolded
     WHERE requests > folded AND minute < ?1 ORDER BY minute LIMIT 1 OFFSET ?2";

/// The rows before a minute that are not folded.
const UNFOLDED: &str =
    "usage_minute INDEXED BY usage_minute_unfolded WHERE requests > folded AND minute < ?1";

fn fold(db: &Connection, before: Minute) -> rusqlite::Result<bool> {
    let read = |row: &Row<'_>| row.get::<_, Minute>("minute");
    let next = query::first(db, AFTER_ROWS, (before, MAX_ROWS), read)?;
    // Includes all of that minute: otherwise one with more than `MAX_ROWS` rows would never be folded.
    let end = next.map_or(before, |minute| Minute(minute.0 + 1));
    add(db, "usage_hour", 60, end)?;
    add(db, "usage_day", 24 * 60, end)?;
    let sql = format!(
        "INSERT INTO key_use (project, key, minute)
         SELECT project, key, max(minute) FROM {UNFOLDED} GROUP BY project, key
         ON CONFLICT (project, key) DO UPDATE SET minute = max(minute, excluded.minute)"
    );
    query::execute(db, &sql, [end])?;
    let sql = "UPDATE usage_minute INDEXED BY usage_minute_unfolded SET folded = requests
               WHERE requests > folded AND minute < ?1";
    query::execute(db, sql, [end])?;
    Ok(next.is_some())
}

/// Adds what is not folded to a table of steps of so many minutes.
fn add(db: &Connection, table: &str, minutes: i64, end: Minute) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO {table} (project, minute, key, operation, class, requests, is_coarse)
         SELECT project, minute - minute % {minutes}, key, operation, class,
           sum(requests - folded), max(is_coarse)
         FROM {UNFOLDED} GROUP BY 1, 2, 3, 4, 5
         ON CONFLICT (project, minute, key, operation, class) DO UPDATE
         SET requests = requests + excluded.requests,
           is_coarse = max(is_coarse, excluded.is_coarse)"
    );
    query::execute(db, &sql, [end])?;
    Ok(())
}

fn forget(db: &Connection, now: Minute, retention: Retention) -> rusqlite::Result<()> {
    let sql = "DELETE FROM usage_minute WHERE minute < ?1 AND requests = folded";
    query::execute(db, sql, [now.hours_before(retention.minutes)])?;
    let sql = "DELETE FROM usage_hour WHERE minute < ?1";
    query::execute(db, sql, [now.hours_before(retention.hours)])?;
    let sql = "DELETE FROM usage_day WHERE minute < ?1";
    query::execute(db, sql, [now.hours_before(retention.days)])?;
    Ok(())
}

fn rows(db: &Connection, asked: UsageQuery) -> rusqlite::Result<Vec<UsageRow>> {
    let range = (asked.project, asked.from, asked.to);
    let sql = select(asked.step, asked.breakdown);
    query::all(db, &sql, range, |row| read_row(row, asked.breakdown))
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
        "SELECT minute, {columns}, sum(requests) AS requests, max(is_coarse) AS is_coarse
         FROM {source} WHERE project = ?1 AND minute >= ?2 AND minute < ?3
         GROUP BY minute, {columns} ORDER BY minute, {columns}"
    )
}

fn with_unfolded(table: &str, minutes: i64) -> String {
    format!(
        "(SELECT project, minute, key, operation, class, requests, is_coarse FROM {table}
          UNION ALL
          SELECT project, minute - minute % {minutes} AS minute, key, operation, class,
            requests - folded AS requests, is_coarse
          FROM usage_minute WHERE requests > folded)"
    )
}

fn read_row(row: &Row<'_>, breakdown: Breakdown) -> rusqlite::Result<UsageRow> {
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

fn last_uses(db: &Connection, project: ProjectId) -> Result<LastUses, StoreError> {
    let sql = "SELECT key, max(minute) AS minute
               FROM (SELECT key, minute FROM key_use WHERE project = ?1
                     UNION ALL SELECT key, minute FROM usage_minute WHERE project = ?1)
               GROUP BY key";
    let read = |row: &Row<'_>| Ok((row.get::<_, KeyId>("key")?, row.get("minute")?));
    let minutes = query::all(db, sql, [project], read)?.into_iter().collect();
    let sql = "SELECT at FROM usage_start";
    let since = query::first(db, sql, [], |row| column::time(row, "at"))?;
    Ok(LastUses {
        minutes,
        recorded_since: since.unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_to_fold_are_read_from_their_index() {
        let params = (0, 1);
        query::assert_reads_index(AFTER_ROWS, params, "usage_minute_unfolded");
    }
}
