//! Sign-ins by mail, in PostgreSQL.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use crate::accounts::history::postgres as history;
use crate::accounts::limits::{self, DAY, SignInCounts, WINDOW};
use crate::accounts::sessions::postgres as sessions;
use crate::accounts::{
    AccountAction, AccountId, AccountRules, Email, NetworkCounts, NewSession, NewSignIn,
    PendingSignIn, SecretDigest, SignInLimit, SignInProof, SignInRefusal, postgres as accounts,
};
use crate::audit::postgres as audit;
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::{Failure, locks, query};
use crate::mail::{NewMail, postgres as mail};

pub(in crate::accounts) async fn begin(
    tx: &Transaction<'_>,
    sign_in: &NewSignIn,
    mails: &[NewMail],
    rules: &AccountRules,
) -> Result<Result<(), SignInLimit>, Failure> {
    locks::own_sign_ins(tx).await?;
    accounts::forget(tx, rules, sign_in.created_at).await?;
    if let Some(account) = sign_in.account
        && !accounts::exists(tx, account).await?
    {
        return Ok(Ok(()));
    }
    if let Err(limit) = counts(tx, sign_in).await?.admit(sign_in.step_up.is_some()) {
        return Ok(Err(limit));
    }
    let sql = "INSERT INTO sign_in (id, token, browser, code, email, email_key, network, provider,
                 created_at, attempts, made_account, step_up, account, epoch)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, false, $10, $11,
                 (SELECT id FROM epoch))";
    let (key, network) = (sign_in.email.key(), sign_in.network.to_string());
    let provider = sign_in.network.provider().to_string();
    let params: query::Params<'_> = &[
        &sign_in.id,
        &sign_in.token,
        &sign_in.browser,
        &sign_in.code,
        &sign_in.email,
        &key,
        &network,
        &provider,
        &Millis(sign_in.created_at),
        &sign_in.step_up,
        &sign_in.account,
    ];
    query::execute(tx, sql, params).await?;
    for mail in mails {
        mail::enqueue(tx, mail).await?;
    }
    Ok(Ok(()))
}

async fn counts(tx: &Transaction<'_>, sign_in: &NewSignIn) -> Result<SignInCounts, Failure> {
    let sql = "SELECT
                 (SELECT count(*) FROM sign_in WHERE created_at > $1 AND email_key = $2) AS address,
                 (SELECT count(*) FROM sign_in
                  WHERE created_at > $1 AND email_key = $2 AND provider = $4)
                   AS address_and_provider,
                 (SELECT count(*) FROM sign_in WHERE created_at > $1 AND step_up = $5) AS step_ups,
                 (SELECT count(*) FROM sign_in WHERE created_at > $1 AND network = $3) AS network,
                 (SELECT count(*) FROM sign_in WHERE created_at > $1 AND provider = $4) AS provider,
                 (SELECT count(*) FROM sign_in WHERE created_at > $1) AS overall";
    let since = before(sign_in.created_at, WINDOW);
    let (email, network) = (sign_in.email.key(), sign_in.network.to_string());
    let provider = sign_in.network.provider().to_string();
    let params: query::Params<'_> = &[&since, &email, &network, &provider, &sign_in.step_up];
    query::one(tx, sql, params, |row| {
        Ok(SignInCounts {
            address: row.try_get("address")?,
            address_and_provider: row.try_get("address_and_provider")?,
            from: network_counts(row)?,
            step_ups: row.try_get("step_ups")?,
        })
    })
    .await
}

/// The counts in the columns `network`, `provider` and `overall`.
pub(crate) fn network_counts(row: &Row) -> Result<NetworkCounts, Failure> {
    Ok(NetworkCounts {
        network: row.try_get("network")?,
        provider: row.try_get("provider")?,
        all: row.try_get("overall")?,
    })
}

pub(in crate::accounts) async fn confirm(
    tx: &Transaction<'_>,
    proof: SignInProof,
    new: AccountId,
    session: &NewSession,
) -> Result<Result<AccountId, SignInRefusal>, Failure> {
    locks::own_sign_ins(tx).await?;
    let now = session.created_at;
    let candidates = match proof {
        SignInProof::Link { token, .. } => of_token(tx, token).await?.into_iter().collect(),
        SignInProof::Code { browser, .. } => of_browser(tx, browser).await?,
    };
    let confirmed = match proof.confirms(&candidates, now) {
        Ok(confirmed) => confirmed,
        Err(refusal) => {
            if let (SignInProof::Code { browser, .. }, SignInRefusal::WrongCode) = (proof, refusal)
            {
                let sql = "UPDATE sign_in SET attempts = attempts + 1
                           WHERE browser = $1 AND used_at IS NULL";
                query::execute(tx, sql, &[&browser]).await?;
            }
            return Ok(Err(refusal));
        }
    };
    let found = accounts::find_by_email(tx, &confirmed.email).await?;
    let is_own = is_of(tx, session.replaces, confirmed.account).await?;
    if let Err(refusal) = confirmed.admits(found, is_own) {
        return Ok(Err(refusal));
    }
    let makes_account = found.is_none() && confirmed.account.is_none();
    if makes_account
        && let Err(limit) = limits::admit_account(new_accounts(tx, &confirmed.network, now).await?)
    {
        return Ok(Err(limit.into()));
    }
    let sql =
        "UPDATE sign_in SET used_at = $2, made_account = $3 WHERE id = $1 AND used_at IS NULL";
    if query::execute(tx, sql, &[&confirmed.id, &Millis(now), &makes_account]).await? != 1 {
        return Ok(Err(SignInRefusal::Ended));
    }
    if let Some(account) = confirmed.account {
        give_address(tx, account, &confirmed.email, now).await?;
    }
    Ok(Ok(sessions::open(tx, &confirmed.email, new, session).await?))
}

/// Whether a session is an account's.
async fn is_of(
    tx: &Transaction<'_>,
    session: Option<SecretDigest>,
    account: Option<AccountId>,
) -> Result<bool, Failure> {
    let sql = "SELECT 1 FROM session WHERE secret = $1 AND account = $2";
    query::exists(tx, sql, &[&session, &account]).await
}

/// Gives an account another address, and ends its sessions. The former one is forgotten.
async fn give_address(
    tx: &Transaction<'_>,
    account: AccountId,
    email: &Email,
    now: Timestamp,
) -> Result<(), Failure> {
    let former = "SELECT email_key FROM account WHERE id = $1";
    let read = |row: &Row| Ok(row.try_get::<_, String>("email_key")?);
    let former = query::first(tx, former, &[&account], read).await?;
    audit::forget_address(tx, &former.unwrap_or_default()).await?;
    let sql = "UPDATE account SET email = $2, email_key = $3 WHERE id = $1";
    query::execute(tx, sql, &[&account, email, &email.key()]).await?;
    history::record(tx, account, &AccountAction::AddressChanged, now).await?;
    sessions::end_all(tx, account).await
}

/// The accounts that a network has made in the last day, by mail and by a provider.
pub(crate) async fn new_accounts(
    tx: &Transaction<'_>,
    network: &str,
    now: Timestamp,
) -> Result<i64, Failure> {
    let sql = "SELECT
                 (SELECT count(*) FROM sign_in
                  WHERE network = $1 AND created_at > $2 AND made_account)
                 + (SELECT count(*) FROM oidc_authorization
                    WHERE network = $1 AND created_at > $2 AND made_account) AS made";
    let read = |row: &Row| Ok(row.try_get("made")?);
    let made = query::first(tx, sql, &[&network, &before(now, DAY)], read).await?;
    Ok(made.unwrap_or(0))
}

/// Those of the epoch: a backup that was restored has others.
const SIGN_INS: &str =
    "SELECT id, browser, code, email, network, created_at, attempts, used_at, account,
       NOT EXISTS (SELECT 1 FROM account WHERE account.email_key = sign_in.email_key) AS is_new
     FROM sign_in WHERE epoch = (SELECT id FROM epoch)";

pub(in crate::accounts) async fn of_token(
    db: &impl GenericClient,
    token: SecretDigest,
) -> Result<Option<PendingSignIn>, Failure> {
    let sql = format!("{SIGN_INS} AND token = $1");
    query::first(db, &sql, &[&token], read_sign_in).await
}

/// The sign-ins that a browser asked for, the latest first.
async fn of_browser(
    db: &impl GenericClient,
    browser: SecretDigest,
) -> Result<Vec<PendingSignIn>, Failure> {
    let sql = format!("{SIGN_INS} AND browser = $1 ORDER BY created_at DESC, id DESC");
    query::all(db, &sql, &[&browser], read_sign_in).await
}

fn read_sign_in(row: &Row) -> Result<PendingSignIn, Failure> {
    Ok(PendingSignIn {
        id: row.try_get("id")?,
        browser: row.try_get("browser")?,
        code: row.try_get("code")?,
        email: row.try_get("email")?,
        network: row.try_get("network")?,
        created_at: column::time(row, "created_at")?,
        attempts: column::number(row, "attempts")?,
        used_at: column::time_if_any(row, "used_at")?,
        account: row.try_get("account")?,
        is_new: row.try_get("is_new")?,
    })
}
