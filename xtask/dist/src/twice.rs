//! A second release of the same commit, made in another folder, which must have the same bytes.

use crate::checksums;
use crate::release::Release;
use crate::tool;
use fs_err as fs;
use std::io;

/// Makes the release again from a clone, and prints the checksums that differ; whether none does.
///
/// # Errors
/// When the clone or its release cannot be made.
pub(crate) fn is_same(release: &Release) -> io::Result<bool> {
    let folder = tempfile::tempdir_in(&release.build)?;
    let clone = folder.path().join("clone");
    let mut git = release.command("git");
    tool::run(git.args(["clone", "--quiet", "."]).arg(&clone))?;
    let target = clone.join("target");
    let second = Release::of_this_commit(&clone, &target, &target.join("dist"))?;
    super::make_files(&second, None)?;
    let read = |release: &Release| fs::read_to_string(release.out.join(checksums::NAME));
    let (first, second) = (read(release)?, read(&second)?);
    let differing: Vec<&str> = first
        .lines()
        .filter(|line| !second.lines().any(|other| other == *line))
        .collect();
    for line in &differing {
        println!("made again, it differs: {line}");
    }
    if differing.is_empty() {
        println!("made again, all checksums are the same");
    }
    Ok(differing.is_empty())
}
