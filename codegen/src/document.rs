//! Reads a document with the files that it refers to.

use crate::source::files;
use crate::{Reading, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A document and the other files that it is made of.
#[derive(Debug)]
pub struct Document {
    /// The file that was asked for.
    pub source: Source,
    /// Its other files, by their paths relative to its folder, and the options of reading.
    pub reading: Reading,
    /// The paths of all files, including missing ones.
    pub paths: Vec<PathBuf>,
}

impl Document {
    /// The bytes of all its files.
    #[must_use]
    pub fn length(&self) -> usize {
        let others = self.reading.files.iter().map(|file| file.text.len());
        self.source.text.len() + others.sum::<usize>()
    }

    /// Reads the document at `path`; `shown` is its name in messages. The generator reports missing
    /// files that it refers to.
    ///
    /// # Errors
    /// When the document itself cannot be read.
    pub fn read(path: &Path, shown: &str) -> io::Result<Document> {
        Document::read_by(path, shown, |path| fs::read_to_string(path))
    }

    /// Reads a document that is not on disk: `text` returns the content of a path.
    ///
    /// # Errors
    /// When there is no text of the document itself.
    pub fn read_by<E>(
        path: &Path,
        shown: &str,
        text: impl Fn(&Path) -> Result<String, E>,
    ) -> Result<Document, E> {
        let source = Source {
            name: shown.to_owned(),
            text: text(path)?,
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let own = path.file_name().unwrap_or_default().to_string_lossy();
        let mut open = files::referred(&source, &own);
        let mut files = BTreeMap::new();
        let mut asked = BTreeSet::from([own.to_string()]);
        while let Some(name) = open.pop() {
            if !asked.insert(name.clone()) {
                continue;
            }
            let Ok(text) = text(&folder.join(&name)) else {
                continue;
            };
            let file = Source {
                name: name.clone(),
                text,
            };
            open.extend(files::referred(&file, &name));
            files.insert(name, file);
        }
        let reading = Reading {
            files: files.into_values().collect(),
            ..Reading::default()
        };
        let paths = asked.iter().map(|name| folder.join(name)).collect();
        Ok(Document {
            source,
            reading,
            paths,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_referenced_files_and_no_file_twice() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let root = write(
            "api.yaml",
            "a: { $ref: 'x/b.yaml#/c' }\nd: { $ref: absent.yaml }",
        );
        write(
            "x/b.yaml",
            "c: { $ref: '../api.yaml#/a' }\ne: { $ref: f.yaml }",
        );
        write("x/f.yaml", "g: { $ref: 'b.yaml#/c' }");
        let document = Document::read(&root, "api.yaml").unwrap();
        let files = document.reading.files.iter();
        let names: Vec<&str> = files.map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["x/b.yaml", "x/f.yaml"]);
        let at = |name: &str| folder.path().join(name);
        let expected = ["absent.yaml", "api.yaml", "x/b.yaml", "x/f.yaml"].map(at);
        assert_eq!(document.paths, expected);
    }
}
