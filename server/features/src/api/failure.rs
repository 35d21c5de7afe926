//! The errors of handlers that are answered alike for all operations: 400, 500 and 503.

use generated::models::ValidationRule;
use generated::runtime::{Issue, Place};

use db::DbError;
use edge::http::request_span;

/// The reason why a handler returns none of the responses of its operation.
#[derive(Debug)]
pub enum Failure {
    /// The request violates a rule that the generated service does not check: 400.
    Invalid(Vec<Issue>),
    /// The database does not answer: 503.
    Unavailable(DbError),
    /// The program or its data has a defect: 500. The text is for the log alone.
    Internal(String),
}

/// `Retry-After` in seconds when the database does not answer.
const RETRY_AFTER: u32 = 5;

impl Failure {
    /// One violation, of a parameter or at a pointer into the body.
    pub(crate) fn invalid(
        place: Place,
        at: &str,
        rule: ValidationRule,
        message: impl Into<String>,
    ) -> Failure {
        Failure::Invalid(vec![Issue {
            place,
            at: at.to_owned(),
            keyword: rule.as_str(),
            message: message.into(),
        }])
    }
}

impl From<DbError> for Failure {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Unavailable(_) | DbError::Misconfigured(_) => Failure::Unavailable(error),
            DbError::Corrupt(_)
            | DbError::Rejected(_)
            | DbError::OlderSchema { .. }
            | DbError::NewerSchema { .. } => Failure::Internal(error.to_string()),
        }
    }
}

impl From<Failure> for generated::HandlerError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(issues) => Self::Invalid(issues),
            Failure::Unavailable(error) => {
                request_span()
                    .in_scope(|| tracing::warn!(%error, "the database cannot serve a request"));
                Self::Unavailable {
                    retry_after: RETRY_AFTER,
                }
            }
            Failure::Internal(reason) => {
                request_span().in_scope(|| tracing::error!(reason, "request failed"));
                Self::Internal
            }
        }
    }
}
