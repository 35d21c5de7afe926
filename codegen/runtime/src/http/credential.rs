//! Credentials as requests carry them, one type for each way to show one.
//!
//! Reading is strict and tells three cases apart: a credential, none
//! ([`AuthError::CredentialMissing`]), and something that stands for nobody
//! whatever the host knows ([`AuthError::CredentialInvalid`]): empty, not text,
//! not of the scheme's form, or there more than once. Secrets are never
//! printed.

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE, Entry};
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use crate::http::operation::{Operation, Scheme, SchemeKind};
use crate::http::query;
use crate::http::rejection::AuthError;
use json_schema::issue::Place;

/// A key in a header, a query parameter or a cookie.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey<'a>(Cow<'a, str>);

/// A name and a password (RFC 7617), in UTF-8; either may be empty.
#[derive(Clone, PartialEq, Eq)]
pub struct Basic {
    /// The name of the user; without a colon.
    pub user: String,
    /// The password.
    pub password: String,
}

/// A bearer token (RFC 6750, section 2.1), as OAuth 2.0 and OpenID Connect
/// have them too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bearer<'a>(&'a str);

/// The credential of another scheme of the `Authorization` header (RFC 9110,
/// section 11.6.2), as it is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Authorization<'a>(&'a str);

impl ApiKey<'_> {
    /// The key; printable ASCII where it came in a header, and never empty.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl<'a> Bearer<'a> {
    /// The token; letters, digits and `-._~+/=`, and never empty.
    #[must_use]
    pub const fn secret(&self) -> &'a str {
        self.0
    }
}

impl<'a> Authorization<'a> {
    /// The text after the scheme's name: a token or parameters in printable
    /// ASCII, or nothing.
    #[must_use]
    pub const fn secret(&self) -> &'a str {
        self.0
    }
}

macro_rules! hidden {
    ($($name:literal $credential:ty),*) => {$(
        impl fmt::Debug for $credential {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!($name, "(hidden)"))
            }
        }
    )*};
}

hidden!("ApiKey" ApiKey<'_>, "Basic" Basic, "Bearer" Bearer<'_>, "Authorization" Authorization<'_>);

/// The key of a scheme of the kind [`SchemeKind::ApiKey`].
///
/// # Errors
/// Returns [`AuthError::CredentialMissing`] or
/// [`AuthError::CredentialInvalid`], as described in the module documentation.
pub fn api_key<'a>(scheme: &Scheme, parts: &'a Parts) -> Result<ApiKey<'a>, AuthError> {
    let SchemeKind::ApiKey { place, name } = scheme.kind else {
        return Err(AuthError::CredentialMissing);
    };
    let key = match place {
        Place::Header => {
            let name = scheme.header.as_ref().ok_or(AuthError::CredentialMissing)?;
            text(single(parts.headers.get_all(name))?)?.into()
        }
        Place::Query => in_query(parts, name)?,
        Place::Cookie => in_cookies(&parts.headers, name)?.into(),
        Place::Path | Place::Body => return Err(AuthError::CredentialMissing),
    };
    match key.is_empty() {
        true => Err(AuthError::CredentialInvalid),
        false => Ok(ApiKey(key)),
    }
}

/// The name and password of HTTP Basic.
///
/// # Errors
/// Returns [`AuthError::CredentialMissing`] or
/// [`AuthError::CredentialInvalid`], as described in the module documentation.
pub fn basic(parts: &Parts) -> Result<Basic, AuthError> {
    let text = authorization("Basic", parts)?.0;
    let octets = STANDARD
        .decode(text)
        .map_err(|_| AuthError::CredentialInvalid)?;
    let text = String::from_utf8(octets).map_err(|_| AuthError::CredentialInvalid)?;
    match text.split_once(':') {
        Some((user, password)) if !text.contains(char::is_control) => Ok(Basic {
            user: user.to_owned(),
            password: password.to_owned(),
        }),
        _ => Err(AuthError::CredentialInvalid),
    }
}

/// The token of HTTP Bearer.
///
/// # Errors
/// Returns [`AuthError::CredentialMissing`] or
/// [`AuthError::CredentialInvalid`], as described in the module documentation.
pub fn bearer(parts: &Parts) -> Result<Bearer<'_>, AuthError> {
    let token = authorization("Bearer", parts)?.0;
    let letters = token.trim_end_matches('=');
    let is_letter = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
    };
    match !letters.is_empty() && letters.bytes().all(is_letter) {
        true => Ok(Bearer(token)),
        false => Err(AuthError::CredentialInvalid),
    }
}

/// The credential of the `Authorization` header in a scheme, whose name has no
/// case. A header in another scheme is none in this one.
///
/// # Errors
/// Returns [`AuthError::CredentialMissing`] or
/// [`AuthError::CredentialInvalid`], as described in the module documentation.
pub fn authorization<'a>(scheme: &str, parts: &'a Parts) -> Result<Authorization<'a>, AuthError> {
    let value = single(parts.headers.get_all(AUTHORIZATION))?;
    let bytes = value.as_bytes();
    let end = bytes
        .iter()
        .position(|byte| *byte == b' ')
        .unwrap_or(bytes.len());
    let named = bytes.get(..end).unwrap_or_default();
    if !named.eq_ignore_ascii_case(scheme.as_bytes()) {
        return Err(AuthError::CredentialMissing);
    }
    let rest = text(value)?.get(end..).unwrap_or_default();
    Ok(Authorization(rest.trim_matches(' ')))
}

/// The client certificate, as the host's transport put it into the extensions
/// of the request.
///
/// # Errors
/// Returns [`AuthError::CredentialMissing`] if the connection has no client
/// certificate.
pub fn certificate<C: Send + Sync + 'static>(parts: &Parts) -> Result<&C, AuthError> {
    parts.extensions.get().ok_or(AuthError::CredentialMissing)
}

/// The headers of a request for an operation, those that hold credentials kept
/// from being printed.
#[must_use]
pub fn conceal(mut headers: HeaderMap, operation: &Operation) -> HeaderMap {
    let mut conceal = |name: &str| {
        if let Ok(Entry::Occupied(mut values)) = headers.try_entry(name) {
            let values = values.iter_mut();
            values.for_each(|value| value.set_sensitive(true));
        }
    };
    conceal(AUTHORIZATION.as_str());
    conceal(COOKIE.as_str());
    for used in operation.security.iter().copied().flatten() {
        if let SchemeKind::ApiKey {
            place: Place::Header,
            name,
        } = used.scheme.kind
        {
            conceal(name);
        }
    }
    headers
}

/// The one item; several of a credential contradict each other.
fn single<T>(items: impl IntoIterator<Item = T>) -> Result<T, AuthError> {
    let mut items = items.into_iter();
    match (items.next(), items.next()) {
        (None, _) => Err(AuthError::CredentialMissing),
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(AuthError::CredentialInvalid),
    }
}

fn text(value: &HeaderValue) -> Result<&str, AuthError> {
    value.to_str().map_err(|_| AuthError::CredentialInvalid)
}

fn in_query<'a>(parts: &'a Parts, name: &str) -> Result<Cow<'a, str>, AuthError> {
    let pairs = query::pairs(parts.uri.query().unwrap_or_default());
    let pair = single(pairs.filter(|pair| pair.is(name)))?;
    query::decode_form(pair.value).map_err(|_| AuthError::CredentialInvalid)
}

/// The cookies are `name=value; name=value` (RFC 6265, section 4.2.1).
fn in_cookies<'a>(headers: &'a HeaderMap, name: &str) -> Result<&'a str, AuthError> {
    let named = |pair: &'a [u8]| {
        let (own, value) = pair.trim_ascii().split_at_checked(name.len())?;
        (own == name.as_bytes()).then_some(value.strip_prefix(b"=")?)
    };
    let lines = headers.get_all(COOKIE).iter();
    let pairs = lines.flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    let value = single(pairs.filter_map(named))?;
    let is_text = value.iter().all(|byte| (b' '..=b'~').contains(byte));
    let text = std::str::from_utf8(value).ok().filter(|_| is_text);
    text.ok_or(AuthError::CredentialInvalid)
}
