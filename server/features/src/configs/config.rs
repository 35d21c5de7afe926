//! Configs: the division of donations among charities.

use jiff::Timestamp;

use super::ConfigLabels;
use crate::chains::ChainAddress;
use crate::charities::CharityId;
use crate::domain::amount::Weight;
use crate::domain::config_id::ConfigId;
use crate::domain::position::{Placed, Position};
use crate::projects::ProjectId;

/// A division of donations among charities. It never changes once made, but its labels do, and it can be
/// deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    pub id: ConfigId,
    pub project: ProjectId,
    /// The charities and their weights; from one to [`Config::MAX_BENEFICIARIES`], no charity twice.
    pub beneficiaries: Vec<Beneficiary>,
    /// Its project's name for it, and texts of the project's own.
    pub labels: ConfigLabels,
    /// The known accounts that donate through it.
    pub users: Vec<ChainAddress>,
    pub created_at: Timestamp,
    /// When its project deleted it, if it did. Donations through it are kept.
    pub deleted_at: Option<Timestamp>,
}

impl Config {
    /// The maximum number of charities of a config.
    pub const MAX_BENEFICIARIES: usize = 5;

    /// Whether the project sees it: it is its own, and not deleted.
    pub fn is_shown_to(&self, project: ProjectId) -> bool {
        self.project == project && self.deleted_at.is_none()
    }

    /// The beneficiaries' weights, in order.
    pub fn weights(&self) -> Vec<Weight> {
        self.beneficiaries
            .iter()
            .map(|beneficiary| beneficiary.weight)
            .collect()
    }
}

/// By time, then by id.
impl Placed for Config {
    fn position(&self) -> Position {
        Position {
            ordinal: self.created_at.as_millisecond(),
            key: self.id.0.to_vec(),
        }
    }
}

/// A charity's part of a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beneficiary {
    pub charity: CharityId,
    /// Its share, relative to the others.
    pub weight: Weight,
}
