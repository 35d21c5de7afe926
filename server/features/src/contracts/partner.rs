//! Partner contracts.

use crate::chains::ChainAddress;
use crate::projects::ProjectId;

/// A contract that a project registered. It owns tokens of its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerContract {
    /// The chain and the address there.
    pub id: ChainAddress,
    /// The project that it belongs to.
    pub project: ProjectId,
}
