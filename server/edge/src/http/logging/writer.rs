//! Writes log lines to standard error in batches, from a thread of its own.
//!
//! Lines are collected in memory. The thread writes them ten times a second, or as soon as there are
//! enough of them. A warning or an error is written immediately, with the lines before it, because it may
//! be the last; the thread that logs it waits for that, [`WARNING_TIMEOUT`] at most.
//!
//! While standard error is not read, lines wait in memory up to a bound, [`MAX_WAITING`], and warnings beyond
//! those up to twice that. Further lines are dropped and counted, so no request waits until something is read
//! again.
//!
//! Operators need this of a log: the last warning of a killed process is there; a log that is not read costs
//! no request and a known number of bytes, which leaves room for warnings; and lines that are lost are
//! counted (`a_log_that_nobody_reads` in `tests/program/attacks/log.rs`). `tracing-appender` treats
//! warnings like other lines, so that those of a killed process may be lost and access lines take their
//! room, and bounds lines by their number. It also wakes its thread for each line, which costs 1.4 µs at 20 000
//! lines a second and 4.6 µs at a thousand, of the 10 µs of a request.

use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// The maximum time that a line is buffered.
const PERIOD: Duration = Duration::from_millis(100);

/// The number of bytes that are written before that time has passed.
const ENOUGH: usize = 64 << 10;

/// The maximum number of bytes of lines that wait, warnings aside.
const MAX_WAITING: usize = 1 << 20;

/// How long a thread waits for its warning to be written.
const WARNING_TIMEOUT: Duration = Duration::from_millis(100);

/// How long the end of the process waits for its last lines to be written.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

static LOG: Log = Log {
    lines: Mutex::new(Lines {
        waiting: Vec::new(),
        pushed: 0,
        written: 0,
        dropped: 0,
        are_due: false,
        is_stalled: false,
    }),
    due: Condvar::new(),
    written: Condvar::new(),
};

struct Log {
    lines: Mutex<Lines>,
    /// Wakes the thread that writes.
    due: Condvar,
    /// Wakes threads that wait for their lines.
    written: Condvar,
}

struct Lines {
    /// Those that the thread has not taken yet.
    waiting: Vec<u8>,
    /// The number of bytes that were ever pushed.
    pushed: u64,
    written: u64,
    /// The number of lines for which there was no room.
    dropped: u64,
    /// Whether they are to be written at once.
    are_due: bool,
    /// Whether a thread has waited in vain since something was written last.
    is_stalled: bool,
}

pub(super) fn start() -> io::Result<()> {
    let write = || {
        let mut lines = Vec::new();
        loop {
            LOG.write(&mut lines);
        }
    };
    thread::Builder::new().name("log".to_owned()).spawn(write)?;
    Ok(())
}

/// Adds complete lines to the buffer.
pub(super) fn push(bytes: &[u8], is_urgent: bool) {
    let mut lines = LOG.lock();
    let before = lines.waiting.len();
    let room = if is_urgent {
        2 * MAX_WAITING
    } else {
        MAX_WAITING
    };
    if before + bytes.len() > room {
        lines.dropped += 1;
        return;
    }
    lines.waiting.extend_from_slice(bytes);
    lines.pushed += bytes.len() as u64;
    if is_urgent && !lines.is_stalled {
        LOG.await_written(lines, WARNING_TIMEOUT);
    } else if before <= ENOUGH && lines.waiting.len() > ENOUGH {
        LOG.wake(&mut lines);
    }
}

/// Waits until the lines that wait are written, for a second at most. To be called when the process is
/// about to end.
pub fn flush_log() {
    LOG.await_written(LOG.lock(), FLUSH_TIMEOUT);
}

/// The number of lines that were dropped.
pub(in crate::http) fn dropped_log_lines() -> u64 {
    LOG.lock().dropped
}

impl Log {
    /// Waits until lines are due, and writes them. `taken` is a buffer to reuse.
    fn write(&self, taken: &mut Vec<u8>) {
        let idle = |lines: &mut Lines| !lines.are_due;
        let waited = self.due.wait_timeout_while(self.lock(), PERIOD, idle);
        let (mut lines, _) = waited.unwrap_or_else(PoisonError::into_inner);
        lines.are_due = false;
        std::mem::swap(taken, &mut lines.waiting);
        let pushed = lines.pushed;
        drop(lines);
        // A failure could only be reported here.
        let _ = io::stderr().write_all(taken);
        taken.clear();
        let mut lines = self.lock();
        lines.written = pushed;
        lines.is_stalled = false;
        drop(lines);
        self.written.notify_all();
    }

    /// Has the thread write at once.
    fn wake(&self, lines: &mut Lines) {
        lines.are_due = true;
        self.due.notify_one();
    }

    /// Has everything written that was pushed until now, and waits for it.
    fn await_written(&self, mut lines: MutexGuard<'_, Lines>, timeout: Duration) {
        let mine = lines.pushed;
        self.wake(&mut lines);
        let waited = self
            .written
            .wait_timeout_while(lines, timeout, |lines| lines.written < mine);
        let (mut lines, _) = waited.unwrap_or_else(PoisonError::into_inner);
        lines.is_stalled = lines.written < mine;
    }

    /// The numbers fit the buffer between any two statements, so a poisoned lock is harmless.
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes writers of log lines.
pub(super) struct LogWriter;

/// Writes one line.
pub(super) struct Line {
    is_urgent: bool,
}

impl<'a> MakeWriter<'a> for LogWriter {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line { is_urgent: true }
    }

    fn make_writer_for(&'a self, metadata: &Metadata<'_>) -> Line {
        Line {
            is_urgent: *metadata.level() <= Level::WARN,
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        push(bytes, self.is_urgent);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
