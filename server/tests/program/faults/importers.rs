//! Two concurrent imports of the same donations.

use std::process::{Child, Stdio};
use std::time::Instant;

use super::fault::Fault;
use crate::folder::{Folder, Outcome};
use crate::world::{donations, furnished, text};

/// Some batches' worth.
const DONATIONS: usize = 1_500;

pub(super) fn two_importers_of_the_same_donations(fault: &mut Fault) {
    race(fault, &furnished());
}

/// Each donation is new to one of them.
pub(super) fn race(fault: &mut Fault, folder: &Folder) {
    let file = folder.write("donations.ndjson", &text(&donations(DONATIONS)));
    let started = Instant::now();
    let both = [(); 2].map(|()| {
        let mut import = folder.command(&["import", file]);
        let import = import.stdout(Stdio::piped()).stderr(Stdio::piped());
        import.spawn().unwrap()
    });
    let new = |import: Child| {
        let outcome = Outcome::of(&import.wait_with_output().unwrap());
        fault.ended("each `import`", &outcome, started.elapsed());
        let said = outcome.stderr.split(' ').nth(1).unwrap().to_owned();
        said.parse::<usize>().unwrap()
    };
    let new: usize = both.map(new).iter().sum();
    assert_eq!(new, DONATIONS);
    fault.run("`verify`", folder, &["verify"]);
}
