//! Why the generated layer answers instead of a handler, and the answer.
//!
//! A fault is a cause, not a shape: which status and body it becomes is the
//! contract's matter, and a generated function says it.

use bytes::Bytes;
use http::StatusCode;
use serde::Serialize;

use super::issue::Issue;

/// Why the host did not admit a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// No credentials where some are required.
    CredentialMissing,
    /// Credentials that stand for nobody.
    CredentialInvalid,
    /// The caller's limit is used up.
    RateLimited,
}

/// Why a request is answered by the generated layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No operation has the path.
    Route,
    /// The path has no operation with the method.
    Method {
        /// The value of the `Allow` header.
        allow: String,
    },
    /// The operation answers in no media type that `Accept` admits.
    NotAcceptable,
    /// The body is longer than the limit.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The operation takes no body of the media type, charset or content
    /// coding.
    MediaType,
    /// The body is not JSON.
    Json {
        /// What is wrong, as a predicate without a subject.
        reason: &'static str,
        /// The line, from 1; 0 where the place is unknown.
        line: usize,
        /// The column in bytes, from 1; 0 where the place is unknown.
        column: usize,
    },
    /// Parameters or body violate the contract; all violations.
    Invalid(Vec<Issue>),
    /// The host did not admit the caller.
    Denied(Denial),
    /// Something failed that the caller cannot mend.
    Internal,
    /// The service cannot answer now.
    Unavailable {
        /// Seconds after which to try again.
        retry_after: u32,
    },
}

/// What a handler may fail with. Everything else that can befall a request is
/// found before a handler is called, and is not a handler's to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The request breaks rules that its schemas cannot say or that need
    /// data; all violations.
    Invalid(Vec<Issue>),
    /// Something failed that the caller cannot mend.
    Internal,
    /// The service cannot answer now.
    Unavailable {
        /// Seconds after which to try again.
        retry_after: u32,
    },
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(issues) => Self::Invalid(issues),
            Failure::Internal => Self::Internal,
            Failure::Unavailable { retry_after } => Self::Unavailable { retry_after },
        }
    }
}

/// The fault of a handler that failed.
pub fn failed(error: impl Into<Failure>) -> Fault {
    error.into().into()
}

/// An answer made by the generated layer, but for the headers that go onto
/// every answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The media type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: Bytes,
}

impl Answer {
    /// An answer in JSON. A body that cannot be encoded becomes an empty
    /// object with status 500.
    #[must_use]
    pub fn json<T: Serialize + ?Sized>(status: StatusCode, body: &T) -> Self {
        let content_type = "application/json";
        match serde_json::to_vec(body) {
            Ok(body) => Self {
                status,
                content_type,
                body: body.into(),
            },
            Err(_) => Self {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                content_type,
                body: Bytes::from_static(b"{}"),
            },
        }
    }
}

/// The body of a kind of fault for which the contract has none.
#[derive(Debug, Clone, Serialize)]
pub struct Plain {
    status: u16,
    message: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    issues: Vec<PlainIssue>,
}

#[derive(Debug, Clone, Serialize)]
struct PlainIssue {
    r#in: &'static str,
    at: String,
    keyword: &'static str,
    message: String,
}

impl Plain {
    /// The status, its name, and what is wrong with the request if anything.
    #[must_use]
    pub fn new(status: u16, issues: &[Issue]) -> Self {
        let named = StatusCode::from_u16(status).ok();
        Self {
            status,
            message: named.and_then(|s| s.canonical_reason()).unwrap_or("error"),
            issues: issues.iter().map(PlainIssue::of).collect(),
        }
    }
}

impl PlainIssue {
    fn of(issue: &Issue) -> Self {
        Self {
            r#in: issue.place.name(),
            at: issue.at.clone(),
            keyword: issue.keyword,
            message: issue.message.clone(),
        }
    }
}
