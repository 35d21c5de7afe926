//! Writes files into a hidden folder and renames them into place when they are complete.
//!
//! New files are moved by the first component of their path: one rename for a folder of a hundred files
//! costs less than writing three of them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::{fs, io, process};

/// A hidden folder inside the output folder, on the same file system, so that its files can be renamed.
pub(super) struct Stage<'a> {
    root: &'a Path,
    place: PathBuf,
    /// The folders, below `place` and below `root`, that are known to exist.
    made: BTreeSet<PathBuf>,
    /// The entries of `root` that are complete below `place` once all is written.
    new: BTreeSet<OsString>,
}

impl<'a> Stage<'a> {
    /// A stage for a folder, which need not exist.
    pub(super) fn of(root: &'a Path) -> Stage<'a> {
        Stage {
            root,
            place: root.join(format!(".gen-{}.tmp", process::id())),
            made: BTreeSet::new(),
            new: BTreeSet::new(),
        }
    }

    /// Whether an entry of a folder is the stage of a killed run.
    pub(super) fn is_left(name: &str) -> bool {
        name.starts_with(".gen-") && name.ends_with(".tmp")
    }

    /// Writes a file. It is renamed into place at once, or by `finish` if its first component is new.
    pub(super) fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let Some(Component::Normal(entry)) = path.components().next() else {
            return Err(io::Error::other("a path that leads out of its folder"));
        };
        if self.made.is_empty() {
            self.begin()?;
        }
        let staged = self.place.join(path);
        if self.new.contains(entry) || fs::symlink_metadata(self.root.join(entry)).is_err() {
            self.new.insert(entry.to_owned());
            self.make_parent(&staged)?;
            return fs::write(staged, text);
        }
        let (beside, place) = (self.place.join("one"), self.root.join(path));
        self.make_parent(&beside)?;
        self.make_parent(&place)?;
        fs::write(&beside, text)?;
        fs::rename(beside, place)
    }

    /// Creates the hidden folder, after removing that of a killed run with the same process id.
    fn begin(&mut self) -> io::Result<()> {
        if fs::symlink_metadata(&self.place).is_ok() {
            fs::remove_dir_all(&self.place)?;
        }
        fs::create_dir_all(&self.place)?;
        self.made.insert(self.place.clone());
        Ok(())
    }

    fn make_parent(&mut self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent()
            && !self.made.contains(folder)
        {
            fs::create_dir_all(folder)?;
            self.made.insert(folder.to_owned());
        }
        Ok(())
    }

    /// Moves the new entries into place.
    pub(super) fn finish(self) -> io::Result<()> {
        for entry in &self.new {
            fs::rename(self.place.join(entry), self.root.join(entry))?;
        }
        Ok(())
    }
}

impl Drop for Stage<'_> {
    /// Ignores errors: an earlier one is reported, and the next run ignores a leftover stage.
    fn drop(&mut self) {
        if !self.made.is_empty() {
            let _ = fs::remove_dir_all(&self.place);
        }
    }
}
