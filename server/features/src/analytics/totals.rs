//! The totals and rankings of a project's statistics.

use crate::domain::donation_stats::DonationStats;
use crate::domain::position::{Placed, Position};

/// The totals of the donations to a project's configs and in its contracts' tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProjectTotals {
    /// All donations together, each once.
    pub stats: DonationStats,
    /// The number of charities that received donations.
    pub charities: u64,
    pub tokens: u64,
    pub configs: u64,
}

/// A member of a breakdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked<T> {
    /// The charity, token or config.
    pub member: T,
    /// The donations that it received.
    pub stats: DonationStats,
    /// The key that identifies the member, and orders members with equal sums.
    pub key: Vec<u8>,
}

/// By sum, then by key.
impl<T> Placed for Ranked<T> {
    fn position(&self) -> Position {
        Position {
            ordinal: self.stats.usd.0,
            key: self.key.clone(),
        }
    }
}

impl<const N: usize> Ranked<[u8; N]> {
    /// A member for which only the key is known.
    pub(crate) fn by_key(key: [u8; N], stats: DonationStats) -> Self {
        Ranked {
            member: key,
            stats,
            key: key.to_vec(),
        }
    }
}

impl<K> Ranked<K> {
    /// Replaces the key by the member that it identifies.
    pub(crate) fn named<T>(&self, member: T) -> Ranked<T> {
        Ranked {
            member,
            stats: self.stats,
            key: self.key.clone(),
        }
    }
}
