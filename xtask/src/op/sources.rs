//! The files of a folder, and the functions that they call.

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

    /// The functions that a handler hands the database, itself or by the use cases of its feature, each once.
    pub(super) fn database_calls(&self, handler: &str) -> Vec<String> {
        let start = format!("fn {handler}(");
        let mut found = self.0.iter().filter(|it| it.text.contains(&start));
        let Some(source) = found.next() else {
            return Vec::new();
        };
        // Handlers are methods, whose closing brace is indented once.
        let body = body(&source.text, handler, "\n    }\n");
        let mut functions = called_with(&body, "(&self.store");
        functions.extend(called_with(&body, "(&store"));
        for use_case in called(&body, "lifecycle::") {
            let beside = Path::new(&source.path).with_file_name("lifecycle.rs");
            let lifecycle = self.0.iter().find(|it| Path::new(&it.path) == beside);
            let text = lifecycle.map_or("", |it| it.text.as_str());
            functions.retain(|function| *function != use_case);
            functions.extend(called_with(
                &self::body(text, &use_case, "\n}\n"),
                "(store,",
            ));
        }
        functions.sort();
        functions.dedup();
        functions
    }

    /// The paths of the files that call a function.
    pub(super) fn callers(&self, function: &str) -> Vec<&str> {
        let call = format!("::{function}(");
        let callers = self.0.iter().filter(|it| it.text.contains(&call));
        callers.map(|it| it.path.as_str()).collect()
    }
}

/// The body of a function without white space, up to the line that closes it; empty if there is none.
fn body(text: &str, function: &str, end: &str) -> String {
    let start = format!("fn {function}(");
    let rest = text.split_once(&start).map_or("", |(_, rest)| rest);
    let body = rest.split(end).next().unwrap_or(rest);
    body.split_whitespace().collect()
}

/// The names of the functions that are called with a first argument, such as `(store,`.
fn called_with(body: &str, argument: &str) -> Vec<String> {
    let mut before: Vec<_> = body.split(argument).collect();
    before.pop();
    let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let name = |before: &str| {
        before
            .rsplit(|it| !is_name(it))
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    before
        .into_iter()
        .map(name)
        .filter(|it| !it.is_empty())
        .collect()
}

/// The names of the functions that stand after a prefix, such as `lifecycle::`.
fn called(body: &str, prefix: &str) -> Vec<String> {
    let calls = body.split(prefix).skip(1);
    calls
        .filter_map(|call| call.split_once('('))
        .map(|(name, _)| name.to_owned())
        .collect()
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
