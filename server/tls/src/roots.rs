//! The certificates of authorities.

use std::path::{Path, PathBuf};

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::TlsError;

/// The authorities that may certify a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Roots {
    /// The authorities that the operating system trusts.
    System,
    /// The authorities in a PEM file, and no others.
    File(PathBuf),
}

impl Roots {
    /// Loads the certificates.
    ///
    /// # Errors
    /// When there are none, or a file has an invalid one.
    pub fn load(&self) -> Result<RootCertStore, TlsError> {
        match self {
            Roots::System => of_the_system(),
            Roots::File(path) => of_a_file(path),
        }
    }
}

/// The certificates of the system. It has hundreds, and those that cannot be parsed are skipped.
fn of_the_system() -> Result<RootCertStore, TlsError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let why = found.errors.iter().map(|error| format!("; {error}"));
        return Err(TlsError::NoSystemRoots(why.collect()));
    }
    Ok(roots)
}

/// The certificates of a file. An operator chose them, so that all of them must be valid.
fn of_a_file(path: &Path) -> Result<RootCertStore, TlsError> {
    let unreadable = |why: String| TlsError::Unreadable {
        path: path.to_owned(),
        why,
    };
    let certificates =
        CertificateDer::pem_file_iter(path).map_err(|error| unreadable(error.to_string()))?;
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        let certificate = certificate.map_err(|error| unreadable(error.to_string()))?;
        roots
            .add(certificate)
            .map_err(|error| unreadable(error.to_string()))?;
    }
    match roots.is_empty() {
        true => Err(TlsError::Empty(path.to_owned())),
        false => Ok(roots),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_right_as_a_whole_or_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("root.crt");
        let refused = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let error = Roots::File(path.clone()).load().unwrap_err().to_string();
            assert!(error.contains("root.crt"), "{error}");
            error
        };
        assert!(refused("").contains("no certificate"));
        assert!(refused("what is this").contains("no certificate"));
        let begin = "-----BEGIN CERTIFICATE-----\n";
        let end = "-----END CERTIFICATE-----\n";
        refused(&format!("{begin}AAAA"));
        refused(&format!("{begin}AAAA\n{end}"));
        let params = rcgen::CertificateParams::new([]).unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        let good = params.self_signed(&key).unwrap().pem();
        refused(&format!("{good}{begin}AAAA\n{end}"));
        std::fs::write(&path, format!("{good}{good}")).unwrap();
        assert_eq!(Roots::File(path.clone()).load().unwrap().len(), 2);
        std::fs::remove_file(&path).unwrap();
        let missing = Roots::File(path).load().unwrap_err().to_string();
        assert!(missing.contains("root.crt: "), "{missing}");
    }
}
