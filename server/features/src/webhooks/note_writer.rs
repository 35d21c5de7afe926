//! Group commit of the notes about turns: those of many webhooks are written in one transaction, because each
//! transaction waits for a disk.

use std::future::Future;

use futures_util::TryFutureExt as _;
use tokio::sync::{mpsc, oneshot};

use super::TurnNotes;
use db::{Db, DbError};

/// The notes that are written in one transaction, and that wait for it: one of each turn.
const AT_ONCE: usize = 32;

/// The place where turns note their outcomes.
#[derive(Clone)]
pub(super) struct NoteWriter(mpsc::Sender<Entry>);

struct Entry {
    notes: TurnNotes,
    written: oneshot::Sender<Result<(), DbError>>,
}

impl NoteWriter {
    /// A writer, and the task that writes until the writer is dropped.
    pub(super) fn of(store: Db) -> (Self, impl Future<Output = ()> + Send) {
        let (sender, entries) = mpsc::channel(AT_ONCE);
        (Self(sender), write(store, entries))
    }

    /// Notes, and waits until that is written.
    pub(super) async fn note(&self, notes: TurnNotes) -> Result<(), DbError> {
        let (written, result) = oneshot::channel();
        let gone = || DbError::Unavailable("the writer of webhook deliveries is closed".to_owned());
        let sent = self.0.send(Entry { notes, written });
        sent.map_err(|_| gone()).await?;
        result.await.map_err(|_| gone())?
    }
}

async fn write(store: Db, mut entries: mpsc::Receiver<Entry>) {
    let mut some = Vec::with_capacity(AT_ONCE);
    while entries.recv_many(&mut some, AT_ONCE).await > 0 {
        let mut notes = TurnNotes::default();
        let mut waiting = Vec::with_capacity(some.len());
        for entry in some.drain(..) {
            notes.attempts.extend(entry.notes.attempts);
            notes.ends.extend(entry.notes.ends);
            waiting.push(entry.written);
        }
        let result = crate::webhooks::queue::note_turns(&store, notes).await;
        for written in waiting {
            // A turn that was given up meanwhile has no receiver.
            let _ = written.send(result.clone());
        }
    }
}
