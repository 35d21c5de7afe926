//! Making, proving and withdrawing claims, and releasing contracts: use cases of projects.

use jiff::Timestamp;
use uuid::Uuid;

use super::signature::TypedSignature;
use super::{
    ClaimError, ClaimId, ClaimNonce, ClaimOfProject, NewClaim, message, sql, store as claims,
};
use crate::chain_rpc::ChainRpc;
use crate::chains::ChainAddress;
use crate::contracts::PartnerContract;
use crate::domain::claim_state::ClaimState;
use crate::domain::printable::is_unprintable;
use crate::projects::{Actor, ProjectId};
use db::{Db, Timeouts};

/// The most characters of a note.
pub const MAX_NOTE: usize = 500;

/// The site on which contracts are claimed.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// Its origin, which messages name.
    pub origin: &'a str,
    /// The nodes of chains, which know the owners of contracts.
    pub rpc: &'a ChainRpc,
}

/// Makes a claim of a contract on a known chain, or returns the undecided one that there is.
///
/// # Errors
/// When the actor manages no such project, the contract is the project's, or it has many undecided claims.
pub async fn begin(
    store: &Db,
    actor: Actor,
    project: ProjectId,
    contract: ChainAddress,
    now: Timestamp,
) -> Result<ClaimId, ClaimError> {
    let claim = NewClaim {
        id: ClaimId(Uuid::now_v7()),
        project,
        contract,
        nonce: ClaimNonce::random(),
        created_at: now,
    };
    claims::begin_claim(store, actor, claim).await
}

/// Proves a claim by the signature of the message that the site showed with this nonce. The nonce is
/// used up, whatever the signature is.
///
/// # Errors
/// When the actor manages no such claim, the message is not the newest or has expired, or the signature
/// proves nothing.
pub async fn prove(
    store: &Db,
    of: ClaimOfProject,
    nonce: ClaimNonce,
    signature: &TypedSignature,
    site: Site<'_>,
    now: Timestamp,
) -> Result<ClaimState, ClaimError> {
    let fresh = ClaimNonce::random();
    let claim = claims::burn_claim_nonce(store, of, nonce, fresh, now).await?;
    let message = message(site.origin, &claim);
    let proof = signature.verify(&message, &claim, site.rpc).await?;
    claims::prove_claim(store, of, proof, now).await
}

/// Sends a claim to the operators, with a note that says why the contract is the project's.
///
/// # Errors
/// When the actor manages no such claim, it is decided, or the note is unfit.
pub async fn queue(
    store: &Db,
    of: ClaimOfProject,
    note: &str,
    now: Timestamp,
) -> Result<(), ClaimError> {
    let note = note_text(note).ok_or(ClaimError::Note)?;
    let (writer, limits) = (of.actor.writer(), Timeouts::Request);
    let queue = store.write(writer, limits, move |tx| sql::queue(tx, of, &note, now));
    queue.await
}

/// Withdraws a claim that is undecided.
///
/// # Errors
/// When the actor owns no project that has the claim, or it is decided.
pub async fn withdraw(store: &Db, of: ClaimOfProject, now: Timestamp) -> Result<(), ClaimError> {
    let (writer, limits) = (of.actor.writer(), Timeouts::Request);
    let withdraw = store.write(writer, limits, move |tx| sql::withdraw(tx, of, now));
    withdraw.await
}

/// Releases a contract of a project: anybody can claim it then.
///
/// # Errors
/// When the actor does not own the project, the contract is not the project's, or it has partner tokens.
pub async fn release(
    store: &Db,
    actor: Actor,
    contract: PartnerContract,
    now: Timestamp,
) -> Result<(), ClaimError> {
    let (writer, limits) = (actor.writer(), Timeouts::Request);
    let release = store.write(writer, limits, move |tx| {
        sql::release(tx, actor, &contract, now)
    });
    release.await
}

/// The text of a note, if pages can show it: of several lines, and without control characters.
pub(super) fn note_text(typed: &str) -> Option<String> {
    let text = typed.trim().replace("\r\n", "\n");
    let is_fit = !text.is_empty()
        && text.chars().count() <= MAX_NOTE
        && !text
            .chars()
            .any(|letter| letter != '\n' && is_unprintable(letter));
    is_fit.then_some(text)
}
