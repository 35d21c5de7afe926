//! The sums that a batch of donations changes, worked on in memory.
//!
//! A database loads what a batch may touch, posts the donations here one after the other, and writes
//! what has changed: a few statements for a batch, however many sums each donation counts in.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::key::Cell;
use crate::campaigns::{CampaignBeneficiary, CampaignId};
use crate::domain::amount::UsdE6;
use crate::domain::day::Day;
use crate::donations::DonationStats;
use crate::donations::effect::Posting;

/// A cell, in all or on a day.
pub(crate) type Place = (Cell, Option<Day>);

/// A sum does not fit 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Overflow;

/// The sums in question. Those that are not loaded are zero.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    sums: BTreeMap<Place, Sum>,
    funds: Vec<Fund>,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    pub(crate) stats: DonationStats,
    /// Whether the first or the last of its donations was taken back, so that the dates have to be
    /// looked up in the log.
    pub(crate) undated: bool,
    changed: bool,
}

/// What a campaign has raised.
#[derive(Debug, Clone)]
pub(crate) struct Fund {
    pub(crate) campaign: CampaignId,
    pub(crate) beneficiary: CampaignBeneficiary,
    pub(crate) starts_at: Timestamp,
    pub(crate) ends_at: Option<Timestamp>,
    pub(crate) raised: UsdE6,
    pub(crate) changed: bool,
}

/// Whether a donation is given or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Given,
    TakenBack,
}

impl Ledger {
    /// The ledger that holds these sums, and no campaigns.
    pub(crate) fn new(sums: impl IntoIterator<Item = (Place, DonationStats)>) -> Ledger {
        let loaded = |(place, stats)| {
            let sum = Sum {
                stats,
                ..Sum::default()
            };
            (place, sum)
        };
        Ledger {
            sums: sums.into_iter().map(loaded).collect(),
            funds: Vec::new(),
        }
    }

    /// The same, which counts for these campaigns too.
    pub(crate) fn with_funds(self, funds: Vec<Fund>) -> Ledger {
        Ledger { funds, ..self }
    }

    /// Counts a donation in `cells`, each with its part, and for the campaigns that it counts for.
    /// All of it or, where a sum does not fit, nothing.
    pub(crate) fn post(
        &mut self,
        posting: &Posting,
        cells: &[(Cell, UsdE6)],
        direction: Direction,
    ) -> Result<(), Overflow> {
        let mut sums = Vec::with_capacity(cells.len() * 2);
        for (cell, usd) in cells {
            for day in [None, Some(Day::of(posting.at))] {
                let place = (cell.clone(), day);
                let before = self.sums.get(&place).copied().unwrap_or_default();
                sums.push((place, before.after(*usd, posting.at, direction)?));
            }
        }
        let funds: Vec<_> = self
            .funds
            .iter()
            .map(|fund| fund.after(posting, direction))
            .collect();
        let funds = funds.into_iter().collect::<Result<_, _>>()?;
        self.funds = funds;
        self.sums.extend(sums);
        Ok(())
    }

    /// The places whose sums have changed, in order.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (&Place, &Sum)> {
        self.sums.iter().filter(|(_, sum)| sum.changed)
    }

    /// The campaigns that have raised more, or less.
    pub(crate) fn raised(&self) -> impl Iterator<Item = &Fund> {
        self.funds.iter().filter(|fund| fund.changed)
    }
}

impl Sum {
    fn after(self, usd: UsdE6, at: Timestamp, direction: Direction) -> Result<Sum, Overflow> {
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
            undated: self.undated || [before.first, before.last].contains(&Some(at)),
            changed: true,
        })
    }
}

impl Fund {
    fn after(&self, posting: &Posting, direction: Direction) -> Result<Fund, Overflow> {
        let runs = self.starts_at <= posting.at && self.ends_at.is_none_or(|end| posting.at < end);
        let Some(part) = self.part_of(posting).filter(|_| runs) else {
            return Ok(self.clone());
        };
        let raised = match direction {
            Direction::Given => self.raised.0.checked_add(part.0),
            Direction::TakenBack => self.raised.0.checked_sub(part.0),
        };
        Ok(Fund {
            raised: UsdE6(raised.ok_or(Overflow)?),
            changed: true,
            ..self.clone()
        })
    }

    /// The part of a donation that its beneficiary receives, if it receives any.
    fn part_of(&self, posting: &Posting) -> Option<UsdE6> {
        match self.beneficiary {
            CampaignBeneficiary::Config(config) => {
                (config == posting.config).then_some(posting.usd)
            }
            CampaignBeneficiary::Charity(charity) => {
                let shares = posting.shares.iter();
                let mut share = shares.filter(|(receiver, _)| *receiver == charity);
                share.next().map(|(_, share)| *share)
            }
        }
    }
}
