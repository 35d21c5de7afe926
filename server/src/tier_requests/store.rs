//! The database operations of requests for another tier.

use async_trait::async_trait;

use super::{Decision, NewTierRequest, TierRequest, TierRequestId, TierRequestRefusal};
use crate::database::StoreError;
use crate::mail::NewMail;
use crate::projects::{Actor, ProjectId};

/// The database operations of requests for another tier. See
/// [`Database`](crate::database::Database).
#[async_trait]
pub trait TierRequestStore {
    /// Stores a request of an account that manages the project, unless one waits.
    async fn ask_for_tier(
        &self,
        request: NewTierRequest,
    ) -> Result<Result<(), TierRequestRefusal>, StoreError>;

    /// The latest request of a project, if there is one and the actor sees the project.
    async fn latest_tier_request(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Option<TierRequest>, StoreError>;

    /// The requests that wait, oldest first.
    async fn open_tier_requests(
        &self,
        actor: Actor,
        limit: usize,
    ) -> Result<Result<Vec<TierRequest>, TierRequestRefusal>, StoreError>;

    /// A request that waits.
    async fn tier_request(
        &self,
        actor: Actor,
        id: TierRequestId,
    ) -> Result<Result<Option<TierRequest>, TierRequestRefusal>, StoreError>;

    /// Decides a request that waits, sets the tier if it is accepted, and puts the mail into the outbox.
    /// All or nothing; of concurrent decisions one succeeds.
    async fn decide_tier_request(
        &self,
        actor: Actor,
        id: TierRequestId,
        decision: Decision,
        mail: NewMail,
    ) -> Result<Result<(), TierRequestRefusal>, StoreError>;
}
