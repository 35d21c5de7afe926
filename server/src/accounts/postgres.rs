//! Accounts, sign-ins and sessions, in PostgreSQL.

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Transaction};
use futures_util::FutureExt;
use jiff::Timestamp;
use tokio_postgres::Row;

use super::erasure::{self, SoleProject};
use super::export::{self, AccountRecords};
use super::history;
use super::limits::DAY;
use super::sessions::postgres as sessions;
use super::sign_in::postgres as sign_in;
use super::{
    Account, AccountEvent, AccountId, AccountRules, AccountStore, Email, NewSession, NewSignIn,
    PendingSignIn, SecretDigest, Session, SessionId, SignInLimit, SignInProof, SignInRefusal,
    SignedIn,
};
use crate::database::postgres::column::{self, Millis, before};
use crate::database::postgres::{Failure, Postgres, TimeoutClass, query};
use crate::database::{StoreError, Writer};
use crate::mail::NewMail;
use crate::members::postgres as members;
use crate::oidc::postgres as oidc;
use crate::passkeys::postgres as passkeys;
use crate::suspensions::OwnsSuspended;

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
        self.write(writer, limits, about, |tx, (new, mails, rules)| {
            sign_in::begin(tx, new, mails, rules).boxed()
        })
        .await
    }

    async fn sign_in(&self, token: SecretDigest) -> Result<Option<PendingSignIn>, StoreError> {
        self.query(move |db| sign_in::of_token(db, token).boxed())
            .await
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
            sign_in::confirm(tx, *proof, *account, session).boxed()
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
            sessions::open(tx, email, *account, session).boxed()
        })
        .await
    }

    async fn session(&self, secret: SecretDigest) -> Result<Option<SignedIn>, StoreError> {
        self.query(move |db| sessions::find(db, secret).boxed())
            .await
    }

    async fn touch_session(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, (id, now), |tx, (id, now)| {
            sessions::touch(tx, *id, *now).boxed()
        })
        .await
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        self.query(move |db| sessions::all(db, account).boxed())
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
            sessions::end(tx, *account, *id).boxed()
        })
        .await
    }

    async fn end_sessions(&self, account: AccountId) -> Result<(), StoreError> {
        let (writer, limits) = DASHBOARD;
        self.write(writer, limits, account, |tx, account| {
            sessions::end_all(tx, *account).boxed()
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

    async fn erase_account(
        &self,
        account: AccountId,
        now: Timestamp,
    ) -> Result<Result<(), OwnsSuspended>, StoreError> {
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

pub(in crate::accounts) async fn forget(
    tx: &Transaction<'_>,
    rules: &AccountRules,
    now: Timestamp,
) -> Result<(), Failure> {
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

/// Whether there is an account that is not erased. It is not before the end of the transaction.
pub(crate) async fn exists(tx: &Transaction<'_>, account: AccountId) -> Result<bool, Failure> {
    let sql = "SELECT 1 FROM account WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE";
    query::exists(tx, sql, &[&account]).await
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

/// The account of an address.
pub(crate) async fn find_by_email(
    db: &impl GenericClient,
    email: &Email,
) -> Result<Option<AccountId>, Failure> {
    let sql = "SELECT id FROM account WHERE email_key = $1";
    query::first(db, sql, &[&email.key()], |row| Ok(row.try_get("id")?)).await
}

/// Reads the columns `id`, `email` and `created_at` of an account.
pub(crate) fn read_account(row: &Row) -> Result<Account, Failure> {
    Ok(Account {
        id: row.try_get("id")?,
        email: row.try_get("email")?,
        created_at: column::time(row, "created_at")?,
    })
}
