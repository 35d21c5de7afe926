//! Finding, listing and ending sessions: use cases for the dashboard.

pub(crate) mod sql;

use jiff::Timestamp;

use super::sql::DASHBOARD;
use super::{AccountRules, Session, SessionId, SessionSecret, SignedIn, store};
use db::{Db, DbError};
use features::domain::ids::AccountId;

/// The account that is signed in with a session's secret, if the session is neither ended, idle nor old. Its use is
/// noted, to the minute.
pub async fn find(
    store: &Db,
    secret: &SessionSecret,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<Option<SignedIn>, DbError> {
    let digest = secret.digest();
    let found = store.read(move |tx| sql::find(tx, digest)).await?;
    let Some(signed_in) = found.filter(|it| it.session.is_live(rules, now)) else {
        return Ok(None);
    };
    if signed_in.session.is_stale(now) {
        let id = signed_in.session.id;
        let (writer, limits) = DASHBOARD;
        store
            .write(writer, limits, move |tx| sql::touch(tx, id, now))
            .await?;
    }
    Ok(Some(signed_in))
}

/// An account's live sessions, the latest first.
pub async fn list(
    store: &Db,
    account: AccountId,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<Vec<Session>, DbError> {
    let mut sessions = store::sessions_of(store, account).await?;
    sessions.retain(|session| session.is_live(rules, now));
    Ok(sessions)
}

/// Ends a session of an account, on every server at the next request. False for a session that is
/// unknown or another's.
pub async fn end(store: &Db, account: AccountId, session: SessionId) -> Result<bool, DbError> {
    let (writer, limits) = DASHBOARD;
    store
        .write(writer, limits, move |tx| sql::end(tx, account, session))
        .await
}

/// Ends all sessions of an account.
pub async fn end_all(store: &Db, account: AccountId) -> Result<(), DbError> {
    let (writer, limits) = DASHBOARD;
    store
        .write(writer, limits, move |tx| sql::end_all(tx, account))
        .await
}
