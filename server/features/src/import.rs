//! Bulk import: newline-delimited JSON in, records in the store and a report of bad lines out.
//!
//! Each line is an object with a `kind`, and is decoded by the types that are generated from the JSON Schemas of
//! the kinds in `import-schemas/`. Lines of all kinds may be mixed, but a record must come after the records that it
//! refers to. Importing the same input again changes nothing, and an interrupted import of a file goes
//! on after the lines that it has recorded.
//!
//! Depends on the store and the domain. Progress is reported to a callback, so that no code here depends
//! on a terminal.

mod follow;
mod input;
mod line;
mod line_error;
pub(crate) mod progress;
mod record;
mod resume;
mod rules;
pub(crate) mod sql;
pub mod store;
mod strict_json;

use std::io::{self, BufRead, Seek};

use jiff::Timestamp;
use tokio::task::JoinHandle;

pub use follow::{Followed, follow};
pub use line_error::{BadLine, LineError};
pub use progress::{Checkpoint, RecordedPrefix};
pub use record::Record;

use crate::domain::recording::{Change, OnRejection, Outcome};
use db::{Db, DbError};
use input::{Input, Piece, Prefix};
use line::Decoder;
use resume::Beginning;

/// The number of records in a transaction: enough to share the cost of the sync to disk and of common
/// roll-ups, few enough that a running server need not wait long to write.
const BATCH: usize = 2000;

/// The maximum number of bytes of lines in a transaction, which limits the memory for long lines.
const BATCH_BYTES: u64 = 8 << 20;

/// An event that an import reports.
#[derive(Debug)]
pub enum Event<'a> {
    /// The import resumes after this number of lines, which an interrupted import has recorded.
    Resumed(u64),
    /// The input has changed since an import of it was interrupted: all lines are read.
    Changed,
    /// Another file has got the name of the one that is followed: it is read from its start.
    Replaced,
    /// A batch is recorded.
    Progress(Progress),
    /// A line was refused. Lines that the store refuses are reported batch by batch, hence after
    /// unreadable lines that come later.
    Refused(&'a BadLine),
}

/// The part of the input that an import has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Bytes read.
    pub bytes: u64,
    /// Lines read.
    pub lines: u64,
}

/// The result of an import.
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

/// The error that ends an import. Batches recorded before it stay.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the input cannot be read")]
    Input(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] DbError),
}

/// Imports all lines of `input`. It is read on the caller's thread, which belongs to a command, not
/// to a server's runtime.
///
/// With [`OnRejection::Stop`] the lines before the first bad one are recorded and none after it.
///
/// # Errors
/// When the input cannot be read or the store fails; bad lines are no error.
pub async fn run(
    store: &Db,
    input: impl BufRead,
    on_rejection: OnRejection,
    observe: impl FnMut(Event<'_>),
) -> Result<Summary, ImportError> {
    let mut import = Import::new(store, None, on_rejection, observe).await?;
    import.read(Input::new(input, Prefix::nothing())).await?;
    Ok(import.summary)
}

/// Imports the lines of `input` as [`run`] does, except those that an interrupted import of `source` has
/// recorded. Each batch stores a checkpoint until a line is refused. When the end of the input is
/// reached, the checkpoint is deleted and the next import reads all lines again.
///
/// `source` is the name of the input. Lines are skipped only if their bytes are equal to the recorded
/// ones, whatever the name is.
///
/// # Errors
/// As [`run`].
pub async fn resume(
    store: &Db,
    source: String,
    mut input: impl BufRead + Seek,
    on_rejection: OnRejection,
    mut observe: impl FnMut(Event<'_>),
) -> Result<Summary, ImportError> {
    let begun = begin(store, &source, &mut input, &mut observe).await?;
    let mut import = Import::new(store, Some(source.clone()), on_rejection, observe).await?;
    import.read(Input::new(input, begun)).await?;
    if !import.summary.stopped {
        crate::import::store::forget_import(store, source).await?;
    }
    Ok(import.summary)
}

/// Goes to the end of the lines that an interrupted import of `source` has recorded, if they are the same.
async fn begin(
    store: &Db,
    source: &str,
    input: &mut (impl BufRead + Seek),
    observe: &mut impl FnMut(Event<'_>),
) -> Result<Prefix, ImportError> {
    let Some(prefix) = crate::import::store::recorded_prefix(store, source.to_owned()).await?
    else {
        return Ok(Prefix::nothing());
    };
    match resume::begin(input, &prefix)? {
        Beginning::After(prefix) => {
            observe(Event::Resumed(prefix.lines));
            Ok(prefix)
        }
        Beginning::Changed => {
            observe(Event::Changed);
            Ok(Prefix::nothing())
        }
    }
}

/// An import under way. While a batch is recorded, the lines of the next one are read.
struct Import<'a, F> {
    store: &'a Db,
    /// The name of the input, if its import can be resumed.
    source: Option<String>,
    decoder: Decoder,
    on_rejection: OnRejection,
    observe: F,
    summary: Summary,
    batch: Batch,
    /// The batch before it.
    recording: Option<Recording>,
    /// The number of records in a batch.
    most: usize,
    /// The clock for events to webhooks; `None` sends none.
    telling: Option<fn() -> Timestamp>,
}

/// A batch that is being recorded.
struct Recording {
    lines: Vec<u64>,
    outcomes: JoinHandle<Result<Vec<Outcome>, DbError>>,
    /// The progress to report once the batch is recorded.
    progress: Option<Progress>,
}

/// Records that wait for a transaction, with the numbers of their lines.
#[derive(Default)]
struct Batch {
    lines: Vec<u64>,
    records: Vec<Record>,
    bytes: u64,
}

impl<'a, F: FnMut(Event<'_>)> Import<'a, F> {
    async fn new(
        store: &'a Db,
        source: Option<String>,
        on_rejection: OnRejection,
        observe: F,
    ) -> Result<Self, DbError> {
        Ok(Import {
            store,
            source,
            decoder: Decoder::new(&crate::catalogue::store::chains(store).await?),
            on_rejection,
            observe,
            summary: Summary::default(),
            batch: Batch::default(),
            recording: None,
            most: BATCH,
            telling: None,
        })
    }

    async fn read(&mut self, mut input: Input<impl BufRead>) -> Result<(), ImportError> {
        while !self.summary.stopped {
            let Some(piece) = input.next()? else { break };
            let decoded = self.decode(piece);
            self.take(decoded, input.read()).await?;
        }
        self.send(Some(input.read())).await?;
        Ok(self.settle().await?)
    }

    /// Decodes a line; `None` if it is empty.
    fn decode(&mut self, piece: Piece<'_>) -> Option<Result<Record, Vec<LineError>>> {
        match piece {
            Piece::Line(text) if text.trim_ascii().is_empty() => None,
            Piece::Line(text) => {
                self.batch.bytes += u64::try_from(text.len()).unwrap_or(u64::MAX);
                Some(self.decoder.decode(text))
            }
            Piece::TooLong => Some(Err(vec![LineError::of_line("is longer than 1 MiB")])),
        }
    }

    /// Adds the record of the last line of `read` to the batch, or refuses the line.
    async fn take(
        &mut self,
        decoded: Option<Result<Record, Vec<LineError>>>,
        read: &Prefix,
    ) -> Result<(), DbError> {
        let line = read.lines;
        match decoded {
            None => {}
            Some(Ok(record)) => {
                self.batch.lines.push(line);
                self.batch.records.push(record);
                if self.batch.records.len() >= self.most || self.batch.bytes >= BATCH_BYTES {
                    self.send(Some(read)).await?;
                }
            }
            Some(Err(errors)) => self.refuse_unreadable(BadLine { line, errors }).await?,
        }
        Ok(())
    }

    /// Refuses an unreadable line. If the import stops there, the lines before it are recorded first.
    async fn refuse_unreadable(&mut self, bad: BadLine) -> Result<(), DbError> {
        if self.on_rejection == OnRejection::Stop {
            // No checkpoint: the lines read include this one, which is not recorded.
            self.send(None).await?;
            self.settle().await?;
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

    /// Starts recording the batch, unless the previous one has ended the import. `read` is the input up
    /// to the end of the batch.
    async fn send(&mut self, read: Option<&Prefix>) -> Result<(), DbError> {
        self.settle().await?;
        if self.summary.stopped {
            return Ok(());
        }
        let checkpoint = self.checkpoint(read);
        let Batch { lines, records, .. } = std::mem::take(&mut self.batch);
        let (store, on_rejection) = (self.store.clone(), self.on_rejection);
        let told_at = self.telling.map(|now| now());
        let recording = async move {
            crate::import::store::record_with_checkpoint(
                &store,
                records,
                on_rejection,
                checkpoint,
                told_at,
            )
            .await
        };
        self.recording = Some(Recording {
            lines,
            outcomes: tokio::spawn(recording),
            progress: read.map(|read| Progress {
                bytes: read.bytes,
                lines: read.lines,
            }),
        });
        Ok(())
    }

    /// The checkpoint at the end of `read`. There is none after a refused line, so that the next import
    /// tries that line again.
    fn checkpoint(&self, read: Option<&Prefix>) -> Option<Checkpoint> {
        let source = self.source.clone().filter(|_| self.summary.refused == 0)?;
        let prefix = read?.prefix()?;
        Some(Checkpoint { source, prefix })
    }

    /// Waits for the batch that is being recorded.
    async fn settle(&mut self) -> Result<(), DbError> {
        let Some(recording) = self.recording.take() else {
            return Ok(());
        };
        // It is never canceled, so it can only have panicked.
        let panicked = |_| DbError::Corrupt("a batch panicked".to_owned());
        let outcomes = recording.outcomes.await.map_err(panicked)??;
        for (line, outcome) in recording.lines.into_iter().zip(outcomes) {
            match outcome {
                Ok(Change::Inserted) => self.summary.inserted += 1,
                Ok(Change::Updated) => self.summary.updated += 1,
                Ok(Change::Unchanged) => self.summary.unchanged += 1,
                Err(rejection) => {
                    let error = LineError::new(rejection.member, rejection.rule.to_string());
                    self.refuse(&BadLine {
                        line,
                        errors: vec![error],
                    });
                }
            }
        }
        if let Some(progress) = recording.progress {
            (self.observe)(Event::Progress(progress));
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
