//! The files of an output in memory, by their paths.

use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The names of all files and folders that an output folder may have at its top.
pub const ENTRIES: [&str; 7] = [
    "Cargo.toml",
    "REFERENCE.md",
    "json-schema",
    "openapi.json",
    "postman",
    "runtime",
    "src",
];

/// Generated files by their `/`-separated path below the output folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileTree(BTreeMap<Cow<'static, str>, Cow<'static, str>>);

impl FileTree {
    /// Adds a file; a later one of the same path replaces it.
    pub fn insert(
        &mut self,
        path: impl Into<Cow<'static, str>>,
        text: impl Into<Cow<'static, str>>,
    ) {
        self.0.insert(path.into(), text.into());
    }

    /// The files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(path, text)| (path.as_ref(), text.as_ref()))
    }

    /// The text of one file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(AsRef::as_ref)
    }
}

/// A file of JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    // Values and maps with string keys always serialize.
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text + "\n"
}
