//! Accounts, sign-ins and sessions, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::erasure::{self, SoleProject};
use super::export::{self, AccountRecords};
use super::history;
use super::limits::{self, DAY, SignInCounts, WINDOW};
use super::{
    Account, AccountEvent, AccountId, AccountRules, AccountStore, BrowserName, Email,
    NetworkCounts, NewSession, NewSignIn, PendingSignIn, SecretDigest, Session, SessionId,
    SessionProof, SignInLimit, SignInProof, SignInRefusal, SignedIn,
};
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, locks, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, postgres as mail};
use crate::members::postgres as members;
use crate::oidc::postgres as oidc;
use crate::passkeys::postgres as passkeys;

/// The author and the limits of every write here.
const DASHBOARD: (Writer, TimeoutClass) = (Writer::Dashboard, TimeoutClass::Request);

#[async_trait]
impl AccountStore for Postgres {
    async fn begin_sign_in(
        &self,
        sign_in: NewSignIn,
        mails: Vec<NewMail>,
        rules: AccountRules,
    ) -> Result<Result<(), SignInLimit>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (sign_in, mails, rules);
        self.write(writer, limits, about, |tx, (sign_in, mails, rules)| {
            begin(tx, sign_in, mails, rules).boxed()
        })
        .await
    }

    async fn sign_in(&self, token: SecretDigest) -> Result<Option<PendingSignIn>, StoreError> {
        self.query(move |db| of_token(db, token).boxed()).await
    }

    async fn confirm_sign_in(
        &self,
        proof: SignInProof,
        account: AccountId,
        session: NewSession,
    ) -> Result<Result<AccountId, SignInRefusal>, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (proof, account, session);
        self.write(writer, limits, about, |tx, (proof, account, session)| {
            confirm(tx, *proof, *account, session).boxed()
        })
        .await
    }

    async fn open_session(
        &self,
        email: Email,
        account: AccountId,
        session: NewSession,
    ) -> Result<AccountId, StoreError> {
        let (writer, limits) = DASHBOARD;
        let about = (email, account, session);
        self.write(writer, limits, about, |tx, (email, account, session)| {
            open(tx, email, *account, session).boxed()
        })
        .await
    }

    async fn session(&self, secret: SecretDigest) -> Result<Option<SignedIn>, StoreError> {
        self.query(move |db| find_session(db, secret).boxed()).await
    }

    async fn touch_session(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, (id, now), |tx, (id, now)| {
            touch(tx, *id, *now).boxed()
        })
        .await
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        self.query(move |db| all_sessions(db, account).boxed())
            .await
    }

    async fn account_events(
        &self,
        account: AccountId,
        limit: usize,
    ) -> Result<Vec<AccountEvent>, StoreError> {
        self.query(move |db| history::postgres::events(db, account, limit).boxed())
            .await
    }

    async fn end_session(&self, account: AccountId, id: SessionId) -> Result<bool, StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, (account, id), |tx, (account, id)| {
            end_session(tx, *account, *id).boxed()
        })
        .await
    }

    async fn end_sessions(&self, account: AccountId) -> Result<(), StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, account, |tx, account| {
            end_sessions(tx, *account).boxed()
        })
        .await
    }

    async fn forget_sign_ins(&self) -> Result<(), StoreError> {
        let limits = TimeoutClass::Bulk;
        self.write(Writer::Operator, limits, (), |tx, ()| {
            async move {
                for table in [
                    "session",
                    "sign_in",
                    "passkey_ceremony",
                    "oidc_authorization",
                    "outbox",
                ] {
                    query::execute(tx, &format!("DELETE FROM {table}"), &[]).await?;
                }
                Ok(())
            }
            .boxed()
        })
        .await
    }

    async fn forget_expired(&self, rules: AccountRules, now: Timestamp) -> Result<(), StoreError> {
        let limits = TimeoutClass::Bulk;
        self.write(
            Writer::Operator,
            limits,
            (rules, now),
            |tx, (rules, now)| {
                async move {
                    forget(tx, rules, *now).await?;
                    passkeys::forget_ceremonies(tx, *now).await?;
                    oidc::forget_authorizations(tx, *now).await?;
                    members::forget_invitations(tx, *now).await
                }
                .boxed()
            },
        )
        .await
    }

    async fn sole_projects(&self, account: AccountId) -> Result<Vec<SoleProject>, StoreError> {
        self.query(move |db| erasure::postgres::sole_projects(db, account).boxed())
            .await
    }

    async fn erase_account(&self, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, (account, now), |tx, (account, now)| {
            erasure::postgres::erase(tx, *account, *now).boxed()
        })
        .await
    }

    async fn account_records(&self, account: AccountId) -> Result<AccountRecords, StoreError> {
        self.read(TimeoutClass::Request, move |tx| {
            export::postgres::records(tx, account).boxed()
        })
        .await
    }
}

async fn begin(
    tx: &Transaction<'_>,
    sign_in: &NewSignIn,
    mails: &[NewMail],
    rules: &AccountRules,
) -> Result<Result<(), SignInLimit>, Failure> {
    locks::own_sign_ins(tx).await?;
    forget(tx, rules, sign_in.created_at).await?;
    if let Some(account) = sign_in.account
        && !exists(tx, account).await?
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

async fn forget(tx: &Transaction<'_>, rules: &AccountRules, now: Timestamp) -> Result<(), Failure> {
    let sql = "DELETE FROM sign_in WHERE created_at < $1";
    query::execute(tx, sql, &[&before(now, DAY)]).await?;
    let sql = "DELETE FROM session WHERE last_seen_at <= $1";
    query::execute(tx, sql, &[&before(now, rules.session_idle)]).await?;
    let sql = "DELETE FROM session WHERE created_at <= $1";
    query::execute(tx, sql, &[&before(now, rules.session_life)]).await?;
    // Mails of another epoch, which nobody sends.
    let sql = "DELETE FROM outbox WHERE send_until <= $1";
    query::execute(tx, sql, &[&before(now, DAY)]).await?;
    Ok(())
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

async fn confirm(
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
    let found = find_by_email(tx, &confirmed.email).await?;
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
        give_address(tx, account, &confirmed.email).await?;
    }
    Ok(Ok(open(tx, &confirmed.email, new, session).await?))
}

/// Whether there is an account that is not erased. It is not before the end of the transaction.
pub(crate) async fn exists(tx: &Transaction<'_>, account: AccountId) -> Result<bool, Failure> {
    let sql = "SELECT 1 FROM account WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE";
    query::exists(tx, sql, &[&account]).await
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

/// Gives an account another address, and ends its sessions.
async fn give_address(
    tx: &Transaction<'_>,
    account: AccountId,
    email: &Email,
) -> Result<(), Failure> {
    let sql = "UPDATE account SET email = $2, email_key = $3 WHERE id = $1";
    query::execute(tx, sql, &[&account, email, &email.key()]).await?;
    end_sessions(tx, account).await
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

/// Begins a session of an address's account, which is made if there is none.
async fn open(
    tx: &Transaction<'_>,
    email: &Email,
    new: AccountId,
    session: &NewSession,
) -> Result<AccountId, Failure> {
    let account = find_or_make(tx, email, new, session.created_at).await?;
    begin_session(tx, account, session).await?;
    Ok(account)
}

/// The account of an address, which is made with the id `new` if there is none.
pub(crate) async fn find_or_make(
    tx: &Transaction<'_>,
    email: &Email,
    new: AccountId,
    now: Timestamp,
) -> Result<AccountId, Failure> {
    let sql = "INSERT INTO account (id, email, email_key, created_at) VALUES ($1, $2, $3, $4)
               ON CONFLICT (email_key) DO NOTHING";
    query::execute(tx, sql, &[&new, email, &email.key(), &Millis(now)]).await?;
    Ok(find_by_email(tx, email).await?.unwrap_or(new))
}

/// Begins a session of an account, in the place of the browser's former one.
pub(crate) async fn begin_session(
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

async fn touch(tx: &Transaction<'_>, id: SessionId, now: Timestamp) -> Result<(), Failure> {
    let sql = "UPDATE session SET last_seen_at = greatest(last_seen_at, $2) WHERE id = $1";
    query::execute(tx, sql, &[&id, &Millis(now)]).await?;
    Ok(())
}

async fn end_session(
    tx: &Transaction<'_>,
    account: AccountId,
    id: SessionId,
) -> Result<bool, Failure> {
    let sql = "DELETE FROM session WHERE id = $1 AND account = $2";
    Ok(query::execute(tx, sql, &[&id, &account]).await? > 0)
}

async fn end_sessions(tx: &Transaction<'_>, account: AccountId) -> Result<(), Failure> {
    query::execute(tx, "DELETE FROM session WHERE account = $1", &[&account]).await?;
    Ok(())
}

/// The account of an address.
pub(crate) async fn find_by_email(
    db: &impl GenericClient,
    email: &Email,
) -> Result<Option<AccountId>, Failure> {
    let sql = "SELECT id FROM account WHERE email_key = $1";
    query::first(db, sql, &[&email.key()], |row| Ok(row.try_get("id")?)).await
}

/// Those of the epoch: a backup that was restored has others.
const SIGN_INS: &str =
    "SELECT id, browser, code, email, network, created_at, attempts, used_at, account
     FROM sign_in WHERE epoch = (SELECT id FROM epoch)";

async fn of_token(
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

async fn all_sessions(
    db: &impl GenericClient,
    account: AccountId,
) -> Result<Vec<Session>, Failure> {
    let sql =
        "SELECT id, account, browser_name, proof, passkey, identity, created_at, last_seen_at,
                 stepped_up_at
               FROM session WHERE account = $1 AND epoch = (SELECT id FROM epoch)
               ORDER BY created_at DESC, id DESC";
    query::all(db, sql, &[&account], read_session).await
}

async fn find_session(
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
            session: read_session(row)?,
            is_operator: row.try_get("is_operator")?,
        })
    })
    .await
}

/// Reads the columns `id`, `email` and `created_at` of an account.
pub(crate) fn read_account(row: &Row) -> Result<Account, Failure> {
    Ok(Account {
        id: row.try_get("id")?,
        email: row.try_get("email")?,
        created_at: column::time(row, "created_at")?,
    })
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
    })
}

fn read_session(row: &Row) -> Result<Session, Failure> {
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
