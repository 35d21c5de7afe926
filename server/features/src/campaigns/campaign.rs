//! Campaigns: fundraising for a charity or a config, with a goal and a time.

use jiff::Timestamp;
use uuid::Uuid;

use crate::charities::CharityId;
use crate::configs::Config;
use crate::domain::amount::UsdE6;
use crate::domain::config_id::ConfigId;
use crate::domain::position::{Placed, Position};
use crate::domain::share;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CampaignId(pub Uuid);

db::uuid_column!(CampaignId);

/// A campaign as the catalogue lists it.
///
/// It raises the donations to its beneficiary from `starts_at` until just before `ends_at`: the whole
/// of each donation if a config benefits, the charity's share if a charity does. So a donation may
/// count for several campaigns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// Its identity, which never changes.
    pub id: CampaignId,
    pub title: String,
    pub description: String,
    /// The charity or config that it raises donations for.
    pub beneficiary: CampaignBeneficiary,
    /// The amount that it aims to raise.
    pub goal: UsdE6,
    pub starts_at: Timestamp,
    /// When it ends, if it does; after `starts_at`.
    pub ends_at: Option<Timestamp>,
}

/// A campaign and the amount that it has raised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CampaignProgress {
    pub campaign: Campaign,
    /// The amount raised so far; see [`Campaign`].
    pub raised: UsdE6,
}

/// The charity or config that a campaign raises donations for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CampaignBeneficiary {
    Charity(CharityId),
    /// The charities of one config.
    Config(ConfigId),
}

/// The status of a campaign at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CampaignStatus {
    Upcoming,
    Active,
    Ended,
}

/// When a campaign runs: from its start until just before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// The first instant.
    pub starts_at: Timestamp,
    /// The first instant after it, if it ends.
    pub ends_at: Option<Timestamp>,
}

impl Period {
    pub fn status(self, now: Timestamp) -> CampaignStatus {
        if now < self.starts_at {
            CampaignStatus::Upcoming
        } else if self.ends_at.is_none_or(|end| now < end) {
            CampaignStatus::Active
        } else {
            CampaignStatus::Ended
        }
    }

    /// Whether a donation at `at` counts for a campaign of this period.
    pub fn includes(self, at: Timestamp) -> bool {
        self.status(at) == CampaignStatus::Active
    }
}

impl CampaignBeneficiary {
    pub fn config(self) -> Option<ConfigId> {
        match self {
            CampaignBeneficiary::Config(config) => Some(config),
            CampaignBeneficiary::Charity(_) => None,
        }
    }

    /// The part of a donation that it receives, which `config` divides.
    pub fn part_of(self, config: &Config, usd: UsdE6) -> UsdE6 {
        let charity = match self {
            CampaignBeneficiary::Config(_) => return usd,
            CampaignBeneficiary::Charity(charity) => charity,
        };
        let shares = share::split(usd, &config.weights());
        let mut shares = config.beneficiaries.iter().zip(shares);
        let share = shares.find(|(beneficiary, _)| beneficiary.charity == charity);
        share.map_or(UsdE6(0), |(_, share)| share)
    }
}

impl Campaign {
    pub fn period(&self) -> Period {
        Period {
            starts_at: self.starts_at,
            ends_at: self.ends_at,
        }
    }

    pub fn status(&self, now: Timestamp) -> CampaignStatus {
        self.period().status(now)
    }
}

/// By its start, then by id.
impl Placed for Campaign {
    fn position(&self) -> Position {
        Position {
            ordinal: self.starts_at.as_millisecond(),
            key: self.id.0.as_bytes().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn runs_from_its_start_until_just_before_its_end() {
        let mut campaign = Campaign {
            id: CampaignId(Uuid::nil()),
            title: "Wells".to_owned(),
            description: "Wells for three villages.".to_owned(),
            beneficiary: CampaignBeneficiary::Config(ConfigId([0; 32])),
            goal: UsdE6(1),
            starts_at: at(10),
            ends_at: Some(at(20)),
        };
        let statuses: Vec<_> = [9, 10, 19, 20]
            .map(|second| campaign.status(at(second)))
            .into();
        use CampaignStatus::{Active, Ended, Upcoming};
        assert_eq!(statuses, [Upcoming, Active, Active, Ended]);
        campaign.ends_at = None;
        assert_eq!(campaign.status(Timestamp::MAX), Active);
    }
}
