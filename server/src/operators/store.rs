//! The database operations of operators.

use async_trait::async_trait;
use jiff::Timestamp;

use super::{AccountDetails, AccountSummary, Enrolment, Operator, OperatorRefusal, ProjectSummary};
use crate::accounts::{AccountId, Email};
use crate::database::StoreError;
use crate::projects::{Actor, ProjectId};

/// The database operations of operators. See [`Database`](crate::database::Database).
///
/// The operators, and their searches. Their changes of projects are among the operations of projects.
#[async_trait]
pub trait OperatorStore {
    /// Makes the account of an address an operator. The account is made with the id `new` if there is
    /// none. Its passkeys are removed and its sessions end: the enrolment's code makes its first one.
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

    /// The projects that `text` is the id of, or of a key of; whose name, owner's address or key's label has
    /// it; or whose key begins with it. By name; deleted ones left out.
    async fn find_projects(
        &self,
        actor: Actor,
        text: String,
        limit: usize,
    ) -> Result<Result<Vec<ProjectSummary>, OperatorRefusal>, StoreError>;

    /// The accounts whose id is `text`, or whose address has it, by address.
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

    /// An account with its parts.
    async fn account_details(
        &self,
        actor: Actor,
        account: AccountId,
    ) -> Result<Result<Option<AccountDetails>, OperatorRefusal>, StoreError>;
}
