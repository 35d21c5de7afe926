//! Migrates the schema of the database to the newest version.

use tokio_postgres::{Client, Row, Transaction};

use super::column::{self, Bytes};
use super::{Failure, locks};
use crate::database::StoreError;
use crate::database::migrations::{POSTGRES, SCHEMA, current};

/// The applied migrations, with their checksums.
type Applied = Vec<(u32, [u8; 32])>;

/// Brings the database to the newest schema in one transaction; returns the schemas before and after. A
/// concurrent migration waits, and then has nothing to do.
pub(crate) async fn migrate(client: &mut Client) -> Result<(u32, u32), Failure> {
    // No timeout: the operator waits for it and can interrupt it.
    client.batch_execute("SET statement_timeout = 0").await?;
    let tx = client.transaction().await?;
    locks::own_schema(&tx).await?;
    tx.batch_execute(
        "CREATE TABLE IF NOT EXISTS schema_migrations (
           version bigint PRIMARY KEY,
           checksum bytea NOT NULL
         )",
    )
    .await?;
    let applied = applied(&tx).await?;
    for migration in POSTGRES.missing(&applied)? {
        tx.batch_execute(migration.sql).await?;
        let record = "INSERT INTO schema_migrations (version, checksum) VALUES ($1, $2)";
        let version = i64::from(migration.version);
        tx.execute(record, &[&version, &Bytes(migration.checksum)])
            .await?;
    }
    tx.commit().await?;
    Ok((current(&applied), SCHEMA))
}

/// Refuses a database whose schema is not the newest.
pub(crate) async fn check(client: &mut Client) -> Result<(), Failure> {
    let tx = client.transaction().await?;
    let exists = "SELECT 1 WHERE to_regclass('schema_migrations') IS NOT NULL";
    let applied = match tx.query_opt(exists, &[]).await? {
        Some(_) => applied(&tx).await?,
        None => Applied::new(),
    };
    if POSTGRES.missing(&applied)?.is_empty() {
        return Ok(());
    }
    Err(StoreError::OlderSchema {
        found: current(&applied),
        known: SCHEMA,
    })?
}

async fn applied(tx: &Transaction<'_>) -> Result<Applied, Failure> {
    let sql = "SELECT version, checksum FROM schema_migrations ORDER BY version";
    let rows = tx.query(sql, &[]).await?;
    let read = |row: &Row| {
        let version = column::number(row, "version")?;
        Ok((version, row.try_get::<_, Bytes<32>>("checksum")?.0))
    };
    rows.iter().map(read).collect()
}
