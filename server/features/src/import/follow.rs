//! Import of lines as they come: from a pipe, or a file that grows.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::{Instant, timeout_at};

use super::input::{Input, Piece, Prefix};
use super::{Event, Import, ImportError, Summary, begin};
use crate::domain::recording::OnRejection;
use db::Db;

/// How long a line waits for others to be recorded with.
const WAIT: Duration = Duration::from_millis(200);

/// The number of records in a transaction.
const BATCH: usize = 1000;

/// The lines that are read ahead.
const AHEAD: usize = 4000;

/// How often a file is looked at for more.
const POLL: Duration = Duration::from_millis(20);

/// How long a file whose name another one has got may still be written to.
const LAST_WRITES: Duration = Duration::from_secs(1);

/// A line, and the input up to its end.
struct Line {
    /// `None` if it is too long.
    text: Option<Vec<u8>>,
    read: Prefix,
}

/// A file that others write to: at its end, it waits for more, until another file has its name.
#[derive(Debug)]
struct Growing<'a> {
    file: BufReader<File>,
    name: &'a Path,
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(buffer)? {
                0 if !buffer.is_empty() => {}
                read => return Ok(read),
            }
            if self.is_replaced()? {
                thread::sleep(LAST_WRITES);
                return self.file.read(buffer);
            }
            thread::sleep(POLL);
        }
    }
}

impl Growing<'_> {
    /// Whether another file has its name. An error if the file is shorter than the part that was read.
    fn is_replaced(&mut self) -> io::Result<bool> {
        let file = self.file.get_ref().metadata()?;
        if file.len() < self.file.stream_position()? {
            let error = "it has become shorter than what was read of it; the next import reads it from its start";
            return Err(io::Error::other(error));
        }
        match fs::metadata(self.name) {
            Ok(named) => Ok((named.dev(), named.ino()) != (file.dev(), file.ino())),
            // The other one may not be there yet.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Where lines come from.
pub enum Followed<R> {
    /// A pipe, which ends, and is read once.
    Pipe(R),
    /// A file of this name, which may grow, and whose import goes on after the lines that are recorded. When
    /// another file has got the name, that is read from its start.
    File(String, File),
}

/// Imports lines as they come, until the input ends or `stop` is ready, and sends donations to webhooks. Each is
/// recorded within 200 ms, or with 1,000 others.
///
/// # Errors
/// As [`run`](super::run).
pub async fn follow<R>(
    store: &Db,
    input: Followed<R>,
    on_rejection: OnRejection,
    now: fn() -> Timestamp,
    mut observe: impl FnMut(Event<'_>),
    stop: impl Future<Output = ()>,
) -> Result<Summary, ImportError>
where
    R: Read + Send + 'static,
{
    let (source, lines) = match input {
        Followed::Pipe(pipe) => {
            let input = Input::new(BufReader::new(pipe), Prefix::nothing());
            (None, read(move |lines| read_lines(input, lines)))
        }
        Followed::File(source, file) => {
            let mut file = BufReader::new(file);
            let begun = begin(store, &source, &mut file, &mut observe).await?;
            let name = PathBuf::from(&source);
            let lines = read(move |lines| read_files(file, &name, begun, lines));
            (Some(source), lines)
        }
    };
    let mut import = Import::new(store, source, on_rejection, observe).await?;
    import.most = BATCH;
    import.telling = Some(now);
    import.take_all(lines, stop).await?;
    Ok(import.summary)
}

/// Reads lines on a thread of its own, which ends with the process where nothing more comes.
fn read(
    all: impl FnOnce(&Sender<io::Result<Line>>) -> io::Result<()> + Send + 'static,
) -> Receiver<io::Result<Line>> {
    let (lines, receiver) = mpsc::channel(AHEAD);
    thread::spawn(move || {
        if let Err(error) = all(&lines) {
            // The receiver is gone when the import is over.
            let _ = lines.blocking_send(Err(error));
        }
    });
    receiver
}

fn read_lines(mut input: Input<impl BufRead>, lines: &Sender<io::Result<Line>>) -> io::Result<()> {
    while let Some(piece) = input.next()? {
        let text = match piece {
            Piece::Line(text) => Some(text.to_vec()),
            Piece::TooLong => None,
        };
        let read = input.read().clone();
        let sent = lines.blocking_send(Ok(Line { text, read }));
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
    }
    Ok(())
}

/// Reads a file to its end, then the one that has its name, and so on.
fn read_files(
    mut file: BufReader<File>,
    name: &Path,
    mut begun: Prefix,
    lines: &Sender<io::Result<Line>>,
) -> io::Result<()> {
    loop {
        let growing = BufReader::new(Growing { file, name });
        read_lines(Input::new(growing, begun), lines)?;
        (file, begun) = (BufReader::new(File::open(name)?), Prefix::nothing());
    }
}

impl<F: FnMut(Event<'_>)> Import<'_, F> {
    async fn take_all(
        &mut self,
        mut lines: Receiver<io::Result<Line>>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), ImportError> {
        let mut stop = std::pin::pin!(stop);
        let mut read = Prefix::nothing();
        let (mut deadline, mut end) = (None, Ok(()));
        while !self.summary.stopped {
            let line = tokio::select! {
                line = before(deadline, lines.recv()) => line,
                () = &mut stop => break,
            };
            match line {
                // The first line of the batch has waited long enough.
                None => {
                    self.send(Some(&read)).await?;
                    self.settle().await?;
                    deadline = None;
                }
                Some(None) => break,
                Some(Some(Err(error))) => {
                    end = Err(error);
                    break;
                }
                Some(Some(Ok(line))) => {
                    if line.read.lines <= read.lines {
                        (self.observe)(Event::Replaced);
                    }
                    let piece = line.text.as_deref().map_or(Piece::TooLong, Piece::Line);
                    let decoded = self.decode(piece);
                    read = line.read;
                    self.take(decoded, &read).await?;
                    deadline = match self.batch.records.is_empty() {
                        true => None,
                        false => deadline.or_else(|| Some(Instant::now() + WAIT)),
                    };
                }
            }
        }
        // Also what was read before an error.
        self.send(Some(&read)).await?;
        self.settle().await?;
        Ok(end?)
    }
}

/// The output of a future, or `None` at the deadline.
async fn before<T>(deadline: Option<Instant>, future: impl Future<Output = T>) -> Option<T> {
    match deadline {
        Some(deadline) => timeout_at(deadline, future).await.ok(),
        None => Some(future.await),
    }
}
