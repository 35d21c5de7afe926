//! `claim`: claims of partner contracts that wait for an operator.

use std::process::ExitCode;

use clap::Subcommand;
use jiff::Timestamp;
use uuid::Uuid;

use super::{CliError, say};
use db::Db;
use features::claims::{ClaimId, Proof, WaitingClaim, decision};
use features::domain::printable::printable;
use features::projects::{Actor, Project};

/// The subcommands of `claim`.
#[derive(Debug, Subcommand)]
pub enum ClaimCommand {
    /// List undecided claims, oldest first: id, contract, project, proof, and the contract's current project
    List,
    /// Assign the contract of a claim to the claiming project
    Accept {
        /// The claim's id
        claim: Uuid,
    },
    /// Decline a claim
    Decline {
        /// The claim's id
        claim: Uuid,
        /// The reason, shown to the project
        #[arg(long)]
        reason: String,
    },
}

impl ClaimCommand {
    pub(super) async fn run(self, store: &Db, now: Timestamp) -> Result<ExitCode, CliError> {
        let (db, actor) = (store, Actor::Operator);
        match self {
            Self::List => {
                for waiting in decision::waiting(db, actor).await? {
                    say(described(&waiting))?;
                }
            }
            Self::Accept { claim } => {
                decision::accept(db, actor, ClaimId(claim), now).await?;
            }
            Self::Decline { claim, reason } => {
                decision::decline(db, actor, ClaimId(claim), &reason, now).await?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A claim for people to read.
fn described(waiting: &WaitingClaim) -> String {
    let WaitingClaim {
        claim,
        project,
        owner,
    } = waiting;
    let proof = match claim.proof {
        None => "not proven",
        Some(Proof::Deployer) => "proven by its deployer",
        Some(Proof::Owner) => "proven by its owner",
        Some(Proof::UpgradeAuthority) => "proven by its upgrade authority",
        Some(Proof::ProgramKey) => "proven by its key",
    };
    let rival = owner.as_ref().map_or_else(
        || "unassigned".to_owned(),
        |owner| format!("belongs to {}", named(owner)),
    );
    let mut text = format!(
        "{}  {}\n  claimed by {}; {proof}; {rival}",
        claim.id.0,
        claim.contract,
        named(project),
    );
    for line in claim.note.lines() {
        text.push_str("\n  > ");
        text.push_str(&printable(line));
    }
    text
}

fn named(project: &Project) -> String {
    format!("{} ({})", project.id.0, printable(&project.name))
}
