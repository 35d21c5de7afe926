//! The database operations of claims.

use db::{Db, DbError, Timeouts};
use jiff::Timestamp;

use super::sql::{self, BurnedNonce};
use super::{
    Claim, ClaimError, ClaimId, ClaimNonce, ClaimOfProject, ClaimRejection, NewClaim, Proof,
};
use crate::contracts::PartnerContract;
use crate::domain::claim_state::ClaimState;
use crate::projects::{Actor, ProjectId};

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

/// Makes a claim and returns its id, or the id of the project's undecided claim of the contract.
pub async fn begin_claim(db: &Db, actor: Actor, claim: NewClaim) -> Result<ClaimId, ClaimError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::begin(tx, actor, &claim)
    })
    .await
}

/// Uses up the nonce of a claim, even an expired one: replaces it by `fresh`, and returns the claim as it
/// was.
///
/// # Errors
/// When the actor manages no such claim, it is decided, the nonce is not its own or has expired, or the
/// database fails.
pub async fn burn_claim_nonce(
    db: &Db,
    of: ClaimOfProject,
    nonce: ClaimNonce,
    fresh: ClaimNonce,
    now: Timestamp,
) -> Result<Claim, ClaimError> {
    let burn = db.write(of.actor.writer(), Timeouts::Request, move |tx| {
        sql::burn(tx, of, nonce, fresh, now)
    });
    match burn.await? {
        BurnedNonce::Valid(claim) => Ok(*claim),
        BurnedNonce::Expired => Err(ClaimRejection::Expired.into()),
    }
}

/// Marks a claim as proven: the contract becomes the project's, or, if it is another's, the claim waits for
/// an operator. Returns the state.
pub async fn prove_claim(
    db: &Db,
    of: ClaimOfProject,
    proof: Proof,
    now: Timestamp,
) -> Result<ClaimState, ClaimError> {
    db.write(of.actor.writer(), Timeouts::Request, move |tx| {
        sql::prove(tx, of, proof, now)
    })
    .await
}
