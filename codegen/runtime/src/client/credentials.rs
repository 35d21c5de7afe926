//! The credentials that a client has, and which of them it shows to whom.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt;

use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, Uri};

use crate::encode::param_write;
use crate::encode::request_builder::{BuildError, RequestBuilder};
use crate::http::operation::{Operation, Scheme, SchemeKind, SchemeUse};
use json_schema::issue::Place;

/// A client's credentials, at most one for each scheme.
#[derive(Clone, Default)]
pub(crate) struct Credentials(Vec<(&'static str, Credential)>);

/// A credential as it goes over the wire.
#[derive(Clone)]
pub(crate) enum Credential {
    Header(HeaderName, HeaderValue),
    Query(&'static str, String),
    Cookie(&'static str, String),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(name, _)| name);
        f.debug_list().entries(names).finish()
    }
}

impl Credentials {
    /// Puts a credential in, in the place of another of the scheme.
    pub(crate) fn put(&mut self, scheme: &'static Scheme, secret: &str) -> Result<(), BuildError> {
        let credential = credential(scheme, secret).ok_or(BuildError {
            at: scheme.name,
            reason: "has characters that its place cannot hold",
        })?;
        self.0.retain(|(name, _)| *name != scheme.name);
        self.0.push((scheme.name, credential));
        Ok(())
    }

    /// Adds the credentials that an operation asks for, and no others: those of
    /// the first alternative that is complete. If there is none, nothing is
    /// added, and a server that needs credentials refuses the request.
    pub(crate) fn show(
        &self,
        operation: &Operation,
        mut request: RequestBuilder,
    ) -> RequestBuilder {
        let asked = operation.security.iter().filter(|all| !all.is_empty());
        let mut asked = asked.into_iter();
        let held = asked.find(|all| all.iter().all(|used| self.holds(used)));
        for used in held.into_iter().copied().flatten() {
            if let Some(credential) = self.of(used) {
                request = add(credential, request);
            }
        }
        request
    }

    /// Adds all credentials that are headers. Servers ignore unknown headers, but can reject unknown query parameters.
    pub(crate) fn show_all(&self, request: RequestBuilder) -> RequestBuilder {
        let credentials = self.0.iter().map(|(_, credential)| credential);
        let headers = credentials.filter(|one| matches!(one, Credential::Header(..)));
        headers.fold(request, |request, header| add(header, request))
    }

    /// Formats a URL for error messages, without user, password and credentials in the query.
    pub(crate) fn redacted(&self, uri: &Uri) -> String {
        let secret = |pair: &&str| {
            let own = pair.split('=').next().unwrap_or_default();
            self.0.iter().any(|(_, credential)| match credential {
                Credential::Query(name, _) => param_write::encode(name) == own,
                Credential::Header(..) | Credential::Cookie(..) => false,
            })
        };
        let mut url = String::new();
        if let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) {
            let (_, host) = authority
                .as_str()
                .rsplit_once('@')
                .unwrap_or(("", authority.as_str()));
            url = format!("{scheme}://{host}");
        }
        url.push_str(uri.path());
        for (index, pair) in uri
            .query()
            .into_iter()
            .flat_map(|query| query.split('&'))
            .enumerate()
        {
            url.push(if index == 0 { '?' } else { '&' });
            match secret(&pair) {
                true => url.push_str(&format!("{}=…", pair.split('=').next().unwrap_or_default())),
                false => url.push_str(pair),
            }
        }
        url
    }

    fn of(&self, used: &SchemeUse) -> Option<&Credential> {
        let named = self.0.iter().find(|(name, _)| *name == used.scheme.name);
        named.map(|(_, credential)| credential)
    }

    /// Certificates are the transport's business, and schemes that the contract
    /// does not describe are the caller's.
    fn holds(&self, used: &SchemeUse) -> bool {
        let elsewhere = matches!(
            used.scheme.kind,
            SchemeKind::MutualTls | SchemeKind::Unknown
        );
        elsewhere || self.of(used).is_some()
    }
}

/// Adds a credential. Where a parameter has its name and its place, that
/// is the credential, and is not sent twice.
fn add(credential: &Credential, mut request: RequestBuilder) -> RequestBuilder {
    match credential {
        Credential::Header(name, value) => {
            request.headers.entry(name).or_insert_with(|| value.clone());
        }
        Credential::Query(name, secret) => {
            let name = param_write::encode(name);
            if request.query.iter().all(|(known, _)| *known != name) {
                request.query.push((name, param_write::encode(secret)));
            }
        }
        Credential::Cookie(name, secret) => {
            let start = format!("{name}=");
            if !request
                .cookies
                .iter()
                .any(|known| known.starts_with(&start))
            {
                request.cookies.push(format!("{start}{secret}"));
            }
        }
    }
    request
}

/// The secret of HTTP Basic (RFC 7617, section 2); none where the two would
/// not be told apart.
pub(crate) fn login(user: &str, password: &str) -> Option<String> {
    let text = format!("{user}:{password}");
    let sound = !user.contains(':') && !text.contains(char::is_control);
    sound.then(|| STANDARD.encode(text))
}

fn credential(scheme: &Scheme, secret: &str) -> Option<Credential> {
    let name = match scheme.kind {
        SchemeKind::ApiKey { place, name } => return key(place, name, secret),
        SchemeKind::Basic => "Basic",
        SchemeKind::Bearer | SchemeKind::OAuth2 | SchemeKind::OpenIdConnect => "Bearer",
        SchemeKind::Http(name) => name,
        SchemeKind::MutualTls | SchemeKind::Unknown => return None,
    };
    header(AUTHORIZATION, &format!("{name} {secret}"))
}

fn key(place: Place, name: &'static str, secret: &str) -> Option<Credential> {
    match place {
        Place::Header => header(HeaderName::try_from(name).ok()?, secret),
        Place::Query => Some(Credential::Query(name, secret.to_owned())),
        Place::Cookie => {
            // RFC 6265, section 4.1.1: what a cookie is made of.
            let octet =
                |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b';' | b'\\');
            let sound = secret.bytes().all(octet);
            sound.then(|| Credential::Cookie(name, secret.to_owned()))
        }
        Place::Path | Place::Body => None,
    }
}

fn header(name: HeaderName, value: &str) -> Option<Credential> {
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    Some(Credential::Header(name, value))
}
