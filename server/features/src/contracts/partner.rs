//! Partner contracts.

use crate::chains::ChainAddress;
use crate::projects::ProjectId;

/// A contract that a project registered. It owns tokens of its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerContract {
    pub id: ChainAddress,
    pub project: ProjectId,
}
