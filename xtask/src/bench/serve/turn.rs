//! One server's turn under the load.

use crate::bench::server::Server;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

const CONNECTIONS: usize = 32;

/// The load that every turn is under.
pub(super) struct Load<'a> {
    /// The program that makes it.
    pub(super) program: &'a Path,
    /// The file of requests, which are sent in turn.
    pub(super) requests: &'a Path,
    pub(super) count: usize,
    /// What every answer must have.
    pub(super) status: u16,
}

impl Load<'_> {
    /// Puts the load on a server; the processor time that it has taken for a request, in microseconds.
    ///
    /// # Errors
    /// When an answer is not as it should be.
    pub(super) fn turn(&self, server: &Server) -> io::Result<f64> {
        let count = self.count.next_multiple_of(CONNECTIONS);
        let before = server.cpu()?;
        let mut command = Command::new(self.program);
        for number in [
            usize::from(server.port),
            CONNECTIONS,
            count,
            self.status.into(),
        ] {
            command.arg(number.to_string());
        }
        if !command
            .arg(self.requests)
            .stdout(Stdio::null())
            .status()?
            .success()
        {
            return Err(io::Error::other("a server does not stand the load"));
        }
        let spent = server.cpu()?.saturating_sub(before);
        Ok(spent.as_secs_f64() * 1e6 / count as f64)
    }
}
