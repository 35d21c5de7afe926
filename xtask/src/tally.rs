//! How many tests passed and failed, read from what the test runners print.

use std::fmt;
use std::ops::AddAssign;

/// Counts of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many passed.
    pub(crate) passed: u64,
    /// How many failed.
    pub(crate) failed: u64,
}

impl Tally {
    /// The counts of a runner's summary line; `None` for any other line.
    ///
    /// nextest writes `     Summary [  1.5s] 3 tests run: 2 passed, 1 failed, 0 skipped`, libtest
    /// `test result: FAILED. 2 passed; 1 failed; 0 ignored; …`. Their indents tell them from what
    /// a test has printed, which nextest indents by four.
    pub(crate) fn read(line: &str) -> Option<Tally> {
        let nextest = || Some(line.strip_prefix("     Summary [")?.split_once(" run: ")?.1);
        let libtest = || Some(line.strip_prefix("test result: ")?.split_once(". ")?.1);
        let counts = nextest().or_else(libtest)?;
        let mut tally = Tally::default();
        for part in counts.split([',', ';']) {
            let mut words = part.split_whitespace();
            let number = words.next().and_then(|word| word.parse().ok());
            match (number, words.next()) {
                (Some(number), Some("passed")) => tally.passed = number,
                (Some(number), Some("failed")) => tally.failed = number,
                _ => {}
            }
        }
        Some(tally)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl fmt::Display for Tally {
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
            assert_eq!(Tally::read(line), Some(Tally { passed, failed }), "{line}");
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
            assert_eq!(Tally::read(line), None, "{line}");
        }
    }

    #[test]
    fn adds_up() {
        let mut sum = Tally {
            passed: 1,
            failed: 0,
        };
        sum += Tally {
            passed: 2,
            failed: 3,
        };
        assert_eq!(sum.to_string(), "3 passed, 3 failed");
    }
}
