//! Accounts, sign-ins and sessions, in SQLite.

use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Row};

use super::erasure::{self, SoleProject};
use super::export::{self, AccountRecords};
use super::history;
use super::limits::DAY;
use super::sessions::sqlite as sessions;
use super::sign_in::sqlite as sign_in;
use super::{
    Account, AccountEvent, AccountId, AccountRules, AccountStore, Email, NewSession, NewSignIn,
    PendingSignIn, SecretDigest, Session, SessionId, SignInLimit, SignInProof, SignInRefusal,
    SignedIn,
};
use crate::database::sqlite::column::{self, Millis, before};
use crate::database::sqlite::{Sqlite, query};
use crate::database::{StoreError, Writer};
use crate::mail::NewMail;
use crate::members::sqlite as members;
use crate::oidc::sqlite as oidc;
use crate::passkeys::sqlite as passkeys;
use crate::suspensions::OwnsSuspended;

#[async_trait]
impl AccountStore for Sqlite {
    async fn begin_sign_in(
        &self,
        sign_in: NewSignIn,
        mails: Vec<NewMail>,
        rules: AccountRules,
    ) -> Result<Result<(), SignInLimit>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            sign_in::begin(tx, &sign_in, &mails, &rules)
        })
        .await
    }

    async fn sign_in(&self, token: SecretDigest) -> Result<Option<PendingSignIn>, StoreError> {
        self.read(move |db| Ok(sign_in::of_token(db, token)?)).await
    }

    async fn confirm_sign_in(
        &self,
        proof: SignInProof,
        account: AccountId,
        session: NewSession,
    ) -> Result<Result<AccountId, SignInRefusal>, StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            sign_in::confirm(tx, proof, account, &session)
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
            Ok(sessions::open(tx, &email, account, &session)?)
        })
        .await
    }

    async fn session(&self, secret: SecretDigest) -> Result<Option<SignedIn>, StoreError> {
        self.read(move |db| Ok(sessions::find(db, secret)?)).await
    }

    async fn touch_session(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(sessions::touch(tx, id, now)?)
        })
        .await
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        self.read(move |db| Ok(sessions::all(db, account)?)).await
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
            Ok(sessions::end(tx, account, id)?)
        })
        .await
    }

    async fn end_sessions(&self, account: AccountId) -> Result<(), StoreError> {
        self.write(Writer::Dashboard, move |tx| {
            Ok(sessions::end_all(tx, account)?)
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

    async fn erase_account(
        &self,
        account: AccountId,
        now: Timestamp,
    ) -> Result<Result<(), OwnsSuspended>, StoreError> {
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

pub(in crate::accounts) fn forget(
    db: &Connection,
    rules: &AccountRules,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM sign_in WHERE created_at < ?1";
    query::execute(db, sql, [before(now, DAY)])?;
    let sql = "DELETE FROM session WHERE last_seen_at <= ?1";
    query::execute(db, sql, [before(now, rules.session_idle)])?;
    let sql = "DELETE FROM session WHERE created_at <= ?1";
    query::execute(db, sql, [before(now, rules.session_life)])?;
    Ok(())
}

/// Whether there is an account that is not erased.
pub(crate) fn exists(db: &Connection, account: AccountId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM account WHERE id = ?1 AND erased_at IS NULL";
    query::exists(db, sql, [account])
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

/// The account of an address.
pub(crate) fn find_by_email(db: &Connection, email: &Email) -> rusqlite::Result<Option<AccountId>> {
    let sql = "SELECT id FROM account WHERE email_key = ?1";
    query::first(db, sql, [email.key()], |row| row.get("id"))
}

/// Reads the columns `id`, `email` and `created_at` of an account.
pub(crate) fn read_account(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get("id")?,
        email: row.get("email")?,
        created_at: column::time(row, "created_at")?,
    })
}
