//! The secrets that requests are signed with, and the operator's keys by which they are encrypted in the
//! database.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::events::WebhookId;

/// The prefix of every secret that is shown, so that scanners know it.
const PREFIX: &str = "whsec_";

/// The key of the signatures of one webhook, in clear. Its `Debug` form shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

/// A secret as it is stored: a nonce, and the secret encrypted for one webhook.
#[derive(Clone, PartialEq, Eq)]
pub struct SealedSecret(pub Vec<u8>);

/// The operator's keys. The first encrypts, and each decrypts what it has encrypted, so that another one
/// can take the first place.
#[derive(Clone)]
pub struct SecretKeys(Vec<LessSafeKey>);

/// The reason why there are no keys.
#[derive(Debug, thiserror::Error)]
pub enum SecretKeysError {
    #[error("cannot read the file of --webhook-key-file, {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// A line is no key. It is not quoted.
    #[error(
        "line {line} of the file of --webhook-key-file, {}, is not 32 bytes in base64: \
         `openssl rand -base64 32` makes one",
        path.display()
    )]
    Malformed {
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// There is no key in the file.
    #[error("the file of --webhook-key-file, {}, has no key", .0.display())]
    Empty(PathBuf),
    #[error(transparent)]
    Random(#[from] getrandom::Error),
}

impl Secret {
    /// A new secret from the operating system's random numbers.
    ///
    /// # Errors
    /// When the operating system gives none.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The text that its owner gets, once.
    pub fn reveal(&self) -> String {
        format!("{PREFIX}{}", BASE64.encode(self.0))
    }

    /// The key of the HMAC.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl SecretKeys {
    /// The keys of a file, one a line in base64.
    ///
    /// # Errors
    /// When it cannot be read, or has anything else.
    pub fn read(path: &Path) -> Result<Self, SecretKeysError> {
        let path = path.to_owned();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(SecretKeysError::Unreadable { path, source }),
        };
        if is_open_to_others(&path) {
            tracing::warn!(file = %path.display(), "other users can read the file of webhook keys: use mode 640 and the group of the server");
        }
        let mut keys = Vec::new();
        for (line, text) in (1..)
            .zip(text.lines())
            .filter(|(_, it)| !it.trim().is_empty())
        {
            let bytes = BASE64.decode(text.trim()).ok();
            let key = bytes.and_then(|bytes| UnboundKey::new(&CHACHA20_POLY1305, &bytes).ok());
            match key {
                Some(key) => keys.push(LessSafeKey::new(key)),
                None => return Err(SecretKeysError::Malformed { path, line }),
            }
        }
        match keys.is_empty() {
            true => Err(SecretKeysError::Empty(path)),
            false => Ok(Self(keys)),
        }
    }

    /// One key that is gone with the process.
    pub fn random() -> Result<Self, SecretKeysError> {
        let key = UnboundKey::new(&CHACHA20_POLY1305, &Secret::generate()?.0);
        // The library refuses keys of other lengths.
        let keys: Vec<_> = key.into_iter().map(LessSafeKey::new).collect();
        Ok(Self(keys))
    }

    /// Encrypts a secret of a webhook.
    pub fn seal(&self, webhook: WebhookId, secret: &Secret) -> Result<SealedSecret, SealError> {
        let key = self.0.first().ok_or(SealError::Library)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce)?;
        let mut text = secret.0.to_vec();
        let sealed = key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(webhook.0.as_bytes()),
            &mut text,
        );
        sealed.map_err(|_| SealError::Library)?;
        Ok(SealedSecret([nonce.as_slice(), &text].concat()))
    }

    /// Decrypts a secret of a webhook; `None` if none of the keys has encrypted it for this webhook.
    pub fn open(&self, webhook: WebhookId, sealed: &SealedSecret) -> Option<Secret> {
        let (nonce, text) = sealed.0.split_first_chunk::<NONCE_LEN>()?;
        self.0.iter().find_map(|key| {
            let mut text = text.to_vec();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let aad = Aad::from(webhook.0.as_bytes());
            let opened = key.open_in_place(nonce, aad, &mut text).ok()?;
            (&*opened).try_into().ok().map(Secret)
        })
    }
}

/// The reason why a secret was not encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    #[error(transparent)]
    Random(#[from] getrandom::Error),
    /// The library rejects it, which would be a defect of this module.
    #[error("the secret cannot be encrypted")]
    Library,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl fmt::Debug for SealedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedSecret(…)")
    }
}

impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKeys(…)")
    }
}

/// Whether users other than the owner and the group may read or write a file.
fn is_open_to_others(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.permissions().mode() & 0o007 != 0)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn webhook(n: u128) -> WebhookId {
        WebhookId(Uuid::from_u128(n))
    }

    fn keys(lines: &[&str]) -> Result<SecretKeys, SecretKeysError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        fs::write(&path, lines.join("\n")).unwrap();
        SecretKeys::read(&path)
    }

    #[test]
    fn a_secret_is_opened_for_its_webhook_by_the_key_that_sealed_it() {
        let (old, new) = (BASE64.encode([1; 32]), BASE64.encode([2; 32]));
        let before = keys(&[&old]).unwrap();
        let secret = Secret::generate().unwrap();
        let sealed = before.seal(webhook(1), &secret).unwrap();
        assert_ne!(sealed, before.seal(webhook(1), &secret).unwrap());
        let after = keys(&[&new, "", &old]).unwrap();
        assert_eq!(after.open(webhook(1), &sealed), Some(secret.clone()));
        assert_eq!(after.open(webhook(2), &sealed), None, "of another webhook");
        assert_eq!(keys(&[&new]).unwrap().open(webhook(1), &sealed), None);
        let resealed = after.seal(webhook(1), &secret).unwrap();
        assert_eq!(before.open(webhook(1), &resealed), None, "the first seals");
        for changed in 0..sealed.0.len() {
            let mut sealed = sealed.clone();
            sealed.0[changed] ^= 1;
            assert_eq!(before.open(webhook(1), &sealed), None, "{changed}");
        }
        assert_eq!(before.open(webhook(1), &SealedSecret(vec![0; 5])), None);
    }

    #[test]
    fn neither_form_shows_the_secret() {
        let secret = Secret([65; 32]);
        assert_eq!(
            secret.reveal(),
            format!("whsec_{}", BASE64.encode([65; 32]))
        );
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        let sealed = SecretKeys::random()
            .unwrap()
            .seal(webhook(1), &secret)
            .unwrap();
        assert!(!sealed.0.windows(8).any(|part| part == [65; 8]));
    }

    #[test]
    fn a_file_has_nothing_but_keys() {
        let refused = |lines: &[&str]| keys(lines).unwrap_err().to_string();
        assert!(refused(&[]).contains("has no key"));
        let good = BASE64.encode([1; 32]);
        let short = refused(&[&good, &BASE64.encode([1; 31])]);
        assert!(short.contains("line 2"), "{short}");
        let text = refused(&["a pass phrase"]);
        assert!(
            text.contains("line 1") && !text.contains("phrase"),
            "{text}"
        );
    }

    #[test]
    fn a_file_that_others_may_read_is_noticed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (mode, expected) in [(0o600, false), (0o640, false), (0o644, true), (0o602, true)] {
            fs::set_permissions(file.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_open_to_others(file.path()), expected, "{mode:o}");
        }
    }
}
