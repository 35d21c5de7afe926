//! `gen --watch`: generates again whenever the contract has been saved.
//!
//! The file is asked for its time and size a few times a second: it is one file, asking is cheap,
//! and it works on every disk. An editor may write in several steps, so a change counts when two
//! looks in a row see the same.

use std::path::Path;
use std::time::{Duration, SystemTime};
use std::{fs, thread};

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// What tells one state of a file from another; `None` while there is none, as between the steps of
/// an editor that writes a new file and renames it.
type State = Option<(SystemTime, u64)>;

/// Runs `body` once, and again after each change of the file, until the process is ended.
pub(crate) fn watch(file: &Path, mut body: impl FnMut()) -> ! {
    let mut watched = Watched::new(state(file));
    body();
    loop {
        thread::sleep(PAUSE);
        if watched.look(state(file)) {
            body();
        }
    }
}

fn state(file: &Path) -> State {
    let metadata = fs::metadata(file).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Tells settled changes from passing ones.
struct Watched {
    /// The state that was acted on.
    handled: State,
    /// The state at the last look.
    seen: State,
}

impl Watched {
    fn new(state: State) -> Watched {
        Watched {
            handled: state,
            seen: state,
        }
    }

    /// Whether there is something new, and it has been the same for two looks.
    fn look(&mut self, now: State) -> bool {
        let settled = now == self.seen;
        self.seen = now;
        let new = settled && now.is_some() && now != self.handled;
        if new {
            self.handled = now;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64, length: u64) -> State {
        Some((SystemTime::UNIX_EPOCH + Duration::from_secs(second), length))
    }

    #[test]
    fn waits_until_a_change_has_settled() {
        let mut watched = Watched::new(at(1, 10));
        let looks = [at(1, 10), at(2, 0), None, at(2, 20), at(2, 20), at(2, 20)];
        let acted = looks.map(|state| watched.look(state));
        assert_eq!(acted, [false, false, false, false, true, false]);
    }

    #[test]
    fn a_file_that_comes_back_as_it_was_is_no_change() {
        let mut watched = Watched::new(at(1, 10));
        let looks = [None, None, at(1, 10), at(1, 10)];
        assert_eq!(looks.map(|state| watched.look(state)), [false; 4]);
    }
}
