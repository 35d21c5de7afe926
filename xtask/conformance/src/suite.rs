//! The JSON Schema Test Suite as it lies on disk: the required tests of draft 2020-12, and the
//! schemas that they refer to by URI.

use super::json;
use fs_err as fs;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// The URL of remote schemas, according to the suite's README.
const REMOTES: &str = "http://localhost:1234/";

/// The groups to be run.
pub(crate) struct Suite {
    /// In the order of their files' names.
    pub(crate) groups: Vec<Group>,
    /// Remote schemas by their URI.
    pub(crate) remotes: BTreeMap<String, Value>,
}

/// A schema and instances of it.
#[derive(Deserialize)]
pub(crate) struct Group {
    /// The file's name without its ending.
    #[serde(skip)]
    pub(crate) file: String,
    pub(crate) description: String,
    pub(crate) schema: Value,
    /// The instances.
    pub(crate) tests: Vec<Test>,
}

/// An instance.
#[derive(Deserialize)]
pub(crate) struct Test {
    pub(crate) description: String,
    pub(crate) data: Value,
    pub(crate) valid: bool,
}

impl Suite {
    /// Reads the suite, or the files of it whose names contain one of `only`.
    pub(crate) fn read(folder: &Path, only: &[String]) -> io::Result<Suite> {
        let mut groups = Vec::new();
        for path in files(&folder.join("tests/draft2020-12"))? {
            let file = stem(&path);
            if !only.is_empty() && !only.iter().any(|part| file.contains(part.as_str())) {
                continue;
            }
            let mut read: Vec<Group> = json(&path)?;
            read.iter_mut()
                .for_each(|group| group.file.clone_from(&file));
            groups.append(&mut read);
        }
        let mut remotes = BTreeMap::new();
        collect(
            &folder.join("remotes/draft2020-12"),
            "draft2020-12/",
            &mut remotes,
        )?;
        collect(&folder.join("remotes"), "", &mut remotes)?;
        Ok(Suite { groups, remotes })
    }
}

/// Adds the JSON files of a folder; the folders of other drafts are skipped.
fn collect(folder: &Path, prefix: &str, remotes: &mut BTreeMap<String, Value>) -> io::Result<()> {
    for path in files(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        remotes.insert(format!("{REMOTES}{prefix}{name}"), json(&path)?);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let other_draft = prefix.is_empty() && (name.starts_with("draft") || name == "v1");
        if path.is_dir() && !other_draft {
            collect(&path, &format!("{prefix}{name}/"), remotes)?;
        }
    }
    Ok(())
}

/// The JSON files of a folder, by name.
fn files(folder: &Path) -> io::Result<Vec<std::path::PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_file() && path.extension().is_some_and(|ending| ending == "json") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
