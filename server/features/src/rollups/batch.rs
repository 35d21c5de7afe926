//! The rollup rows that a batch of donations changes, in memory.
//!
//! A database loads the rows that a batch affects, counts the donations here one after the other, and
//! writes the rows that have changed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;

use super::cells::{Cell, CellStats};
use super::charity_days::DayChange;
use super::charity_totals::TotalChange;
use super::key::{CellKey, RollupKey, RowKey};
use super::leaderboard_entries::EntryKey;
use crate::campaigns::{CampaignBeneficiary, CampaignId, Period};
use crate::charities::CharityId;
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::domain::donation_stats::DonationStats;
use crate::rollups::effect::DonationEffect;

/// A sum does not fit 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overflow;

/// The loaded rows. A row that is not loaded is zero.
#[derive(Debug, Default)]
pub(crate) struct RollupBatch {
    sums: BTreeMap<RowKey, Sum>,
    cells: BTreeMap<CellKey, Cell>,
    entries: BTreeMap<EntryKey, Sum>,
    charities: BTreeMap<CharityId, TotalChange>,
    charity_days: BTreeMap<(Day, CharityId), DayChange>,
    campaigns: BTreeMap<CampaignId, CampaignSum>,
    by_beneficiary: HashMap<CampaignBeneficiary, Vec<CampaignId>>,
}

/// The sum in a row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    pub(crate) stats: DonationStats,
    /// Whether the first or last donation was taken back, so that the dates have to be looked up in the
    /// log.
    pub(crate) dates_unknown: bool,
    changed: bool,
}

/// The amount that a campaign has raised.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CampaignSum {
    pub(crate) campaign: CampaignId,
    pub(crate) beneficiary: CampaignBeneficiary,
    pub(crate) period: Period,
    pub(crate) goal: UsdE6,
    /// The sum that it had raised when it was loaded.
    pub(crate) before: UsdE6,
    pub(crate) raised: UsdE6,
    pub(crate) changed: bool,
}

/// Whether a donation is given or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Given,
    TakenBack,
}

impl RollupBatch {
    /// The batch that changes these rows, and no campaigns.
    pub(crate) fn new(rows: impl IntoIterator<Item = (RowKey, DonationStats)>) -> RollupBatch {
        let loaded = |(row, stats)| (row, Sum::loaded(stats));
        RollupBatch {
            sums: rows.into_iter().map(loaded).collect(),
            ..RollupBatch::default()
        }
    }

    /// Adds cells.
    pub(crate) fn with_cells(mut self, cells: Vec<(CellKey, CellStats)>) -> RollupBatch {
        let loaded = |(key, cell)| (key, Cell::loaded(cell));
        self.cells.extend(cells.into_iter().map(loaded));
        self
    }

    /// Adds the entries of leaderboards.
    pub(crate) fn with_entries(mut self, entries: Vec<(EntryKey, DonationStats)>) -> RollupBatch {
        let loaded = |(key, stats)| (key, Sum::loaded(stats));
        self.entries.extend(entries.into_iter().map(loaded));
        self
    }

    /// Adds the donations to their charities.
    pub(crate) fn with_charities(mut self, totals: Vec<(CharityId, UsdE6)>) -> RollupBatch {
        let loaded = |(charity, total)| (charity, TotalChange::of(total));
        self.charities.extend(totals.into_iter().map(loaded));
        self
    }

    /// Adds the campaigns for which the donations count.
    pub(crate) fn with_campaigns(mut self, campaigns: Vec<CampaignSum>) -> RollupBatch {
        for campaign in campaigns {
            let of_beneficiary = self.by_beneficiary.entry(campaign.beneficiary);
            of_beneficiary.or_default().push(campaign.campaign);
            self.campaigns.insert(campaign.campaign, campaign);
        }
        self
    }

    /// Counts a donation in its rollups, cells and leaderboard entry, and for its charities and the campaigns of
    /// its beneficiaries. If a sum overflows, nothing is changed.
    pub(crate) fn count(
        &mut self,
        effect: &DonationEffect,
        direction: Direction,
    ) -> Result<(), Overflow> {
        let mut sums = Vec::with_capacity(effect.sums.len() * 2);
        for (key, usd) in &effect.sums {
            let total = key.dimension.has_totals().then_some(None);
            for day in total.into_iter().chain([Some(Day::of(effect.at))]) {
                let row = (key.clone(), day);
                let before = self.sums.get(&row).copied().unwrap_or_default();
                sums.push((row, before.after(*usd, effect.at, direction)?));
            }
        }
        let mut cells = Vec::with_capacity(effect.cells.len());
        for key in &effect.cells {
            let before = self.cells.get(key).cloned().unwrap_or_default();
            cells.push((*key, before.after(effect, direction)?));
        }
        let mut entry = None;
        if let Some((key, usd)) = effect.entry {
            let before = self.entries.get(&key).copied().unwrap_or_default();
            entry = Some((key, before.after(usd, effect.at, direction)?));
        }
        let (mut charities, mut campaigns) = (Vec::new(), Vec::new());
        let mut charity_days = Vec::new();
        for (beneficiary, usd) in &effect.received {
            if let CampaignBeneficiary::Charity(charity) = beneficiary {
                let before = self.charities.get(charity).copied().unwrap_or_default();
                charities.push((*charity, before.after(*usd, effect.at, direction)?));
                let key = (Day::of(effect.at), *charity);
                let before = self.charity_days.get(&key).copied().unwrap_or_default();
                charity_days.push((key, before.after(*usd, direction)?));
            }
            let ids = self.by_beneficiary.get(beneficiary).into_iter().flatten();
            for campaign in ids.filter_map(|id| self.campaigns.get(id)) {
                if campaign.period.includes(effect.at) {
                    campaigns.push((campaign.campaign, campaign.after(*usd, direction)?));
                }
            }
        }
        self.sums.extend(sums);
        self.cells.extend(cells);
        self.entries.extend(entry);
        self.charities.extend(charities);
        self.charity_days.extend(charity_days);
        self.campaigns.extend(campaigns);
        Ok(())
    }

    /// The rows whose sums have changed, in order.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (&RowKey, &Sum)> {
        self.sums.iter().filter(|(_, sum)| sum.changed)
    }

    /// The cells that have changed, in order.
    pub(crate) fn changed_cells(&self) -> impl Iterator<Item = (&CellKey, &Cell)> {
        self.cells.iter().filter(|(_, cell)| cell.is_changed())
    }

    /// The entries of leaderboards whose sums have changed, in order.
    pub(crate) fn changed_entries(&self) -> impl Iterator<Item = (&EntryKey, &Sum)> {
        self.entries.iter().filter(|(_, sum)| sum.changed)
    }

    /// The changes of the sums of charities, in order.
    pub(crate) fn received(&self) -> impl Iterator<Item = (CharityId, &TotalChange)> {
        let changes = self.charities.iter().filter(|(_, change)| change.is_any());
        changes.map(|(charity, change)| (*charity, change))
    }

    /// The changes of the days of charities, in order.
    pub(crate) fn charity_days(&self) -> impl Iterator<Item = (Day, CharityId, &DayChange)> {
        let changes = self.charity_days.iter();
        changes.map(|((day, charity), change)| (*day, *charity, change))
    }

    /// The campaigns that have raised more, or less.
    pub(crate) fn raised(&self) -> impl Iterator<Item = &CampaignSum> {
        self.campaigns.values().filter(|campaign| campaign.changed)
    }
}

/// The rows that donations count in, each once, in order: first the rows of all time, then the rows of
/// days.
pub(crate) fn rows<'e>(
    effects: impl Iterator<Item = &'e DonationEffect>,
) -> (BTreeSet<&'e RollupKey>, BTreeSet<(&'e RollupKey, Day)>) {
    let (mut totals, mut days) = (BTreeSet::new(), BTreeSet::new());
    for effect in effects {
        let day = Day::of(effect.at);
        for (key, _) in &effect.sums {
            if key.dimension.has_totals() {
                totals.insert(key);
            }
            days.insert((key, day));
        }
    }
    (totals, days)
}

impl Sum {
    pub(crate) fn loaded(stats: DonationStats) -> Sum {
        Sum {
            stats,
            ..Sum::default()
        }
    }

    pub(crate) fn is_changed(&self) -> bool {
        self.changed
    }

    pub(crate) fn after(
        self,
        usd: UsdE6,
        at: Timestamp,
        direction: Direction,
    ) -> Result<Sum, Overflow> {
        let before = self.stats;
        if direction == Direction::Given {
            let stats = DonationStats {
                usd: UsdE6(before.usd.0.checked_add(usd.0).ok_or(Overflow)?),
                donations: before.donations.saturating_add(1),
                first: Some(before.first.map_or(at, |first| first.min(at))),
                last: Some(before.last.map_or(at, |last| last.max(at))),
            };
            return Ok(Sum {
                stats,
                changed: true,
                ..self
            });
        }
        if before.donations <= 1 {
            return Ok(Sum {
                changed: true,
                ..Sum::default()
            });
        }
        let stats = DonationStats {
            usd: UsdE6(before.usd.0.saturating_sub(usd.0)),
            donations: before.donations.saturating_sub(1),
            ..before
        };
        Ok(Sum {
            stats,
            dates_unknown: self.dates_unknown || [before.first, before.last].contains(&Some(at)),
            changed: true,
        })
    }
}

impl CampaignSum {
    /// Whether it has reached its goal, and had not when it was loaded.
    pub(crate) fn has_reached_goal(&self) -> bool {
        self.before < self.goal && self.raised >= self.goal
    }

    fn after(&self, usd: UsdE6, direction: Direction) -> Result<CampaignSum, Overflow> {
        let raised = match direction {
            Direction::Given => self.raised.0.checked_add(usd.0),
            Direction::TakenBack => self.raised.0.checked_sub(usd.0),
        };
        Ok(CampaignSum {
            raised: UsdE6(raised.ok_or(Overflow)?),
            changed: true,
            ..*self
        })
    }
}
