//! Identities, and browsers that were sent to the provider.

use db::{DbError, Row, Timeouts, Tx, Writer, params};
use jiff::Timestamp;

use super::authorization::{self, LIFE};
use super::identity::{MAX_IDENTITIES, SignInTarget};
use super::{
    IdentityRecord, IdentitySignIn, NewAuthorization, NewIdentity, OidcError, OidcRejection,
    PendingAuthorization, Purpose,
};
use crate::accounts::history::sql as history;
use crate::accounts::sessions::sql as sessions;
use crate::accounts::sign_in::sql as sign_in;
use crate::accounts::{
    AccountAction, Network, NetworkCounts, NewSession, SecretDigest, SessionProof, admit_account,
    sql as accounts,
};
use edge::clock::{before, latest};
use features::database::{locks, writers};
use features::domain::day::DAY;
use features::domain::ids::{AccountId, IdentityId};
use features::mail::{NewMail, sql as mail};

/// The author and the limits of every write here.
pub(crate) const DASHBOARD: (Writer, Timeouts) = (writers::DASHBOARD, Timeouts::Request);

/// Deletes browsers that were sent to the provider more than a day ago.
pub(crate) fn forget_authorizations(tx: &Tx<'_>, now: Timestamp) -> Result<(), DbError> {
    let sql = "DELETE FROM oidc_authorization WHERE created_at < $1";
    tx.execute(sql, params![before(now, DAY)])?;
    Ok(())
}

pub(crate) fn begin(tx: &Tx<'_>, authorization: &NewAuthorization) -> Result<(), OidcError> {
    let (network, now) = (authorization.network, authorization.created_at);
    authorization::admit(counts(tx, network, now)?).map_err(OidcRejection::from)?;
    forget_authorizations(tx, now)?;
    let sql = "INSERT INTO oidc_authorization (browser, purpose, account, network, provider,
                 created_at, made_account)
               VALUES ($1, $2, $3, $4, $5, $6, false)";
    let params = params![
        authorization.browser,
        authorization.purpose.name(),
        authorization.purpose.account(),
        network.to_string(),
        network.provider().to_string(),
        now
    ];
    tx.execute(sql, params)?;
    Ok(())
}

fn counts(tx: &Tx<'_>, network: Network, now: Timestamp) -> Result<NetworkCounts, DbError> {
    let sql = "SELECT
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > $1 AND created_at <= $4 AND used_at IS NULL AND network = $2) AS network,
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > $1 AND created_at <= $4 AND used_at IS NULL AND provider = $3) AS provider,
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > $1 AND created_at <= $4 AND used_at IS NULL) AS overall";
    let provider = network.provider().to_string();
    let params = params![
        before(now, LIFE),
        network.to_string(),
        provider,
        latest(now)
    ];
    tx.one(sql, params, sign_in::network_counts)
}

pub(crate) fn take(
    tx: &Tx<'_>,
    browser: SecretDigest,
    now: Timestamp,
) -> Result<Option<PendingAuthorization>, DbError> {
    let sql = "UPDATE oidc_authorization SET used_at = $2
               WHERE browser = $1 AND used_at IS NULL
                 AND created_at > $3 AND created_at <= $4
               RETURNING purpose, account, network";
    let params = params![browser, now, before(now, LIFE), latest(now)];
    tx.first(sql, params, |row| {
        let purpose: String = row.get("purpose")?;
        let unknown = || DbError::Corrupt(format!("the purpose of an authorization is {purpose}"));
        Ok(PendingAuthorization {
            purpose: Purpose::of(&purpose, row.get("account")?).ok_or_else(unknown)?,
            network: row.get("network")?,
        })
    })
}

pub(crate) fn of_account(tx: &Tx<'_>, account: AccountId) -> Result<Vec<IdentityRecord>, DbError> {
    let sql = "SELECT id, account, issuer, subject, label, created_at, last_used_at FROM identity
               WHERE account = $1 ORDER BY created_at, id";
    tx.all(sql, params![account], read)
}

pub(crate) fn sign_in(tx: &Tx<'_>, sign_in: &IdentitySignIn) -> Result<AccountId, OidcError> {
    // New accounts are counted, and two first sign-ins of one identity make one.
    tx.lock(locks::SIGN_INS)?;
    let email = match sign_in.target(find(tx, &sign_in.identity)?)? {
        SignInTarget::Known(id, account) => {
            begin_session(tx, account, id, &sign_in.session)?;
            return Ok(account);
        }
        SignInTarget::New(email) => email,
    };
    if accounts::find_by_email(tx, email)?.is_some() {
        return Err(OidcRejection::AddressTaken.into());
    }
    let (browser, network) = &sign_in.from;
    let now = sign_in.session.created_at;
    let made = sign_in::new_accounts(tx, network, now)?;
    admit_account(made).map_err(OidcRejection::from)?;
    let sql = "UPDATE oidc_authorization SET made_account = true WHERE browser = $1";
    tx.execute(sql, params![browser])?;
    accounts::find_or_make(tx, email, sign_in.new, now)?;
    insert(tx, sign_in.new, &sign_in.identity)?;
    if let Some(notice) = &sign_in.mail {
        mail::enqueue(tx, notice)?;
    }
    // No one else knows an account that was created just now.
    let session = NewSession {
        stepped_up_at: now,
        ..sign_in.session.clone()
    };
    begin_session(tx, sign_in.new, sign_in.identity.id, &session)?;
    Ok(sign_in.new)
}

fn begin_session(
    tx: &Tx<'_>,
    account: AccountId,
    id: IdentityId,
    session: &NewSession,
) -> Result<(), DbError> {
    let sql = "UPDATE identity SET last_used_at = $2 WHERE id = $1";
    tx.execute(sql, params![id, session.created_at])?;
    let session = NewSession {
        proof: SessionProof::Oidc(id),
        ..session.clone()
    };
    sessions::begin(tx, account, &session)
}

pub(crate) fn link(
    tx: &Tx<'_>,
    account: AccountId,
    identity: &NewIdentity,
    notice: &NewMail,
) -> Result<(), OidcError> {
    tx.lock(locks::SIGN_INS)?;
    if !accounts::exists(tx, account)? {
        return Err(OidcRejection::SignedOut.into());
    }
    match find(tx, identity)? {
        Some((_, owner)) if owner == account => return Err(OidcRejection::Known.into()),
        Some(_) => return Err(OidcRejection::OfAnother.into()),
        None if of_account(tx, account)?.len() >= MAX_IDENTITIES => {
            return Err(OidcRejection::TooMany.into());
        }
        None => {}
    }
    insert(tx, account, identity)?;
    mail::enqueue(tx, notice)?;
    Ok(())
}

pub(crate) fn unlink(
    tx: &Tx<'_>,
    account: AccountId,
    id: IdentityId,
    notice: &NewMail,
) -> Result<(), OidcError> {
    // A sign-in by the identity that is not committed yet is waited for, so that its session ends too.
    tx.lock(locks::SIGN_INS)?;
    let sql = "SELECT label FROM identity WHERE id = $1 AND account = $2";
    let params = params![id, account];
    let own = tx.first(sql, params, |row| row.get("label"));
    let Some(label) = own? else {
        return Err(OidcRejection::Unknown.into());
    };
    tx.execute("DELETE FROM session WHERE identity = $1", params![id])?;
    tx.execute("DELETE FROM identity WHERE id = $1", params![id])?;
    let unlinked = AccountAction::IdentityUnlinked(label);
    history::record(tx, account, &unlinked, notice.created_at)?;
    mail::enqueue(tx, notice)?;
    Ok(())
}

fn insert(tx: &Tx<'_>, account: AccountId, identity: &NewIdentity) -> Result<(), DbError> {
    let sql = "INSERT INTO identity (id, account, issuer, subject, label, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let params = params![
        identity.id,
        account,
        identity.issuer,
        identity.subject,
        identity.label,
        identity.created_at
    ];
    tx.execute(sql, params)?;
    let linked = AccountAction::IdentityLinked(identity.label.clone());
    history::record(tx, account, &linked, identity.created_at)
}

/// The stored identity of the same issuer and subject, and whose it is.
fn find(tx: &Tx<'_>, identity: &NewIdentity) -> Result<Option<(IdentityId, AccountId)>, DbError> {
    let sql = "SELECT id, account FROM identity WHERE issuer = $1 AND subject = $2";
    let params = params![identity.issuer, identity.subject];
    let read = |row: &Row<'_>| Ok((row.get("id")?, row.get("account")?));
    tx.first(sql, params, read)
}

fn read(row: &Row<'_>) -> Result<IdentityRecord, DbError> {
    Ok(IdentityRecord {
        id: row.get("id")?,
        account: row.get("account")?,
        issuer: row.get("issuer")?,
        subject: row.get("subject")?,
        label: row.get("label")?,
        created_at: row.get("created_at")?,
        last_used_at: row.get("last_used_at")?,
    })
}
