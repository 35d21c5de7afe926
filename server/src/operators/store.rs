//! The database operations of operators.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{AccountDetails, AccountSummary, Enrolment, Operator, OperatorRefusal, ProjectSummary};
use crate::accounts::{AccountId, Email};
use crate::database::StoreError;
use crate::projects::{Actor, ProjectId};

/// The database operations of operators. See [`Database`](crate::database::Database).
///
/// The operators and their searches. What operators change is in the stores of the features. The inner error of a
/// result is a refusal.
#[async_trait]
pub trait OperatorStore {
    /// Makes the account of an address an operator. The account is made with the id `new` if there is
    /// none. Its passkeys are removed and its sessions end: the code of the enrolment allows one new passkey.
    async fn add_operator(
        &self,
        email: Email,
        new: AccountId,
        enrolment: Enrolment,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError>;

    /// Gives an operator a new enrolment. Its passkeys are removed and its sessions end.
    async fn recover_operator(
        &self,
        email: Email,
        enrolment: Enrolment,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError>;

    /// Makes an operator a mere account, and ends its sessions.
    async fn remove_operator(
        &self,
        email: Email,
        now: Timestamp,
    ) -> Result<Result<(), OperatorRefusal>, StoreError>;

    /// All operators, by address.
    async fn operators(&self) -> Result<Vec<Operator>, StoreError>;

    /// Searches the projects that are not deleted, and sorts them by name. A project is found by its id, or the id
    /// of one of its keys; by a part of its name, of an owner's address or of a key's label; or by the beginning of
    /// a key. Upper and lower case are the same.
    async fn find_projects(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<ProjectSummary>, OperatorRefusal>, StoreError>;

    /// Searches accounts by id or by a part of the address, sorted by address.
    async fn find_accounts(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<AccountSummary>, OperatorRefusal>, StoreError>;

    /// A project with its owners.
    async fn project_summary(
        &self,
        actor: Actor,
        project: ProjectId,
    ) -> Result<Result<Option<ProjectSummary>, OperatorRefusal>, StoreError>;

    /// An account with its projects, and the numbers of its sessions and passkeys.
    async fn account_details(
        &self,
        actor: Actor,
        account: AccountId,
    ) -> Result<Result<Option<AccountDetails>, OperatorRefusal>, StoreError>;
}
