//! The roll-ups' cells: what a project's standing donations add up to, in all and by day.

use crate::domain::charity::CharityId;
use crate::domain::config::ConfigId;
use crate::domain::project::ProjectId;

/// What a cell is about. The numbers are the column's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Facet {
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
    pub(super) fn number(self) -> i64 {
        self as i64
    }

    /// The facet with this number.
    pub(super) fn of_number(number: i64) -> Option<Facet> {
        use Facet::{Charity, Config, Project, Token};
        [Project, Charity, Token, Config]
            .into_iter()
            .find(|facet| facet.number() == number)
    }
}

/// One sum that a project's statistics hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) project: ProjectId,
    pub(super) facet: Facet,
    /// The charity's, token's or config's key; empty for the project itself.
    pub(super) member: Vec<u8>,
}

impl Cell {
    pub(super) fn project(project: ProjectId) -> Cell {
        Cell {
            project,
            facet: Facet::Project,
            member: Vec::new(),
        }
    }

    pub(super) fn charity(project: ProjectId, charity: CharityId) -> Cell {
        Cell {
            project,
            facet: Facet::Charity,
            member: charity.0.as_bytes().to_vec(),
        }
    }

    pub(super) fn token(project: ProjectId, key: [u8; 40]) -> Cell {
        Cell {
            project,
            facet: Facet::Token,
            member: key.to_vec(),
        }
    }

    pub(super) fn config(project: ProjectId, config: &ConfigId) -> Cell {
        Cell {
            project,
            facet: Facet::Config,
            member: config.0.to_vec(),
        }
    }
}
