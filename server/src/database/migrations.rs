//! The versions of the schema: the known ones, those of a database, and the missing ones.

use sha2::{Digest, Sha256};

use super::StoreError;

/// The newest schema: the number of migrations of each dialect.
pub const SCHEMA: u32 = 4;

/// The migrations of one dialect in order; the first makes schema 1. A released migration never
/// changes.
///
/// The crate refinery does not fit: it takes no lock while it checks and migrates, so that processes
/// that start at the same time fail (`several_processes_may_make_the_database_at_once`), and its table differs
/// from the one of existing databases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migrations(pub(crate) &'static [&'static str; SCHEMA as usize]);

/// A step from one schema to the next.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    pub(crate) version: u32,
    pub(crate) sql: &'static str,
    pub(crate) checksum: [u8; 32],
}

impl Migrations {
    /// The migrations that a database with `applied` ones, by version, still needs.
    ///
    /// # Errors
    /// When the database is newer than this program, or was made by other migrations.
    pub(crate) fn missing(self, applied: &[(u32, [u8; 32])]) -> Result<Vec<Migration>, StoreError> {
        let (found, known) = (current(applied), SCHEMA);
        if found > known {
            return Err(StoreError::NewerSchema { found, known });
        }
        let mut missing = Vec::new();
        for (version, sql) in (1..).zip(self.0) {
            let checksum: [u8; 32] = Sha256::digest(sql).into();
            match applied.iter().find(|(applied, _)| *applied == version) {
                Some((_, recorded)) if *recorded == checksum => {}
                Some(_) => {
                    let reason = format!("its schema {version} is not this program's");
                    return Err(StoreError::Corrupt(reason));
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
pub(crate) fn current(applied: &[(u32, [u8; 32])]) -> u32 {
    applied
        .iter()
        .map(|(version, _)| *version)
        .max()
        .unwrap_or(0)
}
