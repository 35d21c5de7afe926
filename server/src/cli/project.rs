//! `project`: customers and what they pay for.

use clap::{Subcommand, ValueEnum};
use uuid::Uuid;

use crate::domain::project::Tier;

/// What can be done with projects.
#[derive(Debug, Subcommand)]
pub enum ProjectCommand {
    /// Create a project and print its id
    Create {
        /// Its name, for people
        name: String,
        /// What it pays for
        #[arg(long)]
        tier: TierName,
    },
    /// List all projects
    List,
    /// Change what a project pays for; its limit changes with the next request
    SetTier {
        /// The project's id
        project: Uuid,
        /// What it pays for from now on
        tier: TierName,
    },
}

/// A tier by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TierName {
    /// 50 requests in any 60 s
    Free,
    /// 200 requests in any 60 s
    Pro,
    /// 1000 requests in any 60 s
    Enterprise,
}

impl From<TierName> for Tier {
    fn from(name: TierName) -> Self {
        match name {
            TierName::Free => Self::Free,
            TierName::Pro => Self::Pro,
            TierName::Enterprise => Self::Enterprise,
        }
    }
}
