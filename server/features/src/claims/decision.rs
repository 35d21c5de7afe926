//! Deciding claims: use cases of operators.

use jiff::Timestamp;

use super::{ClaimError, ClaimId, WaitingClaim, claiming, sql};
use crate::domain::claim_state::ClaimState;
use crate::projects::Actor;
use db::{Db, Timeouts};

/// The decision of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The contract becomes the project's.
    Accept,
    /// It does not, for a reason that the project reads.
    Decline(String),
}

impl Decision {
    /// The state of a claim that is decided so.
    pub(crate) fn state(&self) -> ClaimState {
        match self {
            Self::Accept => ClaimState::Accepted,
            Self::Decline(_) => ClaimState::Declined,
        }
    }

    /// The reason that the project reads.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Self::Accept => None,
            Self::Decline(reason) => Some(reason),
        }
    }
}

/// The claims that wait for a decision, the oldest first.
///
/// # Errors
/// When the actor is no operator, or the database fails.
pub async fn waiting(store: &Db, actor: Actor) -> Result<Vec<WaitingClaim>, ClaimError> {
    let waiting = store.snapshot(Timeouts::Request, move |tx| sql::waiting(tx, actor));
    waiting.await
}

/// Accepts a waiting claim: the contract becomes the project's, even if it was another's.
///
/// # Errors
/// When the actor is no operator, no such claim waits, or another project's contract has tokens.
pub async fn accept(
    store: &Db,
    actor: Actor,
    claim: ClaimId,
    now: Timestamp,
) -> Result<(), ClaimError> {
    decide(store, actor, claim, Decision::Accept, now).await
}

/// Declines a waiting claim.
///
/// # Errors
/// When the actor is no operator, no such claim waits, or the reason is unfit.
pub async fn decline(
    store: &Db,
    actor: Actor,
    claim: ClaimId,
    reason: &str,
    now: Timestamp,
) -> Result<(), ClaimError> {
    let reason = claiming::note_text(reason).ok_or(ClaimError::Note)?;
    decide(store, actor, claim, Decision::Decline(reason), now).await
}

async fn decide(
    store: &Db,
    actor: Actor,
    claim: ClaimId,
    decision: Decision,
    now: Timestamp,
) -> Result<(), ClaimError> {
    let (writer, limits) = (actor.writer(), Timeouts::Request);
    let decide = store.write(writer, limits, move |tx| {
        sql::decide(tx, actor, claim, &decision, now)
    });
    decide.await
}
