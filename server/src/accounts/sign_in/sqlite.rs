//! Sign-ins by mail, in SQLite.

use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use crate::accounts::history::sqlite as history;
use crate::accounts::limits::{self, DAY, SignInCounts, WINDOW};
use crate::accounts::sessions::sqlite as sessions;
use crate::accounts::{
    AccountAction, AccountId, AccountRules, Email, NetworkCounts, NewSession, NewSignIn,
    PendingSignIn, SecretDigest, SignInLimit, SignInProof, SignInRefusal, sqlite as accounts,
};
use crate::audit::sqlite as audit;
use crate::database::StoreError;
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::query;
use crate::mail::{NewMail, sqlite as mail};

pub(in crate::accounts) fn begin(
    db: &Connection,
    sign_in: &NewSignIn,
    mails: &[NewMail],
    rules: &AccountRules,
) -> Result<Result<(), SignInLimit>, StoreError> {
    accounts::forget(db, rules, sign_in.created_at)?;
    if let Some(account) = sign_in.account
        && !accounts::exists(db, account)?
    {
        return Ok(Ok(()));
    }
    if let Err(limit) = counts(db, sign_in)?.admit(sign_in.step_up.is_some()) {
        return Ok(Err(limit));
    }
    query::execute(
        db,
        "INSERT INTO sign_in (id, token, browser, code, email, email_key, network, provider,
           created_at, attempts, made_account, step_up, account)
         VALUES (:id, :token, :browser, :code, :email, :key, :network, :provider, :created, 0, 0,
           :step_up, :account)",
        named_params! {
            ":id": sign_in.id,
            ":token": sign_in.token,
            ":browser": sign_in.browser,
            ":code": sign_in.code,
            ":email": sign_in.email,
            ":key": sign_in.email.key(),
            ":network": sign_in.network.to_string(),
            ":provider": sign_in.network.provider().to_string(),
            ":created": Millis(sign_in.created_at),
            ":step_up": sign_in.step_up,
            ":account": sign_in.account,
        },
    )?;
    for mail in mails {
        mail::enqueue(db, mail)?;
    }
    Ok(Ok(()))
}

fn counts(db: &Connection, sign_in: &NewSignIn) -> Result<SignInCounts, StoreError> {
    let sql = "SELECT
                 (SELECT count(*) FROM sign_in WHERE created_at > ?1 AND email_key = ?2) AS address,
                 (SELECT count(*) FROM sign_in
                  WHERE created_at > ?1 AND email_key = ?2 AND provider = ?4)
                   AS address_and_provider,
                 (SELECT count(*) FROM sign_in WHERE created_at > ?1 AND step_up = ?5) AS step_ups,
                 (SELECT count(*) FROM sign_in WHERE created_at > ?1 AND network = ?3) AS network,
                 (SELECT count(*) FROM sign_in WHERE created_at > ?1 AND provider = ?4) AS provider,
                 (SELECT count(*) FROM sign_in WHERE created_at > ?1) AS overall";
    let since = before(sign_in.created_at, WINDOW);
    let (email, network) = (sign_in.email.key(), sign_in.network);
    let provider = network.provider().to_string();
    let params = (since, email, network.to_string(), provider, sign_in.step_up);
    let counts = db.prepare_cached(sql)?.query_one(params, |row| {
        Ok(SignInCounts {
            address: row.get("address")?,
            address_and_provider: row.get("address_and_provider")?,
            from: network_counts(row)?,
            step_ups: row.get("step_ups")?,
        })
    });
    Ok(counts?)
}

/// The counts in the columns `network`, `provider` and `overall`.
pub(crate) fn network_counts(row: &Row<'_>) -> rusqlite::Result<NetworkCounts> {
    Ok(NetworkCounts {
        network: row.get("network")?,
        provider: row.get("provider")?,
        all: row.get("overall")?,
    })
}

pub(in crate::accounts) fn confirm(
    db: &Connection,
    proof: SignInProof,
    new: AccountId,
    session: &NewSession,
) -> Result<Result<AccountId, SignInRefusal>, StoreError> {
    let now = session.created_at;
    let candidates = match proof {
        SignInProof::Link { token, .. } => of_token(db, token)?.into_iter().collect(),
        SignInProof::Code { browser, .. } => of_browser(db, browser)?,
    };
    let confirmed = match proof.confirms(&candidates, now) {
        Ok(confirmed) => confirmed,
        Err(refusal) => {
            if let (SignInProof::Code { browser, .. }, SignInRefusal::WrongCode) = (proof, refusal)
            {
                let sql = "UPDATE sign_in SET attempts = attempts + 1
                           WHERE browser = ?1 AND used_at IS NULL";
                query::execute(db, sql, [browser])?;
            }
            return Ok(Err(refusal));
        }
    };
    let found = accounts::find_by_email(db, &confirmed.email)?;
    let is_own = is_of(db, session.replaces, confirmed.account)?;
    if let Err(refusal) = confirmed.admits(found, is_own) {
        return Ok(Err(refusal));
    }
    let makes_account = found.is_none() && confirmed.account.is_none();
    if makes_account
        && let Err(limit) = limits::admit_account(new_accounts(db, &confirmed.network, now)?)
    {
        return Ok(Err(limit.into()));
    }
    let sql =
        "UPDATE sign_in SET used_at = ?2, made_account = ?3 WHERE id = ?1 AND used_at IS NULL";
    if query::execute(db, sql, (confirmed.id, Millis(now), makes_account))? != 1 {
        return Ok(Err(SignInRefusal::Ended));
    }
    if let Some(account) = confirmed.account {
        give_address(db, account, &confirmed.email, now)?;
    }
    Ok(Ok(sessions::open(db, &confirmed.email, new, session)?))
}

/// Whether a session is an account's.
fn is_of(
    db: &Connection,
    session: Option<SecretDigest>,
    account: Option<AccountId>,
) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM session WHERE secret = ?1 AND account = ?2";
    query::exists(db, sql, (session, account))
}

/// Gives an account another address, and ends its sessions. The former one is forgotten.
fn give_address(
    db: &Connection,
    account: AccountId,
    email: &Email,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let former = "SELECT email_key FROM account WHERE id = ?1";
    let former: Option<String> = query::first(db, former, [account], |row| row.get(0))?;
    audit::forget_address(db, &former.unwrap_or_default())?;
    let sql = "UPDATE account SET email = ?2, email_key = ?3 WHERE id = ?1";
    query::execute(db, sql, (account, email, email.key()))?;
    history::record(db, account, &AccountAction::AddressChanged, now)?;
    sessions::end_all(db, account)
}

/// The accounts that a network has made in the last day, by mail and by a provider.
pub(crate) fn new_accounts(
    db: &Connection,
    network: &str,
    now: Timestamp,
) -> rusqlite::Result<i64> {
    let sql = "SELECT
                 (SELECT count(*) FROM sign_in
                  WHERE network = ?1 AND created_at > ?2 AND made_account = 1)
                 + (SELECT count(*) FROM oidc_authorization
                    WHERE network = ?1 AND created_at > ?2 AND made_account = 1) AS made";
    db.prepare_cached(sql)?
        .query_one((network, before(now, DAY)), |row| row.get("made"))
}

const SIGN_INS: &str =
    "SELECT id, browser, code, email, network, created_at, attempts, used_at, account,
       NOT EXISTS (SELECT 1 FROM account WHERE account.email_key = sign_in.email_key) AS is_new
     FROM sign_in";

pub(in crate::accounts) fn of_token(
    db: &Connection,
    token: SecretDigest,
) -> rusqlite::Result<Option<PendingSignIn>> {
    query::first(
        db,
        &format!("{SIGN_INS} WHERE token = ?1"),
        [token],
        read_sign_in,
    )
}

/// The sign-ins that a browser asked for, the latest first.
fn of_browser(db: &Connection, browser: SecretDigest) -> rusqlite::Result<Vec<PendingSignIn>> {
    let sql = format!("{SIGN_INS} WHERE browser = ?1 ORDER BY created_at DESC, id DESC");
    query::all(db, &sql, [browser], read_sign_in)
}

fn read_sign_in(row: &Row<'_>) -> rusqlite::Result<PendingSignIn> {
    Ok(PendingSignIn {
        id: row.get("id")?,
        browser: row.get("browser")?,
        code: row.get("code")?,
        email: row.get("email")?,
        network: row.get("network")?,
        created_at: column::time(row, "created_at")?,
        attempts: row.get("attempts")?,
        used_at: column::time_if_any(row, "used_at")?,
        account: row.get("account")?,
        is_new: row.get("is_new")?,
    })
}
