//! Sessions.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use crate::accounts::{
    Account, BrowserName, NewSession, SecretDigest, Session, SessionId, SessionProof, SignedIn,
    sql as accounts,
};
use features::domain::email::Email;
use features::domain::ids::AccountId;

/// Begins a session of an address's account, which is made if there is none.
pub(in crate::accounts) fn open(
    tx: &Tx<'_>,
    email: &Email,
    new: AccountId,
    session: &NewSession,
) -> Result<AccountId, DbError> {
    let account = accounts::find_or_make(tx, email, new, session.created_at)?;
    begin(tx, account, session)?;
    Ok(account)
}

/// Begins a session of an account, in the place of the browser's former one.
pub(crate) fn begin(tx: &Tx<'_>, account: AccountId, session: &NewSession) -> Result<(), DbError> {
    if let Some(former) = session.replaces {
        tx.execute("DELETE FROM session WHERE secret = $1", params![former])?;
    }
    let sql = "INSERT INTO session (id, secret, account, browser_name, proof, passkey, identity,
                 created_at, last_seen_at, stepped_up_at, epoch)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, (SELECT id FROM epoch))";
    let params = params![
        session.id,
        session.secret,
        account,
        session.browser_name.as_str(),
        session.proof.name(),
        session.proof.passkey(),
        session.proof.identity(),
        session.created_at,
        session.stepped_up_at
    ];
    tx.execute(sql, params)?;
    Ok(())
}

pub(in crate::accounts) fn touch(
    tx: &Tx<'_>,
    id: SessionId,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql = "UPDATE session SET last_seen_at = greatest(last_seen_at, $2) WHERE id = $1";
    tx.execute(sql, params![id, now])?;
    Ok(())
}

pub(in crate::accounts) fn end(
    tx: &Tx<'_>,
    account: AccountId,
    id: SessionId,
) -> Result<bool, DbError> {
    let sql = "DELETE FROM session WHERE id = $1 AND account = $2";
    Ok(tx.execute(sql, params![id, account])? > 0)
}

pub(in crate::accounts) fn end_all(tx: &Tx<'_>, account: AccountId) -> Result<(), DbError> {
    for table in ["session", "known_browser"] {
        let sql = format!("DELETE FROM {table} WHERE account = $1");
        tx.execute(&sql, params![account])?;
    }
    Ok(())
}

pub(in crate::accounts) fn all(tx: &Tx<'_>, account: AccountId) -> Result<Vec<Session>, DbError> {
    let sql =
        "SELECT id, account, browser_name, proof, passkey, identity, created_at, last_seen_at,
                 stepped_up_at
               FROM session WHERE account = $1 AND epoch = (SELECT id FROM epoch)
               ORDER BY created_at DESC, id DESC";
    tx.all(sql, params![account], read)
}

pub(in crate::accounts) fn find(
    tx: &Tx<'_>,
    secret: SecretDigest,
) -> Result<Option<SignedIn>, DbError> {
    let sql = "SELECT session.id, session.account, session.browser_name, session.proof,
                 session.passkey, session.identity, session.created_at, session.last_seen_at,
                 session.stepped_up_at,
                 account.email, account.created_at AS account_created_at,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM session JOIN account ON account.id = session.account
               WHERE session.secret = $1 AND session.epoch = (SELECT id FROM epoch)
                 AND account.erased_at IS NULL";
    tx.first(sql, params![secret], |row| {
        Ok(SignedIn {
            account: Account {
                id: row.get("account")?,
                email: row.get("email")?,
                created_at: row.get("account_created_at")?,
            },
            session: read(row)?,
            is_operator: row.get("is_operator")?,
        })
    })
}

fn read(row: &Row<'_>) -> Result<Session, DbError> {
    let proof: String = row.get("proof")?;
    let unknown = || DbError::Corrupt(format!("the proof of a session is {proof}"));
    Ok(Session {
        id: row.get("id")?,
        account: row.get("account")?,
        browser_name: BrowserName::stored(row.get("browser_name")?),
        proof: SessionProof::of(&proof, row.get("passkey")?, row.get("identity")?)
            .ok_or_else(unknown)?,
        created_at: row.get("created_at")?,
        last_seen_at: row.get("last_seen_at")?,
        stepped_up_at: row.get("stepped_up_at")?,
    })
}
