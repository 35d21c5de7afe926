//! The schema of a database, and which migrations a database still needs.

use sha2::{Digest, Sha256};

use crate::DbError;

/// The migrations of a program in order: the first creates schema 1. A released migration never changes.
///
/// They are written in PostgreSQL's dialect; SQLite gets the translation of
/// [`dialect`](crate::sqlite::dialect).
///
/// The crate refinery does not fit: it takes no lock while it checks and migrates, so that processes
/// that start at the same time fail.
#[derive(Debug, Clone, Copy)]
pub struct Schema(pub &'static [&'static str]);

/// The versions of the applied migrations, with their checksums.
pub(crate) type Applied = Vec<(u32, Vec<u8>)>;

/// A step from one schema to the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    pub(crate) version: u32,
    pub(crate) sql: &'static str,
    pub(crate) checksum: [u8; 32],
}

impl Schema {
    /// The number of the newest schema.
    pub const fn newest(self) -> u32 {
        self.0.len() as u32
    }

    /// The migrations that a database still needs.
    ///
    /// # Errors
    /// When the database is newer than this program, or was created by other migrations.
    pub(crate) fn missing(self, applied: &Applied) -> Result<Vec<Migration>, DbError> {
        let (found, known) = (current(applied), self.newest());
        if found > known {
            return Err(DbError::NewerSchema { found, known });
        }
        let mut missing = Vec::new();
        for (version, sql) in (1..).zip(self.0) {
            let checksum: [u8; 32] = Sha256::digest(sql).into();
            match applied.iter().find(|(applied, _)| *applied == version) {
                Some((_, recorded)) if *recorded == checksum => {}
                Some(_) => {
                    let reason = format!("its schema {version} is not this program's");
                    return Err(DbError::Corrupt(reason));
                }
                None => missing.push(Migration {
                    version,
                    sql,
                    checksum,
                }),
            }
        }
        Ok(missing)
    }
}

/// The schema of a database; 0 when it has none.
pub(crate) fn current(applied: &Applied) -> u32 {
    applied
        .iter()
        .map(|(version, _)| *version)
        .max()
        .unwrap_or(0)
}
