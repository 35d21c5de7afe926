//! A PostgreSQL server of a test's own.

use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use features::database::SCHEMA;
use tempfile::TempDir;
use tokio_postgres::NoTls;

use super::authority::Certified;
use super::port::free_port;

/// Runs the server until standard input ends, and removes its folder. The signals that nextest sends to a test and its
/// children are left to the test: when it has ended, so has the input.
const UNTIL_HANGUP: &str = r#"trap '' HUP INT TERM; folder=$1; shift
"$@" & server=$!; read -r _; kill -QUIT $server; wait $server; rm -rf "$folder""#;

/// Settings of durability and of the number of connections.
const SETTINGS: &str = "
listen_addresses = ''
max_connections = 400
shared_buffers = 64MB
fsync = off
full_page_writes = off
synchronous_commit = off
max_wal_size = 1GB
";

/// The database of a server of [`Instance::migrated`].
pub(crate) const MIGRATED: &str = "migrated";

/// The code that creates the tables of migrations. Its program and [`SCHEMA`] decide what is in [`MIGRATED`].
const MIGRATION_TABLES: &str = include_str!("../../db/src/postgres/migrations.rs");

/// Access rules of a server with TLS: an encrypted connection and a password.
const RULES: &str = "
local all all trust
hostssl all all all scram-sha-256
";

/// Runs the server of all tests until no test has used it for a while. `$1` is the file that tests lock while
/// they use it; who stops the server holds that lock, so that no test begins to use it meanwhile.
const WHILE_USED: &str = r#"trap '' HUP INT TERM; lock=$1; folder=$2; shift 2
"$@" & server=$!
while sleep 3; kill -0 $server; do
  flock --exclusive --nonblock "$lock" sh -c 'kill -QUIT $1; while kill -0 $1; do sleep 0.1; done; rm -rf "$2"' \
    sh $server "$folder" && break
done
wait $server"#;

/// The server that all tests share, which runs as long as one of them uses it: each test has databases of its
/// own there, as copies of [`MIGRATED`].
pub(crate) struct SharedInstance {
    folder: PathBuf,
    databases: AtomicU32,
    /// Locked together with other tests.
    _in_use: File,
}

impl SharedInstance {
    /// Uses the server, which is started unless it runs. `migrate` is as in [`Instance::migrated`].
    #[track_caller]
    pub(crate) fn get(migrate: impl FnOnce(&str)) -> Option<SharedInstance> {
        let Some(programs) = programs() else {
            installed::skip("PostgreSQL (the package postgresql)");
            return None;
        };
        let data = migrated(migrate)?;
        let name = data.file_name().unwrap().to_owned();
        let target = data.parent().unwrap();
        let open = |end: &str| {
            let mut file = name.clone();
            file.push(end);
            let path = target.join(file);
            let opened = File::options().create(true).append(true).open(&path);
            (opened.unwrap(), path)
        };
        let (in_use, in_use_path) = open(".in-use");
        in_use.lock_shared().unwrap();
        let (starting, _) = open(".starting");
        starting.lock().unwrap();
        let folder = parent().join(&name);
        let socket = folder.join(".s.PGSQL.5432");
        if UnixStream::connect(&socket).is_err() {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir(&folder).unwrap();
            let server = Server {
                owner: owner(),
                programs,
                data: folder.join("data"),
            };
            if let Some((user, group)) = server.owner {
                chown(&folder, Some(user), Some(group)).unwrap();
            }
            server.initialise(Some(&data));
            server.run_while_used(&in_use_path, &folder);
            wait(&socket_url(&folder, "postgres"), &folder);
        }
        Some(SharedInstance {
            folder,
            databases: AtomicU32::new(0),
            _in_use: in_use,
        })
    }

    /// Creates a database as a copy of [`MIGRATED`]; returns its URL.
    pub(crate) async fn database(&self) -> String {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let sql = format!("CREATE DATABASE {name} TEMPLATE {MIGRATED}");
        execute(&socket_url(&self.folder, "postgres"), &sql).await;
        socket_url(&self.folder, &name)
    }
}

impl Drop for SharedInstance {
    fn drop(&mut self) {
        let url = socket_url(&self.folder, "postgres");
        let databases = self.databases.load(Ordering::Relaxed);
        let process = std::process::id();
        let removal = std::thread::spawn(move || {
            for number in 0..databases {
                let sql = format!("DROP DATABASE IF EXISTS test_{process}_{number} WITH (FORCE)");
                runtime().block_on(execute(&url, &sql));
            }
        });
        // What is left goes with the server.
        let _ = removal.join();
    }
}

/// A running server with its folder, in which its socket is. Both are removed when it is dropped.
pub(crate) struct Instance {
    process: Child,
    folder: TempDir,
    server: Server,
    /// Of the loopback addresses, with TLS.
    port: Option<u16>,
    databases: AtomicU32,
}

impl Instance {
    /// Starts a server from the newest of the installed packages; reports if there is none.
    #[track_caller]
    pub(crate) fn start() -> Option<Instance> {
        Self::started(None, None)
    }

    /// Starts a server with the database [`MIGRATED`], to which no connection is open. `migrate` is called with the
    /// URL of an empty database unless an earlier test has kept the data folder of these migrations.
    #[track_caller]
    pub(crate) fn migrated(migrate: impl FnOnce(&str)) -> Option<Instance> {
        let data = migrated(migrate)?;
        Self::started(None, Some(&data))
    }

    /// Starts a server that accepts TLS on a port, and no connections without it there. It has a user
    /// `postgres` with the password `secret`.
    #[track_caller]
    pub(crate) fn encrypted(certified: &Certified) -> Option<Instance> {
        Self::started(Some(certified), None)
    }

    #[track_caller]
    fn started(certified: Option<&Certified>, data: Option<&Path>) -> Option<Instance> {
        let Some(programs) = programs() else {
            installed::skip("PostgreSQL (the package postgresql)");
            return None;
        };
        let folder = TempDir::with_prefix_in("pg-", parent()).unwrap();
        let server = Server {
            owner: owner(),
            programs,
            data: folder.path().join("data"),
        };
        if let Some((user, group)) = server.owner {
            chown(folder.path(), Some(user), Some(group)).unwrap();
        }
        server.initialise(data);
        let port = certified.map(|certified| server.encrypt(certified));
        let process = server.run(folder.path());
        let instance = Instance {
            process,
            folder,
            server,
            port,
            databases: AtomicU32::new(0),
        };
        wait(&instance.url("postgres"), instance.folder.path());
        Some(instance)
    }

    /// Replaces the certificate for new connections.
    pub(crate) async fn certify(&self, certified: &Certified) {
        self.server.certify(certified);
        execute(&self.url("postgres"), "SELECT pg_reload_conf()").await;
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Its TLS port.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap()
    }

    /// The URL of one of its databases.
    pub(crate) fn url(&self, database: &str) -> String {
        let folder = self.folder.path().to_str().unwrap().replace('/', "%2F");
        let port = self.port.map_or(String::new(), |port| format!(":{port}"));
        format!("postgres://postgres@{folder}{port}/{database}")
    }

    /// Makes a database as a copy of another one without connections; returns its URL.
    pub(crate) async fn copy(&self, template: &str) -> String {
        let name = format!("copy{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let url = self.url("postgres");
        execute(&url, &format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        self.url(&name)
    }

    /// Makes a database by `pg_restore` of a `pg_dump` of another one; returns its URL.
    pub(crate) async fn restored(&self, from: &str) -> String {
        let to = self.copy("template0").await;
        let dump = self.folder.path().join("dump");
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(self.server.programs.join(program));
            output(command.args(arguments).arg(&dump));
        };
        run(
            "pg_dump",
            &["--format", "custom", "--dbname", from, "--file"],
        );
        run(
            "pg_restore",
            &["--exit-on-error", "--no-owner", "--dbname", &to],
        );
        to
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        let _ = self.process.wait();
    }
}

/// The data folder of a server with the database [`MIGRATED`], which the first test makes and later ones copy.
fn migrated(migrate: impl FnOnce(&str)) -> Option<PathBuf> {
    let kept = kept(
        "migrated",
        &(
            initdb_arguments(),
            owner(),
            programs(),
            SCHEMA.0,
            MIGRATION_TABLES,
        ),
    );
    if !kept.exists() {
        let instance = Instance::start()?;
        let create = format!("CREATE DATABASE {MIGRATED}");
        runtime().block_on(execute(&instance.url("postgres"), &create));
        migrate(&instance.url(MIGRATED));
        instance.server.stop();
        keep(&instance.server.data, &kept);
    }
    Some(kept)
}

/// The URL of a database on the socket in a folder.
fn socket_url(folder: &Path, database: &str) -> String {
    let folder = folder.to_str().unwrap().replace('/', "%2F");
    format!("postgres://postgres@{folder}/{database}")
}

/// Waits until the server of a folder responds.
fn wait(url: &str, folder: &Path) {
    let start = Instant::now();
    let runtime = runtime();
    let responds = || {
        runtime.block_on(async {
            let (_client, _connection) = tokio_postgres::connect(url, NoTls).await?;
            Ok::<_, tokio_postgres::Error>(())
        })
    };
    while responds().is_err() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "PostgreSQL does not start: {}",
            fs::read_to_string(folder.join("log")).unwrap_or_default()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs SQL on a new connection.
pub(crate) async fn execute(url: &str, sql: &str) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    client.batch_execute(sql).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
}

/// Every row of every table, as text.
pub(crate) async fn dump(url: &str) -> Vec<String> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let tables = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'";
    let mut rows = Vec::new();
    for table in client.query(tables, &[]).await.unwrap() {
        let table: String = table.get("tablename");
        let sql = format!("SELECT {table}::text AS line FROM {table}");
        let found = client.query(&sql, &[]).await.unwrap();
        rows.extend(
            found
                .iter()
                .map(|row| format!("{table} {}", row.get::<_, String>("line"))),
        );
    }
    drop(client);
    connection.await.unwrap().unwrap();
    rows
}

/// The command and settings of the server.
struct Server {
    /// PostgreSQL refuses to run as root, so that it runs as the user of its package there.
    owner: Option<(u32, u32)>,
    programs: PathBuf,
    data: PathBuf,
}

impl Server {
    /// Makes the data folder: a copy of `data`, by default of an empty one that the first test has made.
    fn initialise(&self, data: Option<&Path>) {
        let empty = kept("empty", &(initdb_arguments(), self.owner, &self.programs));
        let existing = data.or_else(|| empty.exists().then_some(&*empty));
        if let Some(existing) = existing {
            output(&mut copy(existing, &self.data));
        } else {
            let mut initdb = self.command(self.programs.join("initdb"));
            output(
                initdb
                    .args(initdb_arguments())
                    .arg("--pgdata")
                    .arg(&self.data),
            );
            keep(&self.data, &empty);
        }
        let settings = self.data.join("postgresql.auto.conf");
        fs::write(settings, SETTINGS).unwrap();
    }

    /// Enables TLS on a free port; returns the port.
    fn encrypt(&self, certified: &Certified) -> u16 {
        let port = free_port();
        self.certify(certified);
        let settings =
            format!("{SETTINGS}listen_addresses = '127.0.0.1'\nport = {port}\nssl = on\n");
        fs::write(self.data.join("postgresql.auto.conf"), settings).unwrap();
        fs::write(self.data.join("pg_hba.conf"), RULES).unwrap();
        port
    }

    fn certify(&self, certified: &Certified) {
        let write = |name, text: &str, mode| {
            let path = self.data.join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            if let Some((user, group)) = self.owner {
                chown(&path, Some(user), Some(group)).unwrap();
            }
        };
        write("server.key", &certified.key, 0o600);
        write("server.crt", &certified.certificate, 0o600);
    }

    /// Stops the server in order, so that its folder can be copied.
    fn stop(&self) {
        let mut stop = self.command(self.programs.join("pg_ctl"));
        output(
            stop.args(["stop", "--mode=fast", "--pgdata"])
                .arg(&self.data),
        );
    }

    fn run(&self, folder: &Path) -> Child {
        let mut shell = self.command("sh".into());
        let server = self.programs.join("postgres");
        shell
            .args(["-c", UNTIL_HANGUP, "sh"])
            .args([folder, &server]);
        shell.arg("-D").arg(&self.data).arg("-k").arg(folder);
        let log = fs::File::create(folder.join("log")).unwrap();
        shell.stdin(Stdio::piped()).stdout(Stdio::null());
        shell.stderr(log).spawn().unwrap()
    }

    /// Starts the server, and what stops it when no test uses it.
    fn run_while_used(&self, in_use: &Path, folder: &Path) {
        let mut shell = Command::new("setsid");
        shell.args(["--fork", "sh", "-c", WHILE_USED, "sh"]);
        shell.args([in_use, folder]);
        if let Some((user, group)) = self.owner {
            let ids = [format!("--reuid={user}"), format!("--regid={group}")];
            shell.arg("setpriv").args(ids).arg("--clear-groups");
        }
        shell.arg(self.programs.join("postgres"));
        shell.arg("-D").arg(&self.data).arg("-k").arg(folder);
        let log = fs::File::create(folder.join("log")).unwrap();
        shell
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        assert!(shell.stderr(log).status().unwrap().success());
    }

    fn command(&self, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        command.current_dir("/");
        if let Some((user, group)) = self.owner {
            command.uid(user).gid(group);
        }
        command
    }
}

/// The folder in which servers have theirs: one in memory, where that has room, because they make and
/// remove thousands of small files.
fn parent() -> PathBuf {
    const ROOM: u64 = 2 << 30;
    let memory = Path::new("/dev/shm");
    match rustix::fs::statvfs(memory) {
        Ok(about) if about.f_bavail * about.f_frsize > ROOM => memory.to_owned(),
        _ => env::temp_dir(),
    }
}

/// The arguments of `initdb`. The database's own order of strings differs from the order of their bytes, so that
/// code that relies on it fails. Short files of the write-ahead log are copied faster.
fn initdb_arguments() -> [&'static str; 8] {
    [
        "--username=postgres",
        "--auth=trust",
        "--no-sync",
        "--encoding=UTF8",
        "--locale=C.UTF-8",
        "--locale-provider=icu",
        "--icu-locale=en",
        "--wal-segsize=1",
    ]
}

/// The data folder of this kind, kept for later tests, that is made of this.
fn kept(kind: &str, origin: &impl Hash) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    origin.hash(&mut hasher);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tmp");
    fs::create_dir_all(&folder).unwrap();
    folder.join(format!("postgresql-{kind}-{:016x}", hasher.finish()))
}

/// Keeps a copy of a data folder. Of several tests that are the first, one keeps its folder.
fn keep(data: &Path, kept: &Path) {
    let part = TempDir::with_prefix_in("initdb-", kept.parent().unwrap()).unwrap();
    let copied = part.path().join("data");
    output(&mut copy(data, &copied));
    if let Err(error) = fs::rename(copied, kept) {
        assert!(kept.exists(), "{}: {error}", kept.display());
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap()
}

/// The command that copies a folder with the owners and rights of its files.
fn copy(from: &Path, to: &Path) -> Command {
    let mut command = Command::new("cp");
    command.arg("--archive").args([from, to]);
    command
}

/// Runs a command that has to succeed.
fn output(command: &mut Command) {
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
}

/// The programs of the newest version that is installed.
pub(crate) fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let programs = |version: fs::DirEntry| {
        let number: u32 = version.file_name().to_str()?.parse().ok()?;
        let programs = version.path().join("bin");
        programs
            .join("initdb")
            .exists()
            .then_some((number, programs))
    };
    let installed = versions.filter_map(|version| programs(version.ok()?));
    installed.max().map(|(_, programs)| programs)
}

/// The user and the group that run the server; `None` for the test's own user.
pub(super) fn owner() -> Option<(u32, u32)> {
    rustix::process::geteuid().is_root().then(|| {
        let users = fs::read_to_string("/etc/passwd").unwrap();
        let user = users
            .lines()
            .find_map(|line| line.strip_prefix("postgres:"));
        let mut ids = user.expect("the user postgres").split(':').skip(1);
        let mut id = || ids.next().unwrap().parse().unwrap();
        (id(), id())
    })
}
