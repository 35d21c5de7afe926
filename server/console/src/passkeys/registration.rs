//! Registering, listing and removing passkeys: use cases for the dashboard.

use jiff::Timestamp;
use uuid::Uuid;

use super::message::{Change, passkey_changed};
use super::passkey::MAX_PASSKEYS;
use super::relying_party::{Challenge, MadePasskey};
use super::{
    Ceremony, CeremonyId, NewCeremony, NewPasskey, PasskeyError, PasskeyOwner, PasskeyRecord,
    PasskeyRejection, RelyingParty, store,
};
use crate::accounts::{Account, EnrolmentCode, Network, SignedIn};
use db::{Db, DbError};
use features::domain::ids::{AccountId, PasskeyId};
use features::domain::printable::{is_unprintable, is_visible};
use features::domain::service_identity::ServiceIdentity;

/// The most characters of a name.
const MAX_NAME: usize = 60;

/// An account's passkeys, oldest first.
pub async fn list(store: &Db, account: AccountId) -> Result<Vec<PasskeyRecord>, DbError> {
    store::passkeys_of(store, account).await
}

/// Begins to make a passkey of an account.
///
/// # Errors
/// When the account has too many, too many ceremonies are waiting, or the database fails.
pub async fn begin_registration(
    store: &Db,
    party: &RelyingParty,
    account: &Account,
    network: Network,
    now: Timestamp,
) -> Result<Ceremony, PasskeyError> {
    let others = store::passkeys_of(store, account.id).await?;
    if others.len() >= MAX_PASSKEYS {
        return Err(PasskeyRejection::TooMany.into());
    }
    let others: Vec<_> = others.into_iter().map(|other| other.credential).collect();
    let challenge = party.begin_registration(account, &others)?;
    begin(store, challenge, Some(account.id), network, now).await
}

/// Stores the state of a ceremony, and returns its options for the browser.
pub(super) async fn begin(
    store: &Db,
    challenge: Challenge,
    account: Option<AccountId>,
    network: Network,
    now: Timestamp,
) -> Result<Ceremony, PasskeyError> {
    let id = CeremonyId(Uuid::new_v4());
    let ceremony = NewCeremony {
        id,
        account,
        network,
        state: challenge.state,
        created_at: now,
    };
    store::begin_ceremony(store, ceremony).await?;
    let options = challenge.options;
    Ok(Ceremony { id, options })
}

/// A passkey that a browser says was made.
#[derive(Debug)]
pub struct Registration<'a> {
    pub ceremony: CeremonyId,
    /// The browser's answer, as JSON.
    pub answer: &'a str,
    /// The name that the owner gives the passkey.
    pub name: &'a str,
    /// The code of the command line, which an operator needs who has no passkey yet.
    pub code: Option<&'a EnrolmentCode>,
}

/// Adds the passkey that a browser says was made, and mails the account.
///
/// # Errors
/// When the ceremony is over or the answer does not fit it, the name is not one, the account may not add
/// a passkey, or the database fails.
pub async fn register(
    store: &Db,
    party: &RelyingParty,
    service: &ServiceIdentity,
    owner: &SignedIn,
    made: Registration<'_>,
    now: Timestamp,
) -> Result<(), PasskeyError> {
    let account = &owner.account;
    let state = store::take_ceremony(store, made.ceremony, Some(account.id), now);
    let state = state.await?.ok_or(PasskeyRejection::Ended)?;
    let name = checked(made.name)?;
    let MadePasskey {
        credential_id,
        credential,
    } = party.finish_registration(&state, made.answer)?;
    let passkey = NewPasskey {
        id: PasskeyId(Uuid::now_v7()),
        name: name.to_owned(),
        credential_id,
        credential,
        enrolment: made.code.map(EnrolmentCode::digest),
        created_at: now,
    };
    let mail = passkey_changed(service, &account.email, Change::Added, name, now)?;
    store::add_passkey(store, of(owner), passkey, mail).await
}

/// Removes a passkey of an account, ends the sessions that it signed in, and mails the account.
///
/// # Errors
/// When the account has no such passkey or may not remove it, or the database fails.
pub async fn remove(
    store: &Db,
    service: &ServiceIdentity,
    owner: &SignedIn,
    id: PasskeyId,
    now: Timestamp,
) -> Result<(), PasskeyError> {
    let account = &owner.account;
    let own = store::passkeys_of(store, account.id).await?;
    let found = own.iter().find(|passkey| passkey.id == id);
    let found = found.ok_or(PasskeyRejection::Unknown)?;
    let mail = passkey_changed(service, &account.email, Change::Removed, &found.name, now)?;
    store::remove_passkey(store, of(owner), id, mail).await
}

fn of(signed_in: &SignedIn) -> PasskeyOwner {
    PasskeyOwner {
        account: signed_in.account.id,
        proof: signed_in.session.proof,
    }
}

fn checked(name: &str) -> Result<&str, PasskeyRejection> {
    let name = name.trim();
    let is_name =
        name.chars().count() <= MAX_NAME && is_visible(name) && !name.chars().any(is_unprintable);
    is_name.then_some(name).ok_or(PasskeyRejection::Name)
}
