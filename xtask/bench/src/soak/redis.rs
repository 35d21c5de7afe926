//! A Redis server of the bench, which keeps the windows of replicas.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{io, thread};

/// A server on a free port of the loopback, without files. It is killed when it is dropped.
pub(super) struct Redis {
    process: Child,
    port: u16,
}

impl Redis {
    /// Starts a server.
    ///
    /// # Errors
    /// When Redis is not installed, or does not listen.
    pub(super) fn start() -> io::Result<Redis> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--port", &port.to_string()]);
        command.args(["--save", "", "--appendonly", "no"]);
        let process = command.stdout(Stdio::null()).spawn();
        let none = |error| io::Error::other(format!("redis-server: {error}"));
        let redis = Redis {
            process: process.map_err(none)?,
            port,
        };
        let start = Instant::now();
        while let Err(error) = TcpStream::connect(("127.0.0.1", port)) {
            if start.elapsed() > Duration::from_secs(30) {
                return Err(error);
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(redis)
    }

    pub(super) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // It holds no data, and may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
