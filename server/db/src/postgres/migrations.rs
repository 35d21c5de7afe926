//! Migrates the schema of the database to the newest version.

use tokio_postgres::{Client, Row, Transaction};

use crate::migrations::{Applied, Schema, current};
use crate::{DbError, Lock};

/// The tables of this crate. `pg_restore` fills a materialized view anew, so a restored database has
/// another epoch.
const BOOKKEEPING: &str = "
    CREATE TABLE IF NOT EXISTS schema_migrations (
      version bigint PRIMARY KEY,
      checksum bytea NOT NULL
    );
    CREATE TABLE IF NOT EXISTS version (
      name text PRIMARY KEY,
      number bigint NOT NULL
    );
    CREATE TABLE IF NOT EXISTS change (
      counter text NOT NULL,
      number bigint NOT NULL,
      item bytea NOT NULL,
      PRIMARY KEY (counter, number, item)
    );
    CREATE MATERIALIZED VIEW IF NOT EXISTS epoch AS SELECT gen_random_uuid() AS id;
";

/// Brings the database to the newest schema in one transaction; returns the schemas before and after. A
/// concurrent migration waits, and then has nothing to do.
pub(crate) async fn migrate(client: &mut Client, schema: Schema) -> Result<(u32, u32), DbError> {
    // No timeout: the operator waits for it and can interrupt it.
    client.batch_execute("SET statement_timeout = 0").await?;
    let tx = client.transaction().await?;
    let [family, lock] = Lock::MIGRATION.key();
    let sql = "SELECT pg_advisory_xact_lock($1::int, $2::int)";
    tx.query(sql, &[&family, &lock]).await?;
    tx.batch_execute(BOOKKEEPING).await?;
    let applied = applied(&tx).await?;
    for migration in schema.missing(&applied)? {
        tx.batch_execute(migration.sql).await?;
        let record = "INSERT INTO schema_migrations (version, checksum) VALUES ($1, $2)";
        let version = i64::from(migration.version);
        tx.execute(record, &[&version, &migration.checksum.as_slice()])
            .await?;
    }
    tx.commit().await?;
    Ok((current(&applied), schema.newest()))
}

/// Rejects a database whose schema is not the newest.
pub(crate) async fn check(client: &mut Client, schema: Schema) -> Result<(), DbError> {
    let tx = client.transaction().await?;
    let exists = "SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL";
    let applied = match tx.query_opt(exists, &[]).await? {
        Some(_) => applied(&tx).await?,
        None => Applied::new(),
    };
    if schema.missing(&applied)?.is_empty() {
        return Ok(());
    }
    Err(DbError::OlderSchema {
        found: current(&applied),
        known: schema.newest(),
    })
}

async fn applied(tx: &Transaction<'_>) -> Result<Applied, DbError> {
    let sql = "SELECT version, checksum FROM schema_migrations ORDER BY version";
    let rows = tx.query(sql, &[]).await?;
    let read = |row: &Row| {
        let version = u32::try_from(row.try_get::<_, i64>("version")?).ok();
        let checksum: Vec<u8> = row.try_get("checksum")?;
        let invalid =
            || DbError::Corrupt("its migrations were not recorded by this program".to_owned());
        Ok((version.ok_or_else(invalid)?, checksum))
    };
    rows.iter().map(read).collect()
}
