//! The database of a bench's server.

use crate::postgres::Postgres;
use crate::server_programs::{Programs, remove};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The name of the database in PostgreSQL.
const NAME: &str = "bench";

/// A database without data.
pub(crate) enum Database {
    /// A SQLite file.
    Sqlite(PathBuf),
    /// One in a PostgreSQL of the bench's own.
    Postgres(Postgres),
}

impl Database {
    /// A file in a folder, in the place of that of an earlier run.
    ///
    /// # Errors
    /// When that cannot be removed.
    pub(crate) fn sqlite(work: &Path) -> io::Result<Database> {
        let file = work.join("bench.db");
        remove(&file)?;
        Ok(Database::Sqlite(file))
    }

    /// A database in PostgreSQL, with the server's schema.
    ///
    /// # Errors
    /// When PostgreSQL is not installed, or does not start.
    pub(crate) fn postgres(programs: &Programs) -> io::Result<Database> {
        let postgres = Postgres::start()?;
        postgres.copy("template1", NAME)?;
        let url = postgres.url(NAME);
        programs.say("donation-catalog", &["migrate", "--database", &url])?;
        Ok(Database::Postgres(postgres))
    }

    /// The name of the database, with its version where the run depends on it.
    ///
    /// # Errors
    /// When it does not say so.
    pub(crate) fn name(&self) -> io::Result<String> {
        match self {
            Database::Sqlite(_) => Ok("SQLite".to_owned()),
            Database::Postgres(postgres) => postgres.version(),
        }
    }

    /// Its file or URL.
    pub(crate) fn location(&self) -> String {
        match self {
            Database::Sqlite(file) => file.display().to_string(),
            Database::Postgres(postgres) => postgres.url(NAME),
        }
    }

    /// Its size, in bytes.
    ///
    /// # Errors
    /// When it cannot be found out.
    pub(crate) fn size(&self) -> io::Result<u64> {
        match self {
            Database::Sqlite(file) => Ok(fs::metadata(file)?.len()),
            Database::Postgres(postgres) => {
                let said = postgres.say(NAME, &format!("SELECT pg_database_size('{NAME}')"))?;
                said.trim().parse().map_err(io::Error::other)
            }
        }
    }
}
