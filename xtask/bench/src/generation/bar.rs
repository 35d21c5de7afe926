//! The bar: limits of our cost relative to other generators.

use super::figures::{Figures, Row};

/// The relative difference that the best of several runs of the same program show.
const NOISE: f64 = 0.05;

/// How much more a check may cost than the lightest peer's.
const CHECK: f64 = 1.5;

/// The largest document, with the seconds and megabytes that its generation may take.
const LARGEST: (&str, f64, f64) = ("stripe-stripe.json", 0.9, 170.0);

/// Messages about values above the bar; empty if it is met.
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
    if let Some((own, peer)) = row.against(Figures::generation_seconds)
        && own > peer * (1.0 + NOISE)
    {
        miss(format!(
            "{own:.4} s to generate, the fastest peer {peer:.4} s"
        ));
    }
    if let Some((own, peer)) = row.against(Figures::check_seconds)
        && own > peer * CHECK
    {
        miss(format!(
            "{own:.2} s to check, the lightest peer's {peer:.2} s"
        ));
    }
    let (document, seconds, megabytes) = LARGEST;
    if row.document == document {
        if own.generation_seconds().is_some_and(|own| own >= seconds) {
            miss(format!("{seconds} s or more to generate"));
        }
        if own.megabytes().is_some_and(|own| own >= megabytes) {
            miss(format!("{megabytes} MB or more to generate"));
        }
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
            memory: megabytes * 1_000_000,
            success,
        }
    }

    /// A row with these milliseconds of generation.
    fn row(document: &str, own: u64, peers: [Option<u64>; 2]) -> Row {
        let mut row = Row::of(document);
        row.of_mut(Tool::Own).generated(cost(own, 100, true));
        for (tool, peer) in [Tool::Oas3Gen, Tool::OpenapiToRust].into_iter().zip(peers) {
            let (milliseconds, success) = peer.map_or((1, false), |peer| (peer, true));
            row.of_mut(tool).generated(cost(milliseconds, 10, success));
        }
        row
    }

    #[test]
    fn generation_is_no_slower_than_the_fastest_peer_that_can() {
        assert!(missed(&row("a", 100, [Some(300), Some(99)])).is_empty());
        assert!(missed(&row("a", 100, [Some(96), None])).is_empty());
        assert!(missed(&row("a", 900, [None, None])).is_empty());
        let missed = missed(&row("a", 110, [Some(300), Some(99)]));
        assert_eq!(
            missed,
            ["a: 0.1100 s to generate, the fastest peer 0.0990 s"]
        );
        assert_eq!(super::missed(&row("a", 4, [Some(3), None])).len(), 1);
    }

    #[test]
    fn the_largest_document_has_limits_of_its_own() {
        assert!(missed(&row("stripe-stripe.json", 899, [None, None])).is_empty());
        let mut slow = row("stripe-stripe.json", 901, [None, None]);
        assert_eq!(missed(&slow).len(), 1);
        slow.of_mut(Tool::Own).generation = Some(cost(901, 170, true));
        assert_eq!(missed(&slow).len(), 2);
        slow.of_mut(Tool::Own).generation = Some(cost(1, 1, false));
        assert_eq!(missed(&slow), ["stripe-stripe.json: is not generated"]);
    }

    #[test]
    fn a_check_is_half_as_much_again_at_most() {
        let mut row = row("a", 1, [Some(1), Some(1)]);
        row.of_mut(Tool::Own).checked(cost(1500, 1, true));
        row.of_mut(Tool::Oas3Gen).checked(cost(100, 1, false));
        row.of_mut(Tool::OpenapiToRust).checked(cost(1000, 1, true));
        assert!(missed(&row).is_empty());
        row.of_mut(Tool::Own).check = Some(cost(1501, 1, true));
        assert_eq!(
            missed(&row),
            ["a: 1.50 s to check, the lightest peer's 1.00 s"]
        );
    }
}
