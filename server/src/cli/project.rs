//! `project`: creates customers' projects and sets their tiers.

use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use jiff::Timestamp;
use uuid::Uuid;

use super::{CliError, say};
use db::Db;
use features::domain::printable::printable;
use features::project_lifecycle;
use features::projects::{Actor, Project, ProjectId, Tier};

/// The subcommands of `project`.
#[derive(Debug, Subcommand)]
pub enum ProjectCommand {
    /// Create a project and print its id
    Create {
        /// The project's name
        name: String,
        /// The tier, which determines its rate limit
        #[arg(long)]
        tier: TierName,
    },
    /// List all projects: id, tier and name
    List,
    /// Change a project's tier; takes effect within a second
    SetTier {
        /// The project's id
        project: Uuid,
        /// The new tier
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

impl ProjectCommand {
    pub(super) async fn run(self, store: &Db, now: Timestamp) -> Result<ExitCode, CliError> {
        match self {
            Self::Create { name, tier } => {
                // The id alone is printed, for scripts.
                let (store, tier) = (store, tier.into());
                let created = project_lifecycle::create(store, Actor::Operator, name, tier, now);
                say(created.await?.0)?;
            }
            Self::List => {
                for Project { id, name, tier } in features::projects::store::projects(store).await?
                {
                    say(format_args!(
                        "{}  {:10}  {}",
                        id.0,
                        tier.as_str(),
                        printable(&name)
                    ))?;
                }
            }
            Self::SetTier { project, tier } => {
                let (project, tier) = (ProjectId(project), tier.into());
                project_lifecycle::set_tier(store, Actor::Operator, project, tier, now).await?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
