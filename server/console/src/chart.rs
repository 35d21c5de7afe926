//! Charts of bars, drawn on the server as SVG: positions in percent of the width and height.

use std::fmt;

use crate::money;

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: u64) -> String {
    money::grouped(&number.to_string())
}

/// The vertical axis, from zero to a round number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Scale {
    pub(crate) top: u64,
}

/// A part of the width or height of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Percent(pub(crate) f64);

/// The bar of a bucket: its requests, one segment for each series.
#[derive(Debug)]
pub(crate) struct Bar {
    pub(crate) title: String,
    pub(crate) is_unfinished: bool,
    pub(crate) segments: Vec<Segment>,
}

/// A part of a bar.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) class: &'static str,
    pub(crate) x: Percent,
    pub(crate) y: Percent,
    pub(crate) width: Percent,
    pub(crate) height: Percent,
}

/// A label of the horizontal axis.
#[derive(Debug)]
pub(crate) struct Tick {
    pub(crate) text: String,
    pub(crate) x: Percent,
    /// Its `text-anchor`: which part of the text is at `x`.
    pub(crate) anchor: &'static str,
    /// Whether narrow screens have no room for it.
    pub(crate) is_minor: bool,
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2}%", self.0)
    }
}

impl Scale {
    /// The scale up to a round number of at least `most`, half of which is a whole number.
    pub(crate) fn of(most: u64) -> Self {
        let most = u128::from(most.max(2));
        let mut step = 1;
        loop {
            let tops = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];
            let mut tops = tops.into_iter().map(|tenths| step * tenths / 10);
            if let Some(top) = tops.find(|top| *top >= most && top % 2 == 0) {
                let top = u64::try_from(top).unwrap_or(u64::MAX);
                return Self { top };
            }
            step *= 10;
        }
    }

    /// The labels of the axis, from above.
    pub(crate) fn labels(self) -> [String; 3] {
        [self.top, self.top / 2, 0].map(grouped)
    }

    pub(crate) fn percent(self, number: u64) -> f64 {
        number as f64 * 100.0 / self.top as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 999, 1_000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn the_axis_ends_at_a_round_number_not_below_any() {
        let tops = [0, 1, 2, 3, 7, 10, 11, 99, 101, 70_001].map(|most| Scale::of(most).top);
        assert_eq!(tops, [2, 2, 2, 4, 8, 10, 12, 100, 120, 80_000]);
        assert!(Scale::of(u64::MAX).top > 0);
        assert_eq!(Scale::of(23_900).labels(), ["25,000", "12,500", "0"]);
    }
}
