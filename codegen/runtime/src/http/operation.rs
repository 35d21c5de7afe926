//! An operation as the contract has it, the same for every request: the table
//! that routing, authentication, limits, logs and metrics read.
//!
//! Plain data, made by the generator in `static`s.

use http::{HeaderMap, HeaderName, Method};

use crate::http::query;
use json_schema::issue::Place;

/// One operation of the contract.
#[derive(Debug)]
pub struct Operation {
    /// The operationId.
    pub id: &'static str,
    /// The method. A `GET` also answers `HEAD`.
    pub method: Method,
    /// The path that the template is below, without a slash at its end.
    pub base_path: &'static str,
    /// The path template.
    pub path: &'static str,
    /// The templates of other operations with the method that may match the
    /// same paths, and may go before this one's.
    pub rivals: &'static [&'static str],
    /// Whether requests find it. One that no request tells from another
    /// operation is there for callers alone.
    pub served: bool,
    /// The value of `Deprecation` (RFC 9745) in all its answers, where it is
    /// deprecated since a known day.
    pub deprecation: Option<&'static str>,
    /// The value of `Sunset` (RFC 8594) in all its answers, where it has an
    /// end.
    pub sunset: Option<&'static str>,
    /// The conditions by which a request is for it, and not for another
    /// operation of its method and path.
    pub matchers: &'static [RequestMatcher],
    /// The tag that it is filed under.
    pub tag: &'static str,
    /// Alternatives, any of which suffices, of schemes that must all hold.
    /// Empty means public; an empty alternative makes credentials optional.
    pub security: &'static [&'static [SchemeUse]],
    /// The names, in lower case, of the header fields that a handler gives its
    /// answer 304 to callers that hold the representation already; `None` where
    /// it has no such answer.
    pub not_modified: Option<&'static [&'static str]>,
    /// Whether calls count against the caller's limit.
    pub metered: bool,
    /// Whether undeclared query parameters and an `Accept` that admits none of
    /// its media types are ignored instead of rejected.
    pub lenient: bool,
    /// The media types (or ranges) of its request body; empty where it has
    /// none.
    pub consumes: &'static [&'static str],
    /// The indexes of the media types that are read as they arrive.
    pub streamed: &'static [usize],
    /// The longest request body in bytes, where the contract says it.
    pub body_limit: Option<u64>,
    /// Whether the request body must be there.
    pub body_required: bool,
    /// The media types of the answers that its handler makes; empty where
    /// they have no body. The `Accept` header is held against these.
    pub produces: &'static [&'static str],
}

/// A method by its name, which the generator has held against RFC 9110,
/// section 9.1.
///
/// # Panics
/// If no method can have that name.
#[must_use]
#[expect(
    clippy::expect_used,
    reason = "the generator writes names of methods alone"
)]
pub fn method(name: &'static str) -> Method {
    Method::from_bytes(name.as_bytes()).expect("the name of a method")
}

impl Operation {
    /// Whether credentials mean nothing here.
    #[must_use]
    pub const fn is_public(&self) -> bool {
        self.security.is_empty()
    }

    /// Whether a caller may show credentials but need not.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.security
            .iter()
            .any(|alternative| alternative.is_empty())
    }

    /// Whether a caller must show credentials.
    #[must_use]
    pub fn is_required(&self) -> bool {
        !self.is_public() && !self.is_optional()
    }
}

/// A condition that tells an operation from others of its method and path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestMatcher {
    /// The query or a header.
    pub place: Place,
    /// The name of the parameter or header.
    pub name: &'static str,
    /// Its value; `None` for any.
    pub value: Option<&'static str>,
}

impl RequestMatcher {
    /// Whether a request has it.
    #[must_use]
    pub fn is_met(&self, query: Option<&str>, headers: &HeaderMap) -> bool {
        let mut pairs = query.into_iter().flat_map(query::pairs);
        match (self.place, self.value) {
            (Place::Query, Some(value)) => pairs.any(|pair| pair.is_of(self.name, value)),
            (Place::Query, None) => pairs.any(|pair| pair.is(self.name)),
            (_, Some(value)) => headers.get_all(self.name).iter().any(|own| own == value),
            (_, None) => headers.contains_key(self.name),
        }
    }
}

/// The demand that a security scheme holds.
#[derive(Debug)]
pub struct SchemeUse {
    /// The scheme.
    pub scheme: &'static Scheme,
    /// The scopes (or roles) that the caller must have.
    pub scopes: &'static [&'static str],
}

/// A security scheme of the contract.
#[derive(Debug)]
pub struct Scheme {
    /// Its name in `components.securitySchemes`.
    pub name: &'static str,
    /// How credentials are shown.
    pub kind: SchemeKind,
    /// The header that shows a key, where one does: its name, read once.
    pub header: Option<HeaderName>,
    /// How they are asked for in `WWW-Authenticate`; empty where they cannot
    /// be.
    pub challenge: &'static str,
}

/// How credentials are shown (OpenAPI 3.1, Security Scheme Object).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemeKind {
    /// A secret in a header, query parameter or cookie.
    ApiKey {
        /// Where.
        place: Place,
        /// The name of the header, parameter or cookie.
        name: &'static str,
    },
    /// `Authorization: Basic` (RFC 7617).
    Basic,
    /// `Authorization: Bearer` (RFC 6750).
    Bearer,
    /// Another scheme of the `Authorization` header (RFC 9110 §11.6.2), by its
    /// name.
    Http(&'static str),
    /// OAuth 2.0.
    OAuth2,
    /// OpenID Connect Discovery.
    OpenIdConnect,
    /// A client certificate.
    MutualTls,
    /// In a way that the contract does not tell.
    Unknown,
}
