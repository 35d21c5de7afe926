//! Security schemes, and what operations ask of them.

use super::ParamLocation;

/// A security scheme.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in the document.
    pub name: String,
    /// What the document says of it.
    pub doc: String,
    /// The constant that holds it.
    pub constant: String,
    /// The host's method that is shown its credential.
    pub hook: String,
    /// The type of who that credential stands for.
    pub principal: String,
    /// The type of what the host's transport knows of a client's certificate; of
    /// [`SchemeKind::MutualTls`] alone.
    pub certificate: Option<String>,
    /// Where a principal is one of several, its field.
    pub field: String,
    /// The client's method that sets its credential.
    pub method: String,
    /// How a credential travels.
    pub kind: SchemeKind,
    /// How it stands in `Authorization`, of which a request has one; none where it stands elsewhere.
    pub authentication: Option<String>,
    /// How it is asked for in `WWW-Authenticate`; empty where it cannot be.
    pub challenge: String,
}

/// How a credential travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// A key in a header, a query parameter or a cookie of that name.
    ApiKey {
        /// Where.
        place: ParamLocation,
        /// Under which name.
        name: String,
    },
    /// HTTP Basic (RFC 7617).
    Basic,
    /// HTTP Bearer (RFC 6750).
    Bearer,
    /// Another scheme of the `Authorization` header (RFC 9110 §11.6.2), by its name.
    Http(String),
    /// OAuth 2.0; a bearer token on the wire.
    OAuth2,
    /// OpenID Connect; a bearer token on the wire.
    OpenIdConnect,
    /// A client certificate.
    MutualTls,
    /// In a way that the document does not tell.
    Unknown,
}

/// An index into [`Api::security_requirements`](super::Api::security_requirements).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequirementId(pub usize);

/// What an operation asks of its callers, scopes apart; operations that ask for the same share it.
#[derive(Debug)]
pub struct SecurityRequirement {
    /// The function that finds out who calls.
    pub function: String,
    /// Who that is: the name of a type of its own, none where it is the one of what it consists of.
    pub rust: Option<String>,
    /// What that type is called with the principals of a host in it; there where `rust` is.
    pub of_host: Option<String>,
    /// What it asks for.
    pub terms: RequirementTerms,
}

/// What a guard asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum RequirementTerms {
    /// The credentials of all these schemes, which are indices into
    /// [`Api::schemes`](super::Api::schemes).
    All(Vec<usize>),
    /// What any of these guards asks for, in this order.
    Any(Vec<RequirementId>),
}

/// Whether a caller must, may or need not say who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// No scheme applies.
    Public,
    /// A scheme applies, and so does none.
    Optional(RequirementId),
    /// A scheme must be satisfied.
    Required(RequirementId),
}
