//! Rejections: the answers that no handler gives.

use super::Type;

/// An answer that no handler gives.
#[derive(Debug)]
pub struct RejectionAnswer {
    /// The kind, by the name that `x-framework-made` uses.
    pub kind: RejectionKind,
    /// The status.
    pub status: u16,
    /// The body's type, if the document marks one.
    pub body: Option<Type>,
    /// The media type of the body, of JSON.
    pub media_type: String,
    /// Whether `WWW-Authenticate` lists the accepted credentials.
    pub challenges: bool,
}

/// The reasons why a request is answered before or instead of its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RejectionKind {
    /// No such path.
    Route,
    /// The path has no such method.
    Method,
    /// No acceptable media type.
    NotAcceptable,
    /// The body is too large.
    TooLarge,
    /// The body's media type is not accepted.
    MediaType,
    /// The body is not JSON.
    Json,
    /// Parameters or body break the contract.
    Validation,
    /// A credential is missing.
    CredentialMissing,
    /// A credential is not accepted.
    CredentialInvalid,
    /// The caller lacks a scope.
    ScopeInsufficient,
    /// The caller is over its limit.
    RateLimit,
    /// The server failed.
    Internal,
    /// The server cannot answer now.
    Unavailable,
}

impl RejectionKind {
    /// All kinds with their names in `x-framework-made` and their usual statuses.
    pub const ALL: [(RejectionKind, &'static str, u16); 13] = [
        (RejectionKind::Route, "route", 404),
        (RejectionKind::Method, "method", 405),
        (RejectionKind::NotAcceptable, "not-acceptable", 406),
        (RejectionKind::TooLarge, "too-large", 413),
        (RejectionKind::MediaType, "media-type", 415),
        (RejectionKind::Json, "json", 400),
        (RejectionKind::Validation, "validation", 400),
        (RejectionKind::CredentialMissing, "credential-missing", 401),
        (RejectionKind::CredentialInvalid, "credential-invalid", 401),
        (RejectionKind::ScopeInsufficient, "scope-insufficient", 403),
        (RejectionKind::RateLimit, "rate-limit", 429),
        (RejectionKind::Internal, "internal", 500),
        (RejectionKind::Unavailable, "unavailable", 503),
    ];
}
