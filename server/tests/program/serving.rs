//! The program while it serves.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::faults::system::limited;
use crate::folder::Folder;
use crate::wire::{Answer, Wire};

/// How long anything that must happen may take on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A running server. It is killed when it is dropped.
pub(crate) struct Serving {
    child: Child,
    pub(crate) api: SocketAddr,
    pub(crate) admin: SocketAddr,
    /// Its standard output before it was ready.
    pub(crate) greeting: String,
    log: Arc<Mutex<String>>,
    /// Gathers the log until the process has ended.
    gathering: Option<JoinHandle<()>>,
}

/// Starts a server on free ports, on the folder's database, with further arguments.
pub(crate) fn serve(folder: &Folder, arguments: &[&str]) -> Serving {
    serve_among(folder, arguments, &[])
}

/// The same, with variables in its environment.
pub(crate) fn serve_among(
    folder: &Folder,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> Serving {
    let mut command = command(folder, "127.0.0.1:0", arguments);
    Serving::start(command.envs(variables.iter().copied()))
}

/// Starts a server whose API has another address than IPv4's loopback.
pub(crate) fn serve_at(folder: &Folder, address: &str, arguments: &[&str]) -> Serving {
    Serving::start(&mut command(folder, address, arguments))
}

/// Starts a server with a resource limit, written as for `prlimit`.
pub(crate) fn serve_limited(folder: &Folder, limit: &str, arguments: &[&str]) -> Serving {
    let command = command(folder, "127.0.0.1:0", arguments);
    Serving::start(&mut limited(limit, &command))
}

fn command(folder: &Folder, address: &str, arguments: &[&str]) -> Command {
    let addresses = [
        "serve",
        "--listen",
        address,
        "--admin-listen",
        "127.0.0.1:0",
    ];
    let arguments: Vec<_> = addresses.iter().chain(arguments).copied().collect();
    folder.command(&arguments)
}

impl Serving {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let gathering = gather(child.stderr.take().unwrap(), Arc::clone(&log));
        let mut greeting = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut address = |said: &str| loop {
            let mut line = String::new();
            let read = stdout.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the server ended: {}", log.lock().unwrap());
            greeting.push_str(&line);
            if let Some(url) = line.trim_end().strip_prefix(said) {
                let authority = url
                    .trim_start_matches("http://")
                    .trim_end_matches("/api/v1");
                break authority.parse().unwrap();
            }
        };
        let api = address("The API is at ");
        let admin = address("Liveness, readiness and metrics are at ");
        Self {
            child,
            api,
            admin,
            greeting,
            log,
            gathering: Some(gathering),
        }
    }

    /// A new connection to the API.
    pub(crate) fn connect(&self) -> Wire {
        Wire::connect(self.api)
    }

    /// The answer to a GET below `/api/v1`, with a key if there is one.
    pub(crate) fn get(&self, path: &str, key: Option<&str>) -> Answer {
        let key = key.map_or_else(String::new, |key| format!("service-api-key: {key}\r\n"));
        let head = format!("GET /api/v1{path} HTTP/1.1\r\nhost: test\r\n{key}\r\n");
        self.connect().ask(head.as_bytes())
    }

    /// A page that the server has beside the API.
    pub(crate) fn page(&self, path: &str) -> String {
        let head = format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n");
        let answer = self.connect().ask(head.as_bytes());
        assert_eq!(answer.status, 200, "{path}");
        answer.body
    }

    /// The answer to a GET on the operators' address.
    pub(crate) fn operators(&self, path: &str) -> Answer {
        let head = format!("GET {path} HTTP/1.1\r\nhost: test\r\n\r\n");
        Wire::connect(self.admin).ask(head.as_bytes())
    }

    /// Everything that it has written to standard error.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Stops reading its standard error until the guard is dropped.
    pub(crate) fn leave_log_unread(&self) -> MutexGuard<'_, String> {
        self.log.lock().unwrap()
    }

    /// The id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status().unwrap();
        assert!(status.success());
    }

    /// Kills the process as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until the process has ended, its last log line included; its exit status and how long
    /// that took.
    pub(crate) fn ended(&mut self) -> (Option<i32>, Duration) {
        let started = Instant::now();
        let ended = eventually("the server ends", || {
            let status = self.child.try_wait().unwrap()?;
            Some((status.code(), started.elapsed()))
        });
        if let Some(gathering) = self.gathering.take() {
            gathering.join().unwrap();
        }
        ended
    }
}

impl From<&Serving> for SocketAddr {
    fn from(serving: &Serving) -> Self {
        serving.api
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn gather(mut from: impl Read + Send + 'static, into: Arc<Mutex<String>>) -> JoinHandle<()> {
    thread::spawn(move || {
        let mut bytes = [0; 4096];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            into.lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    })
}

/// Asks over and over until there is an answer.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    asked(Duration::from_millis(10), ask)
        .unwrap_or_else(|| panic!("it does not happen that {what}"))
}

/// Polls until a running server has followed a change by another process. That takes less than a second
/// on a free processor, which a machine that runs tests may not have.
#[track_caller]
pub(crate) fn followed<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    // Refused requests count against the few that an address has.
    asked(Duration::from_secs(1), ask).unwrap_or_else(|| panic!("it is not followed that {what}"))
}

/// Asks after pauses that grow up to this one.
fn asked<T>(longest: Duration, mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(10);
    loop {
        let late = started.elapsed() > TIMEOUT;
        if let Some(answer) = ask() {
            return Some(answer);
        }
        if late {
            return None;
        }
        thread::sleep(pause);
        pause = longest.min(pause * 2);
    }
}
