//! Finding, listing and ending sessions: use cases for the dashboard.

pub(crate) mod sql;

use jiff::Timestamp;

use super::{AccountRules, Session, SessionId, SessionSecret, SignedIn};
use crate::domain::ids::AccountId;
use db::{Db, DbError};

/// The account that is signed in with a session's secret, if the session is neither ended, idle nor old. Its use is
/// noted, to the minute.
///
/// # Errors
/// When the database fails.
pub async fn find(
    store: &Db,
    secret: &SessionSecret,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<Option<SignedIn>, DbError> {
    let found = crate::accounts::store::session(store, secret.digest()).await?;
    let Some(signed_in) = found.filter(|it| it.session.is_live(rules, now)) else {
        return Ok(None);
    };
    if signed_in.session.is_stale(now) {
        crate::accounts::store::touch_session(store, signed_in.session.id, now).await?;
    }
    Ok(Some(signed_in))
}

/// An account's live sessions, the latest first.
///
/// # Errors
/// When the database fails.
pub async fn list(
    store: &Db,
    account: AccountId,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<Vec<Session>, DbError> {
    let mut sessions = crate::accounts::store::sessions_of(store, account).await?;
    sessions.retain(|session| session.is_live(rules, now));
    Ok(sessions)
}

/// Ends a session of an account, on every server at the next request. False for a session that is
/// unknown or another's.
///
/// # Errors
/// When the database fails.
pub async fn end(store: &Db, account: AccountId, session: SessionId) -> Result<bool, DbError> {
    crate::accounts::store::end_session(store, account, session).await
}

/// Ends all sessions of an account.
///
/// # Errors
/// When the database fails.
pub async fn end_all(store: &Db, account: AccountId) -> Result<(), DbError> {
    crate::accounts::store::end_sessions(store, account).await
}
