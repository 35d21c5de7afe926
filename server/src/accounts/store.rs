//! The database operations of accounts.

use async_trait::async_trait;
use jiff::Timestamp;

use super::erasure::SoleProject;
use super::export::AccountRecords;
use super::{
    AccountEvent, AccountId, AccountRules, Email, NewSession, NewSignIn, PendingSignIn,
    SecretDigest, Session, SessionId, SignInLimit, SignInProof, SignInRefusal, SignedIn,
};
use crate::database::StoreError;
use crate::mail::NewMail;
use crate::suspensions::OwnsSuspended;

/// The database operations of accounts. See [`Database`](crate::database::Database).
#[async_trait]
pub trait AccountStore {
    /// Stores a sign-in and its mails, unless one more is above a limit. All or none. Sign-ins of
    /// more than a day ago, and sessions that `rules` have ended, are deleted.
    async fn begin_sign_in(
        &self,
        sign_in: NewSignIn,
        mails: Vec<NewMail>,
        rules: AccountRules,
    ) -> Result<Result<(), SignInLimit>, StoreError>;

    /// The sign-in of a link, whatever its state.
    async fn sign_in(&self, token: SecretDigest) -> Result<Option<PendingSignIn>, StoreError>;

    /// Uses a sign-in up and begins a session of its address's account, which is made with the id
    /// `account` if there is none. Of concurrent confirmations one succeeds. A wrong code is counted.
    ///
    /// If the sign-in is for an account that takes the address, that account is given it, and all its other
    /// sessions end.
    async fn confirm_sign_in(
        &self,
        proof: SignInProof,
        account: AccountId,
        session: NewSession,
    ) -> Result<Result<AccountId, SignInRefusal>, StoreError>;

    /// Begins a session of an address's account without a proof, as [`Self::confirm_sign_in`] does.
    async fn open_session(
        &self,
        email: Email,
        account: AccountId,
        session: NewSession,
    ) -> Result<AccountId, StoreError>;

    /// A session and its account, by the session's secret; it may be idle or old.
    async fn session(&self, secret: SecretDigest) -> Result<Option<SignedIn>, StoreError>;

    /// Notes that a session is used.
    async fn touch_session(&self, id: SessionId, now: Timestamp) -> Result<(), StoreError>;

    /// An account's sessions, the latest first; they may be idle or old.
    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError>;

    /// Ends a session of an account. False for one that is unknown or another's.
    async fn end_session(&self, account: AccountId, id: SessionId) -> Result<bool, StoreError>;

    /// The latest events of an account's history, the latest first.
    async fn account_events(
        &self,
        account: AccountId,
        limit: usize,
    ) -> Result<Vec<AccountEvent>, StoreError>;

    /// Ends all sessions of an account.
    async fn end_sessions(&self, account: AccountId) -> Result<(), StoreError>;

    /// Ends all sessions of all accounts, and deletes all sign-ins and the mails of the outbox.
    async fn forget_sign_ins(&self) -> Result<(), StoreError>;

    /// Deletes data that is kept for a time only and is older: sign-ins, sessions that `rules` have ended,
    /// ceremonies of passkeys, browsers that were sent to the provider, and invitations.
    async fn forget_expired(&self, rules: AccountRules, now: Timestamp) -> Result<(), StoreError>;

    /// The projects that an account alone owns, by name.
    async fn sole_projects(&self, account: AccountId) -> Result<Vec<SoleProject>, StoreError>;

    /// Erases an account: see [`super::erasure::erase`].
    async fn erase_account(
        &self,
        account: AccountId,
        now: Timestamp,
    ) -> Result<Result<(), OwnsSuspended>, StoreError>;

    /// The personal data of an account beside the account itself, its sessions and its projects.
    async fn account_records(&self, account: AccountId) -> Result<AccountRecords, StoreError>;
}
