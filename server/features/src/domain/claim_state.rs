//! The state of a claim of a partner contract.

use std::str::FromStr;

/// The state of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimState {
    /// It is neither proven nor sent to the operators.
    Open,
    /// An operator has to decide.
    Waiting,
    /// It was proven: the contract became the project's.
    Proven,
    /// An operator has accepted it: the contract became the project's.
    Accepted,
    /// An operator has declined it.
    Declined,
}

db::text_column!(ClaimState);

impl ClaimState {
    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Waiting => "waiting",
            Self::Proven => "proven",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
        }
    }
}

impl FromStr for ClaimState {
    type Err = UnknownClaimState;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let all = [
            Self::Open,
            Self::Waiting,
            Self::Proven,
            Self::Accepted,
            Self::Declined,
        ];
        let found = all.into_iter().find(|state| state.as_str() == name);
        found.ok_or(UnknownClaimState)
    }
}

/// The name is none of those that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is no known name")]
pub struct UnknownClaimState;
