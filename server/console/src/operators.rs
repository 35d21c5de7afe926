//! Operators: accounts that may look after all projects in the dashboard.
//!
//! They are made, removed and recovered on the command line alone. A mailbox is not enough to be one:
//! an operator's session begins with a passkey, and the first passkey is made with a code that the
//! command line prints, so that who reads an operator's mail does not get the operator's power.

mod enrolment;
mod lookup;
mod operator;
pub(crate) mod sql;
pub mod store;

pub use enrolment::{IssuedEnrolment, add, recover, remove};
pub use lookup::{SearchResult, account, find, overview, project};
pub use operator::{
    AccountDetails, AccountSummary, Enrolment, FailingWebhook, Operator, OperatorError,
    OperatorRejection, Overview, ProjectSummary,
};
