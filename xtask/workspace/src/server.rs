//! A server that is measured: a process that prints its port.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// A running server.
pub struct Server {
    child: Child,
    /// Its port on the loopback.
    pub port: u16,
    /// The port for operators; the main port if there is no other.
    admin: u16,
}

impl Server {
    /// Starts a program that prints its port.
    ///
    /// # Errors
    /// When it cannot be started or says no port.
    pub fn start(program: &Path) -> io::Result<Server> {
        Server::launch(&mut Command::new(program), 1)
    }

    /// Starts a program that prints this number of lines: the first line ends with its port, or begins
    /// with it, and the last one with the port for operators.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub fn launch(command: &mut Command, lines: usize) -> io::Result<Server> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        if let Some(mut log) = child.stderr.take() {
            // Reads its log to the end, as a supervisor would.
            thread::spawn(move || io::copy(&mut log, &mut io::sink()));
        }
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let said = BufReader::new(stdout).lines().take(lines);
        let said = said.collect::<io::Result<Vec<_>>>()?;
        let port = |line: Option<&String>| line.and_then(|line| port(line));
        match (port(said.first()), port(said.last())) {
            (Some(port), Some(admin)) => Ok(Server { child, port, admin }),
            _ => {
                let name = command.get_program().display();
                Err(io::Error::other(format!("{name} says no port: {said:?}")))
            }
        }
    }

    /// Whether its readiness endpoint reports that it is ready.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn is_ready(&self) -> io::Result<bool> {
        let request = b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        Ok(ask(self.admin, request)?.starts_with(b"HTTP/1.1 200 "))
    }

    /// The value of a metric, written with its labels; 0 if there is none.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn metric(&self, name: &str) -> io::Result<f64> {
        let answer = self.operators("/metrics")?;
        let value = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        Ok(answer.lines().find_map(value).unwrap_or_default())
    }

    /// The answer of its operators' port at a path.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn operators(&self, path: &str) -> io::Result<String> {
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        let answer = ask(self.admin, request.as_bytes())?;
        let answer = String::from_utf8(answer).map_err(io::Error::other)?;
        let body = answer.split_once("\r\n\r\n").map(|(_, body)| body);
        Ok(body.unwrap_or_default().to_owned())
    }

    /// The memory that it holds, in bytes.
    ///
    /// # Errors
    /// As [`Server::cpu`].
    pub fn memory(&self) -> io::Result<u64> {
        self.status("VmRSS:")
    }

    /// The most memory that it has held so far, in bytes.
    ///
    /// # Errors
    /// As [`Server::cpu`].
    pub fn peak(&self) -> io::Result<u64> {
        self.status("VmHWM:")
    }

    /// How many descriptors it has open: files, connections and the like.
    ///
    /// # Errors
    /// When the system does not report it.
    pub fn descriptors(&self) -> io::Result<usize> {
        Ok(fs::read_dir(format!("/proc/{}/fd", self.child.id()))?.count())
    }

    /// Sends it a signal, such as `HUP`.
    ///
    /// # Errors
    /// When it has ended.
    pub fn signal(&self, name: &str) -> io::Result<()> {
        let kill = format!("kill -{name} {}", self.child.id());
        match Command::new("sh").args(["-c", &kill]).status()?.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!("{kill} has failed"))),
        }
    }

    fn status(&self, name: &str) -> io::Result<u64> {
        let text = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        let unknown = || io::Error::other(format!("the system does not tell {name}"));
        Ok(kibibytes.ok_or_else(unknown)? << 10)
    }

    /// The processor time of all its threads so far.
    ///
    /// # Errors
    /// When the system does not report it, as on other systems than Linux.
    pub fn cpu(&self) -> io::Result<Duration> {
        let mut nanoseconds = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let text = fs::read_to_string(task?.path().join("schedstat"))?;
            let spent = text
                .split_whitespace()
                .next()
                .and_then(|text| text.parse().ok());
            nanoseconds += spent.unwrap_or(0_u64);
        }
        Ok(Duration::from_nanos(nanoseconds))
    }

    /// Sends bytes on a new connection, and reads until the server closes it.
    ///
    /// # Errors
    /// When the connection fails, or no bytes arrive for some seconds.
    pub fn ask(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        ask(self.port, request)
    }
}

fn ask(port: u16, request: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.write_all(request)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}

/// The number after the last colon of a line, or at its beginning without one.
fn port(line: &str) -> Option<u16> {
    let end = line.rsplit(':').next()?;
    let digits = end.find(|digit: char| !digit.is_ascii_digit());
    end.get(..digits.unwrap_or(end.len()))?.parse().ok()
}

impl Drop for Server {
    fn drop(&mut self) {
        // It holds no data, and may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
