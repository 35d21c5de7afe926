//! The commands of `openapi-crate`: `gen` writes a Rust crate from an OpenAPI document, `lint` checks the
//! document, `diff` says which changes of it break clients, `explain` explains a diagnostic, and `init` makes a
//! workspace to begin with.
//!
//! This crate does the file access of the generator; [`codegen`] is a pure function. A program around
//! these commands, such as a task runner of a workspace, calls the same functions with its own [`Context`].

pub mod diff;
pub mod explain;
pub mod generate;
pub mod init;
pub mod lint;

mod failure;
mod findings;
mod git;
mod report;
mod rust_check;
mod settings;
mod sync;
mod terminal;
mod watch;

pub use codegen::Document;
pub use failure::Failure;
pub use git::has_tag;
pub use report::line;
pub use settings::{SETTINGS_FILE, Settings};

use std::borrow::Cow;
use std::path::PathBuf;
use std::process::ExitCode;

/// The settings and the wording of a program that has these commands.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The settings file that is read where the user names none; without one, the nearest is.
    pub settings: Option<PathBuf>,
    /// The command that `gen --check` tells the user to run.
    pub fix: String,
}

impl Context {
    /// The settings in the file that the user has named, or else in that of the context.
    fn settings(&self, named: Option<&PathBuf>) -> Result<Settings, Failure> {
        let file = named.or(self.settings.as_ref());
        Settings::find(file.map(PathBuf::as_path))
    }
}

/// The command line of this process without `--check`, which makes the files as a check wants them, as it
/// can be pasted into a shell; `program` is how the user calls it.
#[must_use]
pub fn fix(program: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.filter(|argument| argument != "--check");
    let quoted = arguments.map(|argument| quoted(&argument.to_string_lossy()).into_owned());
    let words: Vec<String> = std::iter::once(program.to_owned()).chain(quoted).collect();
    words.join(" ")
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@%+=,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''")).into()
    }
}

/// The exit status of a command: 0 for yes, 1 for no, 2 for an error, whose text goes to standard error.
#[must_use]
pub fn exit_code(outcome: Result<bool, Failure>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_words_that_a_shell_would_split() {
        assert_eq!(quoted("a/b-c.yaml"), "a/b-c.yaml");
        assert_eq!(quoted("my api.yaml"), "'my api.yaml'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
