//! Files written out of sight, and moved into place when they are whole.
//!
//! What is new in a folder is moved by its first component: one rename for a folder of a hundred
//! files costs less than writing three of them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::{fs, io, process};

/// A hidden folder beside the one that is written to, or inside it where that exists, so that what is in it
/// can be renamed.
pub(super) struct Stage<'a> {
    root: &'a Path,
    place: PathBuf,
    /// Whether all of the root is new, and moved as one.
    whole: bool,
    /// The folders, below `place` and below `root`, that are known to be there.
    made: BTreeSet<PathBuf>,
    /// The entries of `root` that are complete below `place` once all is written.
    new: BTreeSet<OsString>,
}

impl<'a> Stage<'a> {
    /// A stage for a folder, which need not exist.
    pub(super) fn of(root: &'a Path) -> Stage<'a> {
        let whole = fs::symlink_metadata(root).is_err();
        let name = format!(".gen-{}.tmp", process::id());
        Stage {
            root,
            place: if whole {
                root.with_file_name(name)
            } else {
                root.join(name)
            },
            whole,
            made: BTreeSet::new(),
            new: BTreeSet::new(),
        }
    }

    /// Whether an entry of a folder is what a run that was killed has left of its stage.
    pub(super) fn is_left(name: &str) -> bool {
        name.starts_with(".gen-") && name.ends_with(".tmp")
    }

    /// Writes a file that takes its place at once, or together with all else that is new.
    pub(super) fn write(&mut self, path: &Path, text: &str) -> io::Result<()> {
        let Some(Component::Normal(entry)) = path.components().next() else {
            return Err(io::Error::other("a path that leads out of its folder"));
        };
        let staged = self.place.join(path);
        if self.whole
            || self.new.contains(entry)
            || fs::symlink_metadata(self.root.join(entry)).is_err()
        {
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

    fn make_parent(&mut self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent()
            && !self.made.contains(folder)
        {
            fs::create_dir_all(folder)?;
            self.made.insert(folder.to_owned());
        }
        Ok(())
    }

    /// Moves what is new into place.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.whole && !self.new.is_empty() {
            fs::rename(&self.place, self.root)?;
            self.made.clear();
            return Ok(());
        }
        for entry in &self.new {
            fs::rename(self.place.join(entry), self.root.join(entry))?;
        }
        Ok(())
    }
}

impl Drop for Stage<'_> {
    /// The first error is the one to tell; what is left over is passed over by the next run.
    fn drop(&mut self) {
        if !self.made.is_empty() {
            let _ = fs::remove_dir_all(&self.place);
        }
    }
}
