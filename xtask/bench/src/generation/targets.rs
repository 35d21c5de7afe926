//! The target: what generation may take by the clock and in memory, and what the check of its output may
//! cost beside the lightest peer's.

use super::figures::{Figures, Row};

/// How much more a check may cost than the lightest peer's.
const CHECK: f64 = 1.2;

/// The limits of the generation of a document.
struct Bound {
    /// The largest document that it is for, in bytes.
    size: u64,
    /// By the clock.
    seconds: f64,
    /// Resident at a time.
    megabytes: f64,
}

/// The bounds, from the smallest documents to the largest; still larger ones have the last.
const BOUNDS: [Bound; 3] = [
    Bound {
        size: 100_000,
        seconds: 0.05,
        megabytes: 300.0,
    },
    Bound {
        size: 4_000_000,
        seconds: 1.5,
        megabytes: 300.0,
    },
    Bound {
        size: 14_000_000,
        seconds: 4.0,
        megabytes: 600.0,
    },
];

/// The target as a sentence.
pub(super) fn text() -> String {
    let bounds = BOUNDS.map(|bound| {
        let (size, seconds, megabytes) = (bound.size / 1000, bound.seconds, bound.megabytes);
        format!("{seconds} s by the clock and {megabytes} MB up to {size} kB")
    });
    let [small, middle, large] = bounds;
    format!("Targets: gen {small}, {middle}, {large}; check {CHECK} ×.")
}

/// Messages about values above the target; empty if it is met.
pub(super) fn misses(rows: &[Row]) -> Vec<String> {
    rows.iter().flat_map(missed).collect()
}

fn missed(row: &Row) -> Vec<String> {
    let mut missed = Vec::new();
    let mut miss = |what: String| missed.push(format!("{}: {what}", row.document));
    let own = row.own();
    if !own.generates() {
        miss("is not generated".into());
    }
    let [.., last] = &BOUNDS;
    let bound = BOUNDS.iter().find(|bound| row.size <= bound.size);
    let bound = bound.unwrap_or(last);
    if let Some(seconds) = own.elapsed_seconds().filter(|it| *it > bound.seconds) {
        miss(format!(
            "{seconds:.3} s to generate, at most {}",
            bound.seconds
        ));
    }
    if let Some(megabytes) = own.megabytes().filter(|it| *it > bound.megabytes) {
        miss(format!(
            "{megabytes:.0} MB to generate, at most {}",
            bound.megabytes
        ));
    }
    if let Some((own, peer)) = row.against(Figures::check_seconds)
        && own > peer * CHECK
    {
        miss(format!(
            "{own:.2} s to check, the lightest peer's {peer:.2} s"
        ));
    }
    missed
}

#[cfg(test)]
mod tests {
    use super::super::programs::Tool;
    use super::*;
    use crate::cost::Cost;
    use std::time::Duration;

    fn cost(milliseconds: u64, megabytes: u64, success: bool) -> Cost {
        Cost {
            cpu: Duration::from_millis(milliseconds),
            elapsed: Duration::from_millis(milliseconds),
            memory: megabytes * 1_000_000,
            success,
        }
    }

    /// A row of a document of so many bytes, with the cost of its generation.
    fn row(size: u64, cost: Cost) -> Row {
        let mut row = Row::of("a", size);
        row.of_mut(Tool::Own).generated(cost);
        row
    }

    #[test]
    fn a_larger_document_may_take_longer() {
        for (size, milliseconds, megabytes) in [
            (90_000, 50, 300),
            (2_500_000, 1500, 300),
            (13_000_000, 4000, 600),
            (99_000_000, 4000, 600),
        ] {
            let within = row(size, cost(milliseconds, megabytes, true));
            assert!(missed(&within).is_empty(), "{size}");
            let beyond = row(size, cost(milliseconds + 1, megabytes + 1, true));
            assert_eq!(missed(&beyond).len(), 2, "{size}");
        }
        let slow = missed(&row(1, cost(51, 301, true)));
        assert_eq!(
            slow,
            [
                "a: 0.051 s to generate, at most 0.05",
                "a: 301 MB to generate, at most 300"
            ]
        );
        assert_eq!(missed(&row(1, cost(1, 1, false))), ["a: is not generated"]);
    }

    #[test]
    fn a_check_is_a_fifth_more_at_most() {
        let mut row = row(1, cost(1, 1, true));
        row.of_mut(Tool::Own).checked(cost(1200, 1, true));
        row.of_mut(Tool::Oas3Gen).checked(cost(100, 1, false));
        row.of_mut(Tool::OpenapiToRust).checked(cost(1000, 1, true));
        assert!(missed(&row).is_empty());
        row.of_mut(Tool::Own).check = Some(cost(1201, 1, true));
        assert_eq!(
            missed(&row),
            ["a: 1.20 s to check, the lightest peer's 1.00 s"]
        );
    }

    #[test]
    fn the_sentence_has_every_bound() {
        let text = text();
        for figure in ["0.05 s", "1.5 s", "4 s", "300 MB", "600 MB", "1.2 ×"] {
            assert!(text.contains(figure), "{text}");
        }
    }
}
