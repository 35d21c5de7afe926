//! The text of a service key: generation, parsing and hashing.
//!
//! `sk_` + 32 base62 characters from the operating system's generator (190 bits) + 6 base62 characters
//! of the CRC-32 of all characters before them. With the checksum a mistyped or invented key is refused
//! without a lookup, and a secret scanner can confirm a find offline.
//!
//! This module depends neither on HTTP, nor on projects, nor on the storage of digests.

use std::fmt;

use sha2::{Digest, Sha256};

use super::KeyDigest;
use super::checksum::{self, ALPHABET, CHECKSUM_LEN};

const PREFIX: &str = "sk_";
const SECRET_LEN: usize = 32;
const LEN: usize = PREFIX.len() + SECRET_LEN + CHECKSUM_LEN;
/// The length of the displayed prefix: `sk_` and eight characters distinguish keys and leave 142 bits
/// secret.
const DISPLAY_LEN: usize = PREFIX.len() + 8;

/// A well-formed key, in clear. It exists while it is issued or presented and is never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; LEN]);

/// The reason why a text is not a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// It does not start with `sk_`.
    #[error("a key starts with `sk_`")]
    Prefix,
    /// It is not 41 characters long.
    #[error("a key is {LEN} characters long")]
    Length,
    /// It holds a character outside `0-9A-Za-z` after the prefix.
    #[error("a key holds only the characters 0-9, A-Z and a-z after its prefix")]
    Character,
    /// Its last six characters are not the checksum of the others.
    #[error("the checksum of the key is wrong")]
    Checksum,
}

impl Key {
    /// Makes a new key from the operating system's random generator.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut text = PREFIX.as_bytes().to_vec();
        while text.len() < PREFIX.len() + SECRET_LEN {
            let mut bytes = [0; SECRET_LEN];
            getrandom::fill(&mut bytes)?;
            let missing = PREFIX.len() + SECRET_LEN - text.len();
            text.extend(bytes.into_iter().filter_map(unbiased_digit).take(missing));
        }
        text.extend(checksum::of(&text));
        let mut key = [0; LEN];
        key.iter_mut()
            .zip(text)
            .for_each(|(place, byte)| *place = byte);
        Ok(Self(key))
    }

    /// Recognises a key by its form and checksum alone; whether anyone owns it is not asked.
    ///
    /// # Errors
    /// The first rule that `text` breaks.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let rest = text.strip_prefix(PREFIX).ok_or(KeyError::Prefix)?;
        let key = <[u8; LEN]>::try_from(text.as_bytes()).map_err(|_| KeyError::Length)?;
        if !rest.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(KeyError::Character);
        }
        let (body, found) = key.split_at(LEN - CHECKSUM_LEN);
        if checksum::of(body) != found {
            return Err(KeyError::Checksum);
        }
        Ok(Self(key))
    }

    /// The SHA-256 of the whole key. A plain hash is enough: there are 190 bits to guess.
    pub fn digest(&self) -> KeyDigest {
        KeyDigest(Sha256::digest(self.0).into())
    }

    /// The first characters, by which its owner recognises the key in a list.
    pub fn display_prefix(&self) -> &str {
        self.reveal().get(..DISPLAY_LEN).unwrap_or(PREFIX)
    }

    /// The whole key in clear, to be shown once to its owner.
    pub fn reveal(&self) -> &str {
        // It is made of ASCII.
        str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({}…)", self.display_prefix())
    }
}

/// A digit for a random byte; the bytes past the last whole multiple of 62 would favour some digits.
fn unbiased_digit(byte: u8) -> Option<u8> {
    let digits = ALPHABET.len();
    let byte = usize::from(byte);
    let fair = byte < 256 / digits * digits;
    fair.then(|| ALPHABET.get(byte % digits).copied()).flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    const VALID: &str = crate::keys::demo::FREE;

    #[test]
    fn a_generated_key_parses_and_differs_from_the_next() {
        let keys: HashSet<String> = (0..200)
            .map(|_| Key::generate().unwrap().reveal().to_owned())
            .collect();
        assert_eq!(keys.len(), 200);
        for key in keys {
            assert_eq!(key.len(), 41);
            assert_eq!(Key::parse(&key).unwrap().reveal(), key);
        }
    }

    #[test]
    fn every_digit_occurs_in_generated_keys() {
        let seen: HashSet<char> = (0..200)
            .flat_map(|_| {
                let key = Key::generate().unwrap();
                key.reveal()[3..35].chars().collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(seen.len(), 62);
    }

    #[test]
    fn names_the_broken_rule() {
        let check = |text: &str, expected| assert_eq!(Key::parse(text), Err(expected), "{text}");
        check("", KeyError::Prefix);
        check("pk_0", KeyError::Prefix);
        check("sk_", KeyError::Length);
        check(&format!("{VALID}0"), KeyError::Length);
        check(&VALID[..40], KeyError::Length);
        check(&format!("sk_{}", "é".repeat(19)), KeyError::Character);
        check(&VALID.replacen('D', "-", 1), KeyError::Character);
    }

    #[test]
    fn one_changed_character_breaks_the_checksum() {
        for at in 3..VALID.len() {
            let mut bytes = VALID.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(Key::parse(&text), Err(KeyError::Checksum), "{text}");
        }
    }

    #[test]
    fn the_secret_is_not_in_its_debug_form() {
        let key = Key::parse(VALID).unwrap();
        assert_eq!(format!("{key:?}"), format!("Key({}…)", &VALID[..11]));
    }

    #[test]
    fn the_digest_is_the_sha_256_of_the_whole_text() {
        let digest = Key::parse(VALID).unwrap().digest();
        assert_eq!(digest.0, <[u8; 32]>::from(Sha256::digest(VALID)));
    }
}
