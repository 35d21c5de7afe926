//! The migrations of both databases, and which of them a database still needs.

use sha2::{Digest, Sha256};

use super::StoreError;

/// Embeds the migrations of these names: one file each below `sqlite/migrations` and below
/// `postgres/migrations`.
macro_rules! migrations {
    ($($name:literal,)*) => {
        const NAMES: &[&str] = &[$($name),*];
        pub(crate) const SQLITE: Migrations =
            Migrations(&[$(include_str!(concat!("sqlite/migrations/", $name, ".sql"))),*]);
        pub(crate) const POSTGRES: Migrations =
            Migrations(&[$(include_str!(concat!("postgres/migrations/", $name, ".sql"))),*]);
    };
}

migrations! {
    "0001_initial",
    "0002_import_progress",
    "0003_charity_donation",
    "0004_config_quota",
    "0005_accounts",
    "0006_passkeys",
    "0007_invitations",
    "0008_outbox",
    "0009_expiry_notices",
    "0010_usage",
    "0011_claims",
    "0012_personal_data",
    "0013_operators",
    "0014_identities",
    "0015_config_donation",
    "0016_providers",
    "0017_config_labels",
    "0018_webhooks",
    "0019_disabled_keys",
    "0020_invited_addresses",
    "0021_token_donation",
    "0022_usage_by_minute",
    "0023_charity_total",
    "0024_key_successors",
}

/// The newest schema: the number of migrations.
pub const SCHEMA: u32 = NAMES.len() as u32;

/// The migrations of one database in order; the first makes schema 1. A released migration never
/// changes.
///
/// The crate refinery does not fit: it takes no lock while it checks and migrates, so that processes
/// that start at the same time fail (`several_processes_may_make_the_database_at_once`), and its table differs
/// from the one of existing databases.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migrations(&'static [&'static str]);

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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_listed_at_its_number() {
        for (number, name) in (1..).zip(NAMES) {
            assert!(name.starts_with(&format!("{number:04}_")), "{name}");
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/database");
        for database in ["sqlite", "postgres"] {
            for file in folder.join(database).join("migrations").read_dir().unwrap() {
                let path = file.unwrap().path();
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(
                    NAMES.contains(&name),
                    "add `\"{name}\",` to `migrations!` in server/src/database/migrations.rs"
                );
            }
        }
    }
}
