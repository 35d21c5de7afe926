//! Usage, in PostgreSQL.

mod rows;

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use tokio_postgres::Row;

use super::fold::{Fold, MAX_ROWS, Series, Unfolded};
use super::{
    Breakdown, LastUses, Minute, MinuteCount, Retention, RunId, Step, UsageQuery, UsageRow,
    UsageStore,
};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, column, locks, query};
use crate::database::{StoreError, Writer};
use crate::projects::{Actor, ProjectId, postgres as projects};

use rows::{MinuteRows, SumRows};

#[async_trait]
impl UsageStore for Postgres {
    async fn put_usage(&self, run: RunId, counts: Vec<MinuteCount>) -> Result<(), StoreError> {
        let about = (run, counts);
        let limits = TimeoutClass::Request;
        self.write(Writer::Server, limits, about, |tx, (run, counts)| {
            put(tx, *run, counts).boxed()
        })
        .await
    }

    async fn fold_usage(&self, before: Minute) -> Result<bool, StoreError> {
        let limits = TimeoutClass::Bulk;
        self.write(Writer::Server, limits, before, |tx, before| {
            fold(tx, *before).boxed()
        })
        .await
    }

    async fn forget_usage(&self, now: Minute, retention: Retention) -> Result<(), StoreError> {
        let limits = TimeoutClass::Bulk;
        self.write(
            Writer::Server,
            limits,
            (now, retention),
            |tx, (now, retention)| forget(tx, *now, *retention).boxed(),
        )
        .await
    }

    async fn usage(
        &self,
        actor: Actor,
        query: UsageQuery,
    ) -> Result<Option<Vec<UsageRow>>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            usage(tx, actor, query).boxed()
        })
        .await
    }

    async fn last_uses(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<LastUses>, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            last_uses(tx, actor, project).boxed()
        })
        .await
    }
}

async fn put(tx: &Transaction<'_>, run: RunId, counts: &[MinuteCount]) -> Result<(), Failure> {
    let sql = "INSERT INTO usage_minute (project, minute, key, operation, class, run, requests,
                 folded, is_coarse)
               SELECT project, minute, key, operation, class, $1::uuid, requests, 0, is_coarse
               FROM unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::text[], $6::text[],
                 $7::bigint[], $8::boolean[])
                 AS counted (project, minute, key, operation, class, requests, is_coarse)
               ON CONFLICT (project, minute, key, operation, class, run) DO UPDATE
               SET requests = greatest(usage_minute.requests, excluded.requests),
                 is_coarse = usage_minute.is_coarse OR excluded.is_coarse";
    let rows = SumRows::of_counts(counts);
    let params: query::Params<'_> = &[
        &run,
        &rows.projects,
        &rows.minutes,
        &rows.keys,
        &rows.operations,
        &rows.classes,
        &rows.requests,
        &rows.is_coarse,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn fold(tx: &Transaction<'_>, before: Minute) -> Result<bool, Failure> {
    if !locks::try_own_usage(tx).await? {
        return Ok(false);
    }
    // The rows are locked: a server that stores a higher count waits until the folded one is marked.
    let sql = "SELECT project, minute, key, operation, class, run, requests, folded, is_coarse
               FROM usage_minute WHERE requests > folded AND minute < $1
               ORDER BY minute LIMIT $2 FOR UPDATE";
    let limit = query::limit(MAX_ROWS);
    let minutes: Vec<Unfolded> =
        query::all(tx, sql, &[&before, &limit], rows::read_unfolded).await?;
    let fold = Fold::of(&minutes);
    add(tx, "usage_hour", &SumRows::of_sums(&fold.hours)).await?;
    add(tx, "usage_day", &SumRows::of_sums(&fold.days)).await?;
    note_uses(tx, &fold).await?;
    mark(tx, &minutes).await?;
    Ok(minutes.len() == MAX_ROWS)
}

async fn add(tx: &Transaction<'_>, table: &str, rows: &SumRows<'_>) -> Result<(), Failure> {
    let sql = format!(
        "INSERT INTO {table} (project, minute, key, operation, class, requests, is_coarse)
         SELECT project, minute, key, operation, class, requests, is_coarse
         FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::bigint[],
           $7::boolean[]) AS sum (project, minute, key, operation, class, requests, is_coarse)
         ON CONFLICT (project, minute, key, operation, class) DO UPDATE
         SET requests = {table}.requests + excluded.requests,
           is_coarse = {table}.is_coarse OR excluded.is_coarse"
    );
    let params: query::Params<'_> = &[
        &rows.projects,
        &rows.minutes,
        &rows.keys,
        &rows.operations,
        &rows.classes,
        &rows.requests,
        &rows.is_coarse,
    ];
    query::execute(tx, &sql, params).await?;
    Ok(())
}

/// Stores the last minute in which each key was used.
async fn note_uses(tx: &Transaction<'_>, fold: &Fold) -> Result<(), Failure> {
    let sql = "INSERT INTO key_use (project, key, minute)
               SELECT project, key, minute
               FROM unnest($1::uuid[], $2::uuid[], $3::bigint[]) AS used (project, key, minute)
               ON CONFLICT (project, key) DO UPDATE
               SET minute = greatest(key_use.minute, excluded.minute)";
    let (projects, keys): (Vec<_>, Vec<_>) = fold.uses.keys().copied().unzip();
    let minutes: Vec<_> = fold.uses.values().copied().collect();
    query::execute(tx, sql, &[&projects, &keys, &minutes]).await?;
    Ok(())
}

/// Marks the counts of minutes as folded.
async fn mark(tx: &Transaction<'_>, minutes: &[Unfolded]) -> Result<(), Failure> {
    let sql = "UPDATE usage_minute SET folded = marked.requests
               FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::text[], $5::text[], $6::uuid[],
                 $7::bigint[])
                 AS marked (project, minute, key, operation, class, run, requests)
               WHERE usage_minute.project = marked.project AND usage_minute.minute = marked.minute
                 AND usage_minute.key = marked.key AND usage_minute.operation = marked.operation
                 AND usage_minute.class = marked.class AND usage_minute.run = marked.run";
    let MinuteRows { runs, rows } = MinuteRows::of(minutes);
    let params: query::Params<'_> = &[
        &rows.projects,
        &rows.minutes,
        &rows.keys,
        &rows.operations,
        &rows.classes,
        &runs,
        &rows.requests,
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

async fn forget(tx: &Transaction<'_>, now: Minute, retention: Retention) -> Result<(), Failure> {
    if !locks::try_own_usage(tx).await? {
        return Ok(());
    }
    let sql = "DELETE FROM usage_minute WHERE minute < $1 AND requests = folded";
    query::execute(tx, sql, &[&now.hours_before(retention.minutes)]).await?;
    let sql = "DELETE FROM usage_hour WHERE minute < $1";
    query::execute(tx, sql, &[&now.hours_before(retention.hours)]).await?;
    let sql = "DELETE FROM usage_day WHERE minute < $1";
    query::execute(tx, sql, &[&now.hours_before(retention.days)]).await?;
    Ok(())
}

async fn usage(
    db: &impl GenericClient,
    actor: Actor,
    asked: UsageQuery,
) -> Result<Option<Vec<UsageRow>>, Failure> {
    if projects::seen(db, actor, asked.project).await?.is_none() {
        return Ok(None);
    }
    let sql = select(asked.step, asked.breakdown);
    let params: query::Params<'_> = &[&asked.project, &asked.from, &asked.to];
    let found = query::all(db, &sql, params, |row| rows::read_row(row, asked.breakdown));
    Ok(Some(found.await?))
}

/// The query of the requests of a step. Hours and days lack the counts that are not folded yet.
fn select(step: Step, breakdown: Breakdown) -> String {
    // Texts are compared by their bytes, whatever the database's language.
    let columns = match breakdown {
        Breakdown::Status => "class COLLATE \"C\"",
        Breakdown::Key => "key, class COLLATE \"C\"",
        Breakdown::Operation => "operation COLLATE \"C\", class COLLATE \"C\"",
        Breakdown::All => "key, operation COLLATE \"C\", class COLLATE \"C\"",
    };
    let named = columns.replace(" COLLATE \"C\"", "");
    let source = match step {
        Step::Minute => "usage_minute".to_owned(),
        Step::Hour => with_unfolded("usage_hour", 60),
        Step::Day => with_unfolded("usage_day", 24 * 60),
    };
    format!(
        "SELECT minute, {named}, sum(requests)::bigint AS requests, bool_or(is_coarse) AS is_coarse
         FROM {source} WHERE project = $1 AND minute >= $2 AND minute < $3
         GROUP BY minute, {named} ORDER BY minute, {columns}"
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

async fn last_uses(
    db: &impl GenericClient,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<LastUses>, Failure> {
    if projects::seen(db, actor, project).await?.is_none() {
        return Ok(None);
    }
    let sql = "SELECT key, max(minute) AS minute
               FROM (SELECT key, minute FROM key_use WHERE project = $1
                     UNION ALL SELECT key, minute FROM usage_minute WHERE project = $1) AS used
               GROUP BY key";
    let used = |row: &Row| Ok((row.try_get("key")?, row.try_get("minute")?));
    let minutes = query::all(db, sql, &[&project], used).await?;
    let sql = "SELECT at FROM usage_start";
    let since = query::first(db, sql, &[], |row| column::time(row, "at")).await?;
    Ok(Some(LastUses {
        minutes,
        recorded_since: since.unwrap_or_default(),
    }))
}
