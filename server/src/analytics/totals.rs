//! The totals and rankings of a project's statistics.

use crate::domain::position::Position;
use crate::donations::DonationStats;

/// The totals of the donations to a project's configs and in its contracts' tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProjectTotals {
    /// All donations together, each once.
    pub stats: DonationStats,
    /// The number of charities that received donations.
    pub charities: u64,
    /// The number of tokens of the donations.
    pub tokens: u64,
    /// The number of configs of the donations.
    pub configs: u64,
}

/// A member of a breakdown, and its place there: by sum, then by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranked<T, const N: usize> {
    /// The charity, token or config.
    pub member: T,
    /// The donations that it received.
    pub stats: DonationStats,
    /// Its place.
    pub position: Position<N>,
}

impl<const N: usize> Ranked<[u8; N], N> {
    /// A member for which only the key is known.
    pub(crate) fn by_key(key: [u8; N], stats: DonationStats) -> Self {
        let position = Position {
            ordinal: stats.usd.0,
            key,
        };
        Ranked {
            member: key,
            stats,
            position,
        }
    }

    /// Replaces the key by the member that it identifies.
    pub(crate) fn named<T>(&self, member: T) -> Ranked<T, N> {
        Ranked {
            member,
            stats: self.stats,
            position: self.position,
        }
    }
}
