//! Passkeys and their ceremonies, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::ceremony::{self, LIFE};
use super::passkey::MAX_PASSKEYS;
use super::{
    CeremonyId, CeremonyLimit, CredentialChange, NewCeremony, NewPasskey, PasskeyId, PasskeyOwner,
    PasskeyRecord, PasskeyRefusal, PasskeyStore,
};
use crate::accounts::history::postgres as history;
use crate::accounts::sessions::postgres as sessions;
use crate::accounts::sign_in::postgres as sign_in;
use crate::accounts::{AccountAction, AccountId, Network, NetworkCounts, NewSession};
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, postgres as mail};
use crate::operators::postgres as operators;

/// The author and the limits of every write here.
const DASHBOARD: (Writer, TimeoutClass) = (Writer::Dashboard, TimeoutClass::Request);

#[async_trait]
impl PasskeyStore for Postgres {
    async fn begin_ceremony(
        &self,
        ceremony: NewCeremony,
    ) -> Result<Result<(), CeremonyLimit>, StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, ceremony, |tx, ceremony| {
            begin(tx, ceremony).boxed()
        })
        .await
    }

    async fn take_ceremony(
        &self,
        id: CeremonyId,
        account: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Option<String>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (id, account, now);
        self.write(writer, limits, about, |tx, (id, account, now)| {
            take(tx, *id, *account, *now).boxed()
        })
        .await
    }

    async fn passkeys_of(&self, account: AccountId) -> Result<Vec<PasskeyRecord>, StoreError> {
        self.query(move |db| of_account(db, account).boxed()).await
    }

    async fn passkey(&self, credential_id: Vec<u8>) -> Result<Option<PasskeyRecord>, StoreError> {
        self.query(move |db| of_credential(db, credential_id).boxed())
            .await
    }

    async fn add_passkey(
        &self,
        owner: PasskeyOwner,
        passkey: NewPasskey,
        mail: NewMail,
    ) -> Result<Result<(), PasskeyRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (owner, passkey, mail);
        self.write(writer, limits, about, |tx, (owner, passkey, mail)| {
            add(tx, *owner, passkey, mail).boxed()
        })
        .await
    }

    async fn remove_passkey(
        &self,
        owner: PasskeyOwner,
        id: PasskeyId,
        mail: NewMail,
    ) -> Result<Result<(), PasskeyRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (owner, id, mail);
        self.write(writer, limits, about, |tx, (owner, id, mail)| {
            remove(tx, *owner, *id, mail).boxed()
        })
        .await
    }

    async fn sign_in_by_passkey(
        &self,
        change: CredentialChange,
        session: NewSession,
    ) -> Result<Result<AccountId, PasskeyRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(
            writer,
            limits,
            (change, session),
            |tx, (change, session)| sign_in(tx, change, session).boxed(),
        )
        .await
    }
}

const PASSKEYS: &str =
    "SELECT id, account, name, credential, created_at, last_used_at FROM passkey";

/// Deletes ceremonies that cannot be finished any more.
pub(crate) async fn forget_ceremonies(tx: &Transaction<'_>, now: Timestamp) -> Result<(), Failure> {
    let sql = "DELETE FROM passkey_ceremony WHERE created_at <= $1";
    query::execute(tx, sql, &[&before(now, LIFE)]).await?;
    Ok(())
}

async fn begin(
    tx: &Transaction<'_>,
    ceremony: &NewCeremony,
) -> Result<Result<(), CeremonyLimit>, Failure> {
    forget_ceremonies(tx, ceremony.created_at).await?;
    if let Err(limit) = ceremony::admit(counts(tx, ceremony.network).await?) {
        return Ok(Err(limit));
    }
    let sql = "INSERT INTO passkey_ceremony (id, account, network, provider, state, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let params: query::Params<'_> = &[
        &ceremony.id,
        &ceremony.account,
        &ceremony.network.to_string(),
        &ceremony.network.provider().to_string(),
        &ceremony.state,
        &Millis(ceremony.created_at),
    ];
    query::execute(tx, sql, params).await?;
    Ok(Ok(()))
}

async fn counts(tx: &Transaction<'_>, network: Network) -> Result<NetworkCounts, Failure> {
    let sql = "SELECT
                 (SELECT count(*) FROM passkey_ceremony WHERE network = $1) AS network,
                 (SELECT count(*) FROM passkey_ceremony WHERE provider = $2) AS provider,
                 (SELECT count(*) FROM passkey_ceremony) AS overall";
    let params: query::Params<'_> = &[&network.to_string(), &network.provider().to_string()];
    query::one(tx, sql, params, sign_in::network_counts).await
}

async fn take(
    tx: &Transaction<'_>,
    id: CeremonyId,
    account: Option<AccountId>,
    now: Timestamp,
) -> Result<Option<String>, Failure> {
    let sql = "DELETE FROM passkey_ceremony
               WHERE id = $1 AND account IS NOT DISTINCT FROM $2 AND created_at > $3
               RETURNING state";
    let params: query::Params<'_> = &[&id, &account, &before(now, LIFE)];
    query::first(tx, sql, params, |row| Ok(row.try_get("state")?)).await
}

async fn add(
    tx: &Transaction<'_>,
    owner: PasskeyOwner,
    passkey: &NewPasskey,
    notice: &NewMail,
) -> Result<Result<(), PasskeyRefusal>, Failure> {
    let account = owner.account;
    if !lock(tx, account).await? {
        return Ok(Err(PasskeyRefusal::Ended));
    }
    if !owner.may_change(operators::is_operator(tx, account).await?)
        && !operators::use_enrolment(tx, account, passkey.enrolment, passkey.created_at).await?
    {
        return Ok(Err(PasskeyRefusal::Code));
    }
    if of_account(tx, account).await?.len() >= MAX_PASSKEYS {
        return Ok(Err(PasskeyRefusal::TooMany));
    }
    let sql = "INSERT INTO passkey (id, account, name, credential_id, credential, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (credential_id) DO NOTHING";
    let params: query::Params<'_> = &[
        &passkey.id,
        &account,
        &passkey.name,
        &passkey.credential_id,
        &passkey.credential,
        &Millis(passkey.created_at),
    ];
    if query::execute(tx, sql, params).await? == 0 {
        return Ok(Err(PasskeyRefusal::Known));
    }
    let added = AccountAction::PasskeyAdded(passkey.name.clone());
    history::record(tx, account, &added, passkey.created_at).await?;
    mail::enqueue(tx, notice).await?;
    Ok(Ok(()))
}

async fn remove(
    tx: &Transaction<'_>,
    owner: PasskeyOwner,
    id: PasskeyId,
    notice: &NewMail,
) -> Result<Result<(), PasskeyRefusal>, Failure> {
    // A sign-in by the passkey that is not committed yet is waited for, so that its session ends too.
    let sql = "SELECT id, name FROM passkey WHERE id = $1 AND account = $2 FOR UPDATE";
    let params: query::Params<'_> = &[&id, &owner.account];
    let own = query::first(tx, sql, params, |row| Ok(row.try_get("name")?));
    let Some(name) = own.await? else {
        return Ok(Err(PasskeyRefusal::Unknown));
    };
    if !owner.may_change(operators::is_operator(tx, owner.account).await?) {
        return Ok(Err(PasskeyRefusal::NoPasskey));
    }
    query::execute(tx, "DELETE FROM session WHERE passkey = $1", &[&id]).await?;
    query::execute(tx, "DELETE FROM passkey WHERE id = $1", &[&id]).await?;
    let removed = AccountAction::PasskeyRemoved(name);
    history::record(tx, owner.account, &removed, notice.created_at).await?;
    mail::enqueue(tx, notice).await?;
    Ok(Ok(()))
}

/// Removes all passkeys of an account, and ends all its sessions.
pub(crate) async fn remove_all(tx: &Transaction<'_>, account: AccountId) -> Result<(), Failure> {
    // A sign-in by one of them that is not committed yet is waited for, so that its session ends too.
    let sql = "SELECT id FROM passkey WHERE account = $1 FOR UPDATE";
    query::all::<(), Vec<_>>(tx, sql, &[&account], |_| Ok(())).await?;
    query::execute(tx, "DELETE FROM session WHERE account = $1", &[&account]).await?;
    query::execute(tx, "DELETE FROM passkey WHERE account = $1", &[&account]).await?;
    Ok(())
}

async fn sign_in(
    tx: &Transaction<'_>,
    change: &CredentialChange,
    session: &NewSession,
) -> Result<Result<AccountId, PasskeyRefusal>, Failure> {
    let sql = "UPDATE passkey SET credential = $3, last_used_at = $4
               WHERE id = $1 AND credential = $2 RETURNING account";
    let now = Millis(session.created_at);
    let params: query::Params<'_> = &[&change.id, &change.from, &change.to, &now];
    let account = query::first(tx, sql, params, |row| Ok(row.try_get("account")?)).await?;
    let Some(account) = account else {
        return Ok(Err(PasskeyRefusal::Ended));
    };
    sessions::begin(tx, account, session).await?;
    Ok(Ok(account))
}

/// Locks an account until the end of the transaction, so that its passkeys are counted right; false for one
/// that is erased.
async fn lock(tx: &Transaction<'_>, account: AccountId) -> Result<bool, Failure> {
    let sql = "SELECT id FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE";
    query::exists(tx, sql, &[&account]).await
}

async fn of_account(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<PasskeyRecord>, Failure> {
    let sql = format!("{PASSKEYS} WHERE account = $1 ORDER BY created_at, id");
    query::all(db, &sql, &[&account], read).await
}

async fn of_credential(
    db: &impl GenericClient,
    credential: Vec<u8>,
) -> Result<Option<PasskeyRecord>, Failure> {
    let sql = format!("{PASSKEYS} WHERE credential_id = $1");
    query::first(db, &sql, &[&credential], read).await
}

fn read(row: &Row) -> Result<PasskeyRecord, Failure> {
    Ok(PasskeyRecord {
        id: row.try_get("id")?,
        account: row.try_get("account")?,
        name: row.try_get("name")?,
        credential: row.try_get("credential")?,
        created_at: column::time(row, "created_at")?,
        last_used_at: column::time_if_any(row, "last_used_at")?,
    })
}
