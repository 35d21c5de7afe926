//! Import of lines as they come: from a pipe, or a file that grows.

use std::io::{self, BufRead, BufReader, Read, Seek};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::{Instant, timeout_at};

use super::input::{Input, Piece, Prefix};
use super::{Event, Import, ImportError, OnRejection, Summary, begin};
use crate::database::Store;

/// How long a line waits for others to be recorded with.
const WAIT: Duration = Duration::from_millis(200);

/// The number of records in a transaction.
const BATCH: usize = 1000;

/// The lines that are read ahead.
const AHEAD: usize = 4000;

/// How often a file is looked at for more.
const POLL: Duration = Duration::from_millis(20);

/// A line, and the input up to its end.
struct Line {
    /// `None` if it is too long.
    text: Option<Vec<u8>>,
    read: Prefix,
}

/// A file that others write to: at its end, it waits for more.
#[derive(Debug)]
struct Growing<R>(R);

impl<R: Read> Read for Growing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer)? {
                0 if !buffer.is_empty() => thread::sleep(POLL),
                read => return Ok(read),
            }
        }
    }
}

/// Where lines come from.
pub enum Followed<R> {
    /// A pipe, which ends, and is read once.
    Pipe(R),
    /// A file of this name, which may grow, and whose import goes on after the lines that are recorded.
    File(String, R),
}

/// Imports lines as they come, until the input ends or `stop` is ready, and tells webhooks of donations. Each is
/// recorded within 200 ms, or with 1,000 others.
///
/// # Errors
/// As [`run`](super::run).
pub async fn follow<R>(
    store: &Store,
    input: Followed<R>,
    on_rejection: OnRejection,
    now: fn() -> Timestamp,
    mut observe: impl FnMut(Event<'_>),
    stop: impl Future<Output = ()>,
) -> Result<Summary, ImportError>
where
    R: Read + Seek + Send + 'static,
{
    let (source, lines) = match input {
        Followed::Pipe(pipe) => (None, read(BufReader::new(pipe), Prefix::nothing())),
        Followed::File(source, file) => {
            let mut file = BufReader::new(file);
            let begun = begin(store, &source, &mut file, &mut observe).await?;
            let rest = BufReader::new(Growing(file));
            (Some(source), read(rest, begun))
        }
    };
    let mut import = Import::new(store, source, on_rejection, observe).await?;
    import.most = BATCH;
    import.telling = Some(now);
    import.take_all(lines, stop).await?;
    Ok(import.summary)
}

/// Reads lines on a thread of its own, which ends with the process where nothing more comes.
fn read(input: impl BufRead + Send + 'static, begun: Prefix) -> Receiver<io::Result<Line>> {
    let (lines, receiver) = mpsc::channel(AHEAD);
    thread::spawn(move || read_all(Input::new(input, begun), &lines));
    receiver
}

fn read_all(mut input: Input<impl BufRead>, lines: &Sender<io::Result<Line>>) {
    loop {
        let text = match input.next() {
            Ok(None) => return,
            Ok(Some(Piece::Line(text))) => Ok(Some(text.to_vec())),
            Ok(Some(Piece::TooLong)) => Ok(None),
            Err(error) => Err(error),
        };
        let is_over = text.is_err();
        let read = input.read().clone();
        let line = text.map(|text| Line { text, read });
        if lines.blocking_send(line).is_err() || is_over {
            return;
        }
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
        let mut deadline = None;
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
                Some(Some(line)) => {
                    let line = line?;
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
        self.send(Some(&read)).await?;
        Ok(self.settle().await?)
    }
}

/// The output of a future, or `None` at the deadline.
async fn before<T>(deadline: Option<Instant>, future: impl Future<Output = T>) -> Option<T> {
    match deadline {
        Some(deadline) => timeout_at(deadline, future).await.ok(),
        None => Some(future.await),
    }
}
