//! Sessions: browsers that are signed in.

use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use super::{Account, AccountId, AccountRules, BrowserName, SecretDigest};

/// How long a proof of the mail address allows what is dangerous.
const STEP_UP: Duration = Duration::from_secs(600);
/// The precision of the time at which a session was last used.
const PRECISION: Duration = Duration::from_secs(60);

/// The public identity of a session, by which its owner ends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionId(pub Uuid);

/// A session to be stored.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// Its identity.
    pub id: SessionId,
    /// Of its secret.
    pub secret: SecretDigest,
    /// The browser.
    pub browser_name: BrowserName,
    /// When it begins.
    pub created_at: Timestamp,
    /// Of the secret of the session that the browser had before, which ends.
    pub replaces: Option<SecretDigest>,
}

/// A session as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its identity.
    pub id: SessionId,
    /// Whose it is.
    pub account: AccountId,
    /// The browser.
    pub browser_name: BrowserName,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_seen_at: Timestamp,
    /// When the account last proved its address in it.
    pub stepped_up_at: Timestamp,
}

/// Who is signed in, and in which session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// The account.
    pub account: Account,
    /// The session.
    pub session: Session,
}

impl SignedIn {
    /// Whether the account proved its address in the last 10 minutes, as issuing and rotating keys and
    /// deleting projects require.
    pub fn is_stepped_up(&self, now: Timestamp) -> bool {
        now < after(self.session.stepped_up_at, STEP_UP)
    }
}

impl Session {
    /// Whether it is neither idle nor old.
    pub(crate) fn is_live(&self, rules: &AccountRules, now: Timestamp) -> bool {
        now < after(self.last_seen_at, rules.session_idle)
            && now < after(self.created_at, rules.session_life)
    }

    /// Whether its use has to be noted.
    pub(super) fn is_stale(&self, now: Timestamp) -> bool {
        now >= after(self.last_seen_at, PRECISION)
    }
}

fn after(at: Timestamp, time: Duration) -> Timestamp {
    at.saturating_add(time).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn a_session_ends_when_idle_or_old() {
        let session = Session {
            id: SessionId(Uuid::nil()),
            account: AccountId(Uuid::nil()),
            browser_name: BrowserName::of_user_agent(""),
            created_at: at(0),
            last_seen_at: at(100),
            stepped_up_at: at(0),
        };
        let rules = AccountRules {
            session_idle: Duration::from_secs(50),
            session_life: Duration::from_secs(140),
            ..AccountRules::default()
        };
        let live = |now| session.is_live(&rules, at(now));
        assert!(live(139) && !live(140));
        let rules = AccountRules {
            session_life: Duration::from_secs(200),
            ..rules
        };
        let live = |now| session.is_live(&rules, at(now));
        assert!(live(149) && !live(150));
        assert!(!session.is_stale(at(159)) && session.is_stale(at(160)));
    }
}
