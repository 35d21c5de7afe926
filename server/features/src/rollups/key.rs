//! The key of a rollup: a project, a dimension and a member of it.

use std::fmt;

use alloy_primitives::hex;

use crate::charities::CharityId;
use crate::domain::config_id::ConfigId;
use crate::domain::day::Day;
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
}

impl Dimension {
    /// The dimension's number in the database.
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    pub(crate) fn of_number(number: i64) -> Option<Dimension> {
        use Dimension::{Charity, Config, Project, Token};
        [Project, Charity, Token, Config]
            .into_iter()
            .find(|dimension| dimension.number() == number)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RollupKey {
    pub(crate) project: ProjectId,
    pub(crate) dimension: Dimension,
    /// The key of the charity, token or config; empty for the project itself.
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
}

impl fmt::Display for RollupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.dimension {
            Dimension::Project => return write!(f, "project {}", self.project.0),
            Dimension::Charity => "charity",
            Dimension::Token => "token",
            Dimension::Config => "config",
        };
        let member = hex::encode(&self.member);
        write!(f, "{what} {member} of project {}", self.project.0)
    }
}
