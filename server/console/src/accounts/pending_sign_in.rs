//! A sign-in that waits for its confirmation, and the rules of confirming it.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::{Network, SecretDigest, SignInLimit};
use edge::clock::is_within;
use features::domain::email::Email;
use features::domain::ids::AccountId;

/// How long a browser in which an account has signed in is remembered.
pub const KNOWN_BROWSER_LIFE: Duration = Duration::from_secs(400 * 24 * 3600);

/// The wrong codes after which a sign-in is dead.
const MAX_ATTEMPTS: u32 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInId(pub Uuid);

db::uuid_column!(SignInId);

/// A sign-in to be stored.
#[derive(Debug, Clone)]
pub struct NewSignIn {
    pub id: SignInId,
    pub token: SecretDigest,
    /// Of the secret of the browser that asks.
    pub browser: SecretDigest,
    /// Of that secret and the code.
    pub code: SecretDigest,
    /// The address to confirm.
    pub email: Email,
    pub network: Network,
    pub created_at: Timestamp,
    /// The account that confirms that it is still its person, if it is asked for by one.
    pub step_up: Option<AccountId>,
    /// The account that takes the address, if it is asked for to change one.
    pub account: Option<AccountId>,
}

/// A sign-in as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSignIn {
    pub id: SignInId,
    /// Of the secret of the browser that asked.
    pub browser: SecretDigest,
    /// Of that secret and the code.
    pub code: SecretDigest,
    /// The address to confirm.
    pub email: Email,
    /// The network that the browser was in, as text.
    pub network: String,
    pub created_at: Timestamp,
    /// The wrong codes that were typed.
    pub attempts: u32,
    /// When it was confirmed, if it was.
    pub used_at: Option<Timestamp>,
    /// The account that takes the address, if it was asked for to change one.
    pub account: Option<AccountId>,
    /// Whether no account has the address yet.
    pub is_new: bool,
}

/// A proof that confirms a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInProof {
    /// The link of the mail, opened in a browser.
    Link {
        token: SecretDigest,
        /// Of the browser's secret.
        browser: SecretDigest,
    },
    /// The code of the mail, typed in a browser.
    Code {
        /// Of the browser's secret.
        browser: SecretDigest,
        /// Of that secret and the typed code.
        code: SecretDigest,
    },
}

/// The reason why a sign-in is not confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignInRejection {
    /// There is none, or none any more: used, older than 10 minutes, or after 5 wrong codes.
    #[error("this sign-in was used or has expired; request a new one")]
    Ended,
    /// Another browser asked for it; there the mail's code can be typed.
    #[error("this sign-in was requested in another browser; enter the code from the email there")]
    OtherBrowser,
    /// The address that an account is to take is another's.
    #[error("this address already has an account; sign in with it, or use another address")]
    Taken,
    #[error("this is not the code from the newest email")]
    WrongCode,
    /// The account would be one too many.
    #[error(transparent)]
    Limit(#[from] SignInLimit),
}

impl PendingSignIn {
    /// How long it may be confirmed, by link or code.
    pub const LIFE: Duration = Duration::from_secs(600);

    /// Whether it may be confirmed.
    pub(crate) fn is_live(&self, now: Timestamp) -> bool {
        let is_recent = is_within(self.created_at, Self::LIFE, now);
        self.used_at.is_none() && is_recent && self.attempts < MAX_ATTEMPTS
    }

    /// Whether it may be confirmed where the address is the account `found`'s. One that changes an address
    /// may where the account is signed in still: ending its sessions stops a thief.
    pub(crate) fn admits(
        &self,
        found: Option<AccountId>,
        is_signed_in: bool,
    ) -> Result<(), SignInRejection> {
        match self.account {
            Some(_) if !is_signed_in => Err(SignInRejection::Ended),
            Some(account) if found.is_some_and(|found| found != account) => {
                Err(SignInRejection::Taken)
            }
            _ => Ok(()),
        }
    }
}

impl SignInProof {
    /// The one of `candidates` that this confirms: those that have the link's token, or those of the
    /// browser.
    pub(crate) fn confirms(
        self,
        candidates: &[PendingSignIn],
        now: Timestamp,
    ) -> Result<&PendingSignIn, SignInRejection> {
        let mut live = candidates.iter().filter(|it| it.is_live(now)).peekable();
        if live.peek().is_none() {
            return Err(SignInRejection::Ended);
        }
        match self {
            Self::Link { browser, .. } => live
                .find(|it| it.browser == browser)
                .ok_or(SignInRejection::OtherBrowser),
            Self::Code { browser, code } => live
                .find(|it| it.browser == browser && it.code == code)
                .ok_or(SignInRejection::WrongCode),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn pending() -> PendingSignIn {
        PendingSignIn {
            id: SignInId(Uuid::nil()),
            browser: SecretDigest([1; 32]),
            code: SecretDigest([2; 32]),
            email: "a@example.org".parse().unwrap(),
            network: String::new(),
            created_at: at(1000),
            attempts: 0,
            used_at: None,
            account: None,
            is_new: false,
        }
    }

    fn link(browser: u8) -> SignInProof {
        SignInProof::Link {
            token: SecretDigest([0; 32]),
            browser: SecretDigest([browser; 32]),
        }
    }

    fn code(code: u8) -> SignInProof {
        SignInProof::Code {
            browser: SecretDigest([1; 32]),
            code: SecretDigest([code; 32]),
        }
    }

    #[test]
    fn a_proof_fits_a_live_sign_in_of_its_browser() {
        let check =
            |proof: SignInProof, pending: PendingSignIn, now, expected: Option<SignInRejection>| {
                let pending = [pending];
                assert_eq!(proof.confirms(&pending, at(now)).err(), expected);
            };
        use SignInRejection::{Ended, OtherBrowser, WrongCode};
        check(link(1), pending(), 1599, None);
        check(link(1), pending(), 1600, Some(Ended));
        check(link(2), pending(), 1001, Some(OtherBrowser));
        check(code(2), pending(), 1599, None);
        check(code(3), pending(), 1599, Some(WrongCode));
        check(code(2), pending(), 1600, Some(Ended));
        let tried = |attempts| PendingSignIn {
            attempts,
            ..pending()
        };
        check(code(2), tried(4), 1001, None);
        check(code(2), tried(5), 1001, Some(Ended));
        check(link(1), tried(5), 1001, Some(Ended));
        let used = PendingSignIn {
            used_at: Some(at(1001)),
            ..pending()
        };
        check(link(1), used.clone(), 1002, Some(Ended));
        check(link(2), used, 1002, Some(Ended));
        assert_eq!(link(1).confirms(&[], at(1)).err(), Some(Ended));
    }
}
