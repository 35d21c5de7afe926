//! The database operations of claims.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{
    Claim, ClaimId, ClaimNonce, ClaimOfProject, ClaimState, Decision, NewClaim, Proof, WaitingClaim,
};
use crate::contracts::PartnerContract;
use crate::database::StoreError;
use crate::projects::{Actor, ProjectAccess, ProjectId};

/// The reason why a database does not make or change a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimRefusal {
    /// The actor manages no such project, or the project has no such claim.
    #[error("there is no such claim")]
    Unknown,
    /// The account is a member of the project, and only owners may do this.
    #[error("only an owner of the project does this")]
    NotOwner,
    /// Only operators decide.
    #[error("only an operator does this")]
    Forbidden,
    /// The contract is the project's.
    #[error("the contract is the project's already")]
    Own,
    /// The project has many claims that are undecided.
    #[error(
        "a project has at most {} claims that are undecided",
        Claim::MAX_UNDECIDED
    )]
    TooMany,
    /// The claim is decided.
    #[error("the claim is decided already")]
    Decided,
    /// The claim does not wait for an operator.
    #[error("the claim does not wait for a decision")]
    NotWaiting,
    /// The nonce is not that of the newest message.
    #[error("the message was used already")]
    UsedNonce,
    /// The message has expired.
    #[error("the message has expired")]
    Expired,
    /// The contract belongs to another project and has tokens, whose donations count for that project.
    #[error("the contract belongs to another project and has partner tokens, which stay with it")]
    HasTokens,
    /// The contract has tokens, whose donations count for the project.
    #[error("the contract has partner tokens, whose donations count for the project")]
    OwnTokens,
}

impl ClaimRefusal {
    /// Refuses an actor that does not own the project, which is `found` if it exists.
    pub(crate) fn unless_owned(actor: Actor, found: Option<ProjectAccess>) -> Result<(), Self> {
        match found {
            Some(found) if actor.owns(found.standing) => Ok(()),
            Some(found) if actor.sees(found.standing) => Err(Self::NotOwner),
            _ => Err(Self::Unknown),
        }
    }
}

/// The database operations of claims. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ClaimStore {
    /// The contracts of a project, by chain and address; `None` if the actor manages no such project.
    async fn contracts_of(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<PartnerContract>>, StoreError>;

    /// The claims of a project, the latest first, at most 100; `None` if the actor manages no such project.
    async fn claims_of(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<Vec<Claim>>, StoreError>;

    /// A claim; `None` if the actor manages no project that has it.
    async fn claim(&self, of: ClaimOfProject) -> Result<Option<Claim>, StoreError>;

    /// The claims that wait for an operator, the oldest first, at most 100.
    async fn waiting_claims(
        &self,
        actor: Actor,
    ) -> Result<Result<Vec<WaitingClaim>, ClaimRefusal>, StoreError>;

    /// Makes a claim and returns its id, or the id of the project's undecided claim of the contract.
    async fn begin_claim(
        &self,
        actor: Actor,
        claim: NewClaim,
    ) -> Result<Result<ClaimId, ClaimRefusal>, StoreError>;

    /// Uses up the nonce of a claim, even an expired one: replaces it by `fresh`, and returns the claim as it
    /// was.
    async fn burn_claim_nonce(
        &self,
        of: ClaimOfProject,
        nonce: ClaimNonce,
        fresh: ClaimNonce,
        now: Timestamp,
    ) -> Result<Result<Claim, ClaimRefusal>, StoreError>;

    /// Marks a claim as proven: the contract becomes the project's, or, if it is another's, the claim waits for
    /// an operator. Returns the state.
    async fn prove_claim(
        &self,
        of: ClaimOfProject,
        proof: Proof,
        now: Timestamp,
    ) -> Result<Result<ClaimState, ClaimRefusal>, StoreError>;

    /// Sends a claim to the operators, with a note.
    async fn queue_claim(
        &self,
        of: ClaimOfProject,
        note: String,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError>;

    /// Deletes a claim that is undecided, as an owner asks.
    async fn withdraw_claim(
        &self,
        of: ClaimOfProject,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError>;

    /// Makes a contract without tokens nobody's, as an owner of its project asks.
    async fn release_contract(
        &self,
        actor: Actor,
        contract: PartnerContract,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError>;

    /// Decides a claim that waits. An accepted one makes the contract the project's.
    async fn decide_claim(
        &self,
        actor: Actor,
        claim: ClaimId,
        decision: Decision,
        now: Timestamp,
    ) -> Result<Result<(), ClaimRefusal>, StoreError>;
}
