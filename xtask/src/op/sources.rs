//! The files of a folder and what they call.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files below a folder, in the order of their paths.
pub(super) struct Sources(Vec<Source>);

struct Source {
    /// Relative to the repository.
    path: String,
    text: String,
}

impl Sources {
    /// Reads the files below a folder of the repository.
    ///
    /// # Errors
    /// When the folder or a file cannot be read.
    pub(super) fn below(root: &Path, folder: &str) -> io::Result<Sources> {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files)?;
        let read = |file: PathBuf| {
            let path = file.strip_prefix(root).unwrap_or(&file);
            Ok(Source {
                path: path.display().to_string(),
                text: String::from_utf8_lossy(&fs::read(&file)?).into_owned(),
            })
        };
        let sources: io::Result<_> = files.into_iter().map(read).collect();
        Ok(Sources(sources?))
    }

    /// The path of the first file that contains a text.
    pub(super) fn first_with(&self, text: &str) -> Option<String> {
        let first = self.0.iter().find(|it| it.text.contains(text));
        first.map(|source| source.path.clone())
    }

    /// The path of the first file with a line that has some texts in order.
    pub(super) fn first_with_line(&self, texts: &[&str]) -> Option<String> {
        let has = |line: &str| {
            let mut texts = texts.iter();
            let rest = texts.try_fold(line, |rest, text| Some(rest.split_once(*text)?.1));
            rest.is_some()
        };
        let first = self.0.iter().find(|it| it.text.lines().any(has));
        first.map(|source| source.path.clone())
    }

    /// The store methods that the body of a handler calls, each once.
    pub(super) fn store_calls(&self, handler: &str) -> Vec<String> {
        let start = format!("fn {handler}(");
        let mut bodies = self.0.iter().filter_map(|it| it.text.split_once(&start));
        let Some((_, rest)) = bodies.next() else {
            return Vec::new();
        };
        // Handlers are methods, whose closing brace is indented once.
        let body = rest.split("\n    }\n").next().unwrap_or(rest);
        let body: String = body.split_whitespace().collect();
        let mut methods: Vec<String> = Vec::new();
        for call in body.split("store.").skip(1) {
            let method = call.split('(').next().unwrap_or_default().to_owned();
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        methods
    }

    /// The paths of the files of store cases that call a store method.
    pub(super) fn cases_of(&self, method: &str) -> Vec<&str> {
        let call = format!(".{method}(");
        let cases = self.0.iter().filter(|it| it.path.contains("/conformance"));
        cases
            .filter(|it| it.text.contains(&call))
            .map(|it| it.path.as_str())
            .collect()
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    files.sort();
    Ok(())
}
