//! Sessions, in SQLite.

use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use crate::accounts::{
    Account, AccountId, BrowserName, Email, NewSession, SecretDigest, Session, SessionId,
    SessionProof, SignedIn, sqlite as accounts,
};
use crate::database::sqlite::column::{self, Millis};
use crate::database::sqlite::query;

/// Begins a session of an address's account, which is made if there is none.
pub(in crate::accounts) fn open(
    db: &Connection,
    email: &Email,
    new: AccountId,
    session: &NewSession,
) -> rusqlite::Result<AccountId> {
    let account = accounts::find_or_make(db, email, new, session.created_at)?;
    begin(db, account, session)?;
    Ok(account)
}

/// Begins a session of an account, in the place of the browser's former one.
pub(crate) fn begin(
    db: &Connection,
    account: AccountId,
    session: &NewSession,
) -> rusqlite::Result<()> {
    if let Some(former) = session.replaces {
        query::execute(db, "DELETE FROM session WHERE secret = ?1", [former])?;
    }
    query::execute(
        db,
        "INSERT INTO session (id, secret, account, browser_name, proof, passkey, identity,
           created_at, last_seen_at, stepped_up_at)
         VALUES (:id, :secret, :account, :name, :proof, :passkey, :identity, :now, :now,
           :stepped_up)",
        named_params! {
            ":id": session.id,
            ":secret": session.secret,
            ":account": account,
            ":name": session.browser_name.as_str(),
            ":proof": session.proof.name(),
            ":passkey": session.proof.passkey(),
            ":identity": session.proof.identity(),
            ":now": Millis(session.created_at),
            ":stepped_up": Millis(session.stepped_up_at),
        },
    )?;
    Ok(())
}

pub(in crate::accounts) fn touch(
    db: &Connection,
    id: SessionId,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let sql = "UPDATE session SET last_seen_at = max(last_seen_at, ?2) WHERE id = ?1";
    query::execute(db, sql, (id, Millis(now)))?;
    Ok(())
}

pub(in crate::accounts) fn end(
    db: &Connection,
    account: AccountId,
    id: SessionId,
) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM session WHERE id = ?1 AND account = ?2";
    Ok(query::execute(db, sql, (id, account))? > 0)
}

pub(in crate::accounts) fn end_all(db: &Connection, account: AccountId) -> rusqlite::Result<()> {
    query::execute(db, "DELETE FROM session WHERE account = ?1", [account])?;
    Ok(())
}

pub(in crate::accounts) fn all(
    db: &Connection,
    account: AccountId,
) -> rusqlite::Result<Vec<Session>> {
    let sql = "SELECT id, account, browser_name, proof, passkey, identity, created_at,
                 last_seen_at, stepped_up_at
               FROM session WHERE account = ?1 ORDER BY created_at DESC, id DESC";
    query::all(db, sql, [account], read)
}

pub(in crate::accounts) fn find(
    db: &Connection,
    secret: SecretDigest,
) -> rusqlite::Result<Option<SignedIn>> {
    let sql = "SELECT session.id, session.account, session.browser_name, session.proof,
                 session.passkey, session.identity, session.created_at, session.last_seen_at,
                 session.stepped_up_at,
                 account.email, account.created_at AS account_created_at,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM session JOIN account ON account.id = session.account
               WHERE session.secret = ?1 AND account.erased_at IS NULL";
    query::first(db, sql, [secret], |row| {
        Ok(SignedIn {
            account: Account {
                id: row.get("account")?,
                email: row.get("email")?,
                created_at: column::time(row, "account_created_at")?,
            },
            session: read(row)?,
            is_operator: row.get("is_operator")?,
        })
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<Session> {
    let proof: String = row.get("proof")?;
    let unknown = || rusqlite::Error::InvalidColumnName("proof".to_owned());
    Ok(Session {
        id: row.get("id")?,
        account: row.get("account")?,
        browser_name: BrowserName::stored(row.get("browser_name")?),
        proof: SessionProof::of(&proof, row.get("passkey")?, row.get("identity")?)
            .ok_or_else(unknown)?,
        created_at: column::time(row, "created_at")?,
        last_seen_at: column::time(row, "last_seen_at")?,
        stepped_up_at: column::time(row, "stepped_up_at")?,
    })
}
