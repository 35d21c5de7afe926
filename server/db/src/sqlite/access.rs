//! The access of others to the files of a database: none.
//!
//! Keys are in them as digests only, but the customers' names and splits as they are. A file that others
//! may read or write was made by an earlier version under a usual umask; one that its group may read was
//! given to it on purpose, for backups.

use std::fs::{self, OpenOptions, Permissions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The mode of a file that is its owner's alone.
const PRIVATE: u32 = 0o600;

/// The permissions of everybody, in a mode.
const OTHERS: u32 = 0o007;

/// Makes an empty file for its owner alone, unless there is a file. SQLite gives its mode to the files
/// beside it.
pub(super) fn create(path: &Path) {
    let mut options = OpenOptions::new();
    // Where it fails, SQLite says why.
    let _ = options
        .write(true)
        .create_new(true)
        .mode(PRIVATE)
        .open(path);
}

/// Takes the access of others to the database's files away, and warns if others may replace them.
pub(super) fn restrict(path: &Path) {
    let beside = ["-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    for file in [path]
        .into_iter()
        .chain(beside.iter().map(PathBuf::as_path))
    {
        if mode(file).is_some_and(|mode| mode & OTHERS != 0) {
            match fs::set_permissions(file, Permissions::from_mode(PRIVATE)) {
                Ok(()) => {
                    tracing::warn!(file = %file.display(), "other users could read this file; removed their access")
                }
                Err(error) => {
                    tracing::warn!(file = %file.display(), %error, "other users can read this file, and their access cannot be removed")
                }
            }
        }
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    // In a folder with the sticky bit, users can remove only their own files.
    if mode(folder).is_some_and(|mode| mode & 0o002 != 0 && mode & 0o1000 == 0) {
        tracing::warn!(
            folder = %folder.display(),
            "any user can replace the database, because its folder is world-writable"
        );
    }
}

fn mode(path: &Path) -> Option<u32> {
    let metadata = fs::metadata(path).ok()?;
    Some(metadata.permissions().mode())
}
