//! Counts passed and failed tests in the output of the test runners.

use std::fmt;
use std::ops::AddAssign;

/// Counts of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TestCounts {
    /// The number of passed tests.
    pub(super) passed: u64,
    /// The number of failed tests.
    pub(super) failed: u64,
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
    }
}

impl fmt::Display for TestCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_summaries_of_both_runners() {
        for (line, passed, failed) in [
            (
                "     Summary [   0.1s] 3 tests run: 3 passed, 7 skipped",
                3,
                0,
            ),
            (
                "     Summary [  61.0s] 9 tests run: 8 passed (2 slow), 1 failed, 0 skipped",
                8,
                1,
            ),
            (
                "     Summary [  61.0s] 5/9 tests run: 4 passed, 1 failed, 0 skipped",
                4,
                1,
            ),
            (
                "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured",
                12,
                0,
            ),
            ("test result: FAILED. 2 passed; 1 failed; 0 ignored", 2, 1),
        ] {
            assert_eq!(
                TestCounts::read(line),
                Some(TestCounts { passed, failed }),
                "{line}"
            );
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
            failed: 0,
        };
        sum += TestCounts {
            passed: 2,
            failed: 3,
        };
        assert_eq!(sum.to_string(), "3 passed, 3 failed");
    }
}
