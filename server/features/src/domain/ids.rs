//! Identities that modules name although their features are further down in `layers.rs`.

use uuid::Uuid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccountId(pub Uuid);

db::uuid_column!(AccountId);

/// The public identity of a key; safe to log, unlike the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub Uuid);

db::uuid_column!(KeyId);

/// The identity of an identity (OpenID Connect) in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdentityId(pub Uuid);

db::uuid_column!(IdentityId);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PasskeyId(pub Uuid);

db::uuid_column!(PasskeyId);
