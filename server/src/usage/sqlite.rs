//! Usage, in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, Row, named_params};

use super::fold::{Addition, Fold, MAX_ROWS, Series, Unfolded};
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

/// The minutes to fold. The primary key begins with the minute too, but holds two days that are folded.
const UNFOLDED: &str =
    "SELECT project, minute, key, operation, class, run, requests, folded, is_coarse
     FROM usage_minute INDEXED BY usage_minute_unfolded
     WHERE requests > folded AND minute < ?1 ORDER BY minute LIMIT ?2";

fn fold(db: &Connection, before: Minute) -> rusqlite::Result<bool> {
    let minutes = query::all(db, UNFOLDED, (before, MAX_ROWS), read_unfolded)?;
    let fold = Fold::of(&minutes);
    for ((minute, series), addition) in &fold.hours {
        add(db, "usage_hour", *minute, series, *addition)?;
    }
    for ((minute, series), addition) in &fold.days {
        add(db, "usage_day", *minute, series, *addition)?;
    }
    for ((project, key), minute) in &fold.uses {
        let sql = "INSERT INTO key_use (project, key, minute) VALUES (?1, ?2, ?3)
                   ON CONFLICT (project, key) DO UPDATE SET minute = max(minute, excluded.minute)";
        query::execute(db, sql, (project, key, minute))?;
    }
    for row in &minutes {
        mark(db, row)?;
    }
    Ok(minutes.len() == MAX_ROWS)
}

fn add(
    db: &Connection,
    table: &str,
    minute: Minute,
    series: &Series,
    addition: Addition,
) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO {table} (project, minute, key, operation, class, requests, is_coarse)
         VALUES (:project, :minute, :key, :operation, :class, :requests, :is_coarse)
         ON CONFLICT (project, minute, key, operation, class) DO UPDATE
         SET requests = requests + excluded.requests,
           is_coarse = max(is_coarse, excluded.is_coarse)"
    );
    query::execute(
        db,
        &sql,
        named_params! {
            ":project": series.project,
            ":minute": minute,
            ":key": series.key,
            ":operation": series.operation,
            ":class": series.class,
            ":requests": addition.requests,
            ":is_coarse": addition.is_coarse,
        },
    )?;
    Ok(())
}

/// Marks the count of a minute as folded.
fn mark(db: &Connection, row: &Unfolded) -> rusqlite::Result<()> {
    query::execute(
        db,
        "UPDATE usage_minute SET folded = :requests
         WHERE project = :project AND minute = :minute AND key = :key AND operation = :operation
           AND class = :class AND run = :run",
        named_params! {
            ":project": row.series.project,
            ":minute": row.minute,
            ":key": row.series.key,
            ":operation": row.series.operation,
            ":class": row.series.class,
            ":run": row.run,
            ":requests": row.requests,
        },
    )?;
    Ok(())
}

fn read_unfolded(row: &Row<'_>) -> rusqlite::Result<Unfolded> {
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
        query::assert_reads_index(UNFOLDED, params, "usage_minute_unfolded");
    }
}
