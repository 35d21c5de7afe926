//! Reads the output of the test runners: how many tests passed and failed, and how long each took.

use std::fmt;
use std::ops::AddAssign;

/// The time of one test.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TestTime {
    /// How long it ran.
    pub(super) seconds: f64,
    /// Its package, binary and path, as nextest prints them.
    pub(super) test: String,
}

impl TestTime {
    /// The time in a line that nextest prints for a finished test; `None` for any other line. libtest
    /// measures no times.
    ///
    /// Such a line is `        PASS [   1.197s] ( 515/2134) package::binary module::test`, with `FAIL` or
    /// another outcome in place of `PASS`.
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
        })
    }
}

/// Counts of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TestCounts {
    /// The number of passed tests.
    pub(super) passed: u64,
    /// The number of failed tests.
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
    fn reads_the_times_of_finished_tests() {
        let read = |line| TestTime::read(line).map(|time| (time.seconds, time.test));
        let passed = "        PASS [   1.197s] ( 515/2134) diff::it paths::a_path";
        assert_eq!(read(passed), Some((1.197, "diff::it paths::a_path".into())));
        let retried = "  TRY 2 PASS [  12.500s] (   5/2134) server::program attacks::b";
        assert_eq!(
            read(retried),
            Some((12.5, "server::program attacks::b".into()))
        );
        for line in [
            "        SLOW [> 60.000s] (─────────) server::program a",
            "     Summary [   0.1s] 3 tests run: 3 passed, 7 skipped",
            "test a::b ... ok",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
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
