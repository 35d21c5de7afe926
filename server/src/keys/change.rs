//! What can come of a change of keys.

/// What changing a key did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyChange {
    /// It is done.
    Done,
    /// There is no such key or project.
    Unknown,
    /// The key is expired or revoked, so that nothing can be changed.
    Dead,
}
