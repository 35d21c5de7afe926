//! Cells: the sums of a project's donations through one config in one token on one day.
//!
//! Combinations of filters are summed from cells. So a cell has the share of each charity of its config.

pub(crate) mod sql;

use jiff::Timestamp;

use super::batch::{Direction, Overflow, Sum};
use super::effect::DonationEffect;
use crate::domain::amount::UsdE6;
use crate::domain::donation_stats::DonationStats;

/// The sum of a cell's donations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CellStats {
    pub stats: DonationStats,
    pub parts: Parts,
}

/// The sums of the shares of a config's charities, in their order. There are none without donations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parts(pub Vec<UsdE6>);

// A statement cuts the part of a charity out of the bytes by its place in the config.
db::column!(
    Parts as Vec<u8>,
    Parts::to_bytes,
    |bytes| Parts::from_bytes(&bytes)
);

/// A cell in a batch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    pub(crate) sum: Sum,
    pub(crate) parts: Parts,
    /// Whether it had donations when it was loaded.
    pub(crate) was_recorded: bool,
}

impl Parts {
    fn to_bytes(&self) -> Vec<u8> {
        self.0
            .iter()
            .flat_map(|part| part.0.to_be_bytes())
            .collect()
    }

    fn from_bytes(bytes: &[u8]) -> Option<Parts> {
        let (parts, []) = bytes.as_chunks() else {
            return None;
        };
        let parts = parts.iter().map(|part| UsdE6(i64::from_be_bytes(*part)));
        Some(Parts(parts.collect()))
    }

    /// Adds the shares of one donation, of the same config.
    pub(crate) fn add(&mut self, shares: &[UsdE6]) {
        self.0.resize(shares.len(), UsdE6(0));
        for (part, share) in self.0.iter_mut().zip(shares) {
            part.0 = part.0.saturating_add(share.0);
        }
    }

    fn subtract(&mut self, shares: &[UsdE6]) {
        for (part, share) in self.0.iter_mut().zip(shares) {
            part.0 = part.0.saturating_sub(share.0);
        }
    }
}

impl CellStats {
    /// Adds one donation of the cell.
    pub(crate) fn add(&mut self, usd: UsdE6, shares: &[UsdE6], at: Timestamp) {
        self.stats.add(&DonationStats::of_one(usd, at));
        self.parts.add(shares);
    }
}

impl Cell {
    pub(crate) fn loaded(cell: CellStats) -> Cell {
        Cell {
            sum: Sum::loaded(cell.stats),
            parts: cell.parts,
            was_recorded: cell.stats.donations > 0,
        }
    }

    /// The cell after a donation. No part overflows if the sum does not.
    pub(crate) fn after(
        mut self,
        effect: &DonationEffect,
        direction: Direction,
    ) -> Result<Cell, Overflow> {
        self.sum = self.sum.after(effect.usd, effect.at, direction)?;
        match direction {
            Direction::Given => self.parts.add(&effect.shares),
            Direction::TakenBack => self.parts.subtract(&effect.shares),
        }
        Ok(self)
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.sum.is_changed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_eight_bytes_each() {
        let parts = Parts([1, i64::MAX, 0].map(UsdE6).into());
        let bytes = parts.to_bytes();
        assert_eq!(bytes.len(), 24);
        assert_eq!(Parts::from_bytes(&bytes), Some(parts));
        assert_eq!(Parts::from_bytes(&bytes[1..]), None);
    }
}
