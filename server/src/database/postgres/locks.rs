//! What transactions wait for each other at, apart from rows.
//!
//! Records are written under one lock. Batches of donations share it, so that importers of different
//! projects work side by side; a batch with any other record has it alone, since donations are
//! counted by what such records say. Donations are then serialised project by project: their sums
//! meet in the project's total anyway, and one lock for all of a project's cells, taken in order,
//! leaves nothing to deadlock over.

use deadpool_postgres::Transaction;

use super::{Failure, query};
use crate::projects::ProjectId;

/// The first half of the locks that are not a project's. Any number will do that no other program
/// uses in the same database.
const FAMILY: i32 = 0x0d0_4a7e;
const RECORDS: i32 = 1;
const MIGRATION: i32 = 2;

/// Lets others record donations at the same time, and nothing else.
pub(crate) async fn share_records(tx: &Transaction<'_>) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock_shared($1, $2)";
    query::first(tx, sql, &[&FAMILY, &RECORDS], |_| Ok(())).await?;
    Ok(())
}

/// Lets nobody record anything at the same time.
pub(crate) async fn own_records(tx: &Transaction<'_>) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock($1, $2)";
    query::first(tx, sql, &[&FAMILY, &RECORDS], |_| Ok(())).await?;
    Ok(())
}

/// Lets nobody migrate at the same time.
pub(crate) async fn own_schema(tx: &tokio_postgres::Transaction<'_>) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock($1, $2)";
    tx.query(sql, &[&FAMILY, &MIGRATION]).await?;
    Ok(())
}

/// Lets nobody change these projects' cells at the same time.
pub(crate) async fn own_projects(
    tx: &Transaction<'_>,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<(), Failure> {
    // The last half of an id is random. Two projects that share it wait for each other: no harm.
    let mut keys: Vec<_> = projects
        .into_iter()
        .map(|project| project.0.as_u64_pair().1.cast_signed())
        .collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        query::first(tx, "SELECT pg_advisory_xact_lock($1)", &[&key], |_| Ok(())).await?;
    }
    Ok(())
}
