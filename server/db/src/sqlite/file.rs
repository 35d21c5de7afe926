//! Detects that the open database file was removed or replaced.
//!
//! A removed file still works for the processes that have it open, and is lost when they end, so
//! nothing may be written to it. A replacement shares its log file, so nothing may be read from it
//! either, even when the first file is restored.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::DbError;

/// A file with its identity at the time it was opened.
#[derive(Debug)]
pub(crate) struct OpenFile {
    path: PathBuf,
    device: u64,
    inode: u64,
    /// Whether another file was seen in its place, or none.
    lost: AtomicBool,
}

impl OpenFile {
    /// The file at `path`, which was just opened.
    pub(crate) fn at(path: &Path) -> Result<Self, DbError> {
        let metadata = fs::metadata(path)
            .map_err(|error| DbError::Unavailable(format!("cannot access its file: {error}")))?;
        Ok(Self {
            path: path.to_owned(),
            device: metadata.dev(),
            inode: metadata.ino(),
            lost: AtomicBool::new(false),
        })
    }

    /// Checks that the file is in its place, and fails if it is not or ever was not.
    pub(crate) fn require_in_place(&self) -> Result<(), DbError> {
        let found = fs::metadata(&self.path).ok();
        let found = found.map(|metadata| (metadata.dev(), metadata.ino()));
        if found != Some((self.device, self.inode)) {
            self.lost.store(true, Ordering::Release);
        }
        self.require_not_lost()
    }

    /// Refuses to go on when it was seen not to be in its place.
    pub(crate) fn require_not_lost(&self) -> Result<(), DbError> {
        match self.lost.load(Ordering::Acquire) {
            false => Ok(()),
            true => Err(DbError::Unavailable(
                "its file was removed or replaced".to_owned(),
            )),
        }
    }
}
