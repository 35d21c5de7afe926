//! The server in its release build, and the programs of the crate `server-bench` that it is compared
//! with.

use super::record::{Bench, record};
use super::table::Table;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};
use workspace::Server;

/// The arguments that all benches of the server share.
#[derive(clap::Args)]
pub(super) struct Common {
    /// Measure the existing programs without recompiling them
    #[arg(long)]
    as_built: bool,
    /// Also write the tables to this file, as Markdown
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl Common {
    /// Prints the measurements, and writes them with explanations to a file.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub(super) fn tell(
        &self,
        bench: Bench,
        tables: &[&Table],
        target: &str,
        meaning: &str,
    ) -> io::Result<()> {
        let render = |markdown| {
            let tables = tables.iter().map(|table| table.render(markdown));
            tables.collect::<Vec<_>>().join("\n")
        };
        println!("{}{target}", render(false));
        match &self.markdown {
            Some(file) => record(
                file,
                bench,
                &asked(env::args().skip(1)),
                &format!("{}\n{target}\n\n{meaning}", render(true)),
            ),
            None => Ok(()),
        }
    }
}

/// The command line, without arguments that only name files.
fn asked(arguments: impl IntoIterator<Item = String>) -> String {
    let mut command = String::from("cargo xtask bench");
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--as-built" => {}
            "--markdown" => drop(arguments.next()),
            _ if argument.starts_with("--markdown=") => {}
            _ => {
                command.push(' ');
                command.push_str(&argument);
            }
        }
    }
    command
}

/// Where the programs are.
pub(super) struct Programs {
    folder: PathBuf,
    /// The server itself.
    pub(super) server: PathBuf,
}

impl Programs {
    /// Compiles them, for release, if that is wanted.
    ///
    /// # Errors
    /// When cargo fails.
    pub(super) fn get(common: &Common) -> io::Result<Programs> {
        let mut command = Command::new("cargo");
        command.args(["build", "--quiet", "--release", "--bins"]);
        command.args(["--package", "server", "--package", "server-bench"]);
        if !common.as_built && !command.current_dir(workspace::root()).status()?.success() {
            return Err(io::Error::other(
                "the server and its benches do not compile",
            ));
        }
        let folder = workspace::target().join("release");
        Ok(Programs {
            server: folder.join("donation-catalog"),
            folder,
        })
    }

    /// The output of one of the programs.
    ///
    /// # Errors
    /// When it fails.
    pub(super) fn say(&self, program: &str, arguments: &[&str]) -> io::Result<String> {
        let mut command = Command::new(self.folder.join(program));
        let output = command.args(arguments).stderr(Stdio::inherit()).output()?;
        if !output.status.success() {
            return Err(io::Error::other(format!("{program} has failed")));
        }
        String::from_utf8(output.stdout).map_err(io::Error::other)
    }

    /// The output of the program that uses the server's library.
    ///
    /// # Errors
    /// When it fails.
    pub(super) fn inside(&self, arguments: &[&str]) -> io::Result<String> {
        self.say("server-bench", arguments)
    }

    /// Makes a database with many customers; their keys.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn customers(&self, database: &Path, count: usize) -> io::Result<Vec<String>> {
        remove(database)?;
        self.customers_in(&database.display().to_string(), count)
    }

    /// Fills an empty database, by its file or URL, with many customers; their keys.
    ///
    /// # Errors
    /// When it cannot be filled.
    pub(super) fn customers_in(&self, database: &str, count: usize) -> io::Result<Vec<String>> {
        let keys = self.inside(&["customers", database, &count.to_string()])?;
        Ok(keys.lines().map(str::to_owned).collect())
    }

    /// Starts the server, with everything that is not said at its default.
    ///
    /// # Errors
    /// When it does not start.
    pub(super) fn serve(&self, database: impl AsRef<OsStr>, flags: &[&str]) -> io::Result<Server> {
        self.serve_among(database, flags, &[])
    }

    /// Starts the server, with variables in its environment.
    ///
    /// # Errors
    /// When it does not start.
    pub(super) fn serve_among(
        &self,
        database: impl AsRef<OsStr>,
        flags: &[&str],
        variables: &[(&str, &Path)],
    ) -> io::Result<Server> {
        let mut command = Command::new(&self.server);
        command.arg("serve").arg("--database").arg(database);
        command.args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
        command.args(flags).envs(variables.iter().copied());
        Server::launch(command.stderr(Stdio::piped()), 3)
    }

    /// Starts receivers of webhooks, which write their certificate to a file.
    ///
    /// # Errors
    /// When they do not start.
    pub(super) fn receivers(&self, certificate: &Path) -> io::Result<Server> {
        let mut command = Command::new(self.folder.join("receivers"));
        Server::launch(command.arg(certificate), 2)
    }

    /// Starts a server on bare hyper that gives an answer, which is left in a file.
    ///
    /// # Errors
    /// When it does not start.
    pub(super) fn bare(&self, file: &Path, answer: &[u8]) -> io::Result<Server> {
        fs::write(file, answer)?;
        let mut command = Command::new(self.folder.join("bare"));
        Server::launch(command.arg(file), 1)
    }
}

/// Removes a database that an earlier run has left, and the windows of limits that its server has kept.
///
/// # Errors
/// When a file cannot be removed.
pub(super) fn remove(database: &Path) -> io::Result<()> {
    for file in ["", "-wal", "-shm", "-limits"].map(|end| format!("{}{end}", database.display())) {
        if fs::exists(&file)? {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::asked;

    #[test]
    fn names_the_command_without_where_its_tables_go() {
        let given = "serve --as-built --rounds 5 --markdown server/BENCH.md";
        let asked = asked(given.split(' ').map(str::to_owned));
        assert_eq!(asked, "cargo xtask bench serve --rounds 5");
    }
}
