//! Texts that are committed beside a document, compared or, when asked, written anew.

use similar::TextDiff;
use std::fs;
use std::path::{Path, PathBuf};

/// Where a kind of fixture lies.
pub(crate) fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(kind)
}

/// The entries of a folder in the order of their names.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The last part of a path.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

/// Differences found so far; all of them are shown at once.
#[derive(Default)]
pub(crate) struct Differences(String);

impl Differences {
    /// Compares a text with the one committed at `path`, or with `UPDATE_GOLDEN` commits it.
    pub(crate) fn compare(&mut self, path: &Path, text: &str) {
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            return fs::write(path, text).unwrap();
        }
        let expected = fs::read_to_string(path).unwrap_or_default();
        let expected = expected.replace("\r\n", "\n");
        if expected != text {
            let diff = TextDiff::from_lines(expected.as_str(), text);
            let at = path.display().to_string();
            let diff = diff
                .unified_diff()
                .header(&at, "what is made now")
                .to_string();
            self.0.push_str(&diff);
        }
    }

    /// Notes another kind of difference.
    pub(crate) fn note(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
}

impl Drop for Differences {
    fn drop(&mut self) {
        if !self.0.is_empty() && !std::thread::panicking() {
            panic!(
                "{}\nUPDATE_GOLDEN=1 cargo test -p openapi-crate-codegen writes them anew",
                self.0
            );
        }
    }
}
