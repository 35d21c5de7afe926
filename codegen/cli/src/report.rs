//! The report of `gen`: the files that differ, their diffs, and the command that regenerates them.

use crate::sync::{Change, Kind};
use similar::TextDiff;
use std::fmt::Write as _;
use std::time::Duration;

/// The number of diff lines shown for a stale file.
const SHOWN: usize = 60;

/// The number of diff lines shown for a missing or orphaned file: enough to recognise it.
const SHOWN_OF_WHOLE: usize = 12;

/// The size, in bytes, from which the reading of a document is announced.
const LARGE: usize = 1_000_000;

/// The time from which a run says how long it took.
const NOTICED: Duration = Duration::from_secs(1);

/// The line that announces a large document; nothing for others.
pub(crate) fn reading(spec: &str, length: usize) -> String {
    let mut text = String::new();
    if length >= LARGE {
        let size = length as f64 / 1e6;
        line(&mut text, "Read", &format!("{spec}: {size:.1} MB"));
    }
    text
}

/// The report of `--check`: the files that differ, their diffs, and the command `fix` that regenerates
/// them.
///
/// `shown` names the document and the folder; `total` is the number of generated files.
pub(crate) fn check(
    changes: &[Change<'_>],
    total: usize,
    (spec, out): &(String, String),
    fix: &str,
) -> String {
    let mut text = String::new();
    line(&mut text, "Checking", &format!("{out} against {spec}"));
    for change in changes {
        line(&mut text, change.kind.title(), &place(change, out));
    }
    for change in changes {
        text.push_str(&diff(change, out));
    }
    let orphans = count(changes, Kind::Orphaned);
    let (missing, stale) = (count(changes, Kind::Missing), count(changes, Kind::Stale));
    let fresh = total - missing - stale;
    if changes.is_empty() {
        line(&mut text, "Fresh", &format!("all {total} files"));
    } else {
        let counts = format!("{stale} stale, {missing} missing, {orphans} orphaned, {fresh} fresh");
        line(&mut text, "Differs", &counts);
        line(&mut text, "Fix with", fix);
    }
    text
}

/// The report of a run that writes: the files that it has changed.
pub(crate) fn written(
    changes: &[Change<'_>],
    total: usize,
    (spec, out): &(String, String),
    took: Duration,
) -> String {
    let mut text = String::new();
    for change in changes {
        let title = match change.kind {
            Kind::Missing | Kind::Stale => "Wrote",
            Kind::Orphaned => "Removed",
        };
        line(&mut text, title, &place(change, out));
    }
    let fresh = total + count(changes, Kind::Orphaned) - changes.len();
    let mut summary = format!("{out} from {spec}: {total} files, {fresh} of them untouched");
    if took >= NOTICED {
        let _ = write!(summary, ", in {:.1} s", took.as_secs_f64());
    }
    line(&mut text, "Generated", &summary);
    text
}

impl Kind {
    fn title(self) -> &'static str {
        match self {
            Kind::Missing => "Missing",
            Kind::Stale => "Stale",
            Kind::Orphaned => "Orphaned",
        }
    }
}

/// Adds a line with a title, right-aligned as in cargo's messages.
pub fn line(text: &mut String, title: &str, about: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{title:>12} {about}");
}

fn count(changes: &[Change<'_>], kind: Kind) -> usize {
    changes.iter().filter(|change| change.kind == kind).count()
}

fn place(change: &Change<'_>, out: &str) -> String {
    format!("{}/{}", out.trim_end_matches('/'), change.path.display())
}

/// A unified diff from the content on disk to the generated content.
fn diff(change: &Change<'_>, out: &str) -> String {
    let found = String::from_utf8_lossy(change.found).replace("\r\n", "\n");
    // A diff of two unlike files takes quadratic time to be minimal; a coarser one will do.
    let diff = TextDiff::configure()
        .timeout(Duration::from_millis(500))
        .diff_lines(found.as_str(), change.wanted);
    let place = place(change, out);
    let header = (
        format!("{place} (on disk)"),
        format!("{place} (from the contract)"),
    );
    let text = diff.unified_diff().header(&header.0, &header.1).to_string();
    let shown = match change.kind {
        Kind::Stale => SHOWN,
        Kind::Missing | Kind::Orphaned => SHOWN_OF_WHOLE,
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let more = lines.len().saturating_sub(shown);
    lines.truncate(shown);
    let mut text = lines.join("\n");
    text.push('\n');
    if more > 0 {
        let _ = writeln!(text, "… and {more} more lines of this diff");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn names(spec: &str, out: &str) -> (String, String) {
        (spec.to_owned(), out.to_owned())
    }

    fn change<'a>(kind: Kind, found: &'a str, wanted: &'a str) -> Change<'a> {
        Change {
            path: Path::new("src/a.rs"),
            kind,
            found: found.as_bytes(),
            wanted,
        }
    }

    #[test]
    fn shows_each_file_its_diff_and_the_command() {
        let changes = [change(Kind::Stale, "one\ntwo\n", "one\nthree\n")];
        let report = check(&changes, 3, &names("api.yaml", "out"), "cargo xtask gen");
        let expected = "    Checking out against api.yaml
       Stale out/src/a.rs
--- out/src/a.rs (on disk)
+++ out/src/a.rs (from the contract)
@@ -1,2 +1,2 @@
 one
-two
+three
     Differs 1 stale, 0 missing, 0 orphaned, 2 fresh
    Fix with cargo xtask gen
";
        assert_eq!(report, expected);
    }

    #[test]
    fn cuts_a_long_diff_and_says_so() {
        let wanted = "line\n".repeat(100);
        let changes = [change(Kind::Stale, "", &wanted)];
        let report = check(&changes, 1, &names("api.yaml", "out"), "fix");
        assert!(
            report.contains("… and 43 more lines of this diff"),
            "{report}"
        );
        assert!(report.contains("       Stale out/src/a.rs"), "{report}");
    }

    #[test]
    fn names_a_missing_file_without_showing_all_of_it() {
        let wanted = "line\n".repeat(100);
        let report = check(
            &[change(Kind::Missing, "", &wanted)],
            1,
            &names("s", "o"),
            "fix",
        );
        assert!(report.contains("     Missing o/src/a.rs\n"), "{report}");
        assert!(report.contains("… and 91 more lines"), "{report}");
    }

    #[test]
    fn shows_the_content_of_an_orphan() {
        let report = check(
            &[change(Kind::Orphaned, "old\n", "")],
            4,
            &names("s", "o"),
            "fix",
        );
        assert!(report.contains("\n-old\n"), "{report}");
        assert!(report.contains("1 orphaned, 4 fresh"), "{report}");
    }

    #[test]
    fn lists_written_and_removed_files() {
        let changes = [
            change(Kind::Missing, "", "new"),
            change(Kind::Orphaned, "old", ""),
        ];
        let report = written(&changes, 5, &names("api.yaml", "out/"), Duration::ZERO);
        assert!(report.contains("       Wrote out/src/a.rs\n     Removed out/src/a.rs\n"));
        assert!(report.contains("5 files, 4 of them untouched"), "{report}");
    }

    #[test]
    fn large_documents_and_long_runs_are_told() {
        assert_eq!(reading("api.yaml", 999_999), "");
        assert_eq!(
            reading("api.yaml", 13_240_000),
            "        Read api.yaml: 13.2 MB\n"
        );
        let took = |took| {
            written(
                &[],
                5,
                &names("api.yaml", "out"),
                Duration::from_millis(took),
            )
        };
        assert!(took(1_240).ends_with("untouched, in 1.2 s\n"));
        assert!(took(999).ends_with("untouched\n"));
    }
}
