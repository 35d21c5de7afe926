//! The database operations of accounts.

use super::history::sql as history;
use super::sessions::sql as sessions;
use super::sign_in::sql as sign_ins;
use db::{Db, DbError, Timeouts, Writer};
use jiff::Timestamp;

use super::{
    AccountEvent, AccountRules, NewSession, NewSignIn, PendingSignIn, SecretDigest, Session,
    SessionId, SignInLimit, SignInProof, SignInRefusal, SignedIn,
};
use crate::accounts::sql;
use crate::domain::email::Email;
use crate::domain::ids::AccountId;
use crate::mail::NewMail;

/// Stores a sign-in and its mails, unless one more is above a limit. All or none. Sign-ins of
/// more than a day ago, and sessions that `rules` have ended, are deleted.
pub async fn begin_sign_in(
    db: &Db,
    sign_in: NewSignIn,
    mails: Vec<NewMail>,
    rules: AccountRules,
) -> Result<Result<(), SignInLimit>, DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        sign_ins::begin(tx, &sign_in, &mails, &rules)
    })
    .await
}

/// The sign-in of a link, whatever its state.
pub async fn sign_in(db: &Db, token: SecretDigest) -> Result<Option<PendingSignIn>, DbError> {
    db.read(move |tx| sign_ins::of_token(tx, token)).await
}

/// Uses a sign-in up and begins a session of its address's account, which is made with the id
/// `account` if there is none. Of concurrent confirmations one succeeds. A wrong code is counted.
///
/// If the sign-in is for an account that takes the address, that account is given it, and all its other
/// sessions end.
pub async fn confirm_sign_in(
    db: &Db,
    proof: SignInProof,
    account: AccountId,
    session: NewSession,
) -> Result<Result<AccountId, SignInRefusal>, DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        sign_ins::confirm(tx, proof, account, &session)
    })
    .await
}

/// Begins a session of an address's account without a proof, as [`Self::confirm_sign_in`] does.
pub async fn open_session(
    db: &Db,
    email: Email,
    account: AccountId,
    session: NewSession,
) -> Result<AccountId, DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        sessions::open(tx, &email, account, &session)
    })
    .await
}

/// A session and its account, by the session's secret; it may be idle or old.
pub async fn session(db: &Db, secret: SecretDigest) -> Result<Option<SignedIn>, DbError> {
    db.read(move |tx| sessions::find(tx, secret)).await
}

/// Notes that a session is used.
pub async fn touch_session(db: &Db, id: SessionId, now: Timestamp) -> Result<(), DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sessions::touch(tx, id, now))
        .await
}

/// An account's sessions, the latest first; they may be idle or old.
pub async fn sessions_of(db: &Db, account: AccountId) -> Result<Vec<Session>, DbError> {
    db.read(move |tx| sessions::all(tx, account)).await
}

/// The latest events of an account's history, the latest first.
pub async fn account_events(
    db: &Db,
    account: AccountId,
    limit: usize,
) -> Result<Vec<AccountEvent>, DbError> {
    db.read(move |tx| history::events(tx, account, limit)).await
}

/// Ends a session of an account. False for one that is unknown or another's.
pub async fn end_session(db: &Db, account: AccountId, id: SessionId) -> Result<bool, DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sessions::end(tx, account, id))
        .await
}

/// Ends all sessions of an account.
pub async fn end_sessions(db: &Db, account: AccountId) -> Result<(), DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| sessions::end_all(tx, account))
        .await
}

/// Ends all sessions of all accounts, and deletes all sign-ins and the mails of the outbox.
pub async fn forget_sign_ins(db: &Db) -> Result<(), DbError> {
    let limits = Timeouts::Bulk;
    db.write(Writer::Unlimited, limits, move |tx| {
        for table in [
            "session",
            "sign_in",
            "passkey_ceremony",
            "oidc_authorization",
            "outbox",
        ] {
            tx.execute(&format!("DELETE FROM {table}"), &[])?;
        }
        Ok(())
    })
    .await
}
