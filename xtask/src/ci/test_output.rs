//! Reads the output of the test runners: how many tests passed and failed, and how long each took.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::AddAssign;

/// How many of the slowest tests are listed.
const SLOWEST: usize = 10;

/// The outcome and time of one attempt of a test.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TestTime {
    /// How long it ran.
    seconds: f64,
    /// Its package, binary and path, as nextest prints them.
    test: String,
    /// Whether it passed after a failed attempt.
    is_flaky: bool,
}

impl TestTime {
    /// The time in a line that nextest prints for a finished test; `None` for any other line. libtest
    /// measures no times.
    ///
    /// Such a line is `        PASS [   1.197s] ( 515/2134) package::binary module::test`. In place of `PASS`
    /// is `FAIL` or another outcome, and `TRY 2 PASS` if an earlier attempt failed.
    pub(super) fn read(line: &str) -> Option<TestTime> {
        let (outcome, rest) = line.trim_start().split_once(" [")?;
        let (seconds, rest) = rest.split_once("s] (")?;
        let (_, test) = rest.split_once(") ")?;
        // `SLOW` is printed while a test runs.
        if !outcome.starts_with(|letter: char| letter.is_ascii_uppercase()) || outcome == "SLOW" {
            return None;
        }
        Some(TestTime {
            seconds: seconds.trim().parse().ok()?,
            test: test.to_owned(),
            is_flaky: outcome.starts_with("TRY") && outcome.ends_with("PASS"),
        })
    }
}

/// The longest time of each test, and the flaky tests.
#[derive(Debug, Default)]
pub(super) struct TestTimes {
    seconds: BTreeMap<String, f64>,
    flaky: BTreeSet<String>,
}

impl TestTimes {
    /// Adds an attempt of a test.
    pub(super) fn note(&mut self, time: TestTime) {
        if time.is_flaky {
            self.flaky.insert(time.test.clone());
        }
        let longest = self.seconds.entry(time.test).or_default();
        *longest = longest.max(time.seconds);
    }
}

impl fmt::Display for TestTimes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.seconds.is_empty() {
            return writeln!(f, "\nOnly cargo-nextest measures tests.\n");
        }
        writeln!(f, "\nThe slowest tests:")?;
        let mut slowest: Vec<_> = self.seconds.iter().collect();
        slowest.sort_by(|one, other| other.1.total_cmp(one.1));
        for (test, seconds) in slowest.into_iter().take(SLOWEST) {
            writeln!(f, "{seconds:>14.1} s  {test}")?;
        }
        for test in &self.flaky {
            writeln!(f, "FLAKY {test}: failed, then passed")?;
        }
        writeln!(f)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TestCounts {
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// The number of tests with `#[ignore]` that did not run.
    pub(super) ignored: u64,
}

impl TestCounts {
    /// The counts of a runner's summary line; `None` for any other line.
    ///
    /// nextest writes `     Summary [  1.5s] 3 tests run: 2 passed, 1 failed, 0 skipped`, libtest `test
    /// result: FAILED. 2 passed; 1 failed; 0 ignored; …`. Their indents differ from those of a test's
    /// output, which nextest indents by four.
    pub(super) fn read(line: &str) -> Option<TestCounts> {
        let nextest = || Some(line.strip_prefix("     Summary [")?.split_once(" run: ")?.1);
        let libtest = || Some(line.strip_prefix("test result: ")?.split_once(". ")?.1);
        let summary = nextest().or_else(libtest)?;
        let mut counts = TestCounts::default();
        for part in summary.split([',', ';']) {
            let mut words = part.split_whitespace();
            let number = words.next().and_then(|word| word.parse().ok());
            match (number, words.next()) {
                (Some(number), Some("passed")) => counts.passed = number,
                (Some(number), Some("failed")) => counts.failed = number,
                (Some(number), Some("skipped" | "ignored")) => counts.ignored = number,
                _ => {}
            }
        }
        Some(counts)
    }
}

impl AddAssign for TestCounts {
    fn add_assign(&mut self, other: TestCounts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed, {} failed, {} ignored",
            self.passed, self.failed, self.ignored
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_summaries_of_both_runners() {
        let cases = [
            (
                "     Summary [   0.1s] 3 tests run: 3 passed, 7 skipped",
                (3, 0, 7),
            ),
            (
                "     Summary [  61.0s] 9 tests run: 8 passed (2 slow), 1 failed, 0 skipped",
                (8, 1, 0),
            ),
            (
                "     Summary [  61.0s] 5/9 tests run: 4 passed, 1 failed, 0 skipped",
                (4, 1, 0),
            ),
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured",
                (12, 0, 1),
            ),
            (
                "test result: FAILED. 2 passed; 1 failed; 0 ignored",
                (2, 1, 0),
            ),
        ];
        for (line, (passed, failed, ignored)) in cases {
            let counts = TestCounts {
                passed,
                failed,
                ignored,
            };
            assert_eq!(TestCounts::read(line), Some(counts), "{line}");
        }
    }

    #[test]
    fn lists_the_longest_time_of_each_test_and_the_flaky_ones() {
        let mut times = TestTimes::default();
        for line in [
            "        PASS [   1.197s] ( 515/2134) diff::it paths::a_path",
            "  TRY 1 FAIL [  12.500s] (   5/2134) server::program attacks::b",
            "  TRY 2 PASS [   2.500s] (   5/2134) server::program attacks::b",
            "        SLOW [> 60.000s] (─────────) server::program a",
            "     Summary [   0.1s] 3 tests run: 3 passed, 7 skipped",
            "test a::b ... ok",
        ] {
            TestTime::read(line)
                .into_iter()
                .for_each(|time| times.note(time));
        }
        let expected = "\nThe slowest tests:\n          12.5 s  server::program attacks::b\n           \
                        1.2 s  diff::it paths::a_path\nFLAKY server::program attacks::b: failed, then passed\n\n";
        assert_eq!(times.to_string(), expected);
    }

    #[test]
    fn is_not_fooled_by_other_lines() {
        let printed = "    test result: FAILED. 0 passed; 1 failed";
        for line in [
            "",
            "test a::b ... ok",
            "PASS [ 0.1s] x 3 passed",
            "Summary",
            printed,
        ] {
            assert_eq!(TestCounts::read(line), None, "{line}");
        }
    }

    #[test]
    fn adds_up() {
        let mut sum = TestCounts {
            passed: 1,
            ..TestCounts::default()
        };
        sum += TestCounts {
            passed: 2,
            failed: 3,
            ignored: 4,
        };
        assert_eq!(sum.to_string(), "3 passed, 3 failed, 4 ignored");
    }
}
