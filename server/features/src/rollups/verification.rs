//! Recomputes the tables that are derived from the log of donations, and finds recorded rows that differ:
//! rollups, cells, leaderboard entries, totals and days of charities, amounts that campaigns have raised, and the lists of each
//! charity's donations.
//!
//! The log is read in the order of time, and the sums of days in the order of days, side by side: in
//! memory are the rollups and cells of one day, every rollup of all time and every leaderboard entry. The memory
//! grows with the number of tokens, configs and charities, and neither with the number of donations nor with time.

mod campaigns;
mod cells;
mod charities;
mod charity_days;
mod lists;
mod pairs;
pub(crate) mod sql;

use std::collections::HashMap;
use std::fmt;

use campaigns::CampaignSums;
use cells::CellSums;
use charities::CharitySums;
use charity_days::CharityDaySums;
use db::{Db, DbError, Timeouts};

use super::cells::CellStats;
use super::charity_days::ReceivedOnDay;
use super::key::{CellKey, RollupKey};
use crate::campaigns::CampaignProgress;
use crate::charities::CharityId;
use crate::domain::day::Day;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::effect::DonationEffect;
use crate::rollups::leaderboard_entries::EntryKey;

/// The condition on rows of the log that give a donation, in SQL; [`Revision::takes_back`] is its opposite.
///
/// [`Revision::takes_back`]: crate::donations::Revision::takes_back
const GIVES: &str = "revision % 2 = 0";

/// A difference between recorded rows and the log that they are derived from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drift {
    /// A recorded sum differs from the sum of its donations.
    Sum {
        name: String,
        recorded: DonationStats,
        /// The sum of the donations.
        expected: DonationStats,
    },
    /// A cell differs from the sum of its donations.
    Cell {
        /// The name of the cell.
        name: String,
        /// The recorded sum.
        recorded: CellStats,
        /// The sum of the donations.
        expected: CellStats,
    },
    /// The number of days of a config and a token differs from the number of their cells.
    Pair {
        /// The name of the pair.
        name: String,
        /// The recorded number.
        recorded: u64,
        /// The number of cells.
        expected: u64,
    },
    /// A leaderboard entry differs from the sum of its donations, is missing, or should not exist.
    Entry {
        name: String,
        /// The recorded sum; `None` for a missing entry.
        recorded: Option<DonationStats>,
        /// The sum of the donations; `None` for an entry that should not exist.
        expected: Option<DonationStats>,
    },
    /// The list of a charity's donations has other rows than the log.
    List {
        charity: CharityId,
        /// The number of its donations that are not listed.
        missing: u64,
        /// The number of listed rows without such a donation.
        extra: u64,
    },
}

/// The sums of one day, or of all time, that were not compared with a recorded row yet.
type Sums = HashMap<RollupKey, DonationStats>;

/// The leaderboard entries that were not compared with a recorded row yet.
type Entries = HashMap<EntryKey, DonationStats>;

/// Compares the log with the recorded sums of days, one day after the other.
#[derive(Debug)]
pub(crate) struct Days {
    /// The day whose donations are being counted, with their sums.
    open_day: Option<(Day, Sums)>,
    totals: Sums,
    cells: CellSums,
    entries: Entries,
    campaigns: CampaignSums,
    charities: CharitySums,
    charity_days: CharityDaySums,
    drifts: Vec<Drift>,
}

/// The sums of the whole log.
#[derive(Debug)]
pub(crate) struct Totals {
    sums: Sums,
    entries: Entries,
    drifts: Vec<Drift>,
}

impl Days {
    /// No sums yet; `campaigns` are all campaigns, `charities` all recorded totals of charities, and `active` the
    /// leaderboard entries that exist also without donations.
    pub(crate) fn new(
        campaigns: Vec<CampaignProgress>,
        charities: HashMap<CharityId, DonationStats>,
        active: impl IntoIterator<Item = EntryKey>,
    ) -> Days {
        let empty = |key| (key, DonationStats::default());
        Days {
            open_day: None,
            totals: Sums::new(),
            cells: CellSums::default(),
            entries: active.into_iter().map(empty).collect(),
            campaigns: CampaignSums::new(campaigns),
            charities: CharitySums::new(charities),
            charity_days: CharityDaySums::default(),
            drifts: Vec::new(),
        }
    }

    /// Counts a standing donation. Donations come in the order of their days.
    pub(crate) fn count(&mut self, effect: DonationEffect) {
        self.campaigns.count(&effect);
        self.charities.count(&effect);
        self.charity_days.count(&effect);
        self.cells.count(&effect);
        let one = |usd| DonationStats::of_one(usd, effect.at);
        if let Some((key, usd)) = effect.entry {
            self.entries.entry(key).or_default().add(&one(usd));
        }
        let sums = self.sums_of(Day::of(effect.at));
        for (key, usd) in effect.sums {
            sums.entry(key).or_default().add(&one(usd));
        }
    }

    /// Compares a recorded sum with the donations of its day, all of which are counted. Sums come in
    /// the order of their days, each once.
    pub(crate) fn compare(&mut self, day: Day, key: RollupKey, recorded: DonationStats) {
        let expected = self.sums_of(day).remove(&key).unwrap_or_default();
        self.record(day, key, recorded, expected);
    }

    /// Compares a recorded cell with the donations of its day, likewise.
    pub(crate) fn compare_cell(&mut self, (pair, day): CellKey, recorded: CellStats) {
        self.cells.compare(day, pair, recorded);
    }

    /// Compares a recorded day of a charity with the donations of the day, likewise.
    pub(crate) fn compare_charity_day(
        &mut self,
        day: Day,
        charity: CharityId,
        recorded: ReceivedOnDay,
    ) {
        self.charity_days.compare(day, charity, recorded);
    }

    /// Ends the comparison of days, when the whole log is read.
    pub(crate) fn end(mut self) -> Totals {
        self.close_day();
        self.drifts.extend(self.cells.drifts());
        self.drifts.extend(self.campaigns.drifts());
        self.drifts.extend(self.charities.drifts());
        self.drifts.extend(self.charity_days.drifts());
        Totals {
            sums: self.totals,
            entries: self.entries,
            drifts: self.drifts,
        }
    }

    /// The sums of a day, after the day before it is closed.
    fn sums_of(&mut self, day: Day) -> &mut Sums {
        if self.open_day.as_ref().is_none_or(|(open, _)| *open != day) {
            self.close_day();
        }
        let open = self.open_day.get_or_insert_with(|| (day, Sums::new()));
        &mut open.1
    }

    /// Ends a day: the remaining sums have no recorded rows.
    fn close_day(&mut self) {
        if let Some((day, sums)) = self.open_day.take() {
            for (key, expected) in sums {
                self.record(day, key, DonationStats::default(), expected);
            }
        }
    }

    fn record(
        &mut self,
        day: Day,
        key: RollupKey,
        recorded: DonationStats,
        expected: DonationStats,
    ) {
        let name = || format!("{key} on {}", day.date());
        self.drifts.extend(Drift::of(name, recorded, expected));
        if expected.donations > 0 && key.dimension.has_totals() {
            self.totals.entry(key).or_default().add(&expected);
        }
    }
}

impl Totals {
    /// Compares a recorded leaderboard entry with the log. Each comes once.
    pub(crate) fn compare_entry(&mut self, key: EntryKey, recorded: DonationStats) {
        let expected = self.entries.remove(&key);
        self.drifts
            .extend(Drift::of_entry(key, Some(recorded), expected));
    }

    /// Compares a recorded sum of all time with the log. Each comes once.
    pub(crate) fn compare(&mut self, key: RollupKey, recorded: DonationStats) {
        let expected = self.sums.remove(&key).unwrap_or_default();
        let drift = Drift::of(|| key.to_string(), recorded, expected);
        self.drifts.extend(drift);
    }

    /// All drifts. Sums and entries that were not compared have no recorded rows.
    pub(crate) fn end(mut self) -> Vec<Drift> {
        for (key, expected) in self.sums {
            let drift = Drift::of(|| key.to_string(), DonationStats::default(), expected);
            self.drifts.extend(drift);
        }
        for (key, expected) in self.entries {
            self.drifts
                .extend(Drift::of_entry(key, None, Some(expected)));
        }
        self.drifts
    }
}

impl Drift {
    /// The drift of a sum, if it drifts.
    fn of(
        name: impl FnOnce() -> String,
        recorded: DonationStats,
        expected: DonationStats,
    ) -> Option<Drift> {
        (recorded != expected).then(|| Drift::Sum {
            name: name(),
            recorded,
            expected,
        })
    }

    /// The drift of a leaderboard entry, if it drifts.
    fn of_entry(
        key: EntryKey,
        recorded: Option<DonationStats>,
        expected: Option<DonationStats>,
    ) -> Option<Drift> {
        (recorded != expected).then(|| Drift::Entry {
            name: key.to_string(),
            recorded,
            expected,
        })
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Drift::Sum {
                name,
                recorded,
                expected,
            } => write!(
                f,
                "{name}: recorded {} in {} donations, expected {} in {}",
                recorded.usd, recorded.donations, expected.usd, expected.donations
            ),
            Drift::Cell {
                name,
                recorded,
                expected,
            } => {
                let sum = |cell: &CellStats| {
                    let DonationStats { usd, donations, .. } = cell.stats;
                    let parts: Vec<_> = cell.parts.0.iter().map(ToString::to_string).collect();
                    format!("{usd} ({}) in {donations} donations", parts.join(" + "))
                };
                let (recorded, expected) = (sum(recorded), sum(expected));
                write!(f, "{name}: recorded {recorded}, expected {expected}")
            }
            Drift::Pair {
                name,
                recorded,
                expected,
            } => write!(f, "{name}: recorded {recorded} days, expected {expected}"),
            Drift::Entry {
                name,
                recorded,
                expected,
            } => {
                let sum = |stats: &Option<DonationStats>| match stats {
                    Some(stats) => format!("{} in {} donations", stats.usd, stats.donations),
                    None => "no entry".to_owned(),
                };
                let (recorded, expected) = (sum(recorded), sum(expected));
                write!(f, "{name}: recorded {recorded}, expected {expected}")
            }
            Drift::List {
                charity,
                missing,
                extra,
            } => write!(
                f,
                "list of charity {}: {missing} donations are missing, {extra} rows are not in the log",
                charity.0
            ),
        }
    }
}

/// Recomputes the tables that are derived from the log of donations and returns the differences. Reads
/// the whole log.
pub async fn verify_rollups(db: &Db) -> Result<Vec<Drift>, DbError> {
    db.snapshot(Timeouts::Endless, sql::drifts).await
}
