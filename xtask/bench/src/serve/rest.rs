//! The idle server's resources: memory, start time, size on disk.

use crate::server_programs::Programs;
use crate::table::{Table, median};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// How often it is started.
const STARTS: usize = 15;

/// How long it is left alone before its memory is read.
const SETTLED: Duration = Duration::from_secs(2);

pub(super) struct Rest {
    /// In bytes.
    memory: u64,
    /// From its start until it says that it is ready, in milliseconds.
    start: f64,
    /// In bytes.
    binary: u64,
}

impl Rest {
    /// Measures.
    ///
    /// # Errors
    /// When the server does not start.
    pub(super) fn measure(programs: &Programs, database: &Path) -> io::Result<Rest> {
        let mut starts = Vec::new();
        for _ in 0..STARTS {
            let start = Instant::now();
            let server = programs.serve(database, &[])?;
            while !server.is_ready()? {
                thread::yield_now();
            }
            starts.push(start.elapsed().as_secs_f64() * 1e3);
        }
        let server = programs.serve(database, &[])?;
        thread::sleep(SETTLED);
        Ok(Rest {
            memory: server.memory()?,
            start: median(&starts),
            binary: fs::metadata(&programs.server)?.len(),
        })
    }

    /// The figures, with the memory under load and the most that there was.
    pub(super) fn table(&self, (loaded, peak): (u64, u64)) -> Table {
        let mebibytes = |bytes: u64| format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20));
        let mut table = Table::new(&["the server", "figure"]);
        for (name, figure) in [
            ("resident memory at rest", mebibytes(self.memory)),
            ("resident memory after the load", mebibytes(loaded)),
            ("the most under load", mebibytes(peak)),
            ("start to readiness", format!("{:.0} ms", self.start)),
            ("binary", mebibytes(self.binary)),
        ] {
            table.row(vec![name.to_owned(), figure]);
        }
        table
    }
}
