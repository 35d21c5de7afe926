//! The totals and rankings of a project's statistics.

use crate::domain::position::Position;
use crate::donations::DonationStats;

/// The totals of the donations to a project's configs and in its contracts' tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProjectTotals {
    /// All donations together, each once.
    pub stats: DonationStats,
    /// How many charities received from them.
    pub charities: u64,
    /// In how many tokens they were made.
    pub tokens: u64,
    /// Through how many configs they went.
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
    /// A member that is known by its key alone.
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

    /// The same with the member that the key stands for.
    pub(crate) fn named<T>(&self, member: T) -> Ranked<T, N> {
        Ranked {
            member,
            stats: self.stats,
            position: self.position,
        }
    }
}
