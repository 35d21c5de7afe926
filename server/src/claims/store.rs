//! The database operations of claims.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::{Claim, ClaimId, ClaimNonce, ClaimOfProject, Decision, NewClaim, Proof, WaitingClaim};
use crate::claims::sql;
use crate::contracts::PartnerContract;
use crate::domain::claim_state::ClaimState;
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

/// The contracts of a project, by chain and address; `None` if the actor manages no such project.
pub async fn contracts_of(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<PartnerContract>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::contracts_of(tx, actor, project)
    })
    .await
}

/// The claims of a project, the latest first, at most 100; `None` if the actor manages no such project.
pub async fn claims_of(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<Vec<Claim>>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| {
        sql::claims_of(tx, actor, project)
    })
    .await
}

/// A claim; `None` if the actor manages no project that has it.
pub async fn claim(db: &Db, of: ClaimOfProject) -> Result<Option<Claim>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| sql::managed(tx, of))
        .await
}

/// The claims that wait for an operator, the oldest first, at most 100.
pub async fn waiting_claims(
    db: &Db,
    actor: Actor,
) -> Result<Result<Vec<WaitingClaim>, ClaimRefusal>, DbError> {
    db.snapshot(Timeouts::Request, move |tx| sql::waiting(tx, actor))
        .await
}

/// Makes a claim and returns its id, or the id of the project's undecided claim of the contract.
pub async fn begin_claim(
    db: &Db,
    actor: Actor,
    claim: NewClaim,
) -> Result<Result<ClaimId, ClaimRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::begin(tx, actor, &claim)
    })
    .await
}

/// Uses up the nonce of a claim, even an expired one: replaces it by `fresh`, and returns the claim as it
/// was.
pub async fn burn_claim_nonce(
    db: &Db,
    of: ClaimOfProject,
    nonce: ClaimNonce,
    fresh: ClaimNonce,
    now: Timestamp,
) -> Result<Result<Claim, ClaimRefusal>, DbError> {
    db.write(of.actor.writer(), Timeouts::Request, move |tx| {
        sql::burn(tx, of, nonce, fresh, now)
    })
    .await
}

/// Marks a claim as proven: the contract becomes the project's, or, if it is another's, the claim waits for
/// an operator. Returns the state.
pub async fn prove_claim(
    db: &Db,
    of: ClaimOfProject,
    proof: Proof,
    now: Timestamp,
) -> Result<Result<ClaimState, ClaimRefusal>, DbError> {
    db.write(of.actor.writer(), Timeouts::Request, move |tx| {
        sql::prove(tx, of, proof, now)
    })
    .await
}

/// Sends a claim to the operators, with a note.
pub async fn queue_claim(
    db: &Db,
    of: ClaimOfProject,
    note: String,
    now: Timestamp,
) -> Result<Result<(), ClaimRefusal>, DbError> {
    db.write(of.actor.writer(), Timeouts::Request, move |tx| {
        sql::queue(tx, of, &note, now)
    })
    .await
}

/// Deletes a claim that is undecided, as an owner asks.
pub async fn withdraw_claim(
    db: &Db,
    of: ClaimOfProject,
    now: Timestamp,
) -> Result<Result<(), ClaimRefusal>, DbError> {
    db.write(of.actor.writer(), Timeouts::Request, move |tx| {
        sql::withdraw(tx, of, now)
    })
    .await
}

/// Releases a contract without tokens, as an owner of its project asks.
pub async fn release_contract(
    db: &Db,
    actor: Actor,
    contract: PartnerContract,
    now: Timestamp,
) -> Result<Result<(), ClaimRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::release(tx, actor, &contract, now)
    })
    .await
}

/// Decides a claim that waits. An accepted one makes the contract the project's.
pub async fn decide_claim(
    db: &Db,
    actor: Actor,
    claim: ClaimId,
    decision: Decision,
    now: Timestamp,
) -> Result<Result<(), ClaimRefusal>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::decide(tx, actor, claim, &decision, now)
    })
    .await
}
