//! Finding, listing and ending sessions: use cases for the dashboard.

pub(crate) mod postgres;
pub(crate) mod sqlite;

use jiff::Timestamp;

use super::{AccountId, AccountRules, Session, SessionId, SessionSecret, SignedIn};
use crate::database::{Database, StoreError};

/// The account that is signed in with a session's secret, if the session is neither ended, idle nor old. Its use is
/// noted, to the minute.
///
/// # Errors
/// When the database fails.
pub async fn find(
    store: &dyn Database,
    secret: &SessionSecret,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<Option<SignedIn>, StoreError> {
    let found = store.session(secret.digest()).await?;
    let Some(signed_in) = found.filter(|it| it.session.is_live(rules, now)) else {
        return Ok(None);
    };
    if signed_in.session.is_stale(now) {
        store.touch_session(signed_in.session.id, now).await?;
    }
    Ok(Some(signed_in))
}

/// An account's live sessions, the latest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    store: &dyn Database,
    account: AccountId,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<Vec<Session>, StoreError> {
    let mut sessions = store.sessions_of(account).await?;
    sessions.retain(|session| session.is_live(rules, now));
    Ok(sessions)
}

/// Ends a session of an account, on every server at the next request. False for a session that is
/// unknown or another's.
///
/// # Errors
/// When the database fails.
pub async fn end(
    store: &dyn Database,
    account: AccountId,
    session: SessionId,
) -> Result<bool, StoreError> {
    store.end_session(account, session).await
}

/// Ends all sessions of an account.
///
/// # Errors
/// When the database fails.
pub async fn end_all(store: &dyn Database, account: AccountId) -> Result<(), StoreError> {
    store.end_sessions(account).await
}
