//! Reports that a machine lacks something that a test needs.

use std::fs::OpenOptions;
use std::io::Write as _;

/// Reports that the running test is skipped: on standard error, and in the file that `SKIPPED_TESTS`
/// names, from which the caller of all tests counts.
///
/// # Panics
/// In CI, where nothing may be missing.
#[track_caller]
pub(super) fn skip(missing: &str) {
    let test = std::thread::current().name().unwrap_or("?").to_owned();
    let said = format!("SKIPPED {test}: there is no {missing}");
    assert!(
        std::env::var_os("CI").is_none_or(|ci| ci.is_empty()),
        "{said}"
    );
    eprintln!("{said}");
    if let Some(path) = std::env::var_os("SKIPPED_TESTS") {
        let file = OpenOptions::new().create(true).append(true).open(path);
        writeln!(file.unwrap(), "{said}").unwrap();
    }
}
