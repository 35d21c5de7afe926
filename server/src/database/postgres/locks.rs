//! The advisory locks that transactions take in PostgreSQL, besides row locks.
//!
//! Records are written under one lock. Batches of donations share it, so that importers of different
//! projects work in parallel; a batch with any other record holds it exclusively, because the sums of
//! donations depend on such records. Donations are then serialised by project: each changes the
//! project's total anyway, and one lock for all roll-ups of a project, taken in order, prevents
//! deadlocks.

use deadpool_postgres::Transaction;

use super::{Failure, query};
use crate::projects::ProjectId;

/// The first half of the keys of locks that do not belong to a project. No other program may use it in
/// the same database.
const FAMILY: i32 = 0x0d0_4a7e;
const RECORDS: i32 = 1;
const MIGRATION: i32 = 2;
const SIGN_INS: i32 = 3;
const INVITATIONS: i32 = 4;
const USAGE: i32 = 5;

/// Takes a lock of the family exclusively, until the end of the transaction.
async fn own(tx: &Transaction<'_>, lock: i32) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock($1, $2)";
    query::first(tx, sql, &[&FAMILY, &lock], |_| Ok(())).await?;
    Ok(())
}

/// Locks records for sharing: other transactions may record donations at the same time, and nothing
/// else.
pub(crate) async fn share_records(tx: &Transaction<'_>) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock_shared($1, $2)";
    query::first(tx, sql, &[&FAMILY, &RECORDS], |_| Ok(())).await?;
    Ok(())
}

/// Prevents other transactions from recording anything at the same time.
pub(crate) async fn own_records(tx: &Transaction<'_>) -> Result<(), Failure> {
    own(tx, RECORDS).await
}

/// Prevents other transactions from beginning or confirming sign-ins, which the limits count.
pub(crate) async fn own_sign_ins(tx: &Transaction<'_>) -> Result<(), Failure> {
    own(tx, SIGN_INS).await
}

/// Prevents other transactions from sending invitations, which the limits count.
pub(crate) async fn own_invitations(tx: &Transaction<'_>) -> Result<(), Failure> {
    own(tx, INVITATIONS).await
}

/// Prevents other transactions from folding and deleting usage; whether none does so already.
pub(crate) async fn try_own_usage(tx: &Transaction<'_>) -> Result<bool, Failure> {
    let sql = "SELECT pg_try_advisory_xact_lock($1, $2) AS is_own";
    let is_own = query::first(
        tx,
        sql,
        &[&FAMILY, &USAGE],
        |row| Ok(row.try_get("is_own")?),
    );
    Ok(is_own.await?.unwrap_or(false))
}

/// Prevents concurrent migrations.
pub(crate) async fn own_schema(tx: &tokio_postgres::Transaction<'_>) -> Result<(), Failure> {
    let sql = "SELECT pg_advisory_xact_lock($1, $2)";
    tx.query(sql, &[&FAMILY, &MIGRATION]).await?;
    Ok(())
}

/// Prevents other transactions from changing these projects' roll-ups at the same time.
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
