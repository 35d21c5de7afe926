//! Claims of partner contracts, and their states.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::ClaimRejection;
use crate::chains::{ChainAddress, ChainKind};
use crate::domain::claim_state::ClaimState;
use crate::projects::{Actor, Project, ProjectId};
use edge::clock::{after, is_before};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClaimId(pub Uuid);

db::uuid_column!(ClaimId);

/// The nonce of a message to be signed: a random number, so that no signature proves a claim twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimNonce(pub Uuid);

db::uuid_column!(ClaimNonce);

/// A project's claim that a contract is its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    pub id: ClaimId,
    pub project: ProjectId,
    pub contract: ChainAddress,
    /// The kind of the contract's chain, which decides how it is proven.
    pub kind: ChainKind,
    pub state: ClaimState,
    /// The nonce of the next message to be signed.
    pub nonce: ClaimNonce,
    pub nonce_expires_at: Timestamp,
    pub proof: Option<Proof>,
    /// The note of the project to the operators.
    pub note: String,
    /// The reason that the operator who declined it gives to the project.
    pub reason: Option<String>,
    pub created_at: Timestamp,
    /// When it was proven, accepted or declined, if it was.
    pub decided_at: Option<Timestamp>,
}

db::named! {
    /// The proof of a claim.
    pub enum Proof {
        /// By the account that deployed the contract with CREATE.
        Deployer = "deployer",
        /// By the owner of the contract (ERC-173), as a node reports it.
        Owner = "owner",
        /// By the key of the program itself.
        ProgramKey = "program-key",
        /// By the key that may upgrade the program, as a node reports it.
        UpgradeAuthority = "upgrade-authority",
    }
}

/// A claim of a project, and the actor that asks to change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimOfProject {
    pub actor: Actor,
    pub project: ProjectId,
    pub claim: ClaimId,
}

/// A claim to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewClaim {
    pub id: ClaimId,
    pub project: ProjectId,
    pub contract: ChainAddress,
    /// The nonce of its first message.
    pub nonce: ClaimNonce,
    pub created_at: Timestamp,
}

/// A claim that an operator has to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingClaim {
    pub claim: Claim,
    /// The project that claims the contract.
    pub project: Project,
    /// The project that the contract belongs to, if it belongs to one.
    pub owner: Option<Project>,
}

impl ClaimNonce {
    /// How long a nonce is valid.
    pub const LIFE: Duration = Duration::from_secs(3600);

    /// A nonce that cannot be guessed.
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }

    /// When a nonce that is made now expires.
    pub fn expiry(now: Timestamp) -> Timestamp {
        after(now, Self::LIFE)
    }
}

impl Claim {
    /// The most claims of a project that are open or waiting.
    pub const MAX_UNDECIDED: u32 = 20;

    /// Checks that a message with this nonce can prove it now.
    pub(crate) fn check_nonce(
        &self,
        nonce: ClaimNonce,
        now: Timestamp,
    ) -> Result<(), ClaimRejection> {
        self.check_undecided()?;
        if nonce != self.nonce {
            return Err(ClaimRejection::UsedNonce);
        }
        match is_before(self.nonce_expires_at, ClaimNonce::LIFE, now) {
            true => Ok(()),
            false => Err(ClaimRejection::Expired),
        }
    }

    /// Its state once it is proven, if the contract belongs to `owner`: a contract of another project is not
    /// taken over, but waits for an operator.
    pub(crate) fn once_proven(
        &self,
        owner: Option<ProjectId>,
    ) -> Result<ClaimState, ClaimRejection> {
        self.check_undecided()?;
        Ok(match owner {
            Some(owner) if owner != self.project => ClaimState::Waiting,
            _ => ClaimState::Proven,
        })
    }

    /// Rejects a claim that is decided.
    pub(crate) fn check_undecided(&self) -> Result<(), ClaimRejection> {
        let is_undecided = matches!(self.state, ClaimState::Open | ClaimState::Waiting);
        is_undecided.then_some(()).ok_or(ClaimRejection::Decided)
    }
}
