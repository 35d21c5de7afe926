//! A file beside the database with the windows, so that they survive a restart.
//!
//! Twice a second the new admissions are appended, outside of requests; once a minute the file is
//! rewritten with those that still count, so that it has at most two minutes of admissions. A killed
//! process loses the admissions that were not appended; a stopped one appends them. The data matters
//! for a minute only, so the file is not synced to disk, and an error in it is a warning, after which
//! the windows begin with the frames before it.
//!
//! Its times are of the wall clock, because no other clock survives a process. If the clock was stepped
//! between two processes, an admission counts for at most one more window, or no longer.

mod file;
mod frame;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use file::JournalFile;
use frame::{Draft, Frame};

use super::{Capacity, WINDOW, Windows};
use crate::clock::Moment;

/// The interval at which the file is rewritten.
const RENEWAL: Duration = WINDOW;

/// The minimum interval of warnings that the file cannot be written.
const REPEAT: Duration = Duration::from_secs(60);

/// Windows and the file that they are kept in.
#[derive(Debug)]
pub struct Journal {
    windows: Windows,
    path: PathBuf,
    writing: Mutex<Writing>,
}

/// The file that is appended to.
#[derive(Debug, Default)]
struct Writing {
    /// The file and when it was begun; `None` if the next thing to do is to begin one.
    file: Option<(JournalFile, Duration)>,
    complained: Option<Duration>,
}

impl Journal {
    /// Opens the journal at `path` with the windows that still count at `now`.
    ///
    /// `capacity` is as in [`Windows::new`].
    pub fn open(path: &Path, capacity: Capacity, now: Moment) -> Self {
        let windows = Windows::new(capacity);
        match file::read(path, |frame| restore(&windows, frame, now)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(path = %path.display(), %error, "cannot read the saved rate windows; starting without them");
            }
            _ => {}
        }
        Self {
            windows,
            path: path.to_owned(),
            writing: Mutex::default(),
        }
    }

    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Writes the admissions since the last call. Blocks on the file.
    pub fn save(&self, now: Moment) {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = self.write(&mut writing, now) {
            // The admissions are still in the windows, which the next call writes in full.
            writing.file = None;
            let silent = writing
                .complained
                .is_some_and(|at| now.elapsed.saturating_sub(at) < REPEAT);
            if !silent {
                writing.complained = Some(now.elapsed);
                tracing::warn!(path = %self.path.display(), %error, "cannot save rate windows");
            }
        }
    }

    fn write(&self, writing: &mut Writing, now: Moment) -> io::Result<()> {
        let current = writing
            .file
            .as_mut()
            .filter(|(_, begun)| now.elapsed.saturating_sub(*begun) < RENEWAL);
        if let Some((file, _)) = current {
            let mut frame = Draft::at(now);
            self.windows
                .visit(|subject, window| frame.add(subject, window.take_unsaved()));
            return file.append(&frame);
        }
        let mut frame = Draft::at(now);
        self.windows.visit(|subject, window| {
            // Takes all of them, so that none is left unsaved.
            drop(window.take_unsaved());
            frame.add(subject, window.counting(now.elapsed));
        });
        writing.file = JournalFile::begin(&self.path, &frame)?.map(|file| (file, now.elapsed));
        Ok(())
    }
}

/// Saves the journal on a thread that may block.
pub(super) async fn save(journal: &Arc<Journal>, now: Moment) {
    let journal = Arc::clone(journal);
    // It can only fail by panicking, and the next one is half a second away.
    let _ = tokio::task::spawn_blocking(move || journal.save(now)).await;
}

fn restore(windows: &Windows, frame: &Frame, now: Moment) {
    // Negative where the clock was stepped back: then the frame is taken to be of this moment.
    let since = now.wall.duration_since(frame.written);
    let since = Duration::try_from(since).unwrap_or(Duration::ZERO);
    for (subject, age) in &frame.admissions {
        let age = since.saturating_add(*age);
        if age < WINDOW {
            windows.record(*subject, now.elapsed.saturating_sub(age));
        }
    }
}

#[cfg(test)]
mod tests;
