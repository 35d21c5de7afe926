//! Deciding requests for another tier: use cases for operators.

use jiff::Timestamp;

use super::message::write;
use super::{Decision, TierRequest, TierRequestError, TierRequestId, TierRequestRefusal};
use crate::config::ServiceIdentity;
use crate::database::Database;
use crate::domain::sentence;
use crate::projects::Actor;

/// The most requests that are listed.
const MAX_OPEN: usize = 100;

/// The requests that wait, oldest first.
///
/// # Errors
/// When the actor is no operator, or the database fails.
pub async fn open(
    store: &dyn Database,
    actor: Actor,
) -> Result<Vec<TierRequest>, TierRequestError> {
    Ok(store.open_tier_requests(actor, MAX_OPEN).await??)
}

/// Decides a request. If it is accepted, the project gets the tier, and running servers follow within a
/// second. Who asked is mailed.
///
/// # Errors
/// When the actor is no operator, no such request waits, the answer is no sentence, or the database fails.
pub async fn decide(
    store: &dyn Database,
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
    let request = store.tier_request(actor, id).await??;
    let request = request.ok_or(TierRequestRefusal::Unknown)?;
    let mail = write(service, &request, &decision)?;
    Ok(store
        .decide_tier_request(actor, id, decision, mail)
        .await??)
}
