//! The output: files by their path, in memory.

use std::collections::BTreeMap;

/// Generated files by their `/`-separated path below the output folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTree(BTreeMap<String, String>);

impl FileTree {
    /// Adds a file; a later one of the same path replaces it.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.0.insert(path.into(), text.into());
    }

    /// The files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The text of one file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }
}
