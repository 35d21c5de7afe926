//! How many mails may be asked for, how many accounts made, and how long sessions live.

use std::time::Duration;

/// The time in which sign-ins are counted.
pub(crate) const WINDOW: Duration = Duration::from_secs(3600);
/// The sign-ins of one address in a window.
const PER_ADDRESS: i64 = 10;
/// The sign-ins of one network in a window.
const PER_NETWORK: i64 = 30;
/// The sign-ins of all in a window.
const OVERALL: i64 = 2000;

/// The time in which new accounts are counted; sign-ins are kept as long.
pub(crate) const DAY: Duration = Duration::from_secs(24 * 3600);
/// The accounts that one network may make in a day.
const NEW_ACCOUNTS_PER_NETWORK: i64 = 20;

/// What an operator decides about accounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountRules {
    /// How long a session lives that is not used.
    pub session_idle: Duration,
    /// How long a session lives in any case.
    pub session_life: Duration,
    /// The number of Free projects that an account may own, those deleted in the last 24 h included.
    pub free_projects: u32,
}

impl Default for AccountRules {
    fn default() -> Self {
        Self {
            session_idle: 14 * DAY,
            session_life: 90 * DAY,
            free_projects: 3,
        }
    }
}

/// The limit that a sign-in is above. Nobody who is signed in notices it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInLimit {
    /// Of mails to the address.
    #[error("this address was sent many mails of late; try again in an hour")]
    Address,
    /// Of mails that a network asks for.
    #[error("many sign-ins were asked for from your network; try again in an hour")]
    Network,
    /// Of all mails.
    #[error("many sign-ins are asked for at the moment; try again in an hour")]
    Overall,
    /// Of new accounts of a network.
    #[error("many accounts were made from your network today; try again tomorrow")]
    NewAccounts,
}

impl SignInLimit {
    /// The time after which it is not reached any more.
    pub fn wait(self) -> Duration {
        match self {
            Self::Address | Self::Network | Self::Overall => WINDOW,
            Self::NewAccounts => DAY,
        }
    }
}

/// The sign-ins of the window before a further one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignInCounts {
    pub(crate) address: i64,
    pub(crate) network: i64,
    pub(crate) all: i64,
}

impl SignInCounts {
    /// Whether one more may be asked for.
    pub(crate) fn admit(self) -> Result<(), SignInLimit> {
        match self {
            Self { all: OVERALL.., .. } => Err(SignInLimit::Overall),
            Self {
                network: PER_NETWORK..,
                ..
            } => Err(SignInLimit::Network),
            Self {
                address: PER_ADDRESS..,
                ..
            } => Err(SignInLimit::Address),
            _ => Ok(()),
        }
    }
}

/// Whether a network that has made this many accounts today may make another.
pub(crate) fn admit_account(made: i64) -> Result<(), SignInLimit> {
    match made {
        NEW_ACCOUNTS_PER_NETWORK.. => Err(SignInLimit::NewAccounts),
        _ => Ok(()),
    }
}
