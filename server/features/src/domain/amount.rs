//! Amounts: tokens in 256 bits, US dollars in millionths, and weights.

use std::fmt;
use std::str::FromStr;

use ruint::aliases::U256;

/// An amount in a token's smallest unit: up to 256 bits, written as a decimal number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenAmount(pub U256);

db::column!(
    TokenAmount as [u8; 32],
    |amount| amount.0.to_be_bytes(),
    |bytes| Some(TokenAmount(U256::from_be_bytes(bytes)))
);

impl fmt::Display for TokenAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TokenAmount {
    type Err = InvalidAmount;

    /// Reads decimal digits without a leading zero or sign.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !is_canonical(text) {
            return Err(InvalidAmount);
        }
        U256::from_str_radix(text, 10)
            .map(TokenAmount)
            .map_err(|_| InvalidAmount)
    }
}

/// Millionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct UsdE6(pub i64);

db::column!(UsdE6 as i64, |usd| usd.0, |usd| Some(UsdE6(usd)));

impl fmt::Display for UsdE6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for UsdE6 {
    type Err = InvalidAmount;

    /// Parses a decimal number from 0 to 2^63 − 1 without a leading zero or sign. Negative amounts
    /// arise only inside, when a donation is taken back.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if !is_canonical(text) {
            return Err(InvalidAmount);
        }
        text.parse().map(UsdE6).map_err(|_| InvalidAmount)
    }
}

fn is_canonical(text: &str) -> bool {
    match text.as_bytes() {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// The text is no amount, or the amount does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is not a decimal number in range")]
pub struct InvalidAmount;

/// A beneficiary's part of a config, relative to the other beneficiaries' weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Weight(u32);

db::column!(Weight as u32, |weight| weight.get(), Weight::new);

impl Weight {
    pub const MAX: u32 = 1_000_000;

    /// The weight of this number; `None` outside `1..=MAX`.
    pub const fn new(number: u32) -> Option<Weight> {
        match number {
            1..=Self::MAX => Some(Weight(number)),
            _ => None,
        }
    }

    pub const fn get(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_amounts_hold_256_bits() {
        let largest = U256::MAX.to_string();
        assert_eq!(largest.len(), 78);
        assert_eq!(largest.parse::<TokenAmount>().unwrap().to_string(), largest);
        let beyond = largest.replace("935", "936");
        assert_eq!(beyond.parse::<TokenAmount>(), Err(InvalidAmount));
    }

    #[test]
    fn amounts_have_one_spelling() {
        for text in [
            "", "00", "01", "-1", "+1", "1_000", "1.0", "0x1", " 1", "１",
        ] {
            assert_eq!(text.parse::<TokenAmount>(), Err(InvalidAmount), "{text}");
            assert_eq!(text.parse::<UsdE6>(), Err(InvalidAmount), "{text}");
        }
        assert_eq!("0".parse(), Ok(UsdE6(0)));
        assert_eq!("9223372036854775807".parse(), Ok(UsdE6(i64::MAX)));
        assert_eq!("9223372036854775808".parse::<UsdE6>(), Err(InvalidAmount));
    }

    #[test]
    fn weights_are_bounded() {
        assert_eq!(Weight::new(0), None);
        assert_eq!(Weight::new(1_000_000).map(Weight::get), Some(1_000_000));
        assert_eq!(Weight::new(1_000_001), None);
    }
}
