//! The provider that an operator chooses.

use std::fmt;
use std::io;
use std::path::PathBuf;

use features::console_config::OidcConfig;
use openidconnect::{ClientId, ClientSecret, IssuerUrl};

/// The reason why there is no sign-in by a provider, though some of its settings are given.
#[derive(Debug, thiserror::Error)]
pub enum OidcSetupError {
    /// A setting is missing.
    #[error("{0} is required for sign-in by OpenID Connect")]
    Missing(&'static str),
    /// The secret cannot be read.
    #[error("cannot read the file of --oidc-client-secret-file, {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("cannot use the URL of --oidc-issuer")]
    Issuer(#[from] openidconnect::url::ParseError),
    /// There is no secret in the file.
    #[error("the file of --oidc-client-secret-file, {}, is empty", .0.display())]
    Empty(PathBuf),
}

/// The complete settings of a provider.
#[derive(Clone)]
pub struct ProviderSettings {
    pub(super) issuer: IssuerUrl,
    /// The name under which the provider knows this server.
    pub(super) client_id: ClientId,
    /// The secret that the provider gave this server.
    pub(super) secret: ClientSecret,
    /// The provider's name on pages.
    pub(super) name: String,
}

impl ProviderSettings {
    /// The complete settings; none if `config` has none. Reads the file of the secret.
    ///
    /// # Errors
    /// When a setting is missing, or the secret cannot be read.
    pub fn read(config: &OidcConfig) -> Result<Option<Self>, OidcSetupError> {
        if *config == OidcConfig::default() {
            return Ok(None);
        }
        let missing = OidcSetupError::Missing;
        let issuer = config.issuer.as_ref().ok_or(missing("--oidc-issuer"))?;
        let issuer = IssuerUrl::new(issuer.as_str().to_owned())?;
        let client_id = config.client_id.clone();
        let client_id = client_id.ok_or(missing("--oidc-client-id"))?;
        let path = config.client_secret_file.clone();
        let path = path.ok_or(missing("--oidc-client-secret-file"))?;
        let secret = match std::fs::read_to_string(&path) {
            Ok(text) => text.trim().to_owned(),
            Err(source) => return Err(OidcSetupError::Unreadable { path, source }),
        };
        if secret.is_empty() {
            return Err(OidcSetupError::Empty(path));
        }
        let host = issuer.url().host_str().unwrap_or_default();
        Ok(Some(Self {
            name: config.name.clone().unwrap_or_else(|| host.to_owned()),
            issuer,
            client_id: ClientId::new(client_id),
            secret: ClientSecret::new(secret),
        }))
    }

    pub(super) fn is_secure(&self) -> bool {
        self.issuer.url().scheme() == "https"
    }
}

impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderSettings({})", self.issuer.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let error = ProviderSettings::read(&config).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        let lacks = |change: fn(&mut OidcConfig)| {
            let mut config = whole.clone();
            change(&mut config);
            config
        };
        check(lacks(|it| it.issuer = None), "--oidc-issuer is required");
        check(
            lacks(|it| it.client_id = None),
            "--oidc-client-id is required",
        );
        let no_file = lacks(|it| it.client_secret_file = None);
        check(no_file, "--oidc-client-secret-file is required");
        check(whole.clone(), "is empty");
        std::fs::write(file.path(), "s3cret\n").unwrap();
        let settings = ProviderSettings::read(&whole).unwrap().unwrap();
        assert_eq!(settings.secret.secret(), "s3cret");
        assert_eq!(settings.name, "accounts.example.org");
        assert!(!format!("{settings:?}").contains("s3cret"));
        assert!(
            ProviderSettings::read(&OidcConfig::default())
                .unwrap()
                .is_none()
        );
    }
}
