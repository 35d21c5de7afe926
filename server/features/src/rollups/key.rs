//! The keys of rollups: a project, a dimension and a member of it; and a project's donations through a config in a
//! token on a day.

use std::fmt;

use alloy_primitives::hex;

use crate::charities::CharityId;
use crate::domain::config_id::ConfigId;
use crate::domain::day::{Day, Hour};
use crate::projects::ProjectId;

/// The dimension by which a project's donations are summed. Its number is in the column `facet`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Dimension {
    /// The project as a whole.
    Project = 0,
    /// By charity, whose shares are summed.
    Charity = 1,
    Token = 2,
    Config = 3,
    /// By chain.
    Chain = 4,
    /// By hour. Only days have these rows.
    Hour = 5,
}

impl Dimension {
    /// The dimension's number in the database.
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    pub(crate) fn of_number(number: i64) -> Option<Dimension> {
        use Dimension::{Chain, Charity, Config, Hour, Project, Token};
        [Project, Charity, Token, Config, Chain, Hour]
            .into_iter()
            .find(|dimension| dimension.number() == number)
    }

    /// Whether the dimension has rows of all time.
    pub(crate) fn has_totals(self) -> bool {
        self != Dimension::Hour
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RollupKey {
    pub(crate) project: ProjectId,
    pub(crate) dimension: Dimension,
    /// The key of the charity, token, config, chain or hour; empty for the project itself.
    pub(crate) member: Vec<u8>,
}

/// A row of the rollups: of all time, or of a day.
pub(crate) type RowKey = (RollupKey, Option<Day>);

impl RollupKey {
    pub(crate) fn project(project: ProjectId) -> RollupKey {
        RollupKey {
            project,
            dimension: Dimension::Project,
            member: Vec::new(),
        }
    }

    pub(crate) fn charity(project: ProjectId, charity: CharityId) -> RollupKey {
        RollupKey {
            project,
            dimension: Dimension::Charity,
            member: charity.0.as_bytes().to_vec(),
        }
    }

    pub(crate) fn token(project: ProjectId, key: [u8; 40]) -> RollupKey {
        RollupKey {
            project,
            dimension: Dimension::Token,
            member: key.to_vec(),
        }
    }

    pub(crate) fn config(project: ProjectId, config: ConfigId) -> RollupKey {
        RollupKey {
            project,
            dimension: Dimension::Config,
            member: config.0.to_vec(),
        }
    }

    /// The key of a chain, whose id is given as in the keys of its tokens.
    pub(crate) fn chain(project: ProjectId, chain: [u8; 8]) -> RollupKey {
        RollupKey {
            project,
            dimension: Dimension::Chain,
            member: chain.to_vec(),
        }
    }

    pub(crate) fn hour(project: ProjectId, hour: Hour) -> RollupKey {
        RollupKey {
            project,
            dimension: Dimension::Hour,
            member: hour.number().to_be_bytes().to_vec(),
        }
    }
}

impl fmt::Display for RollupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.dimension {
            Dimension::Project => return write!(f, "project {}", self.project.0),
            Dimension::Charity => "charity",
            Dimension::Token => "token",
            Dimension::Config => "config",
            Dimension::Chain => "chain",
            Dimension::Hour => "hour",
        };
        let member = hex::encode(&self.member);
        write!(f, "{what} {member} of project {}", self.project.0)
    }
}

/// The key of the donations of a project through one config in one token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PairKey {
    pub(crate) project: ProjectId,
    pub(crate) config: ConfigId,
    pub(crate) token: [u8; 40],
}

/// The key of the donations of a pair on one day.
pub(crate) type CellKey = (PairKey, Day);

impl fmt::Display for PairKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PairKey {
            project,
            config,
            token,
        } = self;
        let token = hex::encode(token);
        write!(
            f,
            "config {config} and token {token} of project {}",
            project.0
        )
    }
}
