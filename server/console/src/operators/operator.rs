//! Operators, and their view of accounts and projects.

use jiff::Timestamp;

use crate::accounts::{Account, SecretDigest};
use db::DbError;
use features::domain::email::Email;
use features::domain::ids::AccountId;
use features::mail::OutboxState;
use features::projects::{OwnProject, Project, ProjectId};
use features::usage::StatusClass;
use features::webhooks::Backlog;

/// An account that is an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operator {
    pub account: AccountId,
    pub email: Email,
    pub since: Timestamp,
    pub passkeys: u32,
}

/// The right to make one passkey with a code, which an operator has after being added or recovered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enrolment {
    pub code: SecretDigest,
    /// From when on the code is refused.
    pub ends_at: Timestamp,
}

/// A project in the list of an operator's search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSummary {
    pub project: Project,
    /// The addresses of its owners, with commas between them.
    pub owners: String,
}

/// The state of the service, as operators see it first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// The requests with a key in the last 24 hours. Those of the last minute may be missing.
    pub traffic: Vec<(StatusClass, u64)>,
    /// The newest projects, newest first.
    pub projects: Vec<ProjectSummary>,
    /// Webhooks that are failing, the longest first.
    pub failing: Vec<FailingWebhook>,
    pub emails: OutboxState,
    pub deliveries: Backlog,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingWebhook {
    pub project: ProjectId,
    pub project_name: String,
    pub url: String,
    pub since: Timestamp,
}

/// An account in the list of an operator's search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSummary {
    pub account: Account,
    /// How many projects it is a member of.
    pub projects: u32,
}

/// An account as an operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountDetails {
    pub account: Account,
    /// The projects that it is a member of.
    pub projects: Vec<OwnProject>,
    /// How many browsers are signed in, idle ones included.
    pub sessions: u32,
    pub passkeys: u32,
    pub is_operator: bool,
}

/// The reason why an operator is not added, removed, recovered or shown something.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OperatorError {
    #[error(transparent)]
    Rejected(#[from] OperatorRejection),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The reason why a request about operators, or of an operator, is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OperatorRejection {
    #[error("only operators can do this")]
    Forbidden,
    #[error("this account is already an operator; `operator recover` issues a new code")]
    Already,
    /// No operator has the address.
    #[error("no operator has this address")]
    Unknown,
}
