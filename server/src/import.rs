//! Bulk import: newline-delimited JSON in, records in the store and a report of bad lines out.
//!
//! Each line is an object whose `kind` says what it holds; the JSON Schemas in `import-schemas/`
//! say what each kind looks like, and lines are checked against those very files. Lines of all
//! kinds may be mixed, but whatever a line names must have come before it. Importing the same again
//! changes nothing.
//!
//! Knows the store and the domain, nothing of terminals: progress is told to a callback.

mod fault;
mod input;
mod line;
mod schema;

use std::io::{self, BufRead};

use tokio::task::JoinHandle;

pub use fault::{BadLine, Fault};
pub use schema::Kind;

use crate::store::{Change, OnRejection, Outcome, Record, Store, StoreError};
use input::{Input, Piece};
use line::Decoder;

/// How many records go into one transaction: enough to share the cost of making it durable and of
/// the sums that donations have in common, few enough that a running server need not wait long to
/// write.
const BATCH: usize = 2000;

/// How many bytes of lines go into one transaction at most, so that long lines do not pile up.
const BATCH_BYTES: u64 = 8 << 20;

/// What happens while lines are imported.
#[derive(Debug)]
pub enum Event<'a> {
    /// A batch is recorded.
    Progress(Progress),
    /// A line was refused. Lines that the store refuses are told batch by batch, hence after
    /// unreadable lines that come later.
    Refused(&'a BadLine),
}

/// How far an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
}

/// What an import did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Records that were new.
    pub inserted: u64,
    /// Records that were changed.
    pub updated: u64,
    /// Records that were there already.
    pub unchanged: u64,
    /// Lines that were refused.
    pub refused: u64,
    /// Whether it ended at the first refused line.
    pub stopped: bool,
}

/// Why an import broke off. What was recorded before stays.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The input could not be read.
    #[error("the input cannot be read")]
    Input(#[from] io::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Imports all lines of `input`. It is read on the caller's thread, which belongs to a command, not
/// to a server's runtime.
///
/// With [`OnRejection::Stop`] the lines before the first bad one are recorded and none after it.
///
/// # Errors
/// When the input cannot be read or the store fails; bad lines are no error.
pub async fn run(
    store: &Store,
    input: impl BufRead,
    on_rejection: OnRejection,
    observe: impl FnMut(Event<'_>),
) -> Result<Summary, ImportError> {
    let mut import = Import {
        store,
        decoder: Decoder::new(&store.chains().await?)?,
        on_rejection,
        observe,
        progress: Progress::default(),
        summary: Summary::default(),
        batch: Batch::default(),
        recording: None,
    };
    let mut input = Input::new(input);
    while !import.summary.stopped {
        let Some(piece) = input.next()? else { break };
        import.take(piece).await?;
        import.progress.bytes = input.bytes();
    }
    import.flush().await?;
    Ok(import.summary)
}

/// An import under way. While a batch is recorded, the lines of the next one are read.
struct Import<'a, F> {
    store: &'a Store,
    decoder: Decoder,
    on_rejection: OnRejection,
    observe: F,
    progress: Progress,
    summary: Summary,
    batch: Batch,
    /// The batch before it.
    recording: Option<Recording>,
}

/// A batch that is being recorded.
struct Recording {
    lines: Vec<u64>,
    outcomes: JoinHandle<Result<Vec<Outcome>, StoreError>>,
    /// How far the import is with it.
    progress: Progress,
}

/// Records that wait for a transaction, with the numbers of their lines.
#[derive(Default)]
struct Batch {
    lines: Vec<u64>,
    records: Vec<Record>,
    bytes: u64,
}

impl<F: FnMut(Event<'_>)> Import<'_, F> {
    async fn take(&mut self, piece: Piece<'_>) -> Result<(), StoreError> {
        self.progress.lines += 1;
        let line = self.progress.lines;
        let decoded = match piece {
            Piece::Line(text) if text.trim_ascii().is_empty() => return Ok(()),
            Piece::Line(text) => {
                self.batch.bytes += u64::try_from(text.len()).unwrap_or(u64::MAX);
                self.decoder.decode(text)
            }
            Piece::TooLong => Err(vec![Fault::of_line("is longer than 1 MiB")]),
        };
        match decoded {
            Ok(record) => {
                self.batch.lines.push(line);
                self.batch.records.push(record);
                if self.batch.records.len() >= BATCH || self.batch.bytes >= BATCH_BYTES {
                    self.send().await?;
                }
            }
            Err(faults) => self.refuse_unreadable(BadLine { line, faults }).await?,
        }
        Ok(())
    }

    /// Refuses a line that gives no record, after those before it where the import then stops.
    async fn refuse_unreadable(&mut self, bad: BadLine) -> Result<(), StoreError> {
        if self.on_rejection == OnRejection::Stop {
            self.flush().await?;
        }
        if !self.summary.stopped {
            self.refuse(&bad);
        }
        Ok(())
    }

    fn refuse(&mut self, bad: &BadLine) {
        self.summary.refused += 1;
        self.summary.stopped = self.on_rejection == OnRejection::Stop;
        (self.observe)(Event::Refused(bad));
    }

    /// Records everything that was read.
    async fn flush(&mut self) -> Result<(), StoreError> {
        self.send().await?;
        self.settle().await
    }

    /// Has the batch recorded, unless the one before it has ended the import.
    async fn send(&mut self) -> Result<(), StoreError> {
        self.settle().await?;
        if self.summary.stopped {
            return Ok(());
        }
        let Batch { lines, records, .. } = std::mem::take(&mut self.batch);
        let (store, on_rejection) = (self.store.clone(), self.on_rejection);
        self.recording = Some(Recording {
            lines,
            outcomes: tokio::spawn(async move { store.record(records, on_rejection).await }),
            progress: self.progress,
        });
        Ok(())
    }

    /// Waits for the batch that is being recorded.
    async fn settle(&mut self) -> Result<(), StoreError> {
        let Some(recording) = self.recording.take() else {
            return Ok(());
        };
        // Nobody cancels it, so it can only have panicked.
        let panicked = |_| StoreError::Corrupt("a batch panicked".to_owned());
        let outcomes = recording.outcomes.await.map_err(panicked)??;
        for (line, outcome) in recording.lines.into_iter().zip(outcomes) {
            match outcome {
                Ok(Change::Inserted) => self.summary.inserted += 1,
                Ok(Change::Updated) => self.summary.updated += 1,
                Ok(Change::Unchanged) => self.summary.unchanged += 1,
                Err(rejection) => {
                    let fault = Fault::new(rejection.member, rejection.rule.to_string());
                    self.refuse(&BadLine {
                        line,
                        faults: vec![fault],
                    });
                }
            }
        }
        (self.observe)(Event::Progress(recording.progress));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
