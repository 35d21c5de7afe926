//! Runs a target, and reads the report of libFuzzer.

use fs_err as fs;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The longest that one input may take, in seconds.
const SLOWEST: u32 = 10;

/// The most memory, in megabytes.
const MEMORY: u32 = 2048;

/// Runs targets.
pub(crate) struct Runner {
    /// The folder of the compiled targets.
    pub(crate) programs: PathBuf,
    pub(crate) time: Duration,
    /// Whether new inputs are kept.
    pub(crate) keep: bool,
}

/// The result of a run.
pub(crate) struct Summary {
    /// The number of inputs that were tried.
    pub(crate) tried: u64,
    /// The number of edges and features that they reached.
    pub(crate) coverage: u64,
    /// The number of inputs that reach all of these.
    pub(crate) corpus: u64,
    /// The end of libFuzzer's report, if it found an input.
    pub(crate) finding: Option<String>,
}

impl Runner {
    /// Runs a target until its time is over, or it finds an input.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(crate) fn run(&self, target: &str) -> io::Result<Summary> {
        let found = workspace::target().join("fuzz/found").join(target);
        let kept = workspace::root().join("xtask/fuzz/corpus").join(target);
        fs::create_dir_all(&found)?;
        let temporary = tempfile::tempdir_in(&self.programs)?;
        let dictionary = kept.with_extension("dict");
        let mut command = self.command(target);
        command.arg(format!("-max_total_time={}", self.time.as_secs()));
        command.arg(format!("-timeout={SLOWEST}"));
        command.arg(format!("-rss_limit_mb={MEMORY}"));
        command.arg(prefixed(
            "-artifact_prefix=",
            &found.with_extension("input-"),
        ));
        if dictionary.is_file() {
            command.arg(prefixed("-dict=", &dictionary));
        }
        let output = command
            .arg("-print_final_stats=1")
            .arg(&found)
            .arg(&kept)
            .env("TMPDIR", temporary.path())
            .output()?;
        let report = String::from_utf8_lossy(&output.stderr);
        if self.keep && output.status.success() {
            self.merge(target, &kept, &found)?;
        }
        Ok(Summary::read(&report, output.status.success()))
    }

    /// Copies those of the found inputs that reach further than the kept ones.
    fn merge(&self, target: &str, kept: &Path, found: &Path) -> io::Result<()> {
        let mut command = self.command(target);
        command
            .arg("-merge=1")
            .arg(kept)
            .arg(found)
            .stderr(Stdio::null());
        match command.status()?.success() {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "{target}: the inputs cannot be merged"
            ))),
        }
    }

    fn command(&self, target: &str) -> Command {
        let mut command = Command::new(self.programs.join(target));
        command.current_dir(&self.programs).stdout(Stdio::null());
        command
    }
}

fn prefixed(option: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(path);
    argument
}

impl Summary {
    fn read(report: &str, is_clean: bool) -> Summary {
        let last = |name: &str| {
            let mut lines = report.lines().rev();
            let line = lines.find_map(|line| line.split_once(name));
            let word = line.and_then(|(_, rest)| rest.split_whitespace().next());
            word.and_then(|word| word.split('/').next()?.parse().ok())
                .unwrap_or(0)
        };
        let lines: Vec<&str> = report.lines().collect();
        let end = lines
            .get(lines.len().saturating_sub(40)..)
            .unwrap_or_default();
        Summary {
            tried: last("stat::number_of_executed_units:"),
            coverage: last(" ft: "),
            corpus: last(" corp: "),
            finding: (!is_clean).then(|| end.join("\n")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report() {
        let report = "#9 NEW cov: 3 ft: 4 corp: 2/5b\n#12 DONE cov: 7 ft: 9 corp: 4/12b\n\
                      stat::number_of_executed_units: 120\n";
        let summary = Summary::read(report, true);
        assert_eq!(
            (summary.tried, summary.coverage, summary.corpus),
            (120, 9, 4)
        );
        assert!(summary.finding.is_none());
        let report = format!("{report}SUMMARY: libFuzzer: deadly signal\n");
        assert!(
            Summary::read(&report, false)
                .finding
                .unwrap()
                .ends_with("deadly signal")
        );
    }
}
