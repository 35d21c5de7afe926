//! The database operations of signing in by a provider.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{
    AuthorizationLimit, IdentityId, IdentityRecord, IdentitySignIn, NewAuthorization, NewIdentity,
    OidcRefusal, PendingAuthorization,
};
use crate::accounts::{AccountId, SecretDigest};
use crate::database::StoreError;
use crate::mail::NewMail;

/// The database operations of signing in by a provider. See [`Database`](crate::database::Database).
#[async_trait]
pub trait OidcStore {
    /// Notes that a browser is sent to the provider, unless too many are there. Those of more than a day
    /// ago are deleted.
    async fn begin_authorization(
        &self,
        authorization: NewAuthorization,
    ) -> Result<Result<(), AuthorizationLimit>, StoreError>;

    /// Uses up the purpose that a browser was sent for, if it is awaited: of concurrent callers one gets it.
    async fn take_authorization(
        &self,
        browser: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<PendingAuthorization>, StoreError>;

    /// An account's identities, oldest first.
    async fn identities_of(&self, account: AccountId) -> Result<Vec<IdentityRecord>, StoreError>;

    /// Begins a session of the account of an identity. The first sign-in of an identity makes an account
    /// of its address, with its mail, unless an account has the address or too many were made. All or
    /// nothing.
    async fn sign_in_by_identity(
        &self,
        sign_in: IdentitySignIn,
    ) -> Result<Result<AccountId, OidcRefusal>, StoreError>;

    /// Links an identity with an account, and puts its mail into the outbox. Both or neither.
    async fn link_identity(
        &self,
        account: AccountId,
        identity: NewIdentity,
        mail: NewMail,
    ) -> Result<Result<(), OidcRefusal>, StoreError>;

    /// Unlinks an identity of an account, ends the sessions that it signed in, and puts a mail into the
    /// outbox. All or nothing.
    async fn unlink_identity(
        &self,
        account: AccountId,
        id: IdentityId,
        mail: NewMail,
    ) -> Result<Result<(), OidcRefusal>, StoreError>;
}
