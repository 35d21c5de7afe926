//! Deciding requests for another tier: use cases for operators.

use jiff::Timestamp;

use super::message::tier_decided;
use super::{Decision, TierRequest, TierRequestError, TierRequestId, sql};
use db::{Db, Timeouts};
use features::domain::sentence;
use features::domain::service_identity::ServiceIdentity;
use features::projects::Actor;

/// The most requests that are listed.
const MAX_OPEN: usize = 100;

/// The requests that wait, oldest first.
///
/// # Errors
/// When the actor is no operator, or the database fails.
pub async fn open(store: &Db, actor: Actor) -> Result<Vec<TierRequest>, TierRequestError> {
    store.read(move |tx| sql::open(tx, actor, MAX_OPEN)).await
}

/// Decides a request. If it is accepted, the project gets the tier, and running servers follow within a
/// second. Who asked is mailed.
///
/// # Errors
/// When the actor is no operator, no such request waits, the answer is no sentence, or the database fails.
pub async fn decide(
    store: &Db,
    service: &ServiceIdentity,
    actor: Actor,
    id: TierRequestId,
    (is_accepted, answer): (bool, &str),
    now: Timestamp,
) -> Result<(), TierRequestError> {
    let decision = Decision {
        is_accepted,
        answer: sentence::checked(answer)?,
        at: now,
    };
    let request = store.read(move |tx| sql::one(tx, actor, id)).await?;
    let mail = tier_decided(service, &request, &decision)?;
    // Of concurrent decisions one succeeds.
    let decide = store.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::decide(tx, actor, id, &decision, &mail)
    });
    decide.await
}
