//! Identities, and browsers that were sent to the provider, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::authorization::{self, LIFE};
use super::identity::{MAX_IDENTITIES, SignInTarget};
use super::{
    AuthorizationLimit, IdentityId, IdentityRecord, IdentitySignIn, NewAuthorization, NewIdentity,
    OidcRefusal, OidcStore, PendingAuthorization, Purpose,
};
use crate::accounts::history::postgres as history;
use crate::accounts::sessions::postgres as sessions;
use crate::accounts::sign_in::postgres as sign_in;
use crate::accounts::{
    AccountAction, AccountId, DAY, Network, NetworkCounts, NewSession, SecretDigest, SessionProof,
    admit_account, postgres as accounts,
};
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, locks, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, postgres as mail};

/// The author and the limits of every write here.
const DASHBOARD: (Writer, TimeoutClass) = (Writer::Dashboard, TimeoutClass::Request);

#[async_trait]
impl OidcStore for Postgres {
    async fn begin_authorization(
        &self,
        authorization: NewAuthorization,
    ) -> Result<Result<(), AuthorizationLimit>, StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, authorization, |tx, authorization| {
            begin(tx, authorization).boxed()
        })
        .await
    }

    async fn take_authorization(
        &self,
        browser: SecretDigest,
        now: Timestamp,
    ) -> Result<Option<PendingAuthorization>, StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, (browser, now), |tx, (browser, now)| {
            take(tx, *browser, *now).boxed()
        })
        .await
    }

    async fn identities_of(&self, account: AccountId) -> Result<Vec<IdentityRecord>, StoreError> {
        self.query(move |db| of_account(db, account).boxed()).await
    }

    async fn sign_in_by_identity(
        &self,
        sign_in: IdentitySignIn,
    ) -> Result<Result<AccountId, OidcRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, sign_in, |tx, sign_in| {
            self::sign_in(tx, sign_in).boxed()
        })
        .await
    }

    async fn link_identity(
        &self,
        account: AccountId,
        identity: NewIdentity,
        mail: NewMail,
    ) -> Result<Result<(), OidcRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (account, identity, mail);
        self.write(writer, limits, about, |tx, (account, identity, mail)| {
            link(tx, *account, identity, mail).boxed()
        })
        .await
    }

    async fn unlink_identity(
        &self,
        account: AccountId,
        id: IdentityId,
        mail: NewMail,
    ) -> Result<Result<(), OidcRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (account, id, mail);
        self.write(writer, limits, about, |tx, (account, id, mail)| {
            unlink(tx, *account, *id, mail).boxed()
        })
        .await
    }
}

/// Deletes browsers that were sent to the provider more than a day ago.
pub(crate) async fn forget_authorizations(
    tx: &Transaction<'_>,
    now: Timestamp,
) -> Result<(), Failure> {
    let sql = "DELETE FROM oidc_authorization WHERE created_at < $1";
    query::execute(tx, sql, &[&before(now, DAY)]).await?;
    Ok(())
}

async fn begin(
    tx: &Transaction<'_>,
    authorization: &NewAuthorization,
) -> Result<Result<(), AuthorizationLimit>, Failure> {
    let now = authorization.created_at;
    forget_authorizations(tx, now).await?;
    let network = authorization.network;
    if let Err(limit) = authorization::admit(counts(tx, network, now).await?) {
        return Ok(Err(limit));
    }
    let sql = "INSERT INTO oidc_authorization (browser, purpose, account, network, provider,
                 created_at, made_account)
               VALUES ($1, $2, $3, $4, $5, $6, false)";
    let params: query::Params<'_> = &[
        &authorization.browser,
        &authorization.purpose.name(),
        &authorization.purpose.account(),
        &network.to_string(),
        &network.provider().to_string(),
        &Millis(now),
    ];
    query::execute(tx, sql, params).await?;
    Ok(Ok(()))
}

async fn counts(
    tx: &Transaction<'_>,
    network: Network,
    now: Timestamp,
) -> Result<NetworkCounts, Failure> {
    let sql = "SELECT
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > $1 AND used_at IS NULL AND network = $2) AS network,
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > $1 AND used_at IS NULL AND provider = $3) AS provider,
                 (SELECT count(*) FROM oidc_authorization
                  WHERE created_at > $1 AND used_at IS NULL) AS overall";
    let provider = network.provider().to_string();
    let params: query::Params<'_> = &[&before(now, LIFE), &network.to_string(), &provider];
    query::one(tx, sql, params, sign_in::network_counts).await
}

async fn take(
    tx: &Transaction<'_>,
    browser: SecretDigest,
    now: Timestamp,
) -> Result<Option<PendingAuthorization>, Failure> {
    let sql = "UPDATE oidc_authorization SET used_at = $2
               WHERE browser = $1 AND used_at IS NULL AND created_at > $3
               RETURNING purpose, account, network";
    let params: query::Params<'_> = &[&browser, &Millis(now), &before(now, LIFE)];
    query::first(tx, sql, params, |row| {
        let purpose: String = row.try_get("purpose")?;
        let unknown =
            || StoreError::Corrupt(format!("the purpose of an authorization is {purpose}"));
        Ok(PendingAuthorization {
            purpose: Purpose::of(&purpose, row.try_get("account")?).ok_or_else(unknown)?,
            network: row.try_get("network")?,
        })
    })
    .await
}

async fn of_account(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<IdentityRecord>, Failure> {
    let sql = "SELECT id, account, issuer, subject, label, created_at, last_used_at FROM identity
               WHERE account = $1 ORDER BY created_at, id";
    query::all(db, sql, &[&account], read).await
}

async fn sign_in(
    tx: &Transaction<'_>,
    sign_in: &IdentitySignIn,
) -> Result<Result<AccountId, OidcRefusal>, Failure> {
    // New accounts are counted, and two first sign-ins of one identity make one.
    locks::own_sign_ins(tx).await?;
    let email = match sign_in.target(find(tx, &sign_in.identity).await?) {
        Ok(SignInTarget::Known(id, account)) => {
            begin_session(tx, account, id, &sign_in.session).await?;
            return Ok(Ok(account));
        }
        Ok(SignInTarget::New(email)) => email,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if accounts::find_by_email(tx, email).await?.is_some() {
        return Ok(Err(OidcRefusal::AddressTaken));
    }
    let (browser, network) = &sign_in.from;
    let now = sign_in.session.created_at;
    if let Err(limit) = admit_account(sign_in::new_accounts(tx, network, now).await?) {
        return Ok(Err(limit.into()));
    }
    let sql = "UPDATE oidc_authorization SET made_account = true WHERE browser = $1";
    query::execute(tx, sql, &[browser]).await?;
    accounts::find_or_make(tx, email, sign_in.new, now).await?;
    insert(tx, sign_in.new, &sign_in.identity).await?;
    if let Some(notice) = &sign_in.mail {
        mail::enqueue(tx, notice).await?;
    }
    // Nobody else can have anything to do with an account that was made just now.
    let session = NewSession {
        stepped_up_at: now,
        ..sign_in.session.clone()
    };
    begin_session(tx, sign_in.new, sign_in.identity.id, &session).await?;
    Ok(Ok(sign_in.new))
}

async fn begin_session(
    tx: &Transaction<'_>,
    account: AccountId,
    id: IdentityId,
    session: &NewSession,
) -> Result<(), Failure> {
    let sql = "UPDATE identity SET last_used_at = $2 WHERE id = $1";
    query::execute(tx, sql, &[&id, &Millis(session.created_at)]).await?;
    let session = NewSession {
        proof: SessionProof::Oidc(id),
        ..session.clone()
    };
    sessions::begin(tx, account, &session).await
}

async fn link(
    tx: &Transaction<'_>,
    account: AccountId,
    identity: &NewIdentity,
    notice: &NewMail,
) -> Result<Result<(), OidcRefusal>, Failure> {
    locks::own_sign_ins(tx).await?;
    if !accounts::exists(tx, account).await? {
        return Ok(Err(OidcRefusal::SignedOut));
    }
    match find(tx, identity).await? {
        Some((_, owner)) if owner == account => return Ok(Err(OidcRefusal::Known)),
        Some(_) => return Ok(Err(OidcRefusal::OfAnother)),
        None if of_account(tx, account).await?.len() >= MAX_IDENTITIES => {
            return Ok(Err(OidcRefusal::TooMany));
        }
        None => {}
    }
    insert(tx, account, identity).await?;
    mail::enqueue(tx, notice).await?;
    Ok(Ok(()))
}

async fn unlink(
    tx: &Transaction<'_>,
    account: AccountId,
    id: IdentityId,
    notice: &NewMail,
) -> Result<Result<(), OidcRefusal>, Failure> {
    // A sign-in by the identity that is not committed yet is waited for, so that its session ends too.
    locks::own_sign_ins(tx).await?;
    let sql = "SELECT label FROM identity WHERE id = $1 AND account = $2";
    let params: query::Params<'_> = &[&id, &account];
    let own = query::first(tx, sql, params, |row| Ok(row.try_get("label")?));
    let Some(label) = own.await? else {
        return Ok(Err(OidcRefusal::Unknown));
    };
    query::execute(tx, "DELETE FROM session WHERE identity = $1", &[&id]).await?;
    query::execute(tx, "DELETE FROM identity WHERE id = $1", &[&id]).await?;
    let unlinked = AccountAction::IdentityUnlinked(label);
    history::record(tx, account, &unlinked, notice.created_at).await?;
    mail::enqueue(tx, notice).await?;
    Ok(Ok(()))
}

async fn insert(
    tx: &Transaction<'_>,
    account: AccountId,
    identity: &NewIdentity,
) -> Result<(), Failure> {
    let sql = "INSERT INTO identity (id, account, issuer, subject, label, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let params: query::Params<'_> = &[
        &identity.id,
        &account,
        &identity.issuer,
        &identity.subject,
        &identity.label,
        &Millis(identity.created_at),
    ];
    query::execute(tx, sql, params).await?;
    let linked = AccountAction::IdentityLinked(identity.label.clone());
    history::record(tx, account, &linked, identity.created_at).await
}

/// The stored identity of the same issuer and subject, and whose it is.
async fn find(
    tx: &Transaction<'_>,
    identity: &NewIdentity,
) -> Result<Option<(IdentityId, AccountId)>, Failure> {
    let sql = "SELECT id, account FROM identity WHERE issuer = $1 AND subject = $2";
    let params: query::Params<'_> = &[&identity.issuer, &identity.subject];
    let read = |row: &Row| Ok((row.try_get("id")?, row.try_get("account")?));
    query::first(tx, sql, params, read).await
}

fn read(row: &Row) -> Result<IdentityRecord, Failure> {
    Ok(IdentityRecord {
        id: row.try_get("id")?,
        account: row.try_get("account")?,
        issuer: row.try_get("issuer")?,
        subject: row.try_get("subject")?,
        label: row.try_get("label")?,
        created_at: column::time(row, "created_at")?,
        last_used_at: column::time_if_any(row, "last_used_at")?,
    })
}
