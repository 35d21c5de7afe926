//! TLS to the servers that this program needs: what such a server has to prove, and how rustls is
//! told so. Nothing here falls back to something weaker, or to none.

mod lenient;
mod roots;

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::ring;

use lenient::Lenient;
pub(crate) use roots::Roots;

/// What a server has to prove before anything else is said to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Nothing: what is said is encrypted, for whoever answers.
    Anyone,
    /// That an authority of this file has certified it, under whatever name.
    Authority(PathBuf),
    /// That one of these authorities has certified it under the name at which it was looked for.
    Host(Roots),
}

/// Why there is nothing to hold a server against.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or is no PEM.
    #[error("cannot read certificates from {}: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file has nothing to trust.
    #[error("there is no certificate in {}", .0.display())]
    Empty(PathBuf),
    /// The system trusts nobody.
    #[error(
        "the system has no certificates of authorities: install them (ca-certificates), name others \
         in the variable SSL_CERT_FILE, or name a file for this connection{0}"
    )]
    NoSystemRoots(String),
    /// The library does not take what it was given.
    #[error("TLS cannot be set up: {0}")]
    Library(#[from] rustls::Error),
}

impl Trust {
    /// What rustls needs to know, TLS 1.2 or 1.3; reads files.
    ///
    /// # Errors
    /// When there are no certificates to hold a server against.
    pub(crate) fn client(&self) -> Result<ClientConfig, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let builder =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let lenient = match self {
            Trust::Host(roots) => {
                let roots = roots.load()?;
                return Ok(builder.with_root_certificates(roots).with_no_client_auth());
            }
            Trust::Authority(path) => {
                Lenient::signed_by(Roots::File(path.clone()).load()?, algorithms)
            }
            Trust::Anyone => Lenient::anyone(algorithms),
        };
        Ok(builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(lenient))
            .with_no_client_auth())
    }
}
