//! The roll-ups as the log of donations says they should be, and where they differ from that.

use std::collections::{BTreeMap, BTreeSet};

use super::posting::Posting;
use super::tally::{Cell, Facet};
use crate::domain::amount::UsdE6;
use crate::domain::campaign::CampaignId;
use crate::domain::day::Day;
use crate::domain::project::ProjectId;
use crate::domain::stats::DonationStats;

/// A roll-up that differs from what the donations add up to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// Which roll-up it is.
    pub rollup: String,
    /// What it says.
    pub recorded: DonationStats,
    /// What the donations say.
    pub expected: DonationStats,
}

impl Drift {
    /// The drift of a roll-up, if it drifts.
    fn of(rollup: String, recorded: DonationStats, expected: DonationStats) -> Option<Drift> {
        (recorded != expected).then_some(Drift {
            rollup,
            recorded,
            expected,
        })
    }
}

/// Project, facet, member, and the day where it is not all time.
pub(super) type Key = (ProjectId, i64, Vec<u8>, Option<Day>);

/// What every cell holds, in all and by day.
#[derive(Debug, Default)]
pub(super) struct Sums(BTreeMap<Key, DonationStats>);

impl FromIterator<(Key, DonationStats)> for Sums {
    fn from_iter<I: IntoIterator<Item = (Key, DonationStats)>>(sums: I) -> Self {
        Sums(sums.into_iter().collect())
    }
}

impl Sums {
    /// Counts a standing donation for its config's project and for its token's owner.
    pub(super) fn count(
        &mut self,
        posting: &Posting,
        project: ProjectId,
        owner: Option<ProjectId>,
    ) {
        let at = posting.at;
        for (cell, usd) in posting.all_cells(project, owner) {
            for day in [None, Some(Day::of(at))] {
                let key = (cell.project, cell.facet.number(), cell.member.clone(), day);
                let sum = self.0.entry(key).or_default();
                sum.usd.0 = sum.usd.0.saturating_add(usd.0);
                sum.donations += 1;
                sum.first = Some(sum.first.map_or(at, |first| first.min(at)));
                sum.last = Some(sum.last.map_or(at, |last| last.max(at)));
            }
        }
    }

    /// Where `recorded` differs from these.
    pub(super) fn drifts(&self, recorded: &Sums) -> Vec<Drift> {
        let keys: BTreeSet<_> = recorded.0.keys().chain(self.0.keys()).collect();
        let drift =
            |key: &Key| Drift::of(format!("tally {key:?}"), recorded.get(key), self.get(key));
        keys.into_iter().filter_map(drift).collect()
    }

    /// Where the columns that a partner token is ranked by differ from these.
    pub(super) fn partner_drift(
        &self,
        token: [u8; 40],
        owner: Option<ProjectId>,
        recorded: DonationStats,
    ) -> Option<Drift> {
        let key = |owner| {
            let Cell { member, .. } = Cell::token(owner, token);
            (owner, Facet::Token.number(), member, None)
        };
        let expected = owner.map(|owner| self.get(&key(owner))).unwrap_or_default();
        Drift::of(format!("partner token {token:?}"), recorded, expected)
    }

    fn get(&self, key: &Key) -> DonationStats {
        self.0.get(key).copied().unwrap_or_default()
    }
}

/// Where what a campaign raised differs from its parts.
pub(super) fn campaign_drift(
    campaign: CampaignId,
    recorded: UsdE6,
    parts: &[UsdE6],
) -> Option<Drift> {
    let raised = |usd| DonationStats {
        usd,
        ..DonationStats::default()
    };
    let expected = UsdE6(parts.iter().fold(0, |sum, part| part.0.saturating_add(sum)));
    let rollup = format!("campaign {}", campaign.0);
    Drift::of(rollup, raised(recorded), raised(expected))
}
