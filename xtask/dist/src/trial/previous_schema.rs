//! A database as the previous version of the program left it.

use crate::release::Release;
use fs_err as fs;
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// Makes a database that lacks the newest migration.
///
/// # Errors
/// When there is no previous schema, or the file cannot be written.
pub(super) fn create(release: &Release, path: &Path) -> io::Result<()> {
    let folder = release.root.join("server/src/database/sqlite/migrations");
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files = files.collect::<io::Result<Vec<PathBuf>>>()?;
    files.sort();
    files.pop();
    let database = Connection::open(path).map_err(io::Error::other)?;
    for (version, file) in (1_u32..).zip(&files) {
        apply(&database, version, &fs::read_to_string(file)?).map_err(io::Error::other)?;
    }
    Ok(())
}

/// Applies a migration and notes it, as the program does.
fn apply(database: &Connection, version: u32, sql: &str) -> rusqlite::Result<()> {
    database.execute_batch(
        "CREATE TABLE IF NOT EXISTS schema_migrations (
           version INTEGER PRIMARY KEY,
           checksum BLOB NOT NULL
         ) STRICT",
    )?;
    database.execute_batch(sql)?;
    let checksum: [u8; 32] = Sha256::digest(sql).into();
    let note = "INSERT INTO schema_migrations (version, checksum) VALUES (?1, ?2)";
    database.execute(note, (version, checksum)).map(drop)
}
