//! Security schemes, and the requirements of operations.

use super::{Name, ParamLocation};

/// A security scheme.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in the document.
    pub wire: String,
    /// Its name.
    pub name: Name,
    /// Its description.
    pub doc: String,
    /// The name of a client's certificate; only for [`SchemeKind::MutualTls`].
    pub certificate: Option<Name>,
    /// How its credential is sent.
    pub kind: SchemeKind,
    /// Its scheme in `Authorization`, which holds one credential; `None` where it is sent
    /// elsewhere.
    pub authentication: Option<String>,
    /// Its challenge in `WWW-Authenticate`; empty where there is none.
    pub challenge: String,
}

/// How a credential is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// A key in a header, a query parameter or a cookie.
    ApiKey {
        /// The location.
        place: ParamLocation,
        /// The name.
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
    /// Unknown to the document.
    Unknown,
}

/// An index into [`Api::security_requirements`](super::Api::security_requirements).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequirementId(pub usize);

/// A security requirement without its scopes; operations with the same requirement share it.
#[derive(Debug)]
pub struct SecurityRequirement {
    /// Its name.
    pub name: Name,
    /// Whether its principal has a type of its own, and not another requirement's or a scheme's.
    pub has_type: bool,
    /// The schemes.
    pub terms: RequirementTerms,
}

/// The terms of a requirement.
#[derive(Debug, PartialEq, Eq)]
pub enum RequirementTerms {
    /// The credentials of all these schemes, which are indices into
    /// [`Api::schemes`](super::Api::schemes).
    All(Vec<usize>),
    /// One of these requirements, in this order.
    Any(Vec<RequirementId>),
}

/// Whether a caller must, may or need not authenticate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Security {
    /// No scheme applies.
    Public,
    /// A scheme applies, and so does none.
    Optional(RequirementId),
    /// A scheme must be satisfied.
    Required(RequirementId),
}
