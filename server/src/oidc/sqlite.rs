//! Identities, and browsers that were sent to the provider, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::authorization::{self, LIFE};
use super::identity::{MAX_IDENTITIES, SignInTarget};
use super::{
    AuthorizationLimit, IdentityId, IdentityRecord, IdentitySignIn, NewAuthorization, NewIdentity,
    OidcRefusal, OidcStore, PendingAuthorization, Purpose,
};
use crate::accounts::history::sqlite as history;
use crate::accounts::sessions::sqlite as sessions;
use crate::accounts::sign_in::sqlite as sign_in;
use crate::accounts::{
    AccountAction, AccountId, DAY, Network, NetworkCounts, NewSession, SecretDigest, SessionProof,
    admit_account, sqlite as accounts,
};
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, sqlite as mail};

#[async_trait]
impl OidcStore for Sqlite {
    async fn begin_authorization(
        &self,
        authorization: NewAuthorization,
    ) -> Result<Result<(), AuthorizationLimit>, StoreError> {
        self.write(Writer::Dashboard, move |tx| Ok(begin(tx, &authorization)?))
            .await
    }

    async fn take_authorization(
        &self,
        browser: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<PendingAuthorization>, StoreError> {
        self.write(Writer::Dashboard, move |tx| Ok(take(tx, browser, now)?))
            .await
    }

    async fn identities_of(&self, account: AccountId) -> Result<Vec<IdentityRecord>, StoreError> {
        self.read(move |db| Ok(of_account(db, account)?)).await
    }

    async fn sign_in_by_identity(
        &self,
        sign_in: IdentitySignIn,
    ) -> Result<Result<AccountId, OidcRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(self::sign_in(tx, &sign_in)?)
        })
        .await
    }

    async fn link_identity(
        &self,
        account: AccountId,
        identity: NewIdentity,
        mail: NewMail,
    ) -> Result<Result<(), OidcRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(link(tx, account, &identity, &mail)?)
        })
        .await
    }

    async fn unlink_identity(
        &self,
        account: AccountId,
        id: IdentityId,
        mail: NewMail,
    ) -> Result<Result<(), OidcRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(unlink(tx, account, id, &mail)?)
        })
        .await
    }
}

/// Deletes browsers that were sent to the provider more than a day ago.
pub(crate) fn forget_authorizations(db: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    let sql = "DELETE FROM oidc_authorization WHERE created_at < ?1";
    query::execute(db, sql, [before(now, DAY)])?;
    Ok(())
}

fn begin(
    db: &Connection,
    authorization: &NewAuthorization,
) -> rusqlite::Result<Result<(), AuthorizationLimit>> {
    let now = authorization.created_at;
    forget_authorizations(db, now)?;
    let network = authorization.network;
    if let Err(limit) = authorization::admit(counts(db, network, now)?) {
        return Ok(Err(limit));
    }
    query::execute(
        db,
        "INSERT INTO oidc_authorization (browser, purpose, account, network, provider, created_at,
           made_account)
         VALUES (:browser, :purpose, :account, :network, :provider, :now, 0)",
        named_params! {
            ":browser": authorization.browser,
            ":purpose": authorization.purpose.name(),
            ":account": authorization.purpose.account(),
            ":network": network.to_string(),
            ":provider": network.provider().to_string(),
            ":now": Millis(now),
        },
    )?;
    Ok(Ok(()))
}

fn counts(db: &Connection, network: Network, now: Timestamp) -> rusqlite::Result<NetworkCounts> {
    let sql = "SELECT
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > ?1 AND used_at IS NULL AND network = ?2) AS network,
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > ?1 AND used_at IS NULL AND provider = ?3) AS provider,
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > ?1 AND used_at IS NULL) AS overall";
    let provider = network.provider().to_string();
    let params = (before(now, LIFE), network.to_string(), provider);
    db.prepare_cached(sql)?
        .query_one(params, sign_in::network_counts)
}

fn take(
    db: &Connection,
    browser: SecretDigest,
    now: Timestamp,
) -> rusqlite::Result<Option<PendingAuthorization>> {
    let sql = "UPDATE oidc_authorization SET used_at = ?2
               WHERE browser = ?1 AND used_at IS NULL AND created_at > ?3
               RETURNING purpose, account, network";
    let params = (browser, Millis(now), before(now, LIFE));
    query::first(db, sql, params, |row| {
        let purpose: String = row.get("purpose")?;
        let unknown = || rusqlite::Error::InvalidColumnName("purpose".to_owned());
        Ok(PendingAuthorization {
            purpose: Purpose::of(&purpose, row.get("account")?).ok_or_else(unknown)?,
            network: row.get("network")?,
        })
    })
}

fn of_account(db: &Connection, account: AccountId) -> rusqlite::Result<Vec<IdentityRecord>> {
    let sql = "SELECT id, account, issuer, subject, label, created_at, last_used_at FROM identity
               WHERE account = ?1 ORDER BY created_at, id";
    query::all(db, sql, [account], read)
}

fn sign_in(
    db: &Connection,
    sign_in: &IdentitySignIn,
) -> rusqlite::Result<Result<AccountId, OidcRefusal>> {
    let email = match sign_in.target(find(db, &sign_in.identity)?) {
        Ok(SignInTarget::Known(id, account)) => {
            begin_session(db, account, id, &sign_in.session)?;
            return Ok(Ok(account));
        }
        Ok(SignInTarget::New(email)) => email,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if accounts::find_by_email(db, email)?.is_some() {
        return Ok(Err(OidcRefusal::AddressTaken));
    }
    let (browser, network) = &sign_in.from;
    let now = sign_in.session.created_at;
    if let Err(limit) = admit_account(sign_in::new_accounts(db, network, now)?) {
        return Ok(Err(limit.into()));
    }
    let sql = "UPDATE oidc_authorization SET made_account = 1 WHERE browser = ?1";
    query::execute(db, sql, [browser])?;
    accounts::find_or_make(db, email, sign_in.new, now)?;
    insert(db, sign_in.new, &sign_in.identity)?;
    if let Some(notice) = &sign_in.mail {
        mail::enqueue(db, notice)?;
    }
    // Nobody else can have anything to do with an account that was made just now.
    let session = NewSession {
        stepped_up_at: now,
        ..sign_in.session.clone()
    };
    begin_session(db, sign_in.new, sign_in.identity.id, &session)?;
    Ok(Ok(sign_in.new))
}

fn begin_session(
    db: &Connection,
    account: AccountId,
    id: IdentityId,
    session: &NewSession,
) -> rusqlite::Result<()> {
    let sql = "UPDATE identity SET last_used_at = ?2 WHERE id = ?1";
    query::execute(db, sql, (id, Millis(session.created_at)))?;
    let session = NewSession {
        proof: SessionProof::Oidc(id),
        ..session.clone()
    };
    sessions::begin(db, account, &session)
}

fn link(
    db: &Connection,
    account: AccountId,
    identity: &NewIdentity,
    notice: &NewMail,
) -> rusqlite::Result<Result<(), OidcRefusal>> {
    if !accounts::exists(db, account)? {
        return Ok(Err(OidcRefusal::SignedOut));
    }
    match find(db, identity)? {
        Some((_, owner)) if owner == account => return Ok(Err(OidcRefusal::Known)),
        Some(_) => return Ok(Err(OidcRefusal::OfAnother)),
        None if of_account(db, account)?.len() >= MAX_IDENTITIES => {
            return Ok(Err(OidcRefusal::TooMany));
        }
        None => {}
    }
    insert(db, account, identity)?;
    mail::enqueue(db, notice)?;
    Ok(Ok(()))
}

fn unlink(
    db: &Connection,
    account: AccountId,
    id: IdentityId,
    notice: &NewMail,
) -> rusqlite::Result<Result<(), OidcRefusal>> {
    let sql = "SELECT label FROM identity WHERE id = ?1 AND account = ?2";
    let own = query::first(db, sql, (id, account), |row| row.get("label"))?;
    let Some(label) = own else {
        return Ok(Err(OidcRefusal::Unknown));
    };
    query::execute(db, "DELETE FROM session WHERE identity = ?1", [id])?;
    query::execute(db, "DELETE FROM identity WHERE id = ?1", [id])?;
    let unlinked = AccountAction::IdentityUnlinked(label);
    history::record(db, account, &unlinked, notice.created_at)?;
    mail::enqueue(db, notice)?;
    Ok(Ok(()))
}

fn insert(db: &Connection, account: AccountId, identity: &NewIdentity) -> rusqlite::Result<()> {
    query::execute(
        db,
        "INSERT INTO identity (id, account, issuer, subject, label, created_at)
         VALUES (:id, :account, :issuer, :subject, :label, :now)",
        named_params! {
            ":id": identity.id,
            ":account": account,
            ":issuer": identity.issuer,
            ":subject": identity.subject,
            ":label": identity.label,
            ":now": Millis(identity.created_at),
        },
    )?;
    let linked = AccountAction::IdentityLinked(identity.label.clone());
    history::record(db, account, &linked, identity.created_at)
}

/// The stored identity of the same issuer and subject, and whose it is.
fn find(
    db: &Connection,
    identity: &NewIdentity,
) -> rusqlite::Result<Option<(IdentityId, AccountId)>> {
    let sql = "SELECT id, account FROM identity WHERE issuer = ?1 AND subject = ?2";
    query::first(db, sql, (&identity.issuer, &identity.subject), |row| {
        Ok((row.get("id")?, row.get("account")?))
    })
}

fn read(row: &Row<'_>) -> rusqlite::Result<IdentityRecord> {
    Ok(IdentityRecord {
        id: row.get("id")?,
        account: row.get("account")?,
        issuer: row.get("issuer")?,
        subject: row.get("subject")?,
        label: row.get("label")?,
        created_at: column::time(row, "created_at")?,
        last_used_at: column::time_if_any(row, "last_used_at")?,
    })
}
