//! The database operations of accounts.

use super::history::sql as history;
use super::sessions::sql as sessions;
use super::sign_in::SignInError;
use super::sign_in::sql::{self as sign_ins, Confirmation};
use db::{Db, DbError, Timeouts, Writer, params};

use super::{
    AccountEvent, AccountRules, NewSession, NewSignIn, PendingSignIn, SecretDigest, Session,
    SignInProof, SignInRejection,
};
use crate::accounts::sql;
use features::domain::ids::AccountId;
use features::mail::NewMail;

/// Stores a sign-in and its mails, unless one more is above a limit. All or none. Sign-ins of
/// more than a day ago, and sessions that `rules` have ended, are deleted.
pub async fn begin_sign_in(
    db: &Db,
    sign_in: NewSignIn,
    mails: Vec<NewMail>,
    rules: AccountRules,
) -> Result<(), SignInError> {
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
) -> Result<AccountId, SignInError> {
    let (writer, limits) = sql::DASHBOARD;
    let confirmed = db.write(writer, limits, move |tx| {
        sign_ins::confirm(tx, proof, account, &session)
    });
    match confirmed.await? {
        Confirmation::SignedIn(account) => Ok(account),
        Confirmation::WrongCode => Err(SignInRejection::WrongCode.into()),
    }
}

/// An account's sessions, the latest first; they may be idle or old.
pub async fn sessions_of(db: &Db, account: AccountId) -> Result<Vec<Session>, DbError> {
    db.read(move |tx| sessions::all(tx, account)).await
}

/// Forgets that an account signed in in a browser.
pub async fn forget_browser(
    db: &Db,
    account: AccountId,
    browser: SecretDigest,
) -> Result<(), DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        let sql = "DELETE FROM known_browser WHERE browser = $1 AND account = $2";
        tx.execute(sql, params![browser, account]).map(drop)
    })
    .await
}

/// Forgets that an account signed in in browsers other than this.
pub async fn forget_other_browsers(
    db: &Db,
    account: AccountId,
    browser: Option<SecretDigest>,
) -> Result<(), DbError> {
    let (writer, limits) = sql::DASHBOARD;
    db.write(writer, limits, move |tx| {
        let sql = "DELETE FROM known_browser WHERE account = $1
                     AND (browser <> $2 OR $2 IS NULL)";
        tx.execute(sql, params![account, browser]).map(drop)
    })
    .await
}

/// The latest events of an account's history, the latest first.
pub async fn account_events(
    db: &Db,
    account: AccountId,
    limit: usize,
) -> Result<Vec<AccountEvent>, DbError> {
    db.read(move |tx| history::events(tx, account, limit)).await
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
