//! Accounts, sign-ins and sessions, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row, named_params};

use super::erasure::{self, SoleProject};
use super::export::{self, AccountRecords};
use super::history;
use super::limits::{self, DAY, SignInCounts, WINDOW};
use super::{
    Account, AccountEvent, AccountId, AccountRules, AccountStore, BrowserName, Email,
    NetworkCounts, NewSession, NewSignIn, PendingSignIn, SecretDigest, Session, SessionId,
    SessionProof, SignInLimit, SignInProof, SignInRefusal, SignedIn,
};
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::mail::{NewMail, sqlite as mail};
use crate::members::sqlite as members;
use crate::oidc::sqlite as oidc;
use crate::passkeys::sqlite as passkeys;

#[async_trait]
impl AccountStore for Sqlite {
    async fn begin_sign_in(
        &self,
        sign_in: NewSignIn,
        mails: Vec<NewMail>,
        rules: AccountRules,
    ) -> Result<Result<(), SignInLimit>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            begin(tx, &sign_in, &mails, &rules)
        })
        .await
    }

    async fn sign_in(&self, token: SecretDigest) -> Result<Option<PendingSignIn>, StoreError> {
        self.read(move |db| Ok(of_token(db, token)?)).await
    }

    async fn confirm_sign_in(
        &self,
        proof: SignInProof,
        account: AccountId,
        session: NewSession,
    ) -> Result<Result<AccountId, SignInRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            confirm(tx, proof, account, &session)
        })
        .await
    }

    async fn open_session(
        &self,
        email: Email,
        account: AccountId,
        session: NewSession,
    ) -> Result<AccountId, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(open(tx, &email, account, &session)?)
        })
        .await
    }

    async fn session(&self, secret: SecretDigest) -> Result<Option<SignedIn>, StoreError> {
        self.read(move |db| Ok(find_session(db, secret)?)).await
    }

    async fn touch_session(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            let sql = "UPDATE session SET last_seen_at = max(last_seen_at, ?2) WHERE id = ?1";
            query::execute(tx, sql, (id, Millis(now)))?;
            Ok(())
        })
        .await
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        let sql = "SELECT id, account, browser_name, proof, passkey, identity, created_at,
                     last_seen_at, stepped_up_at
                   FROM session WHERE account = ?1 ORDER BY created_at DESC, id DESC";
        self.read(move |db| Ok(query::all(db, sql, [account], read_session)?))
            .await
    }

    async fn account_events(
        &self,
        account: AccountId,
        limit: usize,
    ) -> Result<Vec<AccountEvent>, StoreError> {
        self.read(move |db| Ok(history::sqlite::events(db, account, limit)?))
            .await
    }

    async fn end_session(&self, account: AccountId, id: SessionId) -> Result<bool, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            let sql = "DELETE FROM session WHERE id = ?1 AND account = ?2";
            Ok(query::execute(tx, sql, (id, account))? > 0)
        })
        .await
    }

    async fn end_sessions(&self, account: AccountId) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            query::execute(tx, "DELETE FROM session WHERE account = ?1", [account])?;
            Ok(())
        })
        .await
    }

    async fn forget_sign_ins(&self) -> Result<(), StoreError> {
        self.write(Writer::Operator, |tx| {
            tx.execute_batch(
                "DELETE FROM session; DELETE FROM sign_in; DELETE FROM passkey_ceremony;
                 DELETE FROM oidc_authorization; DELETE FROM outbox",
            )?;
            Ok(())
        })
        .await
    }

    async fn forget_expired(&self, rules: AccountRules, now: Timestamp) -> Result<(), StoreError> {
        self.write(Writer::Operator, move |tx| {
            forget(tx, &rules, now)?;
            passkeys::forget_ceremonies(tx, now)?;
            oidc::forget_authorizations(tx, now)?;
            Ok(members::forget_invitations(tx, now)?)
        })
        .await
    }

    async fn sole_projects(&self, account: AccountId) -> Result<Vec<SoleProject>, StoreError> {
        self.read(move |db| Ok(erasure::sqlite::sole_projects(db, account)?))
            .await
    }

    async fn erase_account(&self, account: AccountId, now: Timestamp) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            erasure::sqlite::erase(tx, account, now)
        })
        .await
    }

    async fn account_records(&self, account: AccountId) -> Result<AccountRecords, StoreError> {
        self.read(move |db| export::sqlite::records(db, account))
            .await
    }
}

fn begin(
    db: &Connection,
    sign_in: &NewSignIn,
    mails: &[NewMail],
    rules: &AccountRules,
) -> Result<Result<(), SignInLimit>, StoreError> {
    forget(db, rules, sign_in.created_at)?;
    if let Some(account) = sign_in.account
        && !exists(db, account)?
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

fn forget(db: &Connection, rules: &AccountRules, now: Timestamp) -> rusqlite::Result<()> {
    let sql = "DELETE FROM sign_in WHERE created_at < ?1";
    query::execute(db, sql, [before(now, DAY)])?;
    let sql = "DELETE FROM session WHERE last_seen_at <= ?1";
    query::execute(db, sql, [before(now, rules.session_idle)])?;
    let sql = "DELETE FROM session WHERE created_at <= ?1";
    query::execute(db, sql, [before(now, rules.session_life)])?;
    Ok(())
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

fn confirm(
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
    let found = find_by_email(db, &confirmed.email)?;
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
        give_address(db, account, &confirmed.email)?;
    }
    Ok(Ok(open(db, &confirmed.email, new, session)?))
}

/// Whether there is an account that is not erased.
pub(crate) fn exists(db: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND erased_at IS NULL";
    query::exists(db, sql, [account])
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

/// Gives an account another address, and ends its sessions.
fn give_address(db: &Connection, account: AccountId, email: &Email) -> rusqlite::Result<()> {
    let sql = "UPDATE account SET email = ?2, email_key = ?3 WHERE id = ?1";
    query::execute(db, sql, (account, email, email.key()))?;
    query::execute(db, "DELETE FROM session WHERE account = ?1", [account])?;
    Ok(())
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

/// Begins a session of an address's account, which is made if there is none.
fn open(
    db: &Connection,
    email: &Email,
    new: AccountId,
    session: &NewSession,
) -> rusqlite::Result<AccountId> {
    let account = find_or_make(db, email, new, session.created_at)?;
    begin_session(db, account, session)?;
    Ok(account)
}

/// The account of an address, which is made with the id `new` if there is none.
pub(crate) fn find_or_make(
    db: &Connection,
    email: &Email,
    new: AccountId,
    now: Timestamp,
) -> rusqlite::Result<AccountId> {
    let sql = "INSERT INTO account (id, email, email_key, created_at) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT (email_key) DO NOTHING";
    query::execute(db, sql, (new, email, email.key(), Millis(now)))?;
    Ok(find_by_email(db, email)?.unwrap_or(new))
}

/// Begins a session of an account, in the place of the browser's former one.
pub(crate) fn begin_session(
    db: &Connection,
    account: AccountId,
    session: &NewSession,
) -> rusqlite::Result<()> {
    if let Some(former) = session.replaces {
        query::execute(db, "DELETE FROM session WHERE secret = ?1", [former])?;
    }
    query::execute(
        db,
        "INSERT INTO session (id, secret, account, browser_name, proof, passkey, identity,
           created_at, last_seen_at, stepped_up_at)
         VALUES (:id, :secret, :account, :name, :proof, :passkey, :identity, :now, :now,
           :stepped_up)",
        named_params! {
            ":id": session.id,
            ":secret": session.secret,
            ":account": account,
            ":name": session.browser_name.as_str(),
            ":proof": session.proof.name(),
            ":passkey": session.proof.passkey(),
            ":identity": session.proof.identity(),
            ":now": Millis(session.created_at),
            ":stepped_up": Millis(session.stepped_up_at),
        },
    )?;
    Ok(())
}

/// The account of an address.
pub(crate) fn find_by_email(db: &Connection, email: &Email) -> rusqlite::Result<Option<AccountId>> {
    let sql = "SELECT id FROM account WHERE email_key = ?1";
    query::first(db, sql, [email.key()], |row| row.get("id"))
}

const SIGN_INS: &str =
    "SELECT id, browser, code, email, network, created_at, attempts, used_at, account FROM sign_in";

fn of_token(db: &Connection, token: SecretDigest) -> rusqlite::Result<Option<PendingSignIn>> {
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

fn find_session(db: &Connection, secret: SecretDigest) -> rusqlite::Result<Option<SignedIn>> {
    let sql = "SELECT session.id, session.account, session.browser_name, session.proof,
                 session.passkey, session.identity, session.created_at, session.last_seen_at,
                 session.stepped_up_at,
                 account.email, account.created_at AS account_created_at,
                 EXISTS (SELECT 1 FROM operator WHERE operator.account = account.id)
                   AS is_operator
               FROM session JOIN account ON account.id = session.account
               WHERE session.secret = ?1 AND account.erased_at IS NULL";
    query::first(db, sql, [secret], |row| {
        Ok(SignedIn {
            account: Account {
                id: row.get("account")?,
                email: row.get("email")?,
                created_at: column::time(row, "account_created_at")?,
            },
            session: read_session(row)?,
            is_operator: row.get("is_operator")?,
        })
    })
}

/// Reads the columns `id`, `email` and `created_at` of an account.
pub(crate) fn read_account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get("id")?,
        email: row.get("email")?,
        created_at: column::time(row, "created_at")?,
    })
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
    })
}

fn read_session(row: &Row<'_>) -> rusqlite::Result<Session> {
    let proof: String = row.get("proof")?;
    let unknown = || rusqlite::Error::InvalidColumnName("proof".to_owned());
    Ok(Session {
        id: row.get("id")?,
        account: row.get("account")?,
        browser_name: BrowserName::stored(row.get("browser_name")?),
        proof: SessionProof::of(&proof, row.get("passkey")?, row.get("identity")?)
            .ok_or_else(unknown)?,
        created_at: column::time(row, "created_at")?,
        last_seen_at: column::time(row, "last_seen_at")?,
        stepped_up_at: column::time(row, "stepped_up_at")?,
    })
}
