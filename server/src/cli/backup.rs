//! `backup` and `restore`: copies of the embedded database.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{CliError, say};
use db::Location;
use features::database::{back_up, restore};

const ABOUT_BACKUP: &str = "\
The backup is one state of the database, whatever is served or imported meanwhile. It is written beside \
FILE, checked, and then appears as FILE, whole and on the disk or not at all; only its owner may read \
it. `donation-catalog verify --database FILE` recomputes its statistics.

A PostgreSQL database is backed up with pg_dump.";

const ABOUT_RESTORE: &str = "\
A server may be running: the backup replaces everything in one write, and the server shows it within a \
second. A database that is missing is created where a setting names it. One that cannot be opened any more has to be moved away first, \
together with the files named after it, and with its server stopped.

The backup is checked on a copy of it, beside the database; if it is damaged, from a newer version or \
another program's, nothing is changed. Restoring takes three times the room of the backup for a while.

Everything that was written since the backup is gone: donations have to be imported again, keys that were \
issued since do not work, and keys that were revoked since do. Everybody who was signed in to the \
dashboard signs in again. Stop imports first, as they would go on.

A PostgreSQL database is restored with pg_restore.";

/// Arguments of `backup`.
#[derive(Debug, Args)]
#[command(after_long_help = ABOUT_BACKUP)]
pub struct BackupArgs {
    /// The file to make
    #[arg(value_name = "FILE")]
    pub target: PathBuf,
    /// Replace a file that is there already
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
#[command(after_long_help = ABOUT_RESTORE)]
pub struct RestoreArgs {
    /// A file that `backup` has made
    #[arg(value_name = "FILE")]
    pub backup: PathBuf,
}

impl BackupArgs {
    /// Blocks on the disk.
    pub(super) fn run(&self, database: &Location) -> Result<ExitCode, CliError> {
        let Location::File(path) = database else {
            return Err(format!("{database} is PostgreSQL: back it up with pg_dump").into());
        };
        let schema = back_up(path, &self.target, self.force)?;
        let target = self.target.display();
        say(format!("{target} is whole. It has schema {schema}."))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl RestoreArgs {
    /// Blocks on the disk.
    pub(super) fn run(&self, database: &Location) -> Result<ExitCode, CliError> {
        let Location::File(path) = database else {
            return Err(format!("{database} is PostgreSQL: restore it with pg_restore").into());
        };
        let schema = restore(path, &self.backup)?;
        let backup = self.backup.display();
        say(format!(
            "{database} is restored from {backup}, which had schema {schema}."
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
