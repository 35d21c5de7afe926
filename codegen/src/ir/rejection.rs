//! Rejections: the answers that no handler gives.

use super::Type;

/// An answer that no handler gives.
#[derive(Debug)]
pub struct RejectionAnswer {
    /// The kind, by the name that `x-framework-made` uses.
    pub kind: RejectionKind,
    /// The status.
    pub status: u16,
    /// The body.
    pub body: RejectionBody,
    /// The media type of the body, of JSON.
    pub media_type: String,
    /// Whether `WWW-Authenticate` lists the accepted credentials.
    pub challenges: bool,
}

/// The body of an answer that no handler gives.
#[derive(Debug)]
pub enum RejectionBody {
    /// The document marks a response with `x-framework-made`: the host makes a body of its type.
    Marked(Type),
    /// A documented response has a schema that holds the facts of the rejection.
    Inferred {
        /// The key of the schema.
        schema: String,
        /// Its type.
        ty: Type,
        /// The body, unless the host makes another one of the type.
        known: Known,
    },
    /// The runtime's body for any rejection.
    Default,
}

/// A fact of a rejection, as a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// This text.
    Text(String),
    /// This number.
    Number(u16),
    /// This truth value.
    Bool(bool),
    /// The message, a sentence: about the request, or within [`Known::Issues`] about a part of it.
    Message,
    /// These members.
    Object(Vec<(String, Known)>),
    /// These items.
    List(Vec<Known>),
    /// An item for each violation of the contract.
    Issues(Box<Known>),
    /// The part of the request that a violation is in: `query`, `body` and so on.
    Place,
    /// The parameter's name, or the JSON Pointer into the body.
    At,
    /// The keyword of JSON Schema.
    Keyword,
}

/// The reasons why a request is answered before or instead of its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RejectionKind {
    /// No such path.
    Route,
    /// The path does not support the method.
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
    /// The server is unavailable.
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

    /// Its name in `x-framework-made`.
    pub fn name(self) -> &'static str {
        let mut all = RejectionKind::ALL.iter();
        let found = all.find(|(kind, _, _)| *kind == self);
        found.map_or("", |(_, name, _)| name)
    }

    /// The message, a sentence.
    pub fn message(self) -> &'static str {
        match self {
            RejectionKind::Route => "No operation has this path.",
            RejectionKind::Method => "The path does not support this method.",
            RejectionKind::NotAcceptable => {
                "The operation produces none of the media types in `Accept`."
            }
            RejectionKind::TooLarge => "The body is too large.",
            RejectionKind::MediaType => "The operation does not accept the media type of the body.",
            RejectionKind::Json => "The body is not valid JSON.",
            RejectionKind::Validation => "The request is invalid.",
            RejectionKind::CredentialMissing => "Credentials are required.",
            RejectionKind::CredentialInvalid => "The credentials are invalid.",
            RejectionKind::ScopeInsufficient => "The credentials do not permit this operation.",
            RejectionKind::RateLimit => "Too many requests.",
            RejectionKind::Internal => "An unexpected error occurred.",
            RejectionKind::Unavailable => "The server is unavailable.",
        }
    }

    /// The error codes that are used for the kind, most usual first.
    pub fn codes(self) -> &'static [&'static str] {
        match self {
            RejectionKind::Route => &["not found", "no such route", "route not found"],
            RejectionKind::Method => &["method not allowed"],
            RejectionKind::NotAcceptable => &["not acceptable"],
            RejectionKind::TooLarge => &[
                "payload too large",
                "content too large",
                "request entity too large",
                "body too large",
                "request too large",
                "too large",
            ],
            RejectionKind::MediaType => &["unsupported media type"],
            RejectionKind::Json => &[
                "invalid json",
                "malformed json",
                "bad request",
                "invalid request",
                "validation error",
                "validation failed",
            ],
            RejectionKind::Validation => &[
                "validation error",
                "validation failed",
                "invalid request",
                "bad request",
                "unprocessable entity",
                "unprocessable content",
                "invalid argument",
                "invalid params",
                "invalid",
            ],
            RejectionKind::CredentialMissing => &[
                "unauthorized",
                "unauthenticated",
                "missing credentials",
                "authentication required",
                "authentication error",
            ],
            RejectionKind::CredentialInvalid => &[
                "unauthorized",
                "unauthenticated",
                "invalid credentials",
                "invalid token",
                "authentication failed",
                "authentication error",
            ],
            RejectionKind::ScopeInsufficient => &[
                "forbidden",
                "insufficient scope",
                "permission denied",
                "access denied",
            ],
            RejectionKind::RateLimit => &[
                "too many requests",
                "rate limited",
                "rate limit exceeded",
                "rate limit error",
            ],
            RejectionKind::Internal => &[
                "internal server error",
                "internal error",
                "server error",
                "internal",
                "api error",
            ],
            RejectionKind::Unavailable => &["service unavailable", "unavailable"],
        }
    }
}
