//! A PgBouncer of a test's own.

use std::fs;
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::port::free_port;
use super::postgres::{Instance, owner};

/// A running PgBouncer, which is killed when it is dropped.
pub(crate) struct PgBouncer {
    process: Child,
    port: u16,
    _folder: TempDir,
}

impl PgBouncer {
    /// Starts one before a PostgreSQL, with a `pool_mode`; reports if it is not installed.
    #[track_caller]
    pub(crate) fn start(instance: &Instance, mode: &str) -> Option<PgBouncer> {
        if !installed::present(&["pgbouncer"], &[]) {
            return None;
        }
        Some(Self::on(free_port(), instance, mode))
    }

    /// Starts it again on the same port, with another `pool_mode`.
    pub(crate) fn restarted(self, instance: &Instance, mode: &str) -> PgBouncer {
        let port = self.port;
        drop(self);
        Self::on(port, instance, mode)
    }

    fn on(port: u16, instance: &Instance, mode: &str) -> PgBouncer {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pgbouncer.ini");
        let settings = format!(
            "[databases]\n* = host={} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = any\npool_mode = {mode}\n",
            instance.folder().display()
        );
        fs::write(&file, settings).unwrap();
        let mut command = Command::new("pgbouncer");
        command.arg("--quiet").arg(&file).current_dir("/");
        command.stdin(Stdio::null()).stderr(Stdio::null());
        if let Some((user, group)) = owner() {
            // It refuses to run as root.
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group)).unwrap();
            command.uid(user).gid(group);
        }
        let process = command.spawn().unwrap();
        let pooler = PgBouncer {
            process,
            port,
            _folder: folder,
        };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < Duration::from_secs(20), "no PgBouncer");
            std::thread::sleep(Duration::from_millis(20));
        }
        pooler
    }

    /// The URL of a database behind it.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
