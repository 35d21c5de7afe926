//! Listing and unlinking identities: use cases for the dashboard. Linking one is the end of
//! [`finish`](super::finish).

use jiff::Timestamp;

use super::message::{Change, identity_changed};
use super::{IdentityRecord, OidcError, OidcRejection, Provider, store};
use crate::accounts::Account;
use db::{Db, DbError};
use features::domain::ids::{AccountId, IdentityId};
use features::domain::service_identity::ServiceIdentity;

/// An account's identities, oldest first.
pub async fn list(store: &Db, account: AccountId) -> Result<Vec<IdentityRecord>, DbError> {
    store::identities_of(store, account).await
}

/// Unlinks an identity of an account, ends the sessions that it signed in, and mails the account, which
/// still signs in by mail.
///
/// # Errors
/// When the account has no such identity, or the database fails.
pub async fn unlink(
    store: &Db,
    provider: &Provider,
    service: &ServiceIdentity,
    (account, id): (&Account, IdentityId),
    now: Timestamp,
) -> Result<(), OidcError> {
    let own = store::identities_of(store, account.id).await?;
    let found = own.iter().find(|identity| identity.id == id);
    let found = found.ok_or(OidcRejection::Unknown)?;
    let unlinked = (Change::Unlinked, provider.name(), &*found.label);
    let mail = identity_changed(service, &account.email, unlinked, now)?;
    store::unlink_identity(store, account.id, id, mail).await
}
