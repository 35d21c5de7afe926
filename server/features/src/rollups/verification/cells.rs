//! Recomputes cells from the log of donations, one day after the other.

use std::collections::HashMap;

use super::Drift;
use crate::domain::day::Day;
use crate::rollups::cells::CellStats;
use crate::rollups::effect::DonationEffect;
use crate::rollups::key::PairKey;

/// Compares the log with the recorded cells.
#[derive(Debug, Default)]
pub(crate) struct CellSums {
    /// The day whose donations are being counted, with its cells that were not compared yet.
    open_day: Option<(Day, HashMap<PairKey, CellStats>)>,
    drifts: Vec<Drift>,
}

impl CellSums {
    /// Counts a standing donation. Donations come in the order of their days.
    pub(crate) fn count(&mut self, effect: &DonationEffect) {
        for (pair, day) in &effect.cells {
            let cell = self.cells_of(*day).entry(*pair).or_default();
            cell.add(effect.usd, &effect.shares, effect.at);
        }
    }

    /// Compares a recorded cell with the donations of its day, all of which are counted. Cells come in the order
    /// of their days, each once.
    pub(crate) fn compare(&mut self, day: Day, pair: PairKey, recorded: CellStats) {
        let expected = self.cells_of(day).remove(&pair).unwrap_or_default();
        self.record(day, pair, recorded, expected);
    }

    /// The cells that differ, when the whole log is read.
    pub(crate) fn drifts(mut self) -> Vec<Drift> {
        self.close_day();
        self.drifts
    }

    /// The cells of a day, after the day before it is closed.
    fn cells_of(&mut self, day: Day) -> &mut HashMap<PairKey, CellStats> {
        if self.open_day.as_ref().is_none_or(|(open, _)| *open != day) {
            self.close_day();
        }
        let open = self.open_day.get_or_insert_with(|| (day, HashMap::new()));
        &mut open.1
    }

    /// Ends a day: the remaining cells are not recorded.
    fn close_day(&mut self) {
        if let Some((day, cells)) = self.open_day.take() {
            for (pair, expected) in cells {
                self.record(day, pair, CellStats::default(), expected);
            }
        }
    }

    fn record(&mut self, day: Day, pair: PairKey, recorded: CellStats, expected: CellStats) {
        let drift = (recorded != expected).then(|| Drift::Cell {
            name: format!("{pair} on {}", day.date()),
            recorded,
            expected,
        });
        self.drifts.extend(drift);
    }
}
