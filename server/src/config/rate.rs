//! A limit as an operator gives it.

use std::str::FromStr;

/// The number of requests that a caller may make in any 60 s, from 1 to 100 000. Each takes 16 bytes of
/// memory for a minute, so there is a maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(try_from = "u32")]
pub struct Rate(u32);

/// The largest limit.
const MAX: u32 = 100_000;

/// The number is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of requests from 1 to {MAX}")]
pub struct RateError;

impl Rate {
    pub fn get(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Rate {
    type Error = RateError;

    fn try_from(number: u32) -> Result<Self, RateError> {
        let is_limit = (1..=MAX).contains(&number);
        is_limit.then_some(Self(number)).ok_or(RateError)
    }
}

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        text.parse::<u32>().map_err(|_| RateError)?.try_into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_neither_zero_nor_unbounded() {
        let check = |text: &str, ok| assert_eq!(text.parse::<Rate>().is_ok(), ok, "{text}");
        check("1", true);
        check("100000", true);
        check("0", false);
        check("100001", false);
        check("-1", false);
        check("many", false);
    }
}
