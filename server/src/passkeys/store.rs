//! The database operations of passkeys.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{
    CeremonyId, CeremonyLimit, CredentialChange, NewCeremony, NewPasskey, PasskeyId, PasskeyOwner,
    PasskeyRecord, PasskeyRefusal,
};
use crate::accounts::{AccountId, NewSession};
use crate::database::StoreError;
use crate::mail::NewMail;

/// The database operations of passkeys. See [`Database`](crate::database::Database).
#[async_trait]
pub trait PasskeyStore {
    /// Stores a ceremony, unless too many are waiting. Those that are over are deleted.
    async fn begin_ceremony(
        &self,
        ceremony: NewCeremony,
    ) -> Result<Result<(), CeremonyLimit>, StoreError>;

    /// Deletes a ceremony and gives its state, if it is not over: of concurrent callers one gets it.
    /// `account` is the account that a passkey is made for.
    async fn take_ceremony(
        &self,
        id: CeremonyId,
        account: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Option<String>, StoreError>;

    /// An account's passkeys, oldest first.
    async fn passkeys_of(&self, account: AccountId) -> Result<Vec<PasskeyRecord>, StoreError>;

    /// The passkey of a credential.
    async fn passkey(&self, credential_id: Vec<u8>) -> Result<Option<PasskeyRecord>, StoreError>;

    /// Adds a passkey to an account, and its mail to the outbox. Both or neither.
    async fn add_passkey(
        &self,
        owner: PasskeyOwner,
        passkey: NewPasskey,
        mail: NewMail,
    ) -> Result<Result<(), PasskeyRefusal>, StoreError>;

    /// Removes a passkey of an account, ends the sessions that it signed in, and puts a mail into the
    /// outbox. All or nothing.
    async fn remove_passkey(
        &self,
        owner: PasskeyOwner,
        id: PasskeyId,
        mail: NewMail,
    ) -> Result<Result<(), PasskeyRefusal>, StoreError>;

    /// Notes the use of a passkey and begins a session of its account, unless the passkey was used or
    /// removed since it was verified.
    async fn sign_in_by_passkey(
        &self,
        change: CredentialChange,
        session: NewSession,
    ) -> Result<Result<AccountId, PasskeyRefusal>, StoreError>;
}
