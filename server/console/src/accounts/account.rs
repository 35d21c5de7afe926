//! An account.

use jiff::Timestamp;

use features::domain::email::Email;
use features::domain::ids::AccountId;

/// A person who signs in to the dashboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// The mail address that it signs in by.
    pub email: Email,
    /// When the address was first confirmed.
    pub created_at: Timestamp,
}
