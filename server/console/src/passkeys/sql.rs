//! Passkeys and their ceremonies.

use db::{DbError, Row, Timeouts, Tx, Writer, params};
use jiff::Timestamp;

use super::ceremony::{self, LIFE};
use super::passkey::MAX_PASSKEYS;
use super::{
    CeremonyId, CeremonyLimit, CredentialChange, NewCeremony, NewPasskey, PasskeyError,
    PasskeyOwner, PasskeyRecord, PasskeyRejection,
};
use crate::accounts::history::sql as history;
use crate::accounts::sessions::sql as sessions;
use crate::accounts::sign_in::sql as sign_in;
use crate::accounts::{
    AccountAction, EnrolmentCode, Network, NetworkCounts, NewSession, SecretDigest,
};
use edge::clock::{after, before, latest};
use features::database::writers;
use features::domain::ids::{AccountId, PasskeyId};
use features::mail::{NewMail, sql as mail};
use features::projects::sql as projects;

/// The author and the limits of every write here.
pub(crate) const DASHBOARD: (Writer, Timeouts) = (writers::DASHBOARD, Timeouts::Request);

const PASSKEYS: &str =
    "SELECT id, account, name, credential, created_at, last_used_at FROM passkey";

/// Deletes ceremonies that cannot be finished any more.
pub(crate) fn forget_ceremonies(tx: &Tx<'_>, now: Timestamp) -> Result<(), DbError> {
    let sql = "DELETE FROM passkey_ceremony WHERE created_at <= $1";
    tx.execute(sql, params![before(now, LIFE)])?;
    Ok(())
}

pub(crate) fn begin(
    tx: &Tx<'_>,
    ceremony: &NewCeremony,
) -> Result<Result<(), CeremonyLimit>, DbError> {
    forget_ceremonies(tx, ceremony.created_at)?;
    if let Err(limit) = ceremony::admit(counts(tx, ceremony.network, ceremony.created_at)?) {
        // Commits, so that later attempts find the expired ceremonies deleted.
        return Ok(Err(limit));
    }
    let sql = "INSERT INTO passkey_ceremony (id, account, network, provider, state, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)";
    let params = params![
        ceremony.id,
        ceremony.account,
        ceremony.network.to_string(),
        ceremony.network.provider().to_string(),
        ceremony.state,
        ceremony.created_at
    ];
    tx.execute(sql, params)?;
    Ok(Ok(()))
}

fn counts(tx: &Tx<'_>, network: Network, now: Timestamp) -> Result<NetworkCounts, DbError> {
    let sql = "SELECT
                 (SELECT count(*) FROM passkey_ceremony
                  WHERE created_at <= $3 AND network = $1) AS network,
                 (SELECT count(*) FROM passkey_ceremony
                  WHERE created_at <= $3 AND provider = $2) AS provider,
                 (SELECT count(*) FROM passkey_ceremony WHERE created_at <= $3) AS overall";
    let params = params![
        network.to_string(),
        network.provider().to_string(),
        latest(now)
    ];
    tx.one(sql, params, sign_in::network_counts)
}

pub(crate) fn take(
    tx: &Tx<'_>,
    id: CeremonyId,
    account: Option<AccountId>,
    now: Timestamp,
) -> Result<Option<String>, DbError> {
    let sql = "DELETE FROM passkey_ceremony
               WHERE id = $1 AND account IS NOT DISTINCT FROM $2
                 AND created_at > $3 AND created_at <= $4
               RETURNING state";
    let params = params![id, account, before(now, LIFE), latest(now)];
    tx.first(sql, params, |row| row.get("state"))
}

/// Uses up an operator's code, if it may be used.
fn use_enrolment(
    tx: &Tx<'_>,
    account: AccountId,
    code: Option<SecretDigest>,
    now: Timestamp,
) -> Result<bool, DbError> {
    let latest_end = after(latest(now), EnrolmentCode::LIFE);
    let sql = "UPDATE operator SET enrolment = NULL, enrolment_ends_at = NULL
               WHERE account = $1 AND enrolment = $2
                 AND enrolment_ends_at > $3 AND enrolment_ends_at <= $4";
    Ok(tx.execute(sql, params![account, code, now, latest_end])? > 0)
}

pub(crate) fn add(
    tx: &Tx<'_>,
    owner: PasskeyOwner,
    passkey: &NewPasskey,
    notice: &NewMail,
) -> Result<Result<(), PasskeyRejection>, PasskeyError> {
    let account = owner.account;
    if !lock(tx, account)? {
        return Err(PasskeyRejection::Ended.into());
    }
    if !owner.may_change(projects::is_operator(tx, account)?)
        && !use_enrolment(tx, account, passkey.enrolment, passkey.created_at)?
    {
        return Err(PasskeyRejection::Code.into());
    }
    if of_account(tx, account)?.len() >= MAX_PASSKEYS {
        // Commits, so that an operator's code is used up.
        return Ok(Err(PasskeyRejection::TooMany));
    }
    let sql = "INSERT INTO passkey (id, account, name, credential_id, credential, created_at)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (credential_id) DO NOTHING";
    let params = params![
        passkey.id,
        account,
        passkey.name,
        passkey.credential_id,
        passkey.credential,
        passkey.created_at
    ];
    if tx.execute(sql, params)? == 0 {
        // Commits, so that an operator's code is used up.
        return Ok(Err(PasskeyRejection::Known));
    }
    let added = AccountAction::PasskeyAdded(passkey.name.clone());
    history::record(tx, account, &added, passkey.created_at)?;
    mail::enqueue(tx, notice)?;
    Ok(Ok(()))
}

pub(crate) fn remove(
    tx: &Tx<'_>,
    owner: PasskeyOwner,
    id: PasskeyId,
    notice: &NewMail,
) -> Result<(), PasskeyError> {
    // A sign-in by the passkey that is not committed yet is waited for, so that its session ends too.
    let sql = "SELECT id, name FROM passkey WHERE id = $1 AND account = $2 FOR UPDATE";
    let params = params![id, owner.account];
    let own = tx.first(sql, params, |row| row.get("name"));
    let Some(name) = own? else {
        return Err(PasskeyRejection::Unknown.into());
    };
    if !owner.may_change(projects::is_operator(tx, owner.account)?) {
        return Err(PasskeyRejection::NoPasskey.into());
    }
    tx.execute("DELETE FROM session WHERE passkey = $1", params![id])?;
    tx.execute("DELETE FROM passkey WHERE id = $1", params![id])?;
    let removed = AccountAction::PasskeyRemoved(name);
    history::record(tx, owner.account, &removed, notice.created_at)?;
    mail::enqueue(tx, notice)?;
    Ok(())
}

/// Removes all passkeys of an account, and ends all its sessions.
pub(crate) fn remove_all(tx: &Tx<'_>, account: AccountId) -> Result<(), DbError> {
    // A sign-in by one of them that is not committed yet is waited for, so that its session ends too.
    let sql = "SELECT id FROM passkey WHERE account = $1 FOR UPDATE";
    let _: Vec<PasskeyId> = tx.all(sql, params![account], |row| row.get("id"))?;
    tx.execute("DELETE FROM session WHERE account = $1", params![account])?;
    tx.execute("DELETE FROM passkey WHERE account = $1", params![account])?;
    Ok(())
}

pub(crate) fn sign_in(
    tx: &Tx<'_>,
    change: &CredentialChange,
    session: &NewSession,
) -> Result<AccountId, PasskeyError> {
    let sql = "UPDATE passkey SET credential = $3, last_used_at = $4
               WHERE id = $1 AND credential = $2 RETURNING account";
    let now = session.created_at;
    let params = params![change.id, change.from, change.to, now];
    let account = tx.first(sql, params, |row| row.get("account"))?;
    let Some(account) = account else {
        return Err(PasskeyRejection::Ended.into());
    };
    sessions::begin(tx, account, session)?;
    Ok(account)
}

/// Locks an account until the end of the transaction, so that its passkeys are counted right; false for one
/// that is erased.
fn lock(tx: &Tx<'_>, account: AccountId) -> Result<bool, DbError> {
    let sql = "SELECT id FROM account WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE";
    tx.exists(sql, params![account])
}

pub(crate) fn of_account(tx: &Tx<'_>, account: AccountId) -> Result<Vec<PasskeyRecord>, DbError> {
    let sql = format!("{PASSKEYS} WHERE account = $1 ORDER BY created_at, id");
    tx.all(&sql, params![account], read)
}

pub(crate) fn of_credential(
    tx: &Tx<'_>,
    credential: Vec<u8>,
) -> Result<Option<PasskeyRecord>, DbError> {
    let sql = format!("{PASSKEYS} WHERE credential_id = $1");
    tx.first(&sql, params![credential], read)
}

fn read(row: &Row<'_>) -> Result<PasskeyRecord, DbError> {
    Ok(PasskeyRecord {
        id: row.get("id")?,
        account: row.get("account")?,
        name: row.get("name")?,
        credential: row.get("credential")?,
        created_at: row.get("created_at")?,
        last_used_at: row.get("last_used_at")?,
    })
}
