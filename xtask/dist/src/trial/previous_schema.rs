//! A database as the previous version of the program left it.

use crate::release::Release;
use fs_err as fs;
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::io;
use std::path::{Path, PathBuf};

/// Makes a database that lacks the newest migration, with the rows of one that has it.
///
/// # Errors
/// When there is no previous schema, a file cannot be read or written, or rows do not fit.
pub(super) fn create(release: &Release, path: &Path, newest: &Path) -> io::Result<()> {
    let folder = release.root.join("server/src/database/sqlite/migrations");
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files = files.collect::<io::Result<Vec<PathBuf>>>()?;
    files.sort();
    files.pop();
    let database = Connection::open(path).map_err(io::Error::other)?;
    for (version, file) in (1_u32..).zip(&files) {
        apply(&database, version, &fs::read_to_string(file)?).map_err(io::Error::other)?;
    }
    copy_rows(&database, newest).map_err(io::Error::other)
}

/// Copies the rows of another database, in the columns that both have.
fn copy_rows(database: &Connection, from: &Path) -> rusqlite::Result<()> {
    database.execute("ATTACH ?1 AS newest", [from.to_string_lossy()])?;
    let tables = "SELECT name FROM main.sqlite_schema JOIN newest.sqlite_schema USING (type, name)
                  WHERE type = 'table' AND name <> 'schema_migrations' AND name NOT LIKE 'sqlite_%'";
    for table in texts(database, tables, [])? {
        let columns = "SELECT name FROM pragma_table_info(?1, 'main')
                       JOIN pragma_table_info(?1, 'newest') USING (name)";
        let columns = texts(database, columns, [&table])?.join(", ");
        // What a migration writes is the same in both.
        let copy = format!(
            "INSERT OR IGNORE INTO main.{table} ({columns}) SELECT {columns} FROM newest.{table}"
        );
        database.execute(&copy, [])?;
    }
    Ok(())
}

fn texts(
    database: &Connection,
    sql: &str,
    values: impl rusqlite::Params,
) -> rusqlite::Result<Vec<String>> {
    let mut statement = database.prepare(sql)?;
    let texts = statement.query_map(values, |row| row.get(0))?;
    texts.collect()
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
