//! The identity of a config.

use std::fmt;
use std::str::FromStr;

use alloy_primitives::hex;

/// The identity of a config: 32 bytes, random for those made here.
///
/// Shown as `0x` and 64 lower-case hex digits, and as base58; read in either form (hex digits in
/// either case).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConfigId(pub [u8; 32]);

db::column!(ConfigId as [u8; 32], |id| id.0, |bytes| Some(ConfigId(
    bytes
)));

impl ConfigId {
    /// A new id from the operating system's random numbers.
    ///
    /// # Errors
    /// When the operating system gives none.
    pub fn random() -> Result<ConfigId, getrandom::Error> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(ConfigId(bytes))
    }

    pub fn base58(&self) -> String {
        bs58::encode(self.0).into_string()
    }
}

impl fmt::Display for ConfigId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode_prefixed(self.0))
    }
}

impl FromStr for ConfigId {
    type Err = InvalidConfigId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `0` is no base58 digit, so no text has both forms.
        if let Some(digits) = text.strip_prefix("0x") {
            return match digits.starts_with("0x") {
                true => Err(InvalidConfigId),
                false => hex::decode_to_array(digits)
                    .map(ConfigId)
                    .map_err(|_| InvalidConfigId),
            };
        }
        let mut bytes = [0; 32];
        match bs58::decode(text).onto(&mut bytes) {
            Ok(32) => Ok(ConfigId(bytes)),
            _ => Err(InvalidConfigId),
        }
    }
}

/// The text is neither form of a config id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a config id: 0x and 64 hexadecimal digits, or 32 bytes in base58")]
pub struct InvalidConfigId;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn refuses_other_forms() {
        let hex = ConfigId([0xab; 32]).to_string();
        for text in [
            "",
            "0x",
            "0x0x",
            &hex[2..],
            &hex[..65],
            &format!("0x{hex}"),
            "l",
            &"z".repeat(44),
        ] {
            assert_eq!(text.parse::<ConfigId>(), Err(InvalidConfigId), "{text}");
        }
    }

    proptest! {
        #[test]
        fn both_forms_and_both_cases_read_back(bytes: [u8; 32]) {
            let id = ConfigId(bytes);
            let hex = id.to_string();
            prop_assert_eq!(hex.parse(), Ok(id));
            prop_assert_eq!(hex.to_uppercase().replace("0X", "0x").parse(), Ok(id));
            prop_assert_eq!(id.base58().parse(), Ok(id));
        }
    }
}
