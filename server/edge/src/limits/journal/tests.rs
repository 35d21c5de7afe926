//! Windows that were closed, killed, cut off, spoilt, and opened at another time.

use std::fs;

use jiff::SignedDuration;
use tempfile::TempDir;
use uuid::Uuid;

use super::*;
use crate::limits::Subject;

const LIMIT: u32 = 5;

fn caller(id: u128) -> Subject {
    Subject::Caller(Uuid::from_u128(id))
}

fn subjects() -> [Subject; 4] {
    let network = |text: &str| text.parse::<std::net::IpAddr>().unwrap().into();
    [
        caller(1),
        caller(2),
        network("192.0.2.1"),
        network("2001:db8::1"),
    ]
}

/// The time `seconds` after the test began, in a process that began `process` seconds after it.
fn moment(seconds: u64, process: u64) -> Moment {
    let wall = "2026-11-20T12:00:00.123456789Z".parse::<jiff::Timestamp>();
    Moment {
        elapsed: Duration::from_secs(3600 + seconds - process),
        wall: wall.unwrap() + SignedDuration::from_secs(seconds as i64),
    }
}

fn open(folder: &TempDir, now: Moment) -> Journal {
    Journal::open(&folder.path().join("limits"), Capacity::default(), now)
}

fn admitted(journal: &Journal, subject: Subject, now: Moment) -> usize {
    let windows = journal.windows();
    (0..10)
        .filter(|_| windows.check(subject, LIMIT, now.elapsed).is_admitted())
        .count()
}

/// The file after one admission of each subject at 0 s and another one at 10 s.
fn written() -> (TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder, moment(0, 0));
    for seconds in [0, 10] {
        let now = moment(seconds, 0);
        for subject in subjects() {
            assert!(
                journal
                    .windows()
                    .check(subject, LIMIT, now.elapsed)
                    .is_admitted()
            );
        }
        journal.save(now);
    }
    let bytes = fs::read(folder.path().join("limits")).unwrap();
    (folder, bytes)
}

#[test]
fn another_process_goes_on_counting_where_one_was_killed() {
    let (folder, _) = written();
    let now = moment(20, 19);
    let journal = open(&folder, now);
    for subject in subjects() {
        let first = journal.windows().check(subject, LIMIT, now.elapsed);
        assert_eq!(first.remaining, LIMIT - 3, "{subject:?}");
        // Rounded to the microsecond, up.
        let wait = first.reset_in.as_secs_f64();
        assert!((40.0..40.000_003).contains(&wait), "{wait}");
    }
    let later = moment(71, 19);
    let journal = open(&folder, later);
    assert_eq!(
        journal.windows().subjects(),
        0,
        "a minute later nothing counts"
    );
}

#[test]
fn only_unsaved_admissions_are_lost() {
    let (folder, _) = written();
    let now = moment(20, 15);
    let journal = open(&folder, now);
    journal.save(now);
    journal.windows().check(caller(1), LIMIT, now.elapsed);
    let again = open(&folder, moment(21, 20));
    assert_eq!(admitted(&again, caller(1), moment(21, 20)), 3);
}

#[test]
fn only_new_admissions_are_appended_and_the_file_is_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let journal = open(&folder, moment(0, 0));
    let size = || fs::metadata(folder.path().join("limits")).map_or(0, |file| file.len());
    let mut sizes = Vec::new();
    for seconds in 0..600 {
        let now = moment(seconds, 0);
        if seconds % 2 == 0 {
            journal.windows().check(caller(1), 1000, now.elapsed);
        }
        journal.save(now);
        sizes.push(size());
    }
    assert_eq!(sizes[0], sizes[1], "nothing new, nothing written");
    assert!(sizes[2] > sizes[1]);
    assert!(*sizes.iter().max().unwrap() < 2500, "{sizes:?}");
    let again = open(&folder, moment(601, 600));
    let verdict = again
        .windows()
        .check(caller(1), 1000, moment(601, 600).elapsed);
    assert_eq!(
        verdict.remaining,
        1000 - 30,
        "29 of the last minute, and this one"
    );
    let idle = moment(700, 0);
    journal.save(idle);
    assert_eq!(size(), 0, "nothing counts, nothing is kept");
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn a_truncated_file_restores_its_complete_frames() {
    let (folder, bytes) = written();
    let path = folder.path().join("limits");
    let mut told = Vec::new();
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let now = moment(20, 20);
        told.push(LIMIT as usize - admitted(&open(&folder, now), caller(1), now));
    }
    assert!(told.is_sorted());
    assert_eq!((told[0], told[bytes.len() - 1]), (0, 1));
}

#[test]
fn a_spoilt_or_foreign_file_is_as_good_as_none_and_is_replaced() {
    let (folder, bytes) = written();
    let path = folder.path().join("limits");
    let mut contents: Vec<Vec<u8>> = (0..bytes.len())
        .map(|place| {
            let mut spoilt = bytes.clone();
            spoilt[place] ^= 0x80;
            spoilt
        })
        .collect();
    contents.push(b"SQLite format 3\0 and more than that".to_vec());
    contents.push(vec![0; 4096]);
    for content in contents {
        fs::write(&path, &content).unwrap();
        let now = moment(20, 20);
        let journal = open(&folder, now);
        let left = admitted(&journal, caller(1), now);
        assert!((3..=5).contains(&left), "{left}");
        journal.save(now);
        assert_eq!(admitted(&open(&folder, now), caller(1), now), 0);
    }
}

#[test]
fn a_clock_that_was_stepped_costs_a_window_at_most() {
    let (folder, _) = written();
    let mut back = moment(10, 10);
    back.wall -= SignedDuration::from_hours(1000);
    let journal = open(&folder, back);
    assert_eq!(admitted(&journal, caller(1), back), 3, "both count still");
    back.elapsed += WINDOW;
    assert_eq!(admitted(&journal, caller(1), back), 5);
    let mut ahead = moment(10, 10);
    ahead.wall += SignedDuration::from_hours(1000);
    assert_eq!(admitted(&open(&folder, ahead), caller(1), ahead), 5);
}

#[test]
fn a_failed_write_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let path = missing.join("limits");
    let now = moment(0, 0);
    let journal = Journal::open(&path, Capacity::default(), now);
    journal.windows().check(caller(1), LIMIT, now.elapsed);
    journal.save(now);
    fs::create_dir(&missing).unwrap();
    journal.save(now);
    let again = Journal::open(&path, Capacity::default(), now);
    assert_eq!(admitted(&again, caller(1), now), LIMIT as usize - 1);
}
