//! Sign-ins by mail.

use db::{DbError, Row, Tx, params};
use jiff::Timestamp;

use crate::accounts::history::sql as history;
use crate::accounts::limits::{self, Admission, SignInCounts, WINDOW};
use crate::accounts::sessions::sql as sessions;
use crate::accounts::sign_in::SignInError;
use crate::accounts::{
    AccountAction, AccountRules, KNOWN_BROWSER_LIFE, NetworkCounts, NewSession, NewSignIn,
    PendingSignIn, SecretDigest, SignInProof, SignInRejection, sql as accounts,
};
use edge::clock::{before, latest};
use features::audit::sql as audit;
use features::database::locks;
use features::domain::day::DAY;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::mail::{NewMail, sql as mail};

/// How many browsers of an account are remembered.
const MAX_KNOWN_BROWSERS: u32 = 10;

pub(in crate::accounts) fn begin(
    tx: &Tx<'_>,
    sign_in: &NewSignIn,
    mails: &[NewMail],
    rules: &AccountRules,
) -> Result<(), SignInError> {
    tx.lock(locks::SIGN_INS)?;
    if let Some(account) = sign_in.account
        && !accounts::exists(tx, account)?
    {
        return Ok(());
    }
    let admission = counts(tx, sign_in)?.admit(sign_in.step_up.is_some())?;
    accounts::forget(tx, rules, sign_in.created_at)?;
    let sql = "INSERT INTO sign_in (id, token, browser, code, email, email_key, network, provider,
                 created_at, attempts, made_account, step_up, account, reserved, epoch)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, false, $10, $11, $12,
                 (SELECT id FROM epoch))";
    let (key, network) = (sign_in.email.key(), sign_in.network.to_string());
    let provider = sign_in.network.provider().to_string();
    let params = params![
        sign_in.id,
        sign_in.token,
        sign_in.browser,
        sign_in.code,
        sign_in.email,
        key,
        network,
        provider,
        sign_in.created_at,
        sign_in.step_up,
        sign_in.account,
        admission == Admission::Reserved
    ];
    tx.execute(sql, params)?;
    for mail in mails {
        mail::enqueue(tx, mail)?;
    }
    Ok(())
}

fn counts(tx: &Tx<'_>, sign_in: &NewSignIn) -> Result<SignInCounts, DbError> {
    let recent = "SELECT count(*) FROM sign_in WHERE created_at > $1 AND created_at <= $6";
    let counted = format!("{recent} AND step_up IS NULL AND NOT reserved");
    let reserved = format!("{recent} AND reserved AND email_key = $2");
    let sql = format!(
        "SELECT
           ({counted} AND email_key = $2) AS address,
           ({counted} AND email_key = $2 AND provider = $4) AS address_and_provider,
           ({counted} AND network = $3) AS network,
           ({counted} AND provider = $4) AS provider,
           ({counted}) AS overall,
           ({recent} AND step_up = $5) AS step_ups,
           ({reserved}) AS reserved,
           ({reserved} AND browser = $7) AS reserved_of_browser,
           EXISTS (SELECT 1 FROM known_browser WHERE browser = $7 AND email_key = $2
                     AND used_at > $8 AND used_at <= $6) AS is_known"
    );
    let since = before(sign_in.created_at, WINDOW);
    let until = latest(sign_in.created_at);
    let (email, network) = (sign_in.email.key(), sign_in.network.to_string());
    let provider = sign_in.network.provider().to_string();
    let known_since = before(sign_in.created_at, KNOWN_BROWSER_LIFE);
    let params = params![
        since,
        email,
        network,
        provider,
        sign_in.step_up,
        until,
        sign_in.browser,
        known_since
    ];
    tx.one(&sql, params, |row| {
        Ok(SignInCounts {
            address: row.get("address")?,
            address_and_provider: row.get("address_and_provider")?,
            from: network_counts(row)?,
            step_ups: row.get("step_ups")?,
            is_known_browser: row.get("is_known")?,
            reserved: (row.get("reserved_of_browser")?, row.get("reserved")?),
        })
    })
}

/// The counts in the columns `network`, `provider` and `overall`.
pub(crate) fn network_counts(row: &Row<'_>) -> Result<NetworkCounts, DbError> {
    Ok(NetworkCounts {
        network: row.get("network")?,
        provider: row.get("provider")?,
        all: row.get("overall")?,
    })
}

/// The outcome of a proof, if the transaction is to be committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::accounts) enum Confirmation {
    /// A session of this account has begun.
    SignedIn(AccountId),
    WrongCode,
}

pub(in crate::accounts) fn confirm(
    tx: &Tx<'_>,
    proof: SignInProof,
    new: AccountId,
    session: &NewSession,
) -> Result<Confirmation, SignInError> {
    tx.lock(locks::SIGN_INS)?;
    let now = session.created_at;
    let candidates = match proof {
        SignInProof::Link { token, .. } => of_token(tx, token)?.into_iter().collect(),
        SignInProof::Code { browser, .. } => of_browser(tx, browser)?,
    };
    let confirmed = match (proof.confirms(&candidates, now), proof) {
        (Err(SignInRejection::WrongCode), SignInProof::Code { browser, .. }) => {
            let sql = "UPDATE sign_in SET attempts = attempts + 1
                       WHERE browser = $1 AND used_at IS NULL";
            tx.execute(sql, params![browser])?;
            // Commits, so that the attempt counts.
            return Ok(Confirmation::WrongCode);
        }
        (confirmed, _) => confirmed?,
    };
    let found = accounts::find_by_email(tx, &confirmed.email)?;
    let is_own = is_of(tx, session.replaces, confirmed.account)?;
    confirmed.admits(found, is_own)?;
    let makes_account = found.is_none() && confirmed.account.is_none();
    if makes_account {
        let made = new_accounts(tx, &confirmed.network, now)?;
        limits::admit_account(made).map_err(SignInRejection::from)?;
    }
    let sql =
        "UPDATE sign_in SET used_at = $2, made_account = $3 WHERE id = $1 AND used_at IS NULL";
    if tx.execute(sql, params![confirmed.id, now, makes_account])? != 1 {
        return Err(SignInRejection::Ended.into());
    }
    if let Some(account) = confirmed.account {
        give_address(tx, account, &confirmed.email, now)?;
    }
    let account = sessions::open(tx, &confirmed.email, new, session)?;
    remember_browser(tx, account, confirmed, now)?;
    Ok(Confirmation::SignedIn(account))
}

/// Remembers that an account signed in in a browser, for its last browsers.
fn remember_browser(
    tx: &Tx<'_>,
    account: AccountId,
    sign_in: &PendingSignIn,
    now: Timestamp,
) -> Result<(), DbError> {
    let sql =
        "INSERT INTO known_browser (account, browser, email_key, used_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (browser, account) DO UPDATE SET used_at = excluded.used_at";
    let email = sign_in.email.key();
    tx.execute(sql, params![account, sign_in.browser, email, now])?;
    // Those of a clock that was ahead go first.
    let sql = "DELETE FROM known_browser WHERE account = $1 AND browser NOT IN
                 (SELECT browser FROM known_browser WHERE account = $1
                  ORDER BY used_at <= $3 DESC, used_at DESC, browser LIMIT $2)";
    tx.execute(sql, params![account, MAX_KNOWN_BROWSERS, latest(now)])?;
    Ok(())
}

/// Whether a session is an account's.
fn is_of(
    tx: &Tx<'_>,
    session: Option<SecretDigest>,
    account: Option<AccountId>,
) -> Result<bool, DbError> {
    let sql = "SELECT 1 FROM session WHERE secret = $1 AND account = $2";
    tx.exists(sql, params![session, account])
}

/// Gives an account another address, and ends its sessions. The former one is forgotten.
fn give_address(
    tx: &Tx<'_>,
    account: AccountId,
    email: &Email,
    now: Timestamp,
) -> Result<(), DbError> {
    let former = "SELECT email_key FROM account WHERE id = $1";
    let read = |row: &Row<'_>| row.get::<String>("email_key");
    let former = tx.first(former, params![account], read)?;
    audit::forget_address(tx, &former.unwrap_or_default())?;
    let sql = "UPDATE account SET email = $2, email_key = $3 WHERE id = $1";
    tx.execute(sql, params![account, email, email.key()])?;
    history::record(tx, account, &AccountAction::AddressChanged, now)?;
    sessions::end_all(tx, account)
}

/// The accounts that a network has made in the last day, by mail and by a provider.
pub(crate) fn new_accounts(tx: &Tx<'_>, network: &str, now: Timestamp) -> Result<i64, DbError> {
    let sql = "SELECT
                 (SELECT count(*) FROM sign_in
                  WHERE network = $1 AND created_at > $2 AND created_at <= $3 AND made_account)
                 + (SELECT count(*) FROM oidc_authorization
                    WHERE network = $1 AND created_at > $2 AND created_at <= $3 AND made_account) AS made";
    let read = |row: &Row<'_>| row.get("made");
    let made = tx.first(sql, params![network, before(now, DAY), latest(now)], read)?;
    Ok(made.unwrap_or(0))
}

/// Those of the epoch: a backup that was restored has others.
const SIGN_INS: &str =
    "SELECT id, browser, code, email, network, created_at, attempts, used_at, account,
       NOT EXISTS (SELECT 1 FROM account WHERE account.email_key = sign_in.email_key) AS is_new
     FROM sign_in WHERE epoch = (SELECT id FROM epoch)";

pub(in crate::accounts) fn of_token(
    tx: &Tx<'_>,
    token: SecretDigest,
) -> Result<Option<PendingSignIn>, DbError> {
    let sql = format!("{SIGN_INS} AND token = $1");
    tx.first(&sql, params![token], read_sign_in)
}

/// The sign-ins that a browser asked for, the latest first.
fn of_browser(tx: &Tx<'_>, browser: SecretDigest) -> Result<Vec<PendingSignIn>, DbError> {
    let sql = format!("{SIGN_INS} AND browser = $1 ORDER BY created_at DESC, id DESC");
    tx.all(&sql, params![browser], read_sign_in)
}

fn read_sign_in(row: &Row<'_>) -> Result<PendingSignIn, DbError> {
    Ok(PendingSignIn {
        id: row.get("id")?,
        browser: row.get("browser")?,
        code: row.get("code")?,
        email: row.get("email")?,
        network: row.get("network")?,
        created_at: row.get("created_at")?,
        attempts: row.get("attempts")?,
        used_at: row.get("used_at")?,
        account: row.get("account")?,
        is_new: row.get("is_new")?,
    })
}
