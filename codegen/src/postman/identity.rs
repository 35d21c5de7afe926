//! Ids that stay the same as long as what they name does.

use crate::ir::Api;
use uuid::Uuid;

/// Derives ids (UUID version 5, RFC 9562 §5.5) below one contract.
pub(super) struct Identity(Uuid);

impl Identity {
    /// Contracts are told apart by their titles, so that a new version keeps its ids.
    pub(super) fn new(api: &Api) -> Identity {
        let contract = format!("postman collection of {}", api.title);
        Identity(Uuid::new_v5(&Uuid::NAMESPACE_OID, contract.as_bytes()))
    }

    /// The id of what plays `role` in the collection; each role may be played once.
    pub(super) fn id(&self, role: &str) -> String {
        Uuid::new_v5(&self.0, role.as_bytes()).to_string()
    }
}
