//! TLS to PostgreSQL and Redis: the verification of the servers' certificates. Nothing here falls back
//! to a weaker verification, or to none.

#![allow(missing_docs)]

mod name_unchecked;
mod roots;

use std::path::PathBuf;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::ring;

use name_unchecked::NameUnchecked;
pub use roots::Roots;

/// The verification of a server's certificate, before anything is sent to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// None: the connection is encrypted, to an unknown server.
    Anyone,
    /// It is signed by an authority of this file; its name is not compared.
    Authority(PathBuf),
    /// It is signed by one of these authorities, for the name that was connected to.
    Host(Roots),
}

/// The reason why certificates cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or is no PEM.
    #[error("cannot read certificates from {}: {why}", path.display())]
    Unreadable { path: PathBuf, why: String },
    /// A file has no certificates.
    #[error("there is no certificate in {}", .0.display())]
    Empty(PathBuf),
    #[error(
        "the system has no certificates of authorities: install them (ca-certificates), name others \
         in the variable SSL_CERT_FILE, or name a file for this connection{0}"
    )]
    NoSystemRoots(String),
    /// The library refuses the configuration.
    #[error("TLS cannot be set up: {0}")]
    Library(#[from] rustls::Error),
}

impl Trust {
    /// The configuration of rustls, for TLS 1.2 and 1.3. Reads files.
    ///
    /// # Errors
    /// When there are no certificates to hold a server against.
    pub fn client(&self) -> Result<ClientConfig, TlsError> {
        let provider = Arc::new(ring::default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let builder =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let name_unchecked = match self {
            Trust::Host(roots) => {
                let roots = roots.load()?;
                return Ok(builder.with_root_certificates(roots).with_no_client_auth());
            }
            Trust::Authority(path) => {
                NameUnchecked::signed_by(Roots::File(path.clone()).load()?, algorithms)
            }
            Trust::Anyone => NameUnchecked::anyone(algorithms),
        };
        Ok(builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(name_unchecked))
            .with_no_client_auth())
    }
}
