//! Passkeys and their ceremonies, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::ceremony::{self, LIFE};
use super::passkey::MAX_PASSKEYS;
use super::{
    CeremonyId, CeremonyLimit, CredentialChange, NewCeremony, NewPasskey, PasskeyId, PasskeyOwner,
    PasskeyRecord, PasskeyRefusal, PasskeyStore,
};
use crate::accounts::history::sqlite as history;
use crate::accounts::sessions::sqlite as sessions;
use crate::accounts::sign_in::sqlite as sign_in;
use crate::accounts::{
    AccountAction, AccountId, Network, NetworkCounts, NewSession, sqlite as accounts,
};
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, sqlite as mail};
use crate::operators::sqlite as operators;

#[async_trait]
impl PasskeyStore for Sqlite {
    async fn begin_ceremony(
        &self,
        ceremony: NewCeremony,
    ) -> Result<Result<(), CeremonyLimit>, StoreError> {
        self.write(Writer::Dashboard, move |tx| Ok(begin(tx, &ceremony)?))
            .await
    }

    async fn take_ceremony(
        &self,
        id: CeremonyId,
        account: Option<AccountId>,
        now: Timestamp,
    ) -> Result<Option<String>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            let sql = "DELETE FROM passkey_ceremony
                       WHERE id = ?1 AND account IS ?2 AND created_at > ?3 RETURNING state";
            let params = (id, account, before(now, LIFE));
            Ok(query::first(tx, sql, params, |row| row.get("state"))?)
        })
        .await
    }

    async fn passkeys_of(&self, account: AccountId) -> Result<Vec<PasskeyRecord>, StoreError> {
        self.read(move |db| {
            let sql = format!("{PASSKEYS} WHERE account = ?1 ORDER BY created_at, id");
            Ok(query::all(db, &sql, [account], read)?)
        })
        .await
    }

    async fn passkey(&self, credential_id: Vec<u8>) -> Result<Option<PasskeyRecord>, StoreError> {
        self.read(move |db| Ok(of_credential(db, &credential_id)?))
            .await
    }

    async fn add_passkey(
        &self,
        owner: PasskeyOwner,
        passkey: NewPasskey,
        mail: NewMail,
    ) -> Result<Result<(), PasskeyRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(add(tx, owner, &passkey, &mail)?)
        })
        .await
    }

    async fn remove_passkey(
        &self,
        owner: PasskeyOwner,
        id: PasskeyId,
        mail: NewMail,
    ) -> Result<Result<(), PasskeyRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(remove(tx, owner, id, &mail)?)
        })
        .await
    }

    async fn sign_in_by_passkey(
        &self,
        change: CredentialChange,
        session: NewSession,
    ) -> Result<Result<AccountId, PasskeyRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(sign_in(tx, &change, &session)?)
        })
        .await
    }
}

const PASSKEYS: &str =
    "SELECT id, account, name, credential, created_at, last_used_at FROM passkey";

/// Deletes ceremonies that cannot be finished any more.
pub(crate) fn forget_ceremonies(db: &Connection, now: Timestamp) -> rusqlite::Result<()> {
    let sql = "DELETE FROM passkey_ceremony WHERE created_at <= ?1";
    query::execute(db, sql, [before(now, LIFE)])?;
    Ok(())
}

fn begin(db: &Connection, ceremony: &NewCeremony) -> rusqlite::Result<Result<(), CeremonyLimit>> {
    forget_ceremonies(db, ceremony.created_at)?;
    if let Err(limit) = ceremony::admit(counts(db, ceremony.network)?) {
        return Ok(Err(limit));
    }
    query::execute(
        db,
        "INSERT INTO passkey_ceremony (id, account, network, provider, state, created_at)
         VALUES (:id, :account, :network, :provider, :state, :now)",
        named_params! {
            ":id": ceremony.id,
            ":account": ceremony.account,
            ":network": ceremony.network.to_string(),
            ":provider": ceremony.network.provider().to_string(),
            ":state": ceremony.state,
            ":now": Millis(ceremony.created_at),
        },
    )?;
    Ok(Ok(()))
}

fn counts(db: &Connection, network: Network) -> rusqlite::Result<NetworkCounts> {
    let sql = "SELECT
                 (SELECT count(*) FROM passkey_ceremony WHERE network = ?1) AS network,
                 (SELECT count(*) FROM passkey_ceremony WHERE provider = ?2) AS provider,
                 (SELECT count(*) FROM passkey_ceremony) AS overall";
    let params = [network.to_string(), network.provider().to_string()];
    db.prepare_cached(sql)?
        .query_one(params, sign_in::network_counts)
}

fn add(
    db: &Connection,
    owner: PasskeyOwner,
    passkey: &NewPasskey,
    notice: &NewMail,
) -> rusqlite::Result<Result<(), PasskeyRefusal>> {
    let account = owner.account;
    if !accounts::exists(db, account)? {
        return Ok(Err(PasskeyRefusal::Ended));
    }
    if !owner.may_change(operators::is_operator(db, account)?)
        && !operators::use_enrolment(db, account, passkey.enrolment, passkey.created_at)?
    {
        return Ok(Err(PasskeyRefusal::Code));
    }
    let sql = "SELECT count(*) AS own FROM passkey WHERE account = ?1";
    let own: usize = db
        .prepare_cached(sql)?
        .query_one([account], |row| row.get("own"))?;
    if own >= MAX_PASSKEYS {
        return Ok(Err(PasskeyRefusal::TooMany));
    }
    let added = query::execute(
        db,
        "INSERT INTO passkey (id, account, name, credential_id, credential, created_at)
         VALUES (:id, :account, :name, :credential_id, :credential, :now)
         ON CONFLICT (credential_id) DO NOTHING",
        named_params! {
            ":id": passkey.id,
            ":account": account,
            ":name": passkey.name,
            ":credential_id": passkey.credential_id,
            ":credential": passkey.credential,
            ":now": Millis(passkey.created_at),
        },
    )?;
    if added == 0 {
        return Ok(Err(PasskeyRefusal::Known));
    }
    let added = AccountAction::PasskeyAdded(passkey.name.clone());
    history::record(db, account, &added, passkey.created_at)?;
    mail::enqueue(db, notice)?;
    Ok(Ok(()))
}

fn remove(
    db: &Connection,
    owner: PasskeyOwner,
    id: PasskeyId,
    notice: &NewMail,
) -> rusqlite::Result<Result<(), PasskeyRefusal>> {
    let sql = "SELECT name FROM passkey WHERE id = ?1 AND account = ?2";
    let own = query::first(db, sql, (id, owner.account), |row| row.get("name"))?;
    let Some(name) = own else {
        return Ok(Err(PasskeyRefusal::Unknown));
    };
    if !owner.may_change(operators::is_operator(db, owner.account)?) {
        return Ok(Err(PasskeyRefusal::NoPasskey));
    }
    query::execute(db, "DELETE FROM session WHERE passkey = ?1", [id])?;
    query::execute(db, "DELETE FROM passkey WHERE id = ?1", [id])?;
    let removed = AccountAction::PasskeyRemoved(name);
    history::record(db, owner.account, &removed, notice.created_at)?;
    mail::enqueue(db, notice)?;
    Ok(Ok(()))
}

/// Removes all passkeys of an account, and ends all its sessions.
pub(crate) fn remove_all(db: &Connection, account: AccountId) -> rusqlite::Result<()> {
    query::execute(db, "DELETE FROM session WHERE account = ?1", [account])?;
    query::execute(db, "DELETE FROM passkey WHERE account = ?1", [account])?;
    Ok(())
}

fn sign_in(
    db: &Connection,
    change: &CredentialChange,
    session: &NewSession,
) -> rusqlite::Result<Result<AccountId, PasskeyRefusal>> {
    let sql = "UPDATE passkey SET credential = ?3, last_used_at = ?4
               WHERE id = ?1 AND credential = ?2 RETURNING account";
    let now = Millis(session.created_at);
    let params = (change.id, &change.from, &change.to, now);
    let account = query::first(db, sql, params, |row| row.get("account"))?;
    let Some(account) = account else {
        return Ok(Err(PasskeyRefusal::Ended));
    };
    sessions::begin(db, account, session)?;
    Ok(Ok(account))
}

fn of_credential(db: &Connection, credential: &[u8]) -> rusqlite::Result<Option<PasskeyRecord>> {
    let sql = format!("{PASSKEYS} WHERE credential_id = ?1");
    query::first(db, &sql, [credential], read)
}

fn read(row: &Row<'_>) -> rusqlite::Result<PasskeyRecord> {
    Ok(PasskeyRecord {
        id: row.get("id")?,
        account: row.get("account")?,
        name: row.get("name")?,
        credential: row.get("credential")?,
        created_at: column::time(row, "created_at")?,
        last_used_at: column::time_if_any(row, "last_used_at")?,
    })
}
