//! The totals and rankings of a project's statistics.

use std::collections::HashMap;

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

impl ProjectTotals {
    /// The totals of the parts of one charity.
    pub(crate) fn of_one_charity(self) -> ProjectTotals {
        ProjectTotals {
            charities: u64::from(self.stats.donations > 0),
            ..self
        }
    }
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

/// A page of sums that are not in an index, in the same order: largest first, then by key.
pub(crate) fn rank<const N: usize>(
    sums: HashMap<[u8; N], DonationStats>,
    after: Option<&Position>,
    limit: usize,
) -> Vec<Ranked<[u8; N]>> {
    let ranked = sums.into_iter();
    let ranked = ranked.map(|(member, stats)| Ranked::by_key(member, stats));
    let is_below = |entry: &Ranked<_>| after.is_none_or(|after| entry.position() < *after);
    let mut ranked: Vec<_> = ranked.filter(is_below).collect();
    ranked.sort_unstable_by(|a, b| (b.stats.usd, &b.key).cmp(&(a.stats.usd, &a.key)));
    ranked.truncate(limit);
    ranked
}
