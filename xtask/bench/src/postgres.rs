//! A PostgreSQL server of a bench, with the package's configuration: commits are synced to disk.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};
use tempfile::TempDir;

/// Where folders are on a disk, and the server's own user can go.
const DISK: &str = "/var/tmp";

/// Runs the server until standard input ends, which it also does when the bench is killed.
const UNTIL_HANGUP: &str = r#""$@" & server=$!; read -r _; kill -INT $server; wait $server"#;

/// A server with a folder, which is where it listens too. Both are gone when it is dropped.
pub(crate) struct Postgres {
    process: Child,
    folder: TempDir,
    programs: PathBuf,
    owner: Option<(u32, u32)>,
}

impl Postgres {
    /// Starts a server from the newest of the installed packages.
    ///
    /// # Errors
    /// When there is none, or it does not start.
    pub(crate) fn start() -> io::Result<Postgres> {
        let programs = installed()?;
        let folder = TempDir::with_prefix_in("bench-pg-", DISK)?;
        let owner = owner()?;
        if let Some((user, group)) = owner {
            chown(folder.path(), Some(user), Some(group))?;
        }
        let mut initdb = owned(&programs.join("initdb"), owner);
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8"]);
        initdb.args(["--locale=C.UTF-8", "--pgdata"]);
        check(&initdb.arg(folder.path().join("data")).output()?)?;
        let postgres = Postgres {
            process: run(&programs, folder.path(), owner)?,
            folder,
            programs,
            owner,
        };
        postgres.wait()?;
        Ok(postgres)
    }

    /// Ends all connections, stops, and starts again on the same data.
    ///
    /// # Errors
    /// When it does not start.
    pub(crate) fn restart(&mut self) -> io::Result<()> {
        self.stop();
        self.process = run(&self.programs, self.folder.path(), self.owner)?;
        self.wait()
    }

    fn stop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }

    /// The URL of one of its databases.
    pub(crate) fn url(&self, database: &str) -> String {
        let folder = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}/{database}")
    }

    /// A file that the server may write and read.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The output of `psql` for a command on a database, rows by line and columns apart by `|`.
    ///
    /// # Errors
    /// When it fails.
    pub(crate) fn say(&self, database: &str, sql: &str) -> io::Result<String> {
        let output = self.psql(database).args(["-c", sql]).output()?;
        check(&output)?;
        String::from_utf8(output.stdout).map_err(io::Error::other)
    }

    /// Makes a database, in the place of an earlier one of its name: a copy of another one to which nobody is
    /// connected. Earlier writes are on the disk then.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn copy(&self, template: &str, name: &str) -> io::Result<()> {
        self.say("postgres", &format!("DROP DATABASE IF EXISTS {name}"))?;
        let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
        self.say("postgres", &create)?;
        self.say("postgres", "CHECKPOINT").map(|_| ())
    }

    /// The product and its version, in words.
    ///
    /// # Errors
    /// When it does not say so.
    pub(crate) fn version(&self) -> io::Result<String> {
        let said = self.say("postgres", "SHOW server_version")?;
        let number = said.split_whitespace().next().unwrap_or_default();
        Ok(format!("PostgreSQL {number}"))
    }

    fn psql(&self, database: &str) -> Command {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-U", "postgres", "-d"]);
        psql.arg(database).arg("-h").arg(self.folder.path());
        psql
    }

    /// Waits until it answers.
    fn wait(&self) -> io::Result<()> {
        let start = Instant::now();
        while let Err(error) = self.say("postgres", "SELECT 1") {
            if start.elapsed() > Duration::from_secs(30) {
                return Err(error);
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs the server on the data of a folder.
fn run(programs: &Path, folder: &Path, owner: Option<(u32, u32)>) -> io::Result<Child> {
    let mut shell = owned(Path::new("sh"), owner);
    shell.args(["-c", UNTIL_HANGUP, "sh"]);
    shell.arg(programs.join("postgres")).arg("-D");
    shell.arg(folder.join("data"));
    shell.args(["-c", "listen_addresses=", "-k"]).arg(folder);
    let log = fs::File::create(folder.join("log"))?;
    shell.stdin(Stdio::piped()).stdout(Stdio::null());
    shell.stderr(log).spawn()
}

/// A command that runs as this user and group, if there are any.
fn owned(program: &Path, owner: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/");
    if let Some((user, group)) = owner {
        command.uid(user).gid(group);
    }
    command
}

fn check(output: &std::process::Output) -> io::Result<()> {
    let said = || String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match output.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(said())),
    }
}

/// The programs of the newest version that is installed.
fn installed() -> io::Result<PathBuf> {
    let programs = |version: &Path| {
        let number: u32 = version.file_name()?.to_str()?.parse().ok()?;
        let programs = version.join("bin");
        programs
            .join("initdb")
            .exists()
            .then_some((number, programs))
    };
    let none = || io::Error::other("there is no PostgreSQL (the package postgresql)");
    let versions = fs::read_dir("/usr/lib/postgresql").map_err(|_| none())?;
    let versions = versions.filter_map(|version| programs(&version.ok()?.path()));
    let newest = versions.max().ok_or_else(none)?;
    Ok(newest.1)
}

/// The user and the group to run the server as, which refuses to run as root; `None` where that is
/// the bench's own user.
fn owner() -> io::Result<Option<(u32, u32)>> {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output()?;
        let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
        text.trim().parse::<u32>().map_err(io::Error::other)
    };
    match id(&["-u"])? {
        0 => Ok(Some((id(&["-u", "postgres"])?, id(&["-g", "postgres"])?))),
        _ => Ok(None),
    }
}
