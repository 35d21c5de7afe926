//! Services and their processes.

use fs_err as fs;
use rustix::process::{Pid, Signal, kill_process};
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest wait for the document of a service.
const START: Duration = Duration::from_secs(180);

/// The longest wait for the end of a service.
const END: Duration = Duration::from_secs(10);

/// The exit status of a shell that finds no such command.
const NOT_FOUND: i32 = 127;

/// A folder of `xtask/services` that has a `service.sh`.
pub(crate) struct Service {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    installed: PathBuf,
}

/// The result of starting a service.
pub(crate) enum Started {
    Running(Running),
    NotInstalled,
}

/// A running service. Dropping this ends it.
pub(crate) struct Running {
    process: Child,
    /// The folder of its data.
    _data: TempDir,
    pub(crate) base: String,
    pub(crate) document: Vec<u8>,
}

/// The services of these names, or all.
pub(crate) fn find(names: &[String], installed: &Path) -> io::Result<Vec<Service>> {
    let folders = workspace::root().join("xtask/services");
    let mut services = Vec::new();
    for entry in fs::read_dir(&folders)? {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let is_wanted = names.is_empty() || names.contains(&name.to_string());
        if is_wanted && folder.join("service.sh").is_file() {
            services.push(Service {
                name: name.to_string(),
                installed: installed.join(&*name),
                folder,
            });
        }
    }
    let unknown = |name: &&String| services.iter().all(|service| service.name != **name);
    if let Some(name) = names.iter().find(unknown) {
        let unknown = format!("{}: there is no service {name}", folders.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, unknown));
    }
    services.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(services)
}

impl Service {
    /// Installs the service by a package manager.
    pub(crate) fn install(&self) -> io::Result<()> {
        fs::create_dir_all(&self.installed)?;
        let mut install = self.command("install");
        let status = install.current_dir(&self.installed).status()?;
        status
            .success()
            .then_some(())
            .ok_or_else(|| self.failed("cannot be installed"))
    }

    /// Starts the service on a free port, and waits for its document.
    pub(crate) fn start(&self) -> io::Result<Started> {
        let data = tempfile::tempdir()?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let base = format!("http://127.0.0.1:{port}");
        let log = crate::client::folder(&self.name).join("service.log");
        fs::create_dir_all(log.parent().unwrap_or(Path::new(".")))?;
        let output = fs::File::create(&log)?.into_file();
        let mut start = self.command("start");
        start.current_dir(&data).env("PORT", port.to_string());
        let start = start
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output);
        let mut running = Running {
            process: start.spawn()?,
            _data: data,
            base,
            document: Vec::new(),
        };
        let begin = Instant::now();
        while begin.elapsed() < START {
            if let Some(status) = running.process.try_wait()? {
                return match status.code() {
                    Some(NOT_FOUND) => Ok(Started::NotInstalled),
                    _ => Err(self.failed(&format!("has ended, see {}", log.display()))),
                };
            }
            let mut document = self.command("document");
            let document = document
                .env("BASE", &running.base)
                .stderr(Stdio::null())
                .output()?;
            if document.status.success() {
                running.document = document.stdout;
                return Ok(Started::Running(running));
            }
            sleep(Duration::from_millis(300));
        }
        Err(self.failed(&format!("serves no document, see {}", log.display())))
    }

    fn command(&self, step: &str) -> Command {
        let mut command = Command::new("sh");
        command.arg(self.folder.join("service.sh")).arg(step);
        command.env("INSTALLED", &self.installed);
        command
    }

    fn failed(&self, reason: &str) -> io::Error {
        io::Error::other(format!("{} {reason}", self.name))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already. If it ignores the signal, it is killed.
        if let Ok(id) = i32::try_from(self.process.id()) {
            let _ = Pid::from_raw(id).map(|id| kill_process(id, Signal::TERM));
        }
        let begin = Instant::now();
        while begin.elapsed() < END {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            sleep(Duration::from_millis(50));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
