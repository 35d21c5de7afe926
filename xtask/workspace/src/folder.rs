//! The documents of a folder: its files, and one for each of its folders that holds a document of
//! several files.

use codegen::Source;
use codegen::source::files;
use fs_err as fs;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// The names, without extension, of the main file of a document of several files.
const MAIN: [&str; 3] = ["openapi", "spec", "api"];

const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// A document of a folder.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name of its file or, for a document of several files, of their folder.
    pub name: String,
    /// Its main file.
    pub path: PathBuf,
}

/// The documents of a folder, ordered by name; with `only`, those whose name contains one of these
/// parts. A file that lacks the field `openapi`, and to which another file refers, is left out.
///
/// # Errors
/// When the folder cannot be read, or holds no such document: there would be nothing to measure.
pub fn documents(folder: &Path, only: &[String]) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let main = if path.is_dir() {
            main_file(&path)
        } else {
            Some(path.clone())
        };
        let main = main.filter(|path| has_extension(path));
        let is_wanted = only.is_empty() || only.iter().any(|part| name.contains(part.as_str()));
        if let Some(main) = main.filter(|_| is_wanted) {
            entries.push(Entry {
                name: name.into_owned(),
                path: main,
            });
        }
    }
    entries.sort();
    let parts = parts(&entries);
    entries.retain(|entry| !parts.contains(&entry.name));
    if entries.is_empty() {
        let nothing = format!("{}: no such document is in this folder", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, nothing));
    }
    Ok(entries)
}

fn main_file(folder: &Path) -> Option<PathBuf> {
    let files = MAIN.iter().flat_map(|stem| {
        EXTENSIONS
            .iter()
            .map(move |extension| folder.join(format!("{stem}.{extension}")))
    });
    files.into_iter().find(|path| path.is_file())
}

fn has_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// The names of the files that are parts of other documents. A file that cannot be read is kept as a
/// document, so that its error is reported.
fn parts(entries: &[Entry]) -> BTreeSet<String> {
    let (mut referred, mut not_documents) = (BTreeSet::new(), BTreeSet::new());
    for entry in entries {
        let Ok(text) = fs::read_to_string(&entry.path) else {
            continue;
        };
        if !["openapi", "swagger"]
            .iter()
            .any(|word| text.contains(word))
        {
            not_documents.insert(entry.name.clone());
        }
        let source = Source {
            name: entry.name.clone(),
            text,
        };
        referred.extend(files::referred(&source, &entry.name));
    }
    not_documents.intersection(&referred).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_and_folders_and_leaves_parts_out() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("shop")).unwrap();
        fs::create_dir(at("empty")).unwrap();
        for (name, text) in [
            ("a.yaml", "openapi: 3.1.1\nx: { $ref: pet.yaml }"),
            ("pet.yaml", "type: object"),
            ("stray.yaml", "type: object"),
            ("notes.txt", "openapi"),
            ("shop/openapi.json", "{}"),
            ("shop/pet.json", "{}"),
        ] {
            fs::write(at(name), text).unwrap();
        }
        let names = |only: &[String]| -> Vec<String> {
            let found = documents(folder.path(), only).unwrap();
            found.into_iter().map(|entry| entry.name).collect()
        };
        assert_eq!(names(&[]), ["a.yaml", "shop", "stray.yaml"]);
        assert_eq!(names(&["sh".into()]), ["shop"]);
        assert!(documents(&at("nowhere"), &[]).is_err());
        let nothing = documents(folder.path(), &["ship".into()]).unwrap_err();
        assert!(nothing.to_string().contains("no such document"));
    }
}
