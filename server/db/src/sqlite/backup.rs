//! Backups of the file, and the way back, while others use it.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use tempfile::{NamedTempFile, TempDir};

use super::{connection, copy, migrations, statement};
use crate::migrations::Schema;
use crate::{DbError, Row, params};

/// The distance between restored counters and those they replace. Running servers look for a number
/// that they have not seen; no counter advances so far while a backup is restored.
const LEAP: u64 = 1 << 32;

/// The reason why a backup was not made, or not restored. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// No such file.
    #[error("{} does not exist", .0.display())]
    Missing(PathBuf),
    /// A file with that name is there already.
    #[error("{} already exists; use --force to replace it", .0.display())]
    Exists(PathBuf),
    /// The backup would be the database itself.
    #[error("{} is the database itself", .0.display())]
    Same(PathBuf),
    /// The target cannot be written.
    #[error("cannot write to {}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// A file that is no intact database of this program, or cannot be read now.
    #[error("{} cannot be used", path.display())]
    Unusable { path: PathBuf, source: DbError },
}

/// Writes one state of the database at `path` to `target`, readable for its owner only; returns its
/// schema. The file appears complete, checked and synced to disk, or not at all. Servers and imports go
/// on meanwhile.
///
/// # Errors
/// When it cannot be written, or the database is damaged.
pub(crate) fn back_up(
    path: &Path,
    target: &Path,
    replace: bool,
    schema: Schema,
) -> Result<u32, BackupError> {
    require_file(path)?;
    require_apart(path, target)?;
    if !replace && target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let unwritable = |source| unwritable(target, source);
    let folder = folder(target);
    let workplace = workplace(folder).map_err(unwritable)?;
    let draft = NamedTempFile::new_in(workplace.path()).map_err(unwritable)?;
    let schema = draw_up(path, draft.path(), schema).map_err(|source| unusable(path, source))?;
    draft.as_file().sync_all().map_err(unwritable)?;
    let kept = if replace {
        draft.persist(target)
    } else {
        draft.persist_noclobber(target)
    };
    kept.map_err(|refused| unwritable(refused.error))?;
    let folder = File::open(folder).and_then(|folder| folder.sync_all());
    folder.map_err(unwritable)?;
    Ok(schema)
}

/// Restores a backup into the database at `path`, which is created if missing, in one write that
/// running servers see like any other. Returns the backup's schema, which is then migrated to the
/// newest one.
///
/// # Errors
/// When the backup is damaged, or another program's, or the database cannot be opened.
pub(crate) fn restore(path: &Path, backup: &Path, schema: Schema) -> Result<u32, BackupError> {
    require_file(backup)?;
    require_apart(path, backup)?;
    let workplace = workplace(folder(path)).map_err(|source| unwritable(path, source))?;
    let draft = NamedTempFile::new_in(workplace.path());
    let draft = draft.map_err(|source| unwritable(path, source))?;
    let checked = checked(backup, draft.path(), schema);
    let (from, backed_up) = checked.map_err(|source| unusable(backup, source))?;
    replace(path, &from, schema).map_err(|source| unusable(path, source))?;
    Ok(backed_up)
}

fn draw_up(path: &Path, draft: &Path, schema: Schema) -> Result<u32, DbError> {
    // Reading a database in WAL mode writes to the files beside it.
    let from = copy::existing(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    copy::require_sound(&copy::into_file(&from, draft)?, schema)
}

/// Copies a backup and brings it to the newest schema; returns the copy with its former schema. The
/// backup is only read, and other processes cannot change the checked copy.
fn checked(backup: &Path, draft: &Path, schema: Schema) -> Result<(Connection, u32), DbError> {
    let from = copy::existing(backup, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut copy = copy::into_file(&from, draft)?;
    let found = copy::require_sound(&copy, schema)?;
    migrations::migrate(&mut copy, schema)?;
    copy::require_schema(&copy, schema)?;
    Ok((copy, found))
}

fn replace(path: &Path, from: &Connection, schema: Schema) -> Result<(), DbError> {
    let mut live = connection::open_writer(path)?;
    migrations::migrate(&mut live, schema)?;
    let counters = "SELECT name, number FROM version";
    let read = |row: &Row<'_>| Ok((row.get("name")?, row.get("number")?));
    let seen: Vec<(String, u64)> = statement::all(&live, counters, &[], read)?;
    for (name, number) in seen {
        let set = "UPDATE version SET number = max(number, $2) + $3 WHERE name = $1";
        statement::execute(from, set, params![name, number, LEAP])?;
    }
    // Its numbers would collide with later ones. Running servers reload everything after the leap.
    statement::execute(from, "DELETE FROM change", &[])?;
    statement::execute(from, "UPDATE epoch SET id = randomblob(16)", &[])?;
    copy::pages(from, &mut live)
}

fn require_file(path: &Path) -> Result<(), BackupError> {
    if path.is_file() {
        Ok(())
    } else {
        Err(BackupError::Missing(path.to_owned()))
    }
}

fn require_apart(database: &Path, backup: &Path) -> Result<(), BackupError> {
    let identity = |path| fs::metadata(path).map(|file| (file.dev(), file.ino()));
    match (identity(database), identity(backup)) {
        (Ok(database), Ok(same)) if database == same => Err(BackupError::Same(backup.to_owned())),
        _ => Ok(()),
    }
}

/// Creates a private folder beside a file, so that the result can be renamed into place.
fn workplace(folder: &Path) -> io::Result<TempDir> {
    TempDir::with_prefix_in(".donation-catalog-", folder)
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

fn unwritable(path: &Path, source: io::Error) -> BackupError {
    BackupError::Unwritable {
        path: path.to_owned(),
        source,
    }
}

fn unusable(path: &Path, source: DbError) -> BackupError {
    BackupError::Unusable {
        path: path.to_owned(),
        source,
    }
}
