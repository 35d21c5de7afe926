//! Erasing an account: a use case for the dashboard.
//!
//! Nothing that is stored has the address of an erased account any more. Its row stays under a pseudonym,
//! because the audit log and keys name it.

pub(crate) mod sql;

use jiff::Timestamp;

use super::store;
use crate::accounts::Account;
use db::{Db, DbError};
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::projects::Project;
use features::suspensions::OwnsSuspended;

/// A project that an account alone owns, and that would be deleted with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SoleProject {
    pub project: Project,
    /// How many other members it has.
    pub others: u32,
}

/// The reason why an account is not erased.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ErasureError {
    /// The address was not typed as it is.
    #[error("this is not the email address of your account")]
    NotConfirmed,
    /// The account owns a project that is suspended.
    #[error(transparent)]
    OwnsSuspended(#[from] OwnsSuspended),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The replacement of an address that is erased.
#[derive(Debug, Clone)]
pub(crate) struct Pseudonym {
    /// An undeliverable address (RFC 2606), unique to the erased account.
    pub(crate) email: Email,
    /// In the place of the address in lower case: no address is written like it, so that nobody signs in to
    /// the account.
    pub(crate) key: String,
}

/// The tables whose rows of an account go with it.
pub(crate) const ACCOUNT_TABLES: [&str; 9] = [
    "account_event",
    "known_browser",
    "membership",
    "oidc_authorization",
    "operator",
    "passkey_ceremony",
    "session",
    "identity",
    "passkey",
];

/// The tables whose rows of a project go with the account that alone owned it. Its configs stay, hidden: the
/// statistics of donations name them.
pub(crate) const PROJECT_TABLES: [&str; 7] = [
    "claim",
    "suspension",
    "tier_request",
    "usage_minute",
    "usage_hour",
    "usage_day",
    "key_use",
];

impl Pseudonym {
    pub(crate) fn of(account: AccountId) -> Self {
        Self {
            email: Email::of_erased(account),
            key: account.0.to_string(),
        }
    }
}

/// The projects that would be deleted with an account, by name.
pub async fn sole_projects(store: &Db, account: AccountId) -> Result<Vec<SoleProject>, DbError> {
    store.read(move |tx| sql::sole_projects(tx, account)).await
}

/// Erases an account whose address was `typed` to confirm it. Projects that it alone owns are deleted, its
/// sessions, invitations and mails end, and the audit log keeps a pseudonym.
///
/// # Errors
/// When another address was typed, when the account owns a project that is suspended, or when the database fails.
pub async fn erase(
    store: &Db,
    account: &Account,
    typed: &str,
    now: Timestamp,
) -> Result<(), ErasureError> {
    let typed: Option<Email> = typed.parse().ok();
    if typed.map(|email| email.key()) != Some(account.email.key()) {
        return Err(ErasureError::NotConfirmed);
    }
    store::erase_account(store, account.id, now).await
}
