//! The database operations of partner contracts.

use async_trait::async_trait;

use crate::chains::ChainAddress;
use crate::database::StoreError;
use crate::domain::position::Position;
use crate::projects::ProjectId;

/// The database operations of partner contracts. See [`Database`](crate::database::Database).
#[async_trait]
pub trait ContractStore {
    /// A project's contracts after a position, by chain id and then by address.
    async fn contracts(
        &self,
        project: ProjectId,
        after: Option<Position>,
        limit: usize,
    ) -> Result<Vec<ChainAddress>, StoreError>;
}
