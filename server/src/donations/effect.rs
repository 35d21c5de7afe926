//! Where a donation counts: for which projects and in which cells.

use jiff::Timestamp;

use super::share;
use crate::charities::CharityId;
use crate::configs::{Config, ConfigId};
use crate::domain::amount::UsdE6;
use crate::projects::ProjectId;
use crate::rollups::key::Cell;

/// A donation with its division, ready to be counted.
pub(crate) struct Posting {
    pub(crate) config: ConfigId,
    pub(crate) token: [u8; 40],
    pub(crate) usd: UsdE6,
    pub(crate) at: Timestamp,
    pub(crate) shares: Vec<(CharityId, UsdE6)>,
}

impl Posting {
    /// The posting of a donation that `config` divides. Its sums have no sign.
    pub(crate) fn new(config: &Config, token: [u8; 40], usd: UsdE6, at: Timestamp) -> Posting {
        let charities = config
            .beneficiaries
            .iter()
            .map(|beneficiary| beneficiary.charity);
        let shares = charities
            .zip(share::split(usd, &config.weights()))
            .collect();
        Posting {
            config: config.id,
            token,
            usd,
            at,
            shares,
        }
    }

    /// The cells of a project that it counts in, each with its part.
    pub(crate) fn cells(&self, project: ProjectId) -> Vec<(Cell, UsdE6)> {
        let mut cells = vec![
            (Cell::project(project), self.usd),
            (Cell::token(project, self.token), self.usd),
            (Cell::config(project, &self.config), self.usd),
        ];
        let of_charity = |(charity, share): &(_, _)| (Cell::charity(project, *charity), *share);
        cells.extend(self.shares.iter().map(of_charity));
        cells
    }

    /// The cells that it counts in, each with its part: those of its config's project and those of
    /// its token's owner. It counts once where these are the same.
    pub(crate) fn all_cells(
        &self,
        project: ProjectId,
        owner: Option<ProjectId>,
    ) -> Vec<(Cell, UsdE6)> {
        let other = owner.filter(|owner| *owner != project);
        let projects = [Some(project), other].into_iter().flatten();
        projects.flat_map(|project| self.cells(project)).collect()
    }
}
