//! The provider that an operator chooses.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

use http::Uri;
use openidconnect::{ClientId, ClientSecret, IssuerUrl};

use crate::domain::loopback::is_loopback;

/// The URL that names a provider, as it names itself. It is of https, or of http on this machine, for tests.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Issuer(IssuerUrl);

/// The text names no provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "is no URL of https without a query, such as https://accounts.example.org (or of http on this machine)"
)]
pub struct InvalidIssuer;

/// The settings of a provider, as far as they are given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OidcConfig {
    /// The provider.
    pub issuer: Option<Issuer>,
    /// The name under which the provider knows this server.
    pub client_id: Option<String>,
    /// The file of the secret that the provider gave this server.
    pub client_secret_file: Option<PathBuf>,
    /// The provider's name on pages.
    pub name: Option<String>,
}

/// The reason why there is no sign-in by a provider, though some of its settings are given.
#[derive(Debug, thiserror::Error)]
pub enum OidcSetupError {
    /// A setting is missing.
    #[error("to sign in by OpenID Connect, {0} is needed too")]
    Missing(&'static str),
    /// The secret cannot be read.
    #[error("cannot read the file of --oidc-client-secret-file, {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// There is no secret in the file.
    #[error("the file of --oidc-client-secret-file, {}, is empty", .0.display())]
    Empty(PathBuf),
}

/// The complete settings of a provider.
#[derive(Clone)]
pub struct ProviderSettings {
    /// The provider.
    pub(super) issuer: Issuer,
    /// The name under which the provider knows this server.
    pub(super) client_id: ClientId,
    /// The secret that the provider gave this server.
    pub(super) secret: ClientSecret,
    /// The provider's name on pages.
    pub(super) name: String,
}

impl OidcConfig {
    /// The complete settings; none if none is given. Reads the file of the secret.
    ///
    /// # Errors
    /// When a setting is missing, or the secret cannot be read.
    pub fn complete(&self) -> Result<Option<ProviderSettings>, OidcSetupError> {
        if *self == Self::default() {
            return Ok(None);
        }
        let missing = OidcSetupError::Missing;
        let issuer = self.issuer.clone().ok_or(missing("--oidc-issuer"))?;
        let client_id = self.client_id.clone();
        let client_id = client_id.ok_or(missing("--oidc-client-id"))?;
        let path = self.client_secret_file.clone();
        let path = path.ok_or(missing("--oidc-client-secret-file"))?;
        let secret = match std::fs::read_to_string(&path) {
            Ok(text) => text.trim().to_owned(),
            Err(source) => return Err(OidcSetupError::Unreadable { path, source }),
        };
        if secret.is_empty() {
            return Err(OidcSetupError::Empty(path));
        }
        Ok(Some(ProviderSettings {
            name: self.name.clone().unwrap_or_else(|| issuer.host()),
            issuer,
            client_id: ClientId::new(client_id),
            secret: ClientSecret::new(secret),
        }))
    }
}

impl Issuer {
    /// The issuer, as tokens have it.
    pub(super) fn url(&self) -> &IssuerUrl {
        &self.0
    }

    /// Whether it is asked by TLS.
    pub(super) fn is_secure(&self) -> bool {
        self.0.url().scheme() == "https"
    }

    fn host(&self) -> String {
        self.0.url().host_str().unwrap_or_default().to_owned()
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
        let url = IssuerUrl::new(text.to_owned());
        url.map(Self).map_err(|_| InvalidIssuer)
    }
}

impl TryFrom<String> for Issuer {
    type Error = InvalidIssuer;

    fn try_from(text: String) -> Result<Self, InvalidIssuer> {
        text.parse()
    }
}

impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderSettings({})", self.issuer.0.as_str())
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
            assert_eq!(issuer.url().as_str(), text, "it stays as it is written");
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

    #[test]
    fn what_is_missing_is_named() {
        let issuer = "https://accounts.example.org".parse().ok();
        let file = tempfile::NamedTempFile::new().unwrap();
        let whole = OidcConfig {
            issuer,
            client_id: Some("catalog".to_owned()),
            client_secret_file: Some(file.path().to_owned()),
            name: None,
        };
        let check = |config: OidcConfig, expected: &str| {
            let error = config.complete().unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        let lacks = |change: fn(&mut OidcConfig)| {
            let mut config = whole.clone();
            change(&mut config);
            config
        };
        check(lacks(|it| it.issuer = None), "--oidc-issuer is needed");
        check(
            lacks(|it| it.client_id = None),
            "--oidc-client-id is needed",
        );
        let no_file = lacks(|it| it.client_secret_file = None);
        check(no_file, "--oidc-client-secret-file is needed");
        check(whole.clone(), "is empty");
        std::fs::write(file.path(), "s3cret\n").unwrap();
        let settings = whole.complete().unwrap().unwrap();
        assert_eq!(settings.secret.secret(), "s3cret");
        assert_eq!(settings.name, "accounts.example.org");
        assert!(!format!("{settings:?}").contains("s3cret"));
        assert!(OidcConfig::default().complete().unwrap().is_none());
    }
}
