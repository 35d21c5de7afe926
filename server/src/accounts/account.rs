//! An account.

use jiff::Timestamp;
use uuid::Uuid;

use super::Email;

/// The identity of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(pub Uuid);

db::uuid_column!(AccountId);

/// A person who signs in to the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its identity.
    pub id: AccountId,
    /// The mail address that it signs in by.
    pub email: Email,
    /// When the address was first confirmed.
    pub created_at: Timestamp,
}
