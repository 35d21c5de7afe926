//! The sums of donations to charities, over all projects.
//!
//! Projects share charities, and their donations are recorded in parallel. So a batch does not lock totals while it
//! is counted: it is written as a change of each total, which is added to the one in the database.

pub(crate) mod sql;

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::batch::{Direction, Overflow};
use crate::campaigns::CampaignBeneficiary;
use crate::charities::CharityId;
use crate::domain::amount::UsdE6;

/// How a batch of donations changes the total of a charity.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TotalChange {
    /// The sum of donations to the charity with the batch, as far as it is known: a batch that does not fit is
    /// refused.
    total: UsdE6,
    /// The sum that the batch adds; negative if more is taken back than given.
    pub(crate) usd: UsdE6,
    /// The number of donations that it adds, likewise.
    pub(crate) donations: i64,
    /// When the earliest of those that it gives was made.
    pub(crate) first: Option<Timestamp>,
    /// When the latest of them was made.
    pub(crate) last: Option<Timestamp>,
    /// Whether it takes donations back, so that the dates have to be looked up in the log.
    pub(crate) takes_back: bool,
}

impl TotalChange {
    /// No change of the sum of a charity.
    pub(crate) fn of(total: UsdE6) -> TotalChange {
        TotalChange {
            total,
            ..TotalChange::default()
        }
    }

    /// Whether the batch has a donation to the charity.
    pub(crate) fn is_any(&self) -> bool {
        self.takes_back || self.first.is_some()
    }

    /// The change with one more donation.
    pub(crate) fn after(
        self,
        usd: UsdE6,
        at: Timestamp,
        direction: Direction,
    ) -> Result<TotalChange, Overflow> {
        let sum = |sum: UsdE6, usd: i64| sum.0.checked_add(usd).map(UsdE6).ok_or(Overflow);
        if direction == Direction::TakenBack {
            return Ok(TotalChange {
                total: sum(self.total, -usd.0)?,
                usd: sum(self.usd, -usd.0)?,
                donations: self.donations - 1,
                takes_back: true,
                ..self
            });
        }
        Ok(TotalChange {
            total: sum(self.total, usd.0)?,
            usd: sum(self.usd, usd.0)?,
            donations: self.donations + 1,
            first: Some(self.first.map_or(at, |first| first.min(at))),
            last: Some(self.last.map_or(at, |last| last.max(at))),
            ..self
        })
    }
}

/// The charities among these beneficiaries, in order.
fn charities(beneficiaries: &BTreeSet<CampaignBeneficiary>) -> Vec<CharityId> {
    let charities = beneficiaries.iter().filter_map(|it| match it {
        CampaignBeneficiary::Charity(charity) => Some(*charity),
        CampaignBeneficiary::Config(_) => None,
    });
    charities.collect()
}
