//! Why the generated layer answers instead of a handler, and the answer.
//!
//! A rejection is a cause, not a shape: which status and body it becomes is the
//! contract's matter, and a generated function says it.

use std::convert::Infallible;

use bytes::Bytes;
use http::StatusCode;
use serde::{Serialize, Serializer};

use crate::decode::json_text::NotJson;
use crate::encode::fields;
use json_schema::issue::Issue;

/// Why a caller goes no further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuthError {
    /// No credentials where some are required.
    CredentialMissing,
    /// Credentials that stand for nobody.
    CredentialInvalid,
    /// Credentials without a scope that the operation requires.
    ScopeInsufficient,
    /// The caller's limit is used up.
    RateLimited,
    /// Whether the caller may go on could not be found out.
    Failed(HandlerError),
}

/// The host's errors are an `AuthError` too, so that `?` makes one of them.
impl<E: Into<HandlerError>> From<E> for AuthError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl From<AuthError> for Rejection {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::CredentialMissing => Self::CredentialMissing,
            AuthError::CredentialInvalid => Self::CredentialInvalid,
            AuthError::ScopeInsufficient => Self::ScopeInsufficient,
            AuthError::RateLimited => Self::RateLimited,
            AuthError::Failed(failure) => failure.into(),
        }
    }
}

/// Why a request is answered by the generated layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rejection {
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
    MediaType {
        /// The media types (or ranges) that it takes.
        consumes: &'static [&'static str],
    },
    /// The body is not JSON.
    Json {
        /// The reason, as a predicate without a subject.
        reason: &'static str,
        /// The line, from 1; 0 where the place is unknown.
        line: usize,
        /// The column in bytes, from 1; 0 where the place is unknown.
        column: usize,
    },
    /// Parameters or body violate the contract; all violations.
    Invalid(Vec<Issue>),
    /// Credentials are required, and there are none.
    CredentialMissing,
    /// The credentials stand for nobody.
    CredentialInvalid,
    /// The caller lacks a scope that the operation asks for.
    ScopeInsufficient,
    /// The caller's limit is used up.
    RateLimited,
    /// The server failed; the caller cannot correct it.
    Internal,
    /// The service is unavailable.
    Unavailable {
        /// Seconds after which to try again.
        retry_after: u32,
    },
}

impl From<NotJson> for Rejection {
    fn from(error: NotJson) -> Self {
        let NotJson {
            reason,
            line,
            column,
        } = error;
        Self::Json {
            reason,
            line,
            column,
        }
    }
}

/// Why a handler has no documented answer. All other failures of a request are
/// found before a handler is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandlerError {
    /// The request breaks rules that its schemas cannot say or that need
    /// data; all violations.
    Invalid(Vec<Issue>),
    /// The server failed; the caller cannot correct it.
    Internal,
    /// The service is unavailable.
    Unavailable {
        /// Seconds after which to try again.
        retry_after: u32,
    },
}

impl From<HandlerError> for Rejection {
    fn from(failure: HandlerError) -> Self {
        match failure {
            HandlerError::Invalid(issues) => Self::Invalid(issues),
            HandlerError::Internal => Self::Internal,
            HandlerError::Unavailable { retry_after } => Self::Unavailable { retry_after },
        }
    }
}

/// For layers whose services cannot fail.
impl From<Infallible> for HandlerError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// The rejection of a handler that failed.
pub fn failed(error: impl Into<HandlerError>) -> Rejection {
    error.into().into()
}

/// The principal where credentials may be left out: credentials that are shown must hold all the same.
///
/// # Errors
/// Returns every error except [`AuthError::CredentialMissing`].
pub fn optional<P>(outcome: Result<P, AuthError>) -> Result<Option<P>, AuthError> {
    match outcome {
        Ok(principal) => Ok(Some(principal)),
        Err(AuthError::CredentialMissing) => Ok(None),
        Err(error) => Err(error),
    }
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
    /// Whether it says by `WWW-Authenticate` which credentials would do.
    pub challenges: bool,
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
                challenges: false,
            },
            Err(_) => Self {
                status: StatusCode::INTERNAL_SERVER_ERROR,
                content_type,
                body: Bytes::from_static(b"{}"),
                challenges: false,
            },
        }
    }

    /// The same answer with a body of another media type of JSON, such as `application/problem+json`.
    #[must_use]
    pub fn of_type(self, content_type: &'static str) -> Self {
        Self {
            content_type,
            ..self
        }
    }

    /// The same answer, which says by `WWW-Authenticate` which credentials
    /// would do.
    #[must_use]
    pub fn challenging(self) -> Self {
        Self {
            challenges: true,
            ..self
        }
    }
}

/// The body of a kind of rejection for which the contract has none.
#[derive(Debug, Clone)]
pub struct DefaultBody {
    status: u16,
    message: &'static str,
    issues: Vec<DefaultIssue>,
}

#[derive(Debug, Clone)]
struct DefaultIssue {
    r#in: &'static str,
    at: String,
    keyword: &'static str,
    message: String,
}

impl DefaultBody {
    /// The status, its name, and the violations of the request.
    #[must_use]
    pub fn new(status: u16, issues: &[Issue]) -> Self {
        let named = StatusCode::from_u16(status).ok();
        Self {
            status,
            message: named.and_then(|s| s.canonical_reason()).unwrap_or("error"),
            issues: issues.iter().map(DefaultIssue::of).collect(),
        }
    }
}

impl DefaultIssue {
    fn of(issue: &Issue) -> Self {
        Self {
            r#in: issue.place.name(),
            at: issue.at.clone(),
            keyword: issue.keyword,
            message: issue.message.clone(),
        }
    }
}

impl Serialize for DefaultBody {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = fields::Writer::new(serializer);
        fields.required("status", &self.status);
        fields.required("message", &self.message);
        if !self.issues.is_empty() {
            fields.required("issues", &self.issues);
        }
        fields.end()
    }
}

impl Serialize for DefaultIssue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = fields::Writer::new(serializer);
        fields.required("in", &self.r#in);
        fields.required("at", &self.at);
        fields.required("keyword", &self.keyword);
        fields.required("message", &self.message);
        fields.end()
    }
}
