//! Rate windows that outlive the process which counted them.

use std::time::Duration;
use std::{fs, thread};

use crate::folder::Folder;
use crate::serving::{Serving, serve};

/// The remaining requests of a client without a key, after this one.
fn remaining(serving: &Serving) -> u32 {
    let answer = serving.get("/chains", None);
    assert_eq!(answer.status, 200, "{answer:?}");
    answer
        .header("x-ratelimit-remaining")
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn a_killed_server_forgets_a_second_at_most() {
    let folder = Folder::new();
    let serving = serve(&folder, &[]);
    assert_eq!(remaining(&serving), 19);
    assert_eq!(remaining(&serving), 18);
    // Sleeps for the second that is promised.
    thread::sleep(Duration::from_secs(1));
    serving.kill();
    let serving = serve(&folder, &[]);
    assert_eq!(remaining(&serving), 17);
}

#[test]
fn a_stopped_server_keeps_its_windows() {
    let folder = Folder::new();
    for left in [19, 18, 17] {
        let mut serving = serve(&folder, &[]);
        assert_eq!(remaining(&serving), left);
        serving.signal("TERM");
        assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
    }
    assert_eq!(
        folder.names(),
        ["donation-catalog.db", "donation-catalog.db-limits"]
    );
}

#[test]
fn a_spoilt_file_is_a_warning() {
    let folder = Folder::new();
    let path = folder.path().join("donation-catalog.db-limits");
    fs::write(&path, "not rate windows").unwrap();
    let mut serving = serve(&folder, &[]);
    assert_eq!(remaining(&serving), 19);
    serving.signal("TERM");
    assert_eq!(serving.ended().0, Some(0), "{}", serving.log());
    let log = serving.log();
    assert!(log.contains("cannot read the saved rate windows"), "{log}");
    assert_eq!(remaining(&serve(&folder, &[])), 18);
}
