//! The code of a sign-in mail, which people type.

use std::fmt;

/// The digits of base 32 without letters that look like others: Crockford's.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LEN: usize = 8;

/// A code of eight characters, 40 bits, that confirms a sign-in in the browser that asked for it.
#[derive(Clone, PartialEq, Eq)]
pub struct SignInCode(String);

impl SignInCode {
    /// Makes a code from the operating system's random generator.
    pub fn generate() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; LEN];
        getrandom::fill(&mut bytes)?;
        let digit = |byte: u8| ALPHABET.get(usize::from(byte) % ALPHABET.len()).copied();
        let digits = bytes.into_iter().filter_map(digit).map(char::from);
        Ok(Self(digits.collect()))
    }

    /// Reads a code as people type it: in either case, with spaces or hyphens, and with O for 0, and I
    /// or L for 1. `None` for a text that is no code.
    pub fn parse(text: &str) -> Option<Self> {
        let typed = text.chars().filter(|it| !matches!(it, ' ' | '-'));
        let meant = |typed: char| match typed.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        let code: String = typed.take(LEN + 1).map(meant).collect();
        let known = |it: u8| ALPHABET.contains(&it);
        (code.len() == LEN && code.bytes().all(known)).then_some(Self(code))
    }

    /// The code itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SignInCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignInCode(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn generated_codes_are_read_back_and_have_every_digit() {
        let mut seen = HashSet::new();
        for _ in 0..200 {
            let code = SignInCode::generate().unwrap();
            assert_eq!(SignInCode::parse(code.reveal()), Some(code.clone()));
            seen.extend(code.reveal().bytes());
        }
        assert_eq!(seen.len(), ALPHABET.len());
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let check = |text: &str, code: Option<&str>| {
            let read = SignInCode::parse(text);
            assert_eq!(read.as_ref().map(SignInCode::reveal), code, "{text}");
        };
        check("ABCD-EF01", Some("ABCDEF01"));
        check(" abcd efoI", Some("ABCDEF01"));
        check("abcdefol", Some("ABCDEF01"));
        check("ABCDEF0", None);
        check("ABCDEF012", None);
        check("ABCDEFU1", None);
        check("ÄBCDEF01", None);
        check("", None);
    }
}
