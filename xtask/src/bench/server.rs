//! A server that is measured: a process that prints its port and ends with its standard input.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A running server.
pub(crate) struct Server {
    child: Child,
    /// Where it listens on the loopback.
    pub(crate) port: u16,
}

impl Server {
    /// Starts a program.
    ///
    /// # Errors
    /// When it cannot be started or says no port.
    pub(crate) fn start(program: &Path) -> io::Result<Server> {
        let mut command = Command::new(program);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        BufReader::new(stdout).read_line(&mut line)?;
        match line.trim().parse() {
            Ok(port) => Ok(Server { child, port }),
            Err(_) => {
                let name = program.display();
                Err(io::Error::other(format!("{name} says no port")))
            }
        }
    }

    /// The processor time that its threads have had so far.
    ///
    /// # Errors
    /// Where the system does not tell, which is anywhere but on Linux.
    pub(crate) fn cpu(&self) -> io::Result<Duration> {
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

    /// Sends bytes on a connection of its own, and reads until the server closes it.
    ///
    /// # Errors
    /// When the connection fails, or nothing comes for some seconds.
    pub(crate) fn ask(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(Duration::from_secs(10)))?;
        stream.write_all(request)?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has nothing to lose, and may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
