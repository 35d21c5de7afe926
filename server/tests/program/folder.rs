//! A throw-away folder with a database in it, and the program run there to its end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A temporary folder, removed at the end of the test.
pub(crate) struct Folder {
    directory: TempDir,
    /// The database of its commands, if it is not in the folder.
    elsewhere: Option<String>,
}

/// The result of a run of the program.
pub(crate) struct Outcome {
    /// The exit status; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
            elsewhere: None,
        }
    }

    /// A folder with an empty database.
    pub(crate) fn migrated() -> Self {
        let folder = Self::new();
        folder.ask(&["migrate"]);
        folder
    }

    /// A folder whose commands work on the database at a URL.
    pub(crate) fn on(database: String) -> Self {
        Self {
            elsewhere: Some(database),
            ..Self::new()
        }
    }

    /// The URL of a database that is not here.
    #[track_caller]
    pub(crate) fn elsewhere(&self) -> &str {
        self.elsewhere.as_deref().unwrap()
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The default database of commands in this folder.
    pub(crate) fn database(&self) -> PathBuf {
        self.path().join("donation-catalog.db")
    }

    /// The program, to be run in this folder with these arguments only.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_donation-catalog"));
        command.args(arguments).current_dir(self.path());
        command.env_clear().env("TMPDIR", self.path());
        command.envs(self.elsewhere.iter().map(|url| ("CATALOG_DATABASE", url)));
        command.stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(&self.command(arguments).output().unwrap())
    }

    /// Runs the program with `input` as its standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Outcome {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // The program may end before it has read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Outcome::of(&output)
    }

    /// The standard output of a successful run, without the last line's end.
    #[track_caller]
    pub(crate) fn ask(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        outcome.stdout.trim_end().to_owned()
    }

    /// Writes a file for the program to read, and gives its name.
    pub(crate) fn write<'n>(&self, name: &'n str, text: &str) -> &'n str {
        fs::write(self.path().join(name), text).unwrap();
        name
    }

    /// The names of everything in the folder, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// Whether a file in the folder holds `text`.
    pub(crate) fn holds(&self, text: &str) -> bool {
        self.names().iter().any(|name| {
            let bytes = fs::read(self.path().join(name)).unwrap_or_default();
            bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        })
    }
}

impl Outcome {
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}
