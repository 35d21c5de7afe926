//! The database operations of requests for another tier.

use db::{Db, DbError, Timeouts};

use super::{Decision, NewTierRequest, TierRequest, TierRequestId, TierRequestRejection};
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};
use crate::tier_requests::sql;

/// Stores a request of an account that manages the project, unless one waits.
pub async fn ask_for_tier(
    db: &Db,
    request: NewTierRequest,
) -> Result<Result<(), TierRequestRejection>, DbError> {
    let writer = Actor::Account(request.account).writer();
    db.write(writer, Timeouts::Request, move |tx| sql::ask(tx, &request))
        .await
}

/// The latest request of a project, if there is one and the actor sees the project.
pub async fn latest_tier_request(
    db: &Db,
    actor: Actor,
    project: ProjectId,
) -> Result<Option<TierRequest>, DbError> {
    db.read(move |tx| sql::latest(tx, actor, project)).await
}

/// The requests that wait, oldest first.
pub async fn open_tier_requests(
    db: &Db,
    actor: Actor,
    limit: usize,
) -> Result<Result<Vec<TierRequest>, TierRequestRejection>, DbError> {
    db.read(move |tx| sql::open(tx, actor, limit)).await
}

/// A request that waits.
pub async fn tier_request(
    db: &Db,
    actor: Actor,
    id: TierRequestId,
) -> Result<Result<Option<TierRequest>, TierRequestRejection>, DbError> {
    db.read(move |tx| sql::one(tx, actor, id)).await
}

/// Decides a request that waits, sets the tier if it is accepted, and puts the mail into the outbox.
/// All or nothing; of concurrent decisions one succeeds.
pub async fn decide_tier_request(
    db: &Db,
    actor: Actor,
    id: TierRequestId,
    decision: Decision,
    mail: NewMail,
) -> Result<Result<(), TierRequestRejection>, DbError> {
    db.write(actor.writer(), Timeouts::Request, move |tx| {
        sql::decide(tx, actor, id, &decision, &mail)
    })
    .await
}
