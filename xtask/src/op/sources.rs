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

    /// The functions that a handler passes the database to, itself or in the use cases of its feature, as
    /// `module::function`, sorted.
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
            functions.retain(|function| *function != format!("lifecycle::{use_case}"));
            functions.extend(called_with(
                &self::body(text, &use_case, "\n}\n"),
                "(store,",
            ));
        }
        functions.sort();
        functions.dedup();
        functions
    }

    /// The paths of the files that call a `module::function`.
    pub(super) fn callers(&self, function: &str) -> Vec<&str> {
        let call = format!("{function}(");
        let calls = |text: &str| {
            text.match_indices(&call)
                .any(|(at, _)| !text[..at].ends_with(is_in_name))
        };
        let callers = self.0.iter().filter(|it| calls(&it.text));
        callers.map(|it| it.path.as_str()).collect()
    }
}

/// The body of a function on one line, up to the line that closes it; empty if there is none.
fn body(text: &str, function: &str, end: &str) -> String {
    let start = format!("fn {function}(");
    let rest = text.split_once(&start).map_or("", |(_, rest)| rest);
    let body = rest.split(end).next().unwrap_or(rest);
    let words: Vec<_> = body.split_whitespace().collect();
    words.join(" ").replace("( ", "(")
}

/// The functions that are called with a first argument, such as `(store,`, as `module::function`.
fn called_with(body: &str, argument: &str) -> Vec<String> {
    let mut before: Vec<_> = body.split(argument).collect();
    before.pop();
    let function = |before: &str| {
        let path = before.rsplit(|it| !is_in_name(it) && it != ':').next()?;
        let (modules, name) = path.rsplit_once("::")?;
        let module = modules.rsplit("::").next()?;
        Some(format!("{module}::{name}"))
    };
    before.into_iter().filter_map(function).collect()
}

fn is_in_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_other_modules_are_not_confused() {
        let source = |path: &str, text: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let server = Sources(vec![source(
            "configs/api.rs",
            "    async fn notes(&self) {\n        match super::notes::list(\n            &self.store, 1).await {}\n    }\n",
        )]);
        assert_eq!(server.database_calls("notes"), ["notes::list"]);
        let cases = Sources(vec![
            source("invitations.rs", "invitations::list(store)"),
            source("footnotes.rs", "footnotes::list(store)"),
            source("notes.rs", "features::configs::notes::list(store)"),
        ]);
        assert_eq!(cases.callers("notes::list"), ["notes.rs"]);
    }
}
