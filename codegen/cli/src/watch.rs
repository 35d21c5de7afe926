//! `gen --watch`: generates again whenever a file of the contract has been saved.
//!
//! Times and sizes of the files are polled a few times a second: they are few, polling is cheap, and it
//! works on every disk. Some disks count time in whole seconds, so a file that has just been saved is
//! also read. An editor may write in several steps, and several files in a burst, so a change counts
//! once two polls in a row see the same state.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use std::{fs, thread};

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// The maximum lag of file times behind the clock: FAT counts them in steps of two seconds.
const BEHIND: Duration = Duration::from_secs(2);

/// The data that identifies a state of a file; `None` while it does not exist, as between the steps of
/// an editor that writes a new file and renames it.
type State = Option<Stamp>;

/// A file as it was at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    length: u64,
    /// A hash of its content.
    content: u64,
}

/// The states of all files that matter.
type States = BTreeMap<PathBuf, State>;

/// Runs `body` once, and again after each change of the files that it returned last, until the process
/// is ended. While `document` does not exist, nothing counts as a change.
pub(crate) fn watch(document: &Path, mut body: impl FnMut() -> Vec<PathBuf>) -> ! {
    let mut watched = Watched::new(States::from([(document.to_owned(), state(document, None))]));
    loop {
        let started = SystemTime::now();
        watched.follow(body(), started, |file| state(file, None));
        loop {
            thread::sleep(PAUSE);
            let files = watched.seen.iter();
            let now = files.map(|(file, before)| (file.clone(), state(file, *before)));
            if watched.look(now.collect()) && document.exists() {
                break;
            }
        }
    }
}

/// The state of a file whose state was `before`. The file is read while a later change could have the
/// same time; after that, time and size suffice.
fn state(file: &Path, before: State) -> State {
    let metadata = fs::metadata(file).ok()?;
    let (modified, length) = (metadata.modified().ok()?, metadata.len());
    let is_settled = modified.elapsed().is_ok_and(|age| age > BEHIND);
    let is_same = |known: &Stamp| known.modified == modified && known.length == length;
    if let Some(known) = before.filter(|known| is_settled && is_same(known)) {
        return Some(known);
    }
    let mut content = DefaultHasher::new();
    content.write(&fs::read(file).ok()?);
    Some(Stamp {
        modified,
        length,
        content: content.finish(),
    })
}

/// Tells settled changes from passing ones.
struct Watched {
    /// The states that were acted on.
    handled: States,
    /// The states at the last look.
    seen: States,
}

impl Watched {
    fn new(states: States) -> Watched {
        Watched {
            handled: states.clone(),
            seen: states,
        }
    }

    /// Watches these files, read by a run that has started then. One that was not watched before is
    /// taken as that run has read it, unless it may have been saved since.
    fn follow(&mut self, files: Vec<PathBuf>, started: SystemTime, state: impl Fn(&Path) -> State) {
        let acted = |file: &PathBuf| match self.handled.get(file) {
            Some(known) => *known,
            None => state(file).filter(|known| known.modified < started - BEHIND),
        };
        let handled: States = files
            .iter()
            .map(|file| (file.clone(), acted(file)))
            .collect();
        *self = Watched::new(handled);
    }

    /// Whether the files have changed, and were equal in two polls.
    fn look(&mut self, now: States) -> bool {
        let settled = now == self.seen;
        let new = settled && now != self.handled;
        if new {
            self.handled.clone_from(&now);
        }
        self.seen = now;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(second: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(second)
    }

    /// The state of a file of that length, saved at that time.
    fn at(second: u64, length: u64) -> State {
        Some(Stamp {
            modified: time(second),
            length,
            content: 0,
        })
    }

    /// Two files.
    fn pair(one: State, two: State) -> States {
        [("one".into(), one), ("two".into(), two)].into()
    }

    #[test]
    fn waits_until_a_change_has_settled() {
        let mut watched = Watched::new(pair(at(1, 10), at(1, 5)));
        let one = [at(1, 10), at(2, 0), None, at(2, 20), at(2, 20), at(2, 20)];
        let acted = one.map(|state| watched.look(pair(state, at(1, 5))));
        assert_eq!(acted, [false, false, false, false, true, false]);
    }

    #[test]
    fn a_burst_over_several_files_is_one_change() {
        let mut watched = Watched::new(pair(at(1, 1), at(1, 1)));
        let looks = [
            pair(at(2, 1), at(1, 1)),
            pair(at(2, 1), at(3, 1)),
            pair(at(2, 1), at(3, 1)),
            pair(at(2, 1), at(3, 1)),
        ];
        let acted = looks.map(|states| watched.look(states));
        assert_eq!(acted, [false, false, true, false]);
    }

    #[test]
    fn a_file_that_comes_back_as_it_was_is_no_change() {
        let mut watched = Watched::new(pair(at(1, 10), at(1, 5)));
        let looks = [None, at(1, 10), at(1, 10)];
        let acted = looks.map(|state| watched.look(pair(state, at(1, 5))));
        assert_eq!(acted, [false; 3]);
    }

    /// Writes a file as a disk does that knows no later time than that.
    fn save(file: &Path, text: &str, modified: SystemTime) {
        fs::write(file, text).unwrap();
        let file = fs::File::options().write(true).open(file).unwrap();
        file.set_modified(modified).unwrap();
    }

    #[test]
    fn two_saves_in_one_second_differ_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("api.yaml");
        let now = SystemTime::now();
        save(&file, "type: integer", now);
        let first = state(&file, None);
        assert_eq!(state(&file, first), first);
        save(&file, "type: boolean", now);
        assert_ne!(state(&file, first), first);
    }

    #[test]
    fn a_file_is_read_no_more_when_its_time_has_passed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("api.yaml");
        let passed = SystemTime::now() - 2 * BEHIND;
        save(&file, "type: integer", passed);
        let first = state(&file, None);
        save(&file, "type: boolean", passed);
        assert_eq!(state(&file, first), first);
        save(&file, "type: string", passed);
        assert_ne!(state(&file, first), first);
    }

    #[test]
    fn a_file_whose_time_is_behind_the_clock_is_read_again() {
        let mut watched = Watched::new(States::new());
        let state = |_: &Path| at(5, 1);
        let started = time(6);
        watched.follow(vec!["new".into()], started, state);
        let now = States::from([("new".into(), at(5, 1))]);
        assert_eq!(
            [watched.look(now.clone()), watched.look(now)],
            [false, true]
        );
    }

    #[test]
    fn a_file_that_was_saved_while_it_was_read_is_read_again() {
        let mut watched = Watched::new([("one".into(), at(1, 1))].into());
        let files = || vec!["one".into(), "old".into(), "new".into()];
        let state = |file: &Path| match file.ends_with("new") {
            true => at(9, 1),
            false => at(1, 1),
        };
        watched.follow(files(), time(5), state);
        let now: States = files()
            .into_iter()
            .map(|file: PathBuf| (file.clone(), state(&file)))
            .collect();
        assert_eq!(
            [
                watched.look(now.clone()),
                watched.look(now.clone()),
                watched.look(now)
            ],
            [false, true, false]
        );
    }
}
