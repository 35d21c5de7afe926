//! Sessions, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::accounts::{
    Account, AccountId, BrowserName, Email, NewSession, SecretDigest, Session, SessionId,
    SessionProof, SignedIn, postgres as accounts,
};
use crate::database::StoreError;
use crate::database::postgres::column::{self, Millis};
use crate::database::postgres::{Failure, query};

/// Begins a session of an address's account, which is made if there is none.
pub(in crate::accounts) async fn open(
    tx: &Transaction<'_>,
    email: &Email,
    new: AccountId,
    session: &NewSession,
) -> Result<AccountId, Failure> {
    let account = accounts::find_or_make(tx, email, new, session.created_at).await?;
    begin(tx, account, session).await?;
    Ok(account)
}

/// Begins a session of an account, in the place of the browser's former one.
pub(crate) async fn begin(
    tx: &Transaction<'_>,
    account: AccountId,
    session: &NewSession,
) -> Result<(), Failure> {
    if let Some(former) = session.replaces {
        query::execute(tx, "DELETE FROM session WHERE secret = $1", &[&former]).await?;
    }
    let sql = "INSERT INTO session (id, secret, account, browser_name, proof, passkey, identity,
                 created_at, last_seen_at, stepped_up_at, epoch)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, (SELECT id FROM epoch))";
    let params: query::Params<'_> = &[
        &session.id,
        &session.secret,
        &account,
        &session.browser_name.as_str(),
        &session.proof.name(),
        &session.proof.passkey(),
        &session.proof.identity(),
        &Millis(session.created_at),
        &Millis(session.stepped_up_at),
    ];
    query::execute(tx, sql, params).await?;
    Ok(())
}

pub(in crate::accounts) async fn touch(
    tx: &Transaction<'_>,
    id: SessionId,
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "UPDATE session SET last_seen_at = greatest(last_seen_at, $2) WHERE id = $1";
    query::execute(tx, sql, &[&id, &Millis(now)]).await?;
    Ok(())
}

pub(in crate::accounts) async fn end(
    tx: &Transaction<'_>,
    account: AccountId,
    id: SessionId,
) -> Result<bool, Failure> {
    let sql = "DELETE FROM session WHERE id = $1 AND account = $2";
    Ok(query::execute(tx, sql, &[&id, &account]).await? > 0)
}

pub(in crate::accounts) async fn end_all(
    tx: &Transaction<'_>,
    account: AccountId,
) -> Result<(), Failure> {
    query::execute(tx, "DELETE FROM session WHERE account = $1", &[&account]).await?;
    Ok(())
}

pub(in crate::accounts) async fn all(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<Session>, Failure> {
    let sql =
        "SELECT id, account, browser_name, proof, passkey, identity, created_at, last_seen_at,
                 stepped_up_at
               FROM session WHERE account = $1 AND epoch = (SELECT id FROM epoch)
               ORDER BY created_at DESC, id DESC";
    query::all(db, sql, &[&account], read).await
}

pub(in crate::accounts) async fn find(
    db: &impl GenericClient,
    secret: SecretDigest,
) -> Result<Option<SignedIn>, Failure> {
    let sql = "SELECT session.id, session.account, session.browser_name, session.proof,
                 session.passkey, session.identity, session.created_at, session.last_seen_at,
                 session.stepped_up_at,
                 account.email, account.created_at AS account_created_at,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM session JOIN account ON account.id = session.account
               WHERE session.secret = $1 AND session.epoch = (SELECT id FROM epoch)
                 AND account.erased_at IS NULL";
    query::first(db, sql, &[&secret], |row| {
        Ok(SignedIn {
            account: Account {
                id: row.try_get("account")?,
                email: row.try_get("email")?,
                created_at: column::time(row, "account_created_at")?,
            },
            session: read(row)?,
            is_operator: row.try_get("is_operator")?,
        })
    })
    .await
}

fn read(row: &Row) -> Result<Session, Failure> {
    let proof: String = row.try_get("proof")?;
    let unknown = || StoreError::Corrupt(format!("the proof of a session is {proof}"));
    Ok(Session {
        id: row.try_get("id")?,
        account: row.try_get("account")?,
        browser_name: BrowserName::stored(row.try_get("browser_name")?),
        proof: SessionProof::of(&proof, row.try_get("passkey")?, row.try_get("identity")?)
            .ok_or_else(unknown)?,
        created_at: column::time(row, "created_at")?,
        last_seen_at: column::time(row, "last_seen_at")?,
        stepped_up_at: column::time(row, "stepped_up_at")?,
    })
}
