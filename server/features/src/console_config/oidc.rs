//! The provider of OpenID Connect.

use std::path::PathBuf;
use std::str::FromStr;

use http::Uri;
use url::Url;

use crate::domain::loopback::is_loopback;

/// The URL that names a provider, as it names itself. It is of https, or of http on this machine, for tests.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Issuer(String);

/// The text names no provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "is not an https URL without a query, such as https://accounts.example.org (or http on this machine)"
)]
pub struct InvalidIssuer;

/// The settings of a provider, as far as they are given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OidcConfig {
    pub issuer: Option<Issuer>,
    /// The name under which the provider knows this server.
    pub client_id: Option<String>,
    /// The file of the secret that the provider gave this server.
    pub client_secret_file: Option<PathBuf>,
    /// The provider's name on pages.
    pub name: Option<String>,
}

impl Issuer {
    /// The URL as it was written, which the tokens of the provider repeat.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Issuer {
    type Err = InvalidIssuer;

    fn from_str(text: &str) -> Result<Self, InvalidIssuer> {
        let uri: Uri = text.parse().map_err(|_| InvalidIssuer)?;
        let host = uri.host().filter(|host| !host.is_empty());
        let host = host.ok_or(InvalidIssuer)?;
        let may_be = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => is_loopback(host),
            _ => false,
        };
        let has_user = uri.authority().is_some_and(|it| it.as_str().contains('@'));
        if !may_be || has_user || uri.query().is_some() || text.contains('#') {
            return Err(InvalidIssuer);
        }
        let url = Url::parse(text).map_err(|_| InvalidIssuer)?;
        match url.has_host() {
            true => Ok(Self(text.to_owned())),
            false => Err(InvalidIssuer),
        }
    }
}

impl TryFrom<String> for Issuer {
    type Error = InvalidIssuer;

    fn try_from(text: String) -> Result<Self, InvalidIssuer> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_of_https_or_of_this_machine() {
        for text in [
            "https://accounts.example.org",
            "https://login.example.org:8443/realms/main",
            "http://127.0.0.1:9000",
            "http://localhost:9000/",
        ] {
            let issuer: Issuer = text.parse().unwrap();
            assert_eq!(issuer.as_str(), text, "it stays as it is written");
        }
        for text in [
            "",
            "accounts.example.org",
            "http://accounts.example.org",
            "http://127.0.0.1.example.org",
            "https://",
            "https://user@accounts.example.org",
            "https://accounts.example.org/?a=b",
            "https://accounts.example.org/#a",
            "ftp://127.0.0.1",
        ] {
            assert_eq!(text.parse::<Issuer>(), Err(InvalidIssuer), "{text}");
        }
    }
}
