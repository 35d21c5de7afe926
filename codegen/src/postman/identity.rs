//! Ids that stay the same as long as the names of their objects do.

use crate::ir::Api;
use uuid::Uuid;

/// Derives ids (UUID version 5, RFC 9562 §5.5) below one contract.
pub(super) struct Identity(Uuid);

impl Identity {
    /// The namespace is the file and the contract's title, so that a new version keeps its ids.
    pub(super) fn new(api: &Api, file: &str) -> Identity {
        let contract = format!("postman {file} of {}", api.title);
        Identity(Uuid::new_v5(&Uuid::NAMESPACE_OID, contract.as_bytes()))
    }

    /// The id of the object with `role` in the collection; each role has one object.
    pub(super) fn id(&self, role: &str) -> String {
        Uuid::new_v5(&self.0, role.as_bytes()).to_string()
    }
}
