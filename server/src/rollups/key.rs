//! The roll-ups' cells: what a project's standing donations add up to, in all and by day.

use crate::charities::CharityId;
use crate::configs::ConfigId;
use crate::projects::ProjectId;

/// What a cell is about. The numbers are the column's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Facet {
    /// The whole project.
    Project = 0,
    /// A charity's shares.
    Charity = 1,
    /// A token.
    Token = 2,
    /// A config.
    Config = 3,
}

impl Facet {
    /// The facet's number in the database.
    pub(crate) fn number(self) -> i64 {
        self as i64
    }

    /// The facet with this number.
    pub(crate) fn of_number(number: i64) -> Option<Facet> {
        use Facet::{Charity, Config, Project, Token};
        [Project, Charity, Token, Config]
            .into_iter()
            .find(|facet| facet.number() == number)
    }
}

/// One sum that a project's statistics hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) project: ProjectId,
    pub(crate) facet: Facet,
    /// The charity's, token's or config's key; empty for the project itself.
    pub(crate) member: Vec<u8>,
}

impl Cell {
    pub(crate) fn project(project: ProjectId) -> Cell {
        Cell {
            project,
            facet: Facet::Project,
            member: Vec::new(),
        }
    }

    pub(crate) fn charity(project: ProjectId, charity: CharityId) -> Cell {
        Cell {
            project,
            facet: Facet::Charity,
            member: charity.0.as_bytes().to_vec(),
        }
    }

    pub(crate) fn token(project: ProjectId, key: [u8; 40]) -> Cell {
        Cell {
            project,
            facet: Facet::Token,
            member: key.to_vec(),
        }
    }

    pub(crate) fn config(project: ProjectId, config: &ConfigId) -> Cell {
        Cell {
            project,
            facet: Facet::Config,
            member: config.0.to_vec(),
        }
    }
}
