//! Secrets of 256 bits in browsers and emails; only their digests are stored.

use std::fmt;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// The SHA-256 of a secret: all that is stored of it, and looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretDigest(pub [u8; 32]);

db::column!(SecretDigest as [u8; 32], |digest| digest.0, |bytes| Some(
    SecretDigest(bytes)
));

/// The text is no secret of this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not 32 bytes in base64url")]
pub struct MalformedSecret;

/// Defines kinds of secrets, which cannot be taken for each other.
macro_rules! secrets {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name([u8; 32]);

        impl $name {
            /// Makes a secret from the operating system's random generator.
            pub fn generate() -> Result<Self, getrandom::Error> {
                let mut bytes = [0; 32];
                getrandom::fill(&mut bytes)?;
                Ok(Self(bytes))
            }

            /// Reads the text of [`Self::reveal`].
            ///
            /// # Errors
            /// When it is not of the form.
            pub fn parse(text: &str) -> Result<Self, MalformedSecret> {
                let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| MalformedSecret)?;
                bytes.try_into().map(Self).map_err(|_| MalformedSecret)
            }

            /// The secret itself, as 43 characters that a URL and a cookie may hold.
            pub fn reveal(&self) -> String {
                URL_SAFE_NO_PAD.encode(self.0)
            }

            /// The digest that is stored.
            pub fn digest(&self) -> SecretDigest {
                SecretDigest(Sha256::digest(self.0).into())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    )*};
}

secrets! {
    /// The secret in the link of a sign-in mail.
    SignInToken;
    /// The secret of the browser that asked to sign in: the link works in no other.
    BrowserSecret;
    /// The secret in the link of an invitation mail.
    InvitationToken;
    /// The secret of a session, in its browser's cookie.
    SessionSecret;
    /// The code of the command line with which an operator makes a passkey.
    EnrolmentCode;
    /// The secret of the browser that was sent to a provider of OpenID Connect: the answer is taken from no
    /// other.
    AuthorizationSecret;
}

impl EnrolmentCode {
    /// How long a code may be used.
    pub const LIFE: Duration = Duration::from_secs(24 * 3600);
}

impl AuthorizationSecret {
    /// A value for one purpose, as 43 characters that a URL may hold. It tells nothing of the secret, nor of
    /// the values for other purposes.
    pub(crate) fn derive(&self, purpose: &str) -> String {
        let digest = Sha256::new().chain_update(self.0).chain_update(purpose);
        URL_SAFE_NO_PAD.encode(digest.finalize())
    }
}

impl BrowserSecret {
    /// The digest of the secret and a code: only this browser can try codes.
    pub(super) fn digest_with(&self, code: &str) -> SecretDigest {
        let digest = Sha256::new().chain_update(self.0).chain_update(code);
        SecretDigest(digest.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_read_back_and_hidden_in_its_debug_form() {
        let secret = SessionSecret::generate().unwrap();
        assert_ne!(secret, SessionSecret::generate().unwrap());
        let text = secret.reveal();
        assert_eq!(text.len(), 43);
        assert_eq!(SessionSecret::parse(&text), Ok(secret.clone()));
        assert_eq!(format!("{secret:?}"), "SessionSecret(…)");
        for wrong in ["", "AAAA", &text[1..], &format!("{text}A"), &"=".repeat(43)] {
            assert_eq!(SessionSecret::parse(wrong), Err(MalformedSecret), "{wrong}");
        }
    }

    #[test]
    fn values_for_different_purposes_differ() {
        let secret = AuthorizationSecret([7; 32]);
        let (state, nonce) = (secret.derive("state"), secret.derive("nonce"));
        assert_eq!(state.len(), 43);
        assert_ne!(state, nonce);
        assert_ne!(state, secret.reveal());
        assert_eq!(state, secret.derive("state"));
        assert_ne!(state, AuthorizationSecret([8; 32]).derive("state"));
    }

    #[test]
    fn a_digest_is_of_the_secret_and_of_the_text_with_it() {
        let secret = BrowserSecret([7; 32]);
        assert_eq!(secret.digest().0, <[u8; 32]>::from(Sha256::digest([7; 32])));
        assert_ne!(secret.digest_with("A"), secret.digest_with("B"));
        assert_ne!(
            secret.digest_with("A"),
            BrowserSecret([8; 32]).digest_with("A")
        );
    }
}
