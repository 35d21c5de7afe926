//! A started server, and questions to it.

use super::require;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a server may take to start or to stop.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A server; a dropped one is killed.
pub(super) struct Server {
    process: Child,
    address: SocketAddr,
}

/// A free port on the loopback interface.
pub(super) fn free_address() -> io::Result<SocketAddr> {
    TcpListener::bind("127.0.0.1:0")?.local_addr()
}

impl Server {
    /// Starts a server, and waits until it listens on an address.
    ///
    /// # Errors
    /// When it ends, or does not listen in time.
    pub(super) fn start(command: &mut Command, address: SocketAddr) -> io::Result<Server> {
        let process = command.spawn()?;
        let mut server = Server { process, address };
        server.wait("listen", |server| {
            if let Some(status) = server.process.try_wait()? {
                return Err(io::Error::other(format!("the server ended: {status}")));
            }
            Ok(TcpStream::connect(server.address).is_ok())
        })?;
        Ok(server)
    }

    /// The answer to a GET: head and body.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn get(&self, path: &str) -> io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let host = self.address;
        let head = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Asks until the answer is a 200 that contains `part`: imported data is served soon after.
    ///
    /// # Errors
    /// When it never is; the error is the last answer.
    pub(super) fn answers(&mut self, path: &str, part: &str) -> io::Result<()> {
        let mut last = String::new();
        let answered = self.wait("answer", |server| {
            last = server.get(path)?;
            Ok(last.starts_with("HTTP/1.1 200 ") && last.contains(part))
        });
        answered.map_err(|error| io::Error::other(format!("{error}: {path}: {last}")))
    }

    /// Stops the server as systemd does.
    ///
    /// # Errors
    /// When it does not stop in time, or not by itself.
    pub(super) fn stop(mut self) -> io::Result<()> {
        let id = self.process.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status()?;
        self.wait("stop", |server| Ok(server.process.try_wait()?.is_some()))?;
        let status = self.process.wait()?;
        require(status.success(), format!("the server ended: {status}"))
    }

    fn wait(
        &mut self,
        purpose: &str,
        mut is_done: impl FnMut(&mut Server) -> io::Result<bool>,
    ) -> io::Result<()> {
        let start = Instant::now();
        while !is_done(self)? {
            let late = format!("the server does not {purpose} within {TIMEOUT:?}");
            require(start.elapsed() < TIMEOUT, late)?;
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already, or ends now.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
