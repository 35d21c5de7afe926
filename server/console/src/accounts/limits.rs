//! How many mails may be asked for, how many accounts made, and how long sessions live.

use std::time::Duration;

use features::domain::day::DAY;

use super::NetworkCounts;

/// The time in which sign-ins are counted.
pub(crate) const WINDOW: Duration = Duration::from_secs(3600);
/// The sign-ins of one address in a window that the networks of one provider ask for. Others can use them up
/// only from where its owner is.
const PER_ADDRESS_AND_PROVIDER: i64 = 10;
/// The sign-ins of one address in a window: as many mails as a mailbox bears.
const PER_ADDRESS: i64 = 30;
/// The confirmations in a window that one account asks for while it is signed in. No other limit holds for
/// these: strangers who request emails cannot lock out a signed-in user.
const STEP_UPS: i64 = 10;
/// The sign-ins of one address in a window above the other limits: that a browser requests in which the owner has signed
/// in before, and that all such browsers request. Others cannot lock the owner out there.
const RESERVED_PER_BROWSER: i64 = 5;
const RESERVED_PER_ADDRESS: i64 = 10;
/// The sign-ins in a window.
const SIGN_INS: NetworkCounts = NetworkCounts {
    network: 30,
    provider: 250,
    all: 2000,
};

/// The accounts that one network may make in a day.
const NEW_ACCOUNTS_PER_NETWORK: i64 = 20;

/// The limit that a sign-in exceeds. Signed-in users are not affected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInLimit {
    /// Of mails to the address.
    #[error("too many emails were sent to this address; try again in an hour")]
    Address,
    /// Of mails that a network, or the networks of its provider, ask for.
    #[error("too many sign-ins were requested from your network; try again in an hour")]
    Network,
    /// Of all mails.
    #[error("too many sign-ins are being requested; try again in an hour")]
    Overall,
    /// Of new accounts of a network.
    #[error("too many accounts were created from your network today; try again tomorrow")]
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

/// How a sign-in was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    WithinLimits,
    /// Above the limits, for a browser in which the owner has signed in before. It does not count for others.
    Reserved,
}

/// The sign-ins of the window before a further one. Confirmations and reserved sign-ins count only where they are
/// named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignInCounts {
    pub(crate) address: i64,
    pub(crate) address_and_provider: i64,
    pub(crate) from: NetworkCounts,
    /// Of those that the same account asked for while it was signed in.
    pub(crate) step_ups: i64,
    /// Whether the owner of the address has signed in in the browser before.
    pub(crate) is_known_browser: bool,
    /// The reserved ones to the address, of the browser and in all.
    pub(crate) reserved: (i64, i64),
}

impl SignInCounts {
    /// Whether one more may be requested, by a signed-in user or not.
    pub(crate) fn admit(self, is_step_up: bool) -> Result<Admission, SignInLimit> {
        if is_step_up {
            let has_room = self.step_ups < STEP_UPS;
            let admission = has_room.then_some(Admission::WithinLimits);
            return admission.ok_or(SignInLimit::Address);
        }
        let (of_browser, of_address) = self.reserved;
        let has_reserve = self.is_known_browser
            && of_browser < RESERVED_PER_BROWSER
            && of_address < RESERVED_PER_ADDRESS;
        match self.within_limits() {
            Ok(()) => Ok(Admission::WithinLimits),
            Err(_) if has_reserve => Ok(Admission::Reserved),
            Err(limit) => Err(limit),
        }
    }

    fn within_limits(self) -> Result<(), SignInLimit> {
        let is_address_free =
            self.address < PER_ADDRESS && self.address_and_provider < PER_ADDRESS_AND_PROVIDER;
        if self.from.all >= SIGN_INS.all {
            Err(SignInLimit::Overall)
        } else if !self.from.is_below(SIGN_INS) {
            Err(SignInLimit::Network)
        } else if !is_address_free {
            Err(SignInLimit::Address)
        } else {
            Ok(())
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
