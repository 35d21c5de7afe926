//! Identities that features name which are below the feature of the thing.

use uuid::Uuid;

/// The identity of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(pub Uuid);

db::uuid_column!(AccountId);

/// The identity of an identity in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdentityId(pub Uuid);

db::uuid_column!(IdentityId);

/// The identity of a passkey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PasskeyId(pub Uuid);

db::uuid_column!(PasskeyId);
