//! Signing in by a passkey, and proving by one that it is still the same person: use cases for the
//! dashboard.

use jiff::Timestamp;

use super::registration::begin;
use super::relying_party::Assertion;
use super::{
    Ceremony, CeremonyId, CredentialChange, PasskeyError, PasskeyRejection, RelyingParty, store,
};
use crate::accounts::sign_in::{BegunSession, SessionBrowser};
use crate::accounts::{Network, SessionProof, sign_in};
use db::Db;
use features::domain::ids::AccountId;

/// Begins a sign-in by a passkey of any account.
///
/// # Errors
/// When too many ceremonies are waiting, or the database fails.
pub async fn begin_sign_in(
    store: &Db,
    party: &RelyingParty,
    network: Network,
    now: Timestamp,
) -> Result<Ceremony, PasskeyError> {
    begin(store, party.begin_sign_in()?, None, network, now).await
}

/// Begins a session of the account whose passkey was used, in the place of the browser's former session.
/// Where `only` is an account, a passkey of another one is rejected.
///
/// # Errors
/// When the ceremony is over or the answer does not fit it, the passkey is unknown, or the database fails.
pub async fn sign_in(
    store: &Db,
    party: &RelyingParty,
    (ceremony, answer): (CeremonyId, &str),
    only: Option<AccountId>,
    browser: SessionBrowser<'_>,
    now: Timestamp,
) -> Result<BegunSession, PasskeyError> {
    let state = store::take_ceremony(store, ceremony, None, now).await?;
    let state = state.ok_or(PasskeyRejection::Ended)?;
    let answer = Assertion::parse(answer)?;
    let passkey = store::passkey(store, answer.credential_id()).await?;
    let passkey = passkey.ok_or(PasskeyRejection::Unknown)?;
    if only.is_some_and(|account| account != passkey.account) {
        return Err(PasskeyRejection::OtherAccount.into());
    }
    let change = CredentialChange {
        id: passkey.id,
        to: party.finish_sign_in(&state, &answer, &passkey.credential)?,
        from: passkey.credential,
    };
    let (secret, session) = sign_in::new_session(browser, SessionProof::Passkey(passkey.id), now)?;
    let account = store::sign_in_by_passkey(store, change, session).await?;
    Ok(BegunSession { account, secret })
}
