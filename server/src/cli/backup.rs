//! `backup` and `restore`: copies of the embedded database.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::{CliError, say};
use db::Location;
use features::database::{back_up, restore};

const ABOUT_BACKUP: &str = "\
The backup is a consistent snapshot, even while the database is served and imported into. It is written \
beside FILE, checked, and then appears as FILE, complete and synced to disk, or not at all; only its owner \
can read it. `donation-catalog verify --database FILE` recomputes its statistics.

Back up a PostgreSQL database with pg_dump.";

const ABOUT_RESTORE: &str = "\
A server may be running: the backup replaces everything in one transaction, and the server shows it within \
a second. A missing database is created if a setting names it. If the database cannot be opened, stop its \
server and move the database away first, with the files named after it.

The backup is checked on a copy beside the database; if it is damaged, from a newer version or from another \
program, nothing is changed. Restoring temporarily takes three times the space of the backup.

Everything written since the backup is lost: donations must be imported again, keys issued since do not \
work, and keys revoked since work again. All users of the dashboard must sign in again. Stop imports first, \
as they would continue.

Restore a PostgreSQL database with pg_restore.";

/// Arguments of `backup`.
#[derive(Debug, Args)]
#[command(after_long_help = ABOUT_BACKUP)]
pub struct BackupArgs {
    /// The backup file to create
    #[arg(value_name = "FILE")]
    pub target: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
#[command(after_long_help = ABOUT_RESTORE)]
pub struct RestoreArgs {
    /// A file created by `backup`
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
        say(format!("Backed up to {target} (schema {schema})."))?;
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
            "Restored {database} from {backup} (schema {schema})."
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
