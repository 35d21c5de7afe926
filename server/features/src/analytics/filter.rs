//! The donations that statistics are about: the project, the days and the filter.

use crate::chains::ChainId;
use crate::charities::CharityId;
use crate::domain::config_id::ConfigId;
use crate::domain::day::DayRange;
use crate::projects::ProjectId;

/// The donations of a project that statistics are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatsScope {
    pub project: ProjectId,
    /// The days; `None` for all time.
    pub range: Option<DayRange>,
    pub filter: StatsFilter,
}

impl StatsScope {
    /// All donations of a project.
    pub fn all(project: ProjectId) -> StatsScope {
        StatsScope {
            project,
            range: None,
            filter: StatsFilter::default(),
        }
    }
}

/// The filter of a project's statistics; all fields that are set must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StatsFilter {
    /// The config that a donation goes through.
    pub config: Option<ConfigId>,
    /// The charity whose part of each donation counts alone.
    pub charity: Option<CharityId>,
    /// The chain that a donation is made on.
    pub chain: Option<ChainId>,
    /// The key of the token's address, whatever its chain.
    pub token: Option<[u8; 32]>,
}

impl StatsFilter {
    /// Whether all donations match.
    pub fn is_empty(&self) -> bool {
        *self == StatsFilter::default()
    }

    /// Whether a dimension of the rollups has the sums of the matching donations: there is at most one filter, or a
    /// token and its chain.
    pub fn is_rolled_up(&self) -> bool {
        let in_tokens = self.token.is_some() || self.chain.is_some();
        let dimensions = [self.config.is_some(), self.charity.is_some(), in_tokens];
        dimensions.into_iter().filter(|is_set| *is_set).count() <= 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rollups_have_the_sums_of_one_filter() {
        let none = StatsFilter::default();
        let config = StatsFilter {
            config: Some(ConfigId([1; 32])),
            ..none
        };
        let chain = StatsFilter {
            chain: ChainId::new(1),
            ..none
        };
        let token = StatsFilter {
            token: Some([1; 32]),
            ..none
        };
        let token_on_chain = StatsFilter {
            chain: ChainId::new(1),
            ..token
        };
        for filter in [none, config, chain, token, token_on_chain] {
            assert!(filter.is_rolled_up(), "{filter:?}");
        }
        let both = StatsFilter {
            chain: ChainId::new(1),
            ..config
        };
        assert!(!both.is_rolled_up());
    }
}
