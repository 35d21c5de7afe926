//! Sums of single donations, for queries that no roll-up answers.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::series::{Interval, Point};
use super::{ProjectTotals, Ranked};
use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::amount::UsdE6;
use crate::domain::config_id::ConfigId;
use crate::domain::donation_stats::DonationStats;
use crate::domain::position::{Placed as _, Position};
use crate::domain::share;

/// The most donations that are summed for one answer: reading them takes well below the time that a request's
/// statement has.
pub const MAX_DONATIONS: usize = 50_000;

/// A standing donation of the project, as the log has it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedDonation {
    pub(crate) config: ConfigId,
    pub(crate) token: [u8; 40],
    pub(crate) usd: UsdE6,
    pub(crate) at: Timestamp,
}

/// The sums of a project's donations that match a filter, as roll-ups have them of all its donations.
#[derive(Debug, Default)]
pub struct FilteredSums {
    /// The charity whose parts alone are summed, if it is one.
    only: Option<CharityId>,
    total: DonationStats,
    charities: HashMap<CharityId, DonationStats>,
    tokens: HashMap<[u8; 40], DonationStats>,
    configs: HashMap<ConfigId, DonationStats>,
    hours: BTreeMap<DateTime, DonationStats>,
}

impl FilteredSums {
    /// No sums yet, of the parts of one charity alone or of whole donations.
    pub(crate) fn new(only: Option<CharityId>) -> FilteredSums {
        FilteredSums {
            only,
            ..FilteredSums::default()
        }
    }

    /// Counts a donation, which its config divides as for the roll-ups.
    pub(crate) fn count(&mut self, donation: CountedDonation, config: &Config) {
        let CountedDonation { token, usd, at, .. } = donation;
        let one = |usd| DonationStats {
            usd,
            donations: 1,
            first: Some(at),
            last: Some(at),
        };
        let shares = share::split(usd, &config.weights());
        let parts = config.beneficiaries.iter().map(|it| it.charity).zip(shares);
        let mut counted = usd;
        for (charity, part) in parts {
            if self.only.is_none_or(|only| only == charity) {
                self.charities.entry(charity).or_default().add(&one(part));
            }
            if self.only == Some(charity) {
                counted = part;
            }
        }
        let counted = one(counted);
        self.total.add(&counted);
        self.tokens.entry(token).or_default().add(&counted);
        self.configs.entry(config.id).or_default().add(&counted);
        let hour = Interval::Hour.start(at.to_zoned(TimeZone::UTC).datetime());
        self.hours.entry(hour).or_default().add(&counted);
    }

    /// The totals.
    pub fn totals(&self) -> ProjectTotals {
        ProjectTotals {
            stats: self.total,
            charities: self.charities.len() as u64,
            tokens: self.tokens.len() as u64,
            configs: self.configs.len() as u64,
        }
    }

    /// The sums of the hours that have any, in order.
    pub fn hours(&self) -> Vec<Point> {
        let points = self.hours.iter().map(|(start, stats)| Point {
            start: *start,
            usd: stats.usd,
            donations: stats.donations,
        });
        points.collect()
    }

    /// The sums by charity after a position, largest first.
    pub fn charities(&self, after: Option<&Position>, limit: usize) -> Vec<Ranked<CharityId>> {
        rank(&self.charities, |id| id.0.as_bytes(), after, limit)
    }

    /// The sums by the key of the token after a position, largest first.
    pub fn tokens(&self, after: Option<&Position>, limit: usize) -> Vec<Ranked<[u8; 40]>> {
        rank(&self.tokens, |key| key, after, limit)
    }

    /// The sums by config after a position, largest first.
    pub fn configs(&self, after: Option<&Position>, limit: usize) -> Vec<Ranked<ConfigId>> {
        rank(&self.configs, |id| &id.0, after, limit)
    }
}

/// A page of sums, in the order of the roll-ups.
fn rank<M: Copy + Eq + Hash>(
    sums: &HashMap<M, DonationStats>,
    key: impl Fn(&M) -> &[u8],
    after: Option<&Position>,
    limit: usize,
) -> Vec<Ranked<M>> {
    let ranked = sums.iter().map(|(member, stats)| Ranked {
        member: *member,
        stats: *stats,
        key: key(member).to_vec(),
    });
    let is_below = |entry: &Ranked<M>| after.is_none_or(|after| entry.position() < *after);
    let mut ranked: Vec<_> = ranked.filter(is_below).collect();
    ranked.sort_unstable_by(|a, b| (b.stats.usd, &b.key).cmp(&(a.stats.usd, &a.key)));
    ranked.truncate(limit);
    ranked
}
